// SPDX-License-Identifier: GPL-3.0-or-later
// One way to speak SSH: libssh2, in this process.
#pragma once

#include "remote/ssh/ssh_session.h"

namespace trainyard::remote {

// Blocks for TCP connect, handshake and sign-in, each with its deadline. Errors name the host and the remedy;
// `failure` gets their kind.
Result<std::shared_ptr<SshSession>> connectOverLibrary(const HostEntry& host, const ConnectOptions& options,
                                                       LibraryFailure& failure);
Result<std::shared_ptr<SshSession>> connectOverLibrary(const HostEntry& host, const ConnectOptions& options = {});

bool libraryDoesRsa(); // with SHA-2, as sshd wants it

} // namespace trainyard::remote
