// SPDX-License-Identifier: GPL-3.0-or-later
// Connecting to a host over the library or the system's ssh, whichever can.
#pragma once

#include "remote/ssh/ssh_session.h"

namespace trainyard::remote {

// What decides about a host's channel: its entry, the SSH config as it is now, its key.
ChannelFacts channelFacts(const HostEntry& host);

// As SshSession::connect(), over what chooseChannel() and channelAfter() say; the session's facts tell which.
Result<std::shared_ptr<SshSession>> connectToHost(const HostEntry& host, const ConnectOptions& options = {});

// Makes sure that a supervisor, which has no terminal, can sign in: without a question, or over a connection that is
// left open for it, for which the system's ssh asks on this process's terminal or options.askSecret. It lasts until the
// link is lost.
Result<void> signInForSupervisor(const HostEntry& host, const ConnectOptions& options);

} // namespace trainyard::remote
