// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/machine/mutex.h"
#include "engine/torch/base/compat.h"

#include <memory>
#include <vector>

namespace trainyard::train {

// The TCP connections to the other ranks that Gloo has made for this process's groups, and no others of the process.
// For any thread.
class PeerConnections {
public:
    int timesShutDown() const;
    // Those of a group that has met. Where shutDown() came while it did (`before`: timesShutDown() when it began), they
    // are shut down at once.
    void add(c10d::ProcessGroupGloo& group, int before);
    // Ends what waits in a collective for a peer that is gone or beyond reach: it throws. The groups are beyond use;
    // those added later are not touched.
    void shutDown();

private:
    mutable Mutex m_mutex;
    std::vector<std::weak_ptr<::gloo::Context>> m_contexts TY_GUARDED_BY(m_mutex);
    int m_timesShutDown TY_GUARDED_BY(m_mutex) = 0;
};

} // namespace trainyard::train
