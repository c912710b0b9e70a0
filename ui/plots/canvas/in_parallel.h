// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace trainyard::ui {

// Calls work(0) to work(count - 1), each once, on this thread and on others as far as cores are idle; returns when all
// are done. Those for other threads are taken only by threads that run: no call waits for a busy core. `work` must be
// safe to be called by several threads at a time, and must not throw.
void inParallel(int count, const std::function<void(int)>& work);

} // namespace trainyard::ui
