// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>

namespace trainyard::run {

// Rule: what becomes of a folder whose maker was killed.
// Removes it if nothing in it has changed for a minute, nobody holds its lock (store::RunLock), and under that lock
// `isRecorded` says that it is unknown. Best effort.
void removeAbandoned(const std::filesystem::path& folder, const std::function<bool()>& isRecorded);

} // namespace trainyard::run
