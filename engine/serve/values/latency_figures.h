// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serve/values/service_status.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace trainyard::serve {

// How long requests took: since the start, and in the last ten seconds. Buckets are a quarter wider each, from 0.05 ms
// to a minute, so that a quantile is right within a quarter.
class LatencyFigures {
public:
    static constexpr std::size_t kBounds = 64;
    static double boundMs(std::size_t bucket);

    // `now` is monotonic seconds, and never goes back.
    void add(double now, double ms);
    // Of the last ten seconds: requests a second, and the upper bound of the bucket in which the quantile lies; 0 where
    // none came.
    double perSecond(double now) const;
    double quantileMs(double now, double quantile) const;
    LatencyCounts counts() const;
    std::int64_t total() const { return m_total; }
    double sumMs() const { return m_sumMs; }
    const std::array<std::int64_t, kBounds + 1>& all() const { return m_all; }

private:
    static constexpr std::size_t kSeconds = 10;
    using Buckets = std::array<std::uint32_t, kBounds + 1>;
    struct Second {
        std::int64_t at = -1;
        Buckets counts{};
    };

    std::array<Second, kSeconds> m_recent{};
    std::array<std::int64_t, kBounds + 1> m_all{};
    std::int64_t m_total = 0, m_first = -1;
    double m_sumMs = 0;
};

} // namespace trainyard::serve
