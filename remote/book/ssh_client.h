// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/: how the system's OpenSSH client is called, as a value, and what it says.
#pragma once

#include "remote/book/host_book.h"
#include "remote/book/sign_in.h"

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::remote {

// The path of `ssh` in PATH; empty when it is not installed.
std::string sshProgram();

// The known_hosts files in their order: that of accepted keys first.
std::vector<std::filesystem::path> knownHostsFiles(const ConnectOptions& options);

// The text of a configuration that keeps this program's rules (host keys, deadlines, no questions unless `asks`) and
// then reads the user's and the system's. It holds for the hosts on the way, too.
std::string sshConfigText(const ConnectOptions& options, bool asks);

// Arguments that name the host, with what its entry says; they go last.
std::vector<std::string> sshDestination(const HostEntry& host);
// The same for a person, to be typed behind "ssh" or "ssh-copy-id".
std::string sshWords(const HostEntry& host);

// Why the system's ssh has ended, from what it has said.
enum class SshTrouble { Unreachable, HostKey, SignIn, LinkCut, LinkReset, Other };
SshTrouble sshTrouble(std::string_view said);

} // namespace trainyard::remote
