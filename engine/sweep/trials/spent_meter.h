// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/trials/trial_rows.h"
#include "engine/sweep/values/event.h"

namespace trainyard::sweep {

// What a sweep has used, over all of its supervisors: the time in which none was there does not count.
class SpentMeter {
public:
    // `before`: by earlier supervisors. Times are monotonic seconds.
    SpentMeter(const Spent& before, double now) : m_secondsBefore(before.seconds), m_begun(now) {}
    Spent spent(const TrialRows& trials, double now) const {
        return {m_secondsBefore + now - m_begun, trials.trainSeconds(), trials.epochs()};
    }

private:
    double m_secondsBefore, m_begun;
};

} // namespace trainyard::sweep
