// SPDX-License-Identifier: GPL-3.0-or-later
// Connects to a host over the library or the system's ssh, whichever can: the one place that knows both.
#pragma once

#include "remote/ssh/ssh_session.h"

namespace trainyard::remote {

// The facts that decide a host's channel: its entry, the current SSH config, its key.
ChannelFacts channelFacts(const HostEntry& host);

// Over the program that chooseChannel() and channelAfter() pick; the session's facts name it. Blocks until signed in;
// errors name the host and the remedy. Tries once: RemoteHost tries again.
Result<std::shared_ptr<SshSession>> connectToHost(const HostEntry& host, const ConnectOptions& options = {});

// Makes sure that a supervisor without a terminal can sign in: without a question, or over a connection left open for
// it, for which the system's ssh asks on this process's terminal or options.askSecret. Lasts until the link is lost.
Result<void> signInForSupervisor(const HostEntry& host, const ConnectOptions& options);

} // namespace trainyard::remote
