// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/values/serving_policy.h"

#include <algorithm>

namespace trainyard::serve {
namespace {

constexpr double kSlowSeconds = 0.3, kIdleSeconds = 30, kHalf = 0.5;
constexpr double kLeastPatience = 2, kTimes = 20, kPictureSeconds = 1, kTokenSeconds = 0.25;

} // namespace

AfterDeath afterDeath(int deaths) {
    return deaths <= 1 ? AfterDeath::Again : deaths == 2 ? AfterDeath::Alone : AfterDeath::Fail;
}

double patienceSeconds(const BatchTable& table, int rows, int pictures, int tokens) {
    return std::max(kLeastPatience, kTimes * table.expectedUs(rows) / 1e6) + kPictureSeconds * pictures +
           kTokenSeconds * tokens;
}

QueueLoad loadOf(std::int64_t waitingRows, int replicas, double busyShare, const BatchTable& table) {
    const double perSecond = table.rowsPerSecond() * std::max(1, replicas);
    return {.waitingRows = waitingRows,
            .replicas = replicas,
            .busyShare = busyShare,
            .expectedMs = perSecond > 0 ? 1e3 * static_cast<double>(waitingRows) / perSecond : 0};
}

int ScalePolicy::wanted(double now, const QueueLoad& load) {
    const bool none = load.replicas == 0 && load.waitingRows > 0;
    const bool slow = load.expectedMs > m_targetMs;
    if (!slow) m_slowSince.reset();
    else if (!m_slowSince) m_slowSince = now;
    const bool idle =
        load.waitingRows == 0 && (load.replicas <= 1 ? load.busyShare == 0 && m_least == 0
                                                     : load.busyShare * load.replicas < kHalf * (load.replicas - 1));
    if (!idle) m_idleSince.reset();
    else if (!m_idleSince) m_idleSince = now;
    int wanted = load.replicas;
    if (none || (m_slowSince && now - *m_slowSince >= kSlowSeconds)) {
        ++wanted;
        m_slowSince.reset(); // the new one has to be there before there is another
    } else if (m_idleSince && now - *m_idleSince >= kIdleSeconds) {
        --wanted;
        m_idleSince.reset();
    }
    return std::clamp(wanted, m_least, m_most);
}

std::optional<std::size_t> versionFor(std::string_view id, const std::vector<Share>& shares) {
    std::uint64_t hash = 1469598103934665603u; // FNV-1a
    for (const char c : id) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    hash ^= hash >> 33; // its high bits alone differ little between neighbours
    hash *= 0xff51afd7ed558ccdu;
    hash ^= hash >> 33;
    double at = static_cast<double>(hash >> 11) * 0x1p-53;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        if (at < shares[i].share) return i;
        at -= shares[i].share;
    }
    return std::nullopt;
}

} // namespace trainyard::serve
