// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/: a TCP connection to a host: the library speaks over it, and it tells whether the host can be reached.
#pragma once

#include "engine/base/result.h"
#include "engine/base/unique_fd.h"

#include <string>

namespace trainyard::remote {

struct HostEntry;

struct TcpConnection {
    UniqueFd socket; // non-blocking
    std::string peerAddress;
    double seconds = 0; // that it took
};

int millisecondsUntil(double deadline); // monotonicSeconds()

// Connects within the deadline, with timeouts that notice a cut link. Environment errors name the cause.
Result<TcpConnection> connectTcp(const HostEntry& host, double timeoutSeconds);

} // namespace trainyard::remote
