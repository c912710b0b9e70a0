// SPDX-License-Identifier: GPL-3.0-or-later
// One way to speak SSH: the system's ssh, as a child of this process.
#pragma once

#include "remote/ssh/ssh_session.h"

namespace trainyard::remote {

// Blocks until ssh has signed in or failed. `reason`: why not the library; LeftOpen takes the connection that was left
// open. The cause of a program's end is known only if it was an exit code or a signal sent from here.
Result<std::shared_ptr<SshSession>> connectOverSystem(const HostEntry& host, const ConnectOptions& options,
                                                      ChannelReason reason);

} // namespace trainyard::remote
