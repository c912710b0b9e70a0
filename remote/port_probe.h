// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/ssh_session.h"

namespace trainyard::remote {

// Whether a port that the host opens at `address` can be reached from this computer, as the ranks of a run need it.
// The text says what was found; the error names what blocks it. A host without Perl and Python is not checked.
Result<std::string> probePort(SshSession& session, const std::string& address);
// The same from another host, which is signed in to.
Result<std::string> probePortFrom(SshSession& session, const std::string& address, const HostEntry& peer,
                                  const ConnectOptions& options);

} // namespace trainyard::remote
