// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/ssh/system: how to call the system's OpenSSH client, as a value, and how to read its messages.
#pragma once

#include "remote/book/sign_in.h"

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::remote {

struct HostEntry;

// A configuration with this program's rules (host keys, deadlines, no questions unless `asks`) that then includes the
// user's and the system's. Applies to jump hosts, too.
std::string sshConfigText(const ConnectOptions& options, bool asks);

// Arguments that name the host with its entry's settings; they go last.
std::vector<std::string> sshDestination(const HostEntry& host);
// The same for a person to type after "ssh" or "ssh-copy-id".
std::string sshWords(const HostEntry& host);

// Why the system's ssh ended, from its messages.
enum class SshTrouble { Unreachable, HostKey, SignIn, LinkCut, LinkReset, Other };
SshTrouble sshTrouble(std::string_view said);
// The last of them that says something.
std::string lastWords(const std::string& said);
// Why it did not connect.
Error sshError(const HostEntry& host, const std::string& said);

} // namespace trainyard::remote
