// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/ssh/system: a connection that the system's ssh keeps open for others (ControlMaster), as a child of
// this process.
#pragma once

#include "engine/base/unique_fd.h"
#include "remote/book/sign_in.h"

#include <optional>

namespace trainyard::remote {

struct HostEntry;

// A new name for a file in the user's private folder.
std::string privateName();

// Writes a configuration file with that content into the user's private folder; returns its name.
Result<std::filesystem::path> sshConfigFile(const std::string& text);

// A connection to the socket of a master; nothing if there is none.
std::optional<UniqueFd> connectToMaster(const std::filesystem::path& socket);

// Checks the host's key as the library's sessions do, and asks about a new one; jump hosts first. Success: ssh may be
// called again.
Result<void> acceptKeys(const HostEntry& host, const ConnectOptions& options);

} // namespace trainyard::remote
