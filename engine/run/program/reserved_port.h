// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/base/unique_fd.h"

namespace trainyard::run {

// A TCP port of this computer for the ranks' rendezvous. Bound with SO_REUSEADDR and never listened on: the kernel
// gives it to nobody who asks for any port, nor to an outgoing connection, and rank 0 can still bind it and listen, at
// once and again after a restart. torchrun closes a free port and hopes that it is still free when rank 0 comes to it.
class ReservedPort {
public:
    // Environment: no port is free.
    static Result<ReservedPort> take();
    int port() const { return m_port; }

private:
    UniqueFd m_socket;
    int m_port = 0;
};

} // namespace trainyard::run
