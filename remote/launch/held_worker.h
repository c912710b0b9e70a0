// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/: a rank that outlives the connection to its host (rank_holder.h), and is found again over another
// one.
#pragma once

#include "remote/hosts/remote_host.h"

namespace trainyard::remote {

// How it was started.
struct HeldStart {
    std::shared_ptr<RemoteHost> host;
    std::string relay, worker, launch; // paths on the host, and the mark of the launch (run::kLaunchVariable)
    std::string libraries;             // Deployed::libraries
    double linkSeconds = 0;            // after so much silence it is given up
    std::shared_ptr<SshSession> session;
    std::unique_ptr<SshChannel> channel; // to the relay, which has been told the run file
    std::shared_ptr<HeldMark> mark;      // as RemoteHost knows it
};

// The rank as a process whose descriptors stay while connections come and go, served by a thread of its own.
// Destroying the object ends the rank, over the present connection or the next one (RemoteHost::session).
Result<std::unique_ptr<run::WorkerProcess>> holdWorker(HeldStart start);

} // namespace trainyard::remote
