// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/wire/messages.h"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace trainyard::train {

// The points of a rank that its supervisor has not yet said to be in the store. If it never does, they go with the
// rank's last checkpoint. Not thread-safe.
class UnstoredPoints {
public:
    using Series = std::map<std::string, std::vector<wire::Point>>;

    // Points of one series come in the order of their steps. Of a series that grows too long, every other point goes.
    void add(const std::string& series, const wire::Point& point);
    // The store has every point of the steps before this one.
    void storedBefore(std::int64_t step);
    void voidAfter(std::int64_t step); // training goes back to this step

    const Series& series() const { return m_series; }
    std::uint64_t storedCount() const { return m_stored; } // of the points added

private:
    struct Mark { // how many points were added up to the last one of a step
        std::int64_t step = 0;
        std::uint64_t added = 0;
    };
    Series m_series;
    std::deque<Mark> m_marks;
    std::uint64_t m_added = 0, m_stored = 0;
};

// Keeps every other point, and always the newest.
void thinOut(std::vector<wire::Point>& points);
inline constexpr std::size_t kPointsKept = 100'000; // of one series, while the supervisor does not take them

} // namespace trainyard::train
