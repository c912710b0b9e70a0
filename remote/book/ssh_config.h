// SPDX-License-Identifier: GPL-3.0-or-later
// What this program takes from the user's OpenSSH client: its configuration, and where it is.
#pragma once

#include "remote/book/host_book.h"

namespace trainyard::remote {

// Aliases without wildcards in an SSH config file and its included files, each with its values. A missing file gives
// an empty list; skips unknown keywords and Match blocks.
Result<std::vector<HostEntry>> sshConfigHosts(const std::filesystem::path& file = {}); // empty: ~/.ssh/config
// The SSH config's values for a name; an entry with just the alias if it has none. If the config has Match blocks,
// asks the system's ssh (`ssh -G`), which may run programs that they name.
Result<HostEntry> sshConfigHost(const std::string& name, const std::filesystem::path& file = {});

// The path of `ssh` in PATH; empty if it is not installed.
std::string sshProgram();

} // namespace trainyard::remote
