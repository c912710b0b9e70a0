// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/group/peer_connections.h"

#include "engine/base/machine/mutex.h"

#include <gloo/context.h>
#include <gloo/transport/context.h>
#include <gloo/transport/tcp/pair.h>

#include <sys/socket.h>

#include <utility>

namespace trainyard::train {
namespace {

// Gloo closes connections in order only, which would wait for the peer; what has to be known for more is protected.
class GlooGroup : public c10d::ProcessGroupGloo {
public:
    static const std::vector<std::shared_ptr<::gloo::Context>>& contextsOf(c10d::ProcessGroupGloo& group) {
        return group.*&GlooGroup::contexts_;
    }
};

class GlooContext : public ::gloo::Context {
public:
    static ::gloo::transport::Context& transportOf(::gloo::Context& context) {
        return *(context.*&GlooContext::transportContext_);
    }
};

class GlooPair : public ::gloo::transport::tcp::Pair {
public:
    // Gloo's own thread finds the connection broken and wakes the threads that wait on it.
    static void shutDown(::gloo::transport::tcp::Pair& pair) {
        const std::lock_guard lock(pair.*&GlooPair::m_);
        const int fd = pair.*&GlooPair::fd_;
        if (fd >= 0) ::shutdown(fd, SHUT_RDWR);
    }
};

void shutDownPairs(::gloo::Context& context) {
    auto& transport = GlooContext::transportOf(context);
    for (int rank = 0; rank < context.size; ++rank) {
        if (rank == context.rank) continue;
        // Gloo has no other transport for an address of the network.
        if (const auto& pair = transport.getPair(rank))
            GlooPair::shutDown(static_cast<::gloo::transport::tcp::Pair&>(*pair));
    }
}

} // namespace

int PeerConnections::timesShutDown() const {
    const MutexLock lock(m_mutex);
    return m_timesShutDown;
}

void PeerConnections::add(c10d::ProcessGroupGloo& group, int before) {
    const MutexLock lock(m_mutex);
    for (const auto& context : GlooGroup::contextsOf(group)) {
        if (before == m_timesShutDown) m_contexts.push_back(context);
        else shutDownPairs(*context);
    }
}

void PeerConnections::shutDown() {
    const MutexLock lock(m_mutex);
    ++m_timesShutDown;
    for (const auto& weak : std::exchange(m_contexts, {}))
        if (const auto context = weak.lock()) shutDownPairs(*context);
}

} // namespace trainyard::train
