// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>

namespace trainyard::run {

// The user's private folder for attach sockets: $XDG_RUNTIME_DIR/trainyard, else /tmp/trainyard-UID. Created with mode
// 0700. Environment: another user owns it, or others may enter it.
Result<std::filesystem::path> socketFolder();

// Environment unless only this user may use the folder: owner, and mode 0700.
Result<void> checkPrivate(const std::filesystem::path& folder);

// The socket of a run's supervisor.
Result<std::filesystem::path> socketPath(const std::string& run);

} // namespace trainyard::run
