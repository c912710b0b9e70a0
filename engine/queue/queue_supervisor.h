// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace trainyard::queue {

// Starts the entries of a workspace's queue as there is room for them: `trainyardctl supervise-queue FOLDER`, FOLDER
// being queueFolder(). It holds the lock of that folder, and ends when nothing waits or the queue is paused. What it
// has started does not depend on it. Killed at any moment it leaves every entry either waiting or with its run or
// sweep; the next one goes on from there. Returns the exit code of the terminal contract; SIGTERM and SIGINT end it
// with 0.
int superviseQueue(const std::filesystem::path& folder);

} // namespace trainyard::queue
