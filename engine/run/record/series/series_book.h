// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/wire/messages.h"

namespace trainyard::run {

// Counts a run's points, so that each has an index for life and a restart can void exactly those it repeats.
class SeriesBook {
public:
    // Numbers new points; points at or before the last step of their series are repeats and are left out. Of a system
    // series those of the last step count that are later. A step has one time in all other series, and no step has an
    // earlier one than those before it: ranks measure each point by itself, and a rank that takes another's place has a
    // clock of its own.
    wire::Metrics accept(const wire::Metrics& metrics);
    // Points already in the store, in order.
    void load(const std::string& series, const std::vector<wire::Point>& points);
    // Forgets the points after `step`.
    void rewind(std::int64_t step);
    // Training seconds reached at `step`: those of the latest point at or before it; 0 when there is none. System
    // series do not count.
    double secondsAt(std::int64_t step) const;
    std::int64_t count(const std::string& series) const;
    std::map<std::string, double> lastValues() const;
    std::map<std::string, std::int64_t> lastSteps() const; // of the series that have points

private:
    struct Mark {
        std::int64_t step = 0;
        double seconds = 0, value = 0;
    };
    static bool isRepeat(const wire::Point& point, const Mark& last, bool byClock);
    double timeOf(std::int64_t step, double told);

    std::map<std::string, std::vector<Mark>> m_series;
    std::map<std::int64_t, double> m_times; // training seconds of the newest steps
};

} // namespace trainyard::run
