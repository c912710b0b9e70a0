// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/ssh/ssh_session.h"

#include <optional>

namespace trainyard::remote {

// A port that was reached.
struct ReachedPort {
    std::string text;                       // what was found
    std::optional<double> bytesPerSecond{}; // of some 100 kB that were sent: shows slow links. Nothing: not measured
};

// Whether a port that the host opens at `address` can be reached from this computer, as the ranks of a run need it.
// The error names what blocks it, with code HostUnsuitable. A host without Perl and Python is not checked, which the
// text says.
Result<ReachedPort> probePort(SshSession& session, const std::string& address);
// The same from another host.
Result<ReachedPort> probePortFrom(SshSession& session, const std::string& address, SshSession& peer);
// The same from another host, which is signed in to.
Result<ReachedPort> probePortFrom(SshSession& session, const std::string& address, const HostEntry& peer,
                                  const ConnectOptions& options);
// The same of a port of this computer, without the speed.
Result<ReachedPort> probePortHere(const std::string& address, SshSession& peer);

// How fast the host sends to the other one, in bytes a second, as far as most of a second shows. Nothing where one of
// them has neither Perl nor Python. Environment: the other one cannot reach it.
Result<std::optional<double>> probeSpeed(SshSession& session, const std::string& address, SshSession& peer);
std::string speedText(double bytesPerSecond); // "940 Mbit/s"

} // namespace trainyard::remote
