// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace trainyard::ui {

// Calls work(0) to work(count - 1), each once, on this thread and on others as far as cores are idle; returns when all
// are done. Only threads that are already running help, so no call waits for a busy core. `work` must be thread-safe
// and must not throw.
void inParallel(int count, const std::function<void(int)>& work);

} // namespace trainyard::ui
