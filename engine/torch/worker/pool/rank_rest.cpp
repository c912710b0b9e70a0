// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/pool/rank_rest.h"

#include "engine/base/machine/resident_memory.h"
#include "engine/base/unique_fd.h"
#include "engine/run/launch/pool/pool_protocol.h"
#include "engine/torch/kernels/memory_pool.h"
#include "engine/wire/messages.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <malloc.h>

namespace trainyard::train {
namespace {

constexpr std::int64_t kMostGrowth = std::int64_t{64} << 20; // since the start

} // namespace

RankRest::RankRest(int frameFd) : m_frameFd(frameFd), m_bytesAtStart(residentMemory().ofNoFile) {}

bool RankRest::untilNextRun() {
    if (hasGrown()) { // what is kept for speed, or lost
        kernels::trimMemoryPool();
        ::malloc_trim(0);
    }
    if (hasGrown() || !sayFree()) return false;
    for (std::array<char, 4096> old;;) {
        std::vector<int> fds;
        const auto got = run::receiveWithFds(0, old.data(), old.size(), fds);
        const UniqueFd frames(fds.size() == 2 ? fds[0] : -1), log(fds.size() == 2 ? fds[1] : -1);
        if (got <= 0) return false;
        if (frames) return takeChannels(frames.get(), log.get());
    }
}

// What was loaded from files is no growth: others have it, too.
bool RankRest::hasGrown() const { return residentMemory().ofNoFile > m_bytesAtStart + kMostGrowth; }

bool RankRest::sayFree() const {
    const auto frame = wire::encodeMessage(wire::Free{residentMemory().bytes});
    for (std::size_t sent = 0; sent < frame.size();) {
        const auto got = ::write(m_frameFd, frame.data() + sent, frame.size() - sent);
        if (got < 0 && errno != EINTR) return false;
        if (got > 0) sent += static_cast<std::size_t>(got);
    }
    return true;
}

bool RankRest::takeChannels(int frames, int log) const {
    return ::dup2(frames, 0) >= 0 && ::dup2(frames, m_frameFd) >= 0 && ::dup2(log, 2) >= 0 && ::dup2(2, 1) >= 0;
}

} // namespace trainyard::train
