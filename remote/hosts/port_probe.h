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

// Whether this computer can reach a port that the host opens at `address`, as the ranks of a run need it. The error
// names the obstacle, with code HostUnsuitable. A host without Perl and Python is not checked; the text says so.
Result<ReachedPort> probePort(SshSession& session, const std::string& address);
// The same from another host.
Result<ReachedPort> probePortFrom(SshSession& session, const std::string& address, SshSession& peer);
// As above from another host, signed in to for it.
Result<ReachedPort> probePortFrom(SshSession& session, const std::string& address, const HostEntry& peer,
                                  const ConnectOptions& options);
// For a port of this computer, without the speed.
Result<ReachedPort> probePortHere(const std::string& address, SshSession& peer);

// The host's sending speed to the other one in bytes a second, measured for most of a second. Nothing if one of them
// has neither Perl nor Python. Environment: the other one cannot reach it.
Result<std::optional<double>> probeSpeed(SshSession& session, const std::string& address, SshSession& peer);
std::string speedText(double bytesPerSecond); // "940 Mbit/s"

} // namespace trainyard::remote
