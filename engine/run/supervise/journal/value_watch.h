// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/run_spec.h"
#include "engine/wire/messages.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace trainyard::run {

// Rule: what follows from the values that a program reports (failure.nonFinite, earlyStop).
// One that is not finite is told of once for each series. `stop` and `rollback` act on losses, whose names say so, and
// on the series of checkpoint.scoreBy and earlyStop: another one may well have no value. A value: the supervisor acts.
class ValueWatch {
public:
    enum class What { NotFinite, Diverged, StopsEarly };
    struct Finding {
        What what = What::NotFinite; // Diverged: the run is to stop or to go back
        std::string text{};          // "train/loss is NaN at step 1,234"
        std::int64_t step = 0;
    };

    ValueWatch() = default; // watches nothing: ranks of Trainyard's own do it themselves
    explicit ValueWatch(const spec::RunSpec& program);

    // Points that earlier supervisors have stored. A patience that was over already begins anew: somebody resumes it.
    void load(const std::string& series, const std::vector<wire::Point>& points);
    void add(const std::vector<wire::SeriesPoints>& curves);
    void rewind(std::int64_t step); // later points are void; -1: all
    // The next thing that has been found, once.
    std::optional<Finding> take();
    bool stoppedEarly() const { return m_stoppedEarly; }

private:
    struct Best { // of earlyStop.metric, after a point
        std::int64_t step = 0;
        double value = 0;
        int worse = 0; // points since
    };
    void look(const std::string& series, const wire::Point& point);
    void judge(const wire::Point& point);

    bool m_isOn = false;
    std::string m_nonFinite = "warn", m_scoreBy{};
    spec::EarlyStop m_earlyStop{};
    std::vector<Best> m_course{};
    std::set<std::string> m_told{};
    std::vector<Finding> m_found{};
    bool m_stoppedEarly = false;
};

} // namespace trainyard::run
