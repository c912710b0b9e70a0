// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>

namespace trainyard::run {

// Rule: what becomes of a folder whose maker was killed.
// Removes a folder that a process was making when it was killed: nothing in it has changed for a minute, nobody has its
// lock (store::RunLock), and under that lock `isRecorded` says that nobody knows of it. Best effort.
void removeAbandoned(const std::filesystem::path& folder, const std::function<bool()>& isRecorded);

} // namespace trainyard::run
