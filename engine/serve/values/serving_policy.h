// SPDX-License-Identifier: GPL-3.0-or-later
// Decisions of a service's server: times and counts in, decisions out.
#pragma once

#include "engine/serve/values/batch_table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::serve {

// What happens to a request whose replica died while it computed it.
enum class AfterDeath {
    Again, // with others, in another replica
    Alone, // with nothing beside it, so that it is known which of them kills
    Fail,  // it has killed one alone: 500, and it is named
};
// Rule: what becomes of a request whose replica died.
// `deaths`: how often that has happened to it, this one included.
AfterDeath afterDeath(int deaths);

// Rule: how long a batch may take before its replica counts as hanging.
// Seconds; `pictures` may be large, `tokens` are added one after the other.
double patienceSeconds(const BatchTable& table, int rows, int pictures, int tokens);

// How long what waits is expected to wait.
struct QueueLoad {
    std::int64_t waitingRows = 0;
    int replicas = 0;      // that compute, or will in a moment
    double busyShare = 0;  // of their time since the last look, 0 to 1
    double expectedMs = 0; // of a row that comes now
};
QueueLoad loadOf(std::int64_t waitingRows, int replicas, double busyShare, const BatchTable& table);

// How many replicas there should be.
class ScalePolicy {
public:
    ScalePolicy(int least, int most, double targetMs) : m_least(least), m_most(most), m_targetMs(targetMs) {}

    // Rule: when a service gets another replica, and when it loses one.
    // One more once the expected wait has been above the target for 0.3 s, or something waits and there is none; one
    // fewer after 30 s in which one fewer would have been less than half busy; to none only after 30 s without a
    // request. `now` is monotonic seconds.
    int wanted(double now, const QueueLoad& load);
    int least() const { return m_least; }
    int most() const { return m_most; }

private:
    int m_least, m_most;
    double m_targetMs;
    std::optional<double> m_slowSince, m_idleSince;
};

// One version that may get a request.
struct Share {
    std::string version;
    double share = 0; // 0 to 1; what is left is the current version's
};
// Rule: which version answers a request that names none.
// By a hash of its id, so that the same id always goes to the same version while the shares stay: the index in
// `shares`; nothing: the current one.
std::optional<std::size_t> versionFor(std::string_view id, const std::vector<Share>& shares);

} // namespace trainyard::serve
