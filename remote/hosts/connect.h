// SPDX-License-Identifier: GPL-3.0-or-later
// Connects to a host over the library or the system's ssh, whichever can.
#pragma once

#include "remote/ssh/ssh_session.h"

namespace trainyard::remote {

// The facts that decide a host's channel: its entry, the current SSH config, its key.
ChannelFacts channelFacts(const HostEntry& host);

// As SshSession::connect(), over the program that chooseChannel() and channelAfter() pick; the session's facts name
// it.
Result<std::shared_ptr<SshSession>> connectToHost(const HostEntry& host, const ConnectOptions& options = {});

// Makes sure that a supervisor without a terminal can sign in: without a question, or over a connection left open for
// it, for which the system's ssh asks on this process's terminal or options.askSecret. Lasts until the link is lost.
Result<void> signInForSupervisor(const HostEntry& host, const ConnectOptions& options);

} // namespace trainyard::remote
