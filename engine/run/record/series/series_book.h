// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/wire/messages.h"

namespace trainyard::run {

// Counts a run's points, so that each has a permanent index and a restart voids exactly those that it repeats.
class SeriesBook {
public:
    // Numbers new points and drops repeats, at or before the last step of their series. In a system series, later
    // points of the last step count. In all other series a step has one time, and no step an earlier time than the
    // steps before it: ranks measure points independently, and a replacing rank has its own clock.
    wire::Metrics accept(const wire::Metrics& metrics);
    // Points already in the store, in order.
    void load(const std::string& series, const std::vector<wire::Point>& points);
    // The points of a series under another name, where there are none yet.
    void rename(const std::string& from, const std::string& to);
    // Drops the points after `step`.
    void rewind(std::int64_t step);
    // Training seconds at `step`: those of the latest point at or before it, without system series; 0 if there is
    // none.
    double secondsAt(std::int64_t step) const;
    std::int64_t count(const std::string& series) const;
    std::map<std::string, double> lastValues() const;
    std::map<std::string, double> valuesAt(std::int64_t step) const; // of each series the last one by then
    std::map<std::string, std::int64_t> lastSteps() const;           // of the series that have points

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
