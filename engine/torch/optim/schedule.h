// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/spec/catalog.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace trainyard::train {
class Arguments;
}

namespace trainyard::optim {

// The learning rate of each step: a pure function of the step, but for `plateau`, which also follows the validation.
//
// Linear warm-up over warmupEpochs from baseLr / warmupSteps to baseLr, then (as PyTorch's schedulers of these names)
//   constant:    baseLr
//   step:        baseLr * gamma ^ floor(epoch / everyEpochs)
//   multi-step:  baseLr * gamma ^ (milestones passed)
//   cosine:      minLr + (baseLr - minLr) * (1 + cos(pi * t)) / 2, t in [0, 1] over the steps left
//                (Loshchilov & Hutter, SGDR, 2017, without restarts)
//   one-cycle:   from baseLr / startDivisor up to baseLr over the first warmupShare of the run, then down to
//                baseLr / startDivisor / endDivisor, both as half a cosine wave (Smith & Topin, 2018); momentum stays
//   exponential: from baseLr to endLr, each step by the same factor
//   plateau:     baseLr, times `factor` whenever the metric has not become better for more than `patience` validations
class Schedule {
public:
    // Kind Input: unknown name, a lowest rate above the learning rate, warm-up longer than the run, milestones that do
    // not grow.
    static Result<Schedule> make(const spec::Choice& choice, double baseLr, std::int64_t stepsPerEpoch,
                                 std::int64_t totalSteps);
    // The rate used by step number `step`, counted from 0; from totalSteps on, the last one.
    double at(std::int64_t step) const;

    // plateau: takes the values of a validation, the same ones on every rank; true when the rate goes down for it.
    // Others take no notice.
    bool observe(const std::map<std::string, double>& metrics);
    // What observe() has gathered, for a checkpoint; empty for the others.
    std::map<std::string, double> state() const;
    void restore(const std::map<std::string, double>& state); // of other names too; what is missing stays

private:
    enum class Shape { Constant, Step, MultiStep, Cosine, OneCycle, Exponential, Plateau };
    struct Plateau { // of PyTorch's ReduceLROnPlateau
        std::string metric = "val/loss";
        bool max = false;
        double factor = 0.1, threshold = 1e-4; // threshold: of the best value, what counts as better
        std::int64_t patience = 10, cooldown = 0;
    };
    Result<void> take(const train::Arguments& arguments); // the shape's own
    double shapeAt(std::int64_t step) const;
    double oneCycleAt(std::int64_t step) const;
    bool isBetter(double value) const;

    Shape m_shape = Shape::Constant;
    double m_baseLr = 0, m_endLr = 0; // endLr: of cosine, exponential and plateau
    std::int64_t m_warmupSteps = 0, m_totalSteps = 0, m_stepsPerEpoch = 1;
    double m_gamma = 0.1;
    std::int64_t m_everySteps = 1;
    std::vector<std::int64_t> m_milestones; // steps
    double m_warmupShare = 0.3, m_startDivisor = 25, m_endDivisor = 1e4;
    Plateau m_plateau;
    double m_lowered = 1; // plateau's product so far
    double m_best = 0;
    bool m_hasBest = false;
    std::int64_t m_badCount = 0, m_coolLeft = 0;
};

// What scaling.lrRule makes of the rate in a group of so many ranks: 1, the number, or its square root.
double lrFactor(const std::string& rule, int worldSize);

std::vector<spec::Entry> scheduleEntries();

} // namespace trainyard::optim
