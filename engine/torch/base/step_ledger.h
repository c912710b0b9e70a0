// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/base/rank_progress.h"

namespace trainyard::train {

// Says what a rank's time went to, second by second, although a rank tells the times of a step only once the step is
// over. What is not accounted for yet counts as what the rank is busy with now, so that a long step and a hang are seen
// while they last; the step's own times, when they come, replace that guess. A value: the times are handed to it.
class StepLedger {
public:
    struct Seconds {
        double data = 0, compute = 0, comm = 0;
    };
    struct Shares { // of `elapsed`; together at most 1
        double data = 0, compute = 0, comm = 0, wait = 0;
    };
    // `done`: seconds of all steps that are over, since the beginning; `now`: what the rank is busy with; `elapsed`:
    // seconds since the last call.
    Shares take(const Seconds& done, StepPart now, double elapsed);

private:
    Seconds m_done;  // at the last call
    Seconds m_guess; // of the step that is not over, given out already
};

} // namespace trainyard::train
