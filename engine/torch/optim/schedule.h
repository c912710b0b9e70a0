// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/spec/catalog.h"

#include <cstdint>
#include <vector>

namespace trainyard::optim {

// The learning rate as a pure function of the step, so that resuming needs no state.
//
// Linear warm-up over warmupEpochs from baseLr / warmupSteps to baseLr, then
//   constant: baseLr
//   cosine:   minLr + (baseLr - minLr) * (1 + cos(pi * t)) / 2, t in [0, 1] over the steps left
//             (Loshchilov & Hutter, SGDR, 2017, without restarts).
class Schedule {
public:
    // Kind Input: unknown name, minLr above the learning rate, warm-up longer than the run.
    static Result<Schedule> make(const spec::Choice& choice, double baseLr, std::int64_t stepsPerEpoch,
                                 std::int64_t totalSteps);
    // The rate used by step number `step`, counted from 0; from totalSteps on, cosine holds minLr.
    double at(std::int64_t step) const;

private:
    enum class Shape { Constant, Cosine };
    Shape m_shape = Shape::Constant;
    double m_baseLr = 0, m_minLr = 0;
    std::int64_t m_warmupSteps = 0, m_totalSteps = 0;
};

std::vector<spec::Entry> scheduleEntries();

} // namespace trainyard::optim
