// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/event.h"
#include "engine/sweep/trial_rows.h"

namespace trainyard::sweep {

// What a sweep has used, over all of its supervisors: the time in which none was there does not count.
class SpentMeter {
public:
    // `before`: by earlier supervisors. Times are monotonic seconds.
    SpentMeter(const Spent& before, double now) : m_secondsBefore(before.seconds), m_begun(now) {}
    Spent spent(const std::vector<TrialRow>& trials, double now) const {
        Spent spent{.seconds = m_secondsBefore + now - m_begun};
        for (const auto& trial : trials) {
            spent.trainSeconds += std::isfinite(trial.trainSeconds) ? trial.trainSeconds : 0;
            spent.epochs += std::isfinite(trial.epoch) ? trial.epoch : 0;
        }
        return spent;
    }

private:
    double m_secondsBefore, m_begun;
};

} // namespace trainyard::sweep
