// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/wire/messages.h"

#include <deque>

namespace trainyard::run {

// What a keeper has told its supervisor and the store may not have yet: it is told again to the one that takes the
// place of a killed one, which drops what it knows (SeriesBook, ProgramCheckpointBook). A value: times are monotonic
// seconds that are handed to it.
class ToldNews {
public:
    void add(wire::Metrics points, double now);
    void add(const wire::RolledBack& back, double now);
    void add(const wire::CheckpointSaved& saved);
    // The store has all points of the steps before this one (wire::Alive).
    void stored(std::int64_t step, double now);
    // In the order in which it was told.
    std::vector<wire::Message> all() const;
    std::size_t size() const { return m_points.size(); } // messages about points

private:
    struct Told {
        wire::Message message;
        std::int64_t lastStep = 0;
        double at = 0;
    };
    void bound();

    std::deque<Told> m_points;
    std::deque<wire::CheckpointSaved> m_checkpoints;
    std::size_t m_values = 0;  // in m_points
    double m_rewoundAt = -1e9; // what is said of the store for a moment after it may be of before
};

} // namespace trainyard::run
