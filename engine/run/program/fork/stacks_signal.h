// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <csignal>

namespace trainyard::run {

// The signal at which a rank of a program prints the stack of each of its threads on stderr and goes on: ranks of
// Python that listen to it (a rank of the fork server, one that imports trainyard.py). It ends any other process.
inline int stacksSignal() { return SIGRTMIN + 3; }

} // namespace trainyard::run
