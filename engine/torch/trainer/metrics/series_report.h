// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/trainer/metrics/trainer_report.h"

#include <deque>

namespace trainyard::train {

// The points of a run's series as one rank gives them to its report, and the clock that they are told by: training
// time, over restarts and without pauses.
class SeriesReport {
public:
    // `report` outlives it. `secondsBefore`: training time of earlier generations.
    SeriesReport(RunReport& report, double secondsBefore) : m_report(report), m_secondsBefore(secondsBefore) {}

    void begin();                                         // the first step of this generation is about to be taken
    void leaveOut(double seconds) { m_begun += seconds; } // a pause
    double trainSeconds() const;

    void point(const std::string& series, std::int64_t step, double epoch, double value, double secondsAgo = 0);
    // The points given so far are those of whole windows of steps, and may leave.
    void endWindow();
    // Of how many windows the points may not be out yet.
    std::size_t windowsUnreported();

    // Last value of each series, and its step where this rank has given it.
    const std::map<std::string, double>& lastValues() const { return m_last; }
    const std::map<std::string, std::int64_t>& lastSteps() const { return m_lastSteps; }
    void restore(std::map<std::string, double> values) { m_last = std::move(values); } // a checkpoint's
    void forgetSteps() { m_lastSteps.clear(); }                                        // the points are void

private:
    RunReport& m_report;
    double m_secondsBefore, m_begun = 0; // monotonicSeconds() of the first step; 0: not yet
    std::uint64_t m_given = 0;           // points
    std::deque<std::uint64_t> m_windows; // how many were given at the end of each window that may not be out yet
    std::map<std::string, double> m_last;
    std::map<std::string, std::int64_t> m_lastSteps;
};

} // namespace trainyard::train
