// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/catalog.h"
#include "engine/torch/optim/schedule_shape.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace trainyard::optim {

// Counts of optimizer steps.
struct RunSteps {
    std::int64_t perEpoch = 0, total = 0;
};

// The learning rate of each step: a pure function of the step, but for `plateau`, which also follows the validation.
//
// Linear warm-up over warmupEpochs from baseLr / warmupSteps to baseLr (Goyal et al., 2017, arXiv:1706.02677), then
//   constant:    baseLr
//   step:        baseLr * gamma ^ floor(epoch / everyEpochs), as torch.optim.lr_scheduler.StepLR
//   multi-step:  baseLr * gamma ^ (milestones passed), as MultiStepLR
//   cosine:      minLr + (baseLr - minLr) * (1 + cos(pi * t)) / 2, t in [0, 1] over the steps left, as
//                CosineAnnealingLR (Loshchilov and Hutter, SGDR, 2016, arXiv:1608.03983, without restarts)
//   one-cycle:   from baseLr / startDivisor up to baseLr over the first warmupShare of the run, then down to
//                baseLr / startDivisor / endDivisor, both as half a cosine wave, as OneCycleLR (Smith and Topin,
//                Super-Convergence, 2017, arXiv:1708.07120); momentum stays
//   exponential: from baseLr to endLr, each step by the same factor, as ExponentialLR stepped every step
//   plateau:     baseLr, times `factor` whenever the metric has not improved for more than `patience` validations, as
//                ReduceLROnPlateau
class Schedule {
public:
    Schedule() = default;
    Schedule(const Schedule& other) : m_plan(other.m_plan), m_shape(other.m_shape ? other.m_shape->clone() : nullptr) {}
    Schedule(Schedule&&) noexcept = default;
    Schedule& operator=(Schedule other) noexcept {
        std::swap(m_plan, other.m_plan);
        m_shape.swap(other.m_shape);
        return *this;
    }
    // Kind Input: unknown name, a lowest rate above the learning rate, warm-up longer than the run, milestones that do
    // not grow.
    static Result<Schedule> make(const spec::Choice& choice, double baseLr, RunSteps steps);
    // The learning rate of step number `step`, counted from 0; after the run's last step, that of the last one.
    double at(std::int64_t step) const;

    // plateau: takes the values of a validation, the same ones on every rank; true when the learning rate goes down for
    // it. Others take no notice.
    bool observe(const std::map<std::string, double>& metrics);
    // What observe() has gathered, for a checkpoint; empty for the others.
    std::map<std::string, double> state() const;
    void restore(const std::map<std::string, double>& state); // of other names too; what is missing stays

private:
    SchedulePlan m_plan;
    std::unique_ptr<ScheduleShape> m_shape; // null: a learning rate of 0
};

// What scaling.lrRule multiplies the learning rate by in a group of `worldSize` ranks: 1; the number (linear: Goyal et
// al., 2017, arXiv:1706.02677); its square root (sqrt: Krizhevsky, One Weird Trick, 2014, arXiv:1404.5997).
double lrFactor(const std::string& rule, int worldSize);

std::vector<spec::Entry> scheduleEntries();

} // namespace trainyard::optim
