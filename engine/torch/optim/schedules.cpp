// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/run/learning_rate.h"
#include "engine/torch/optim/schedule_shape.h"

#include <algorithm>
#include <cmath>

namespace trainyard::optim {

namespace {

class ConstantShape final : public CopyableShape<ConstantShape> {
public:
    double at(std::int64_t, const SchedulePlan& plan) const override { return plan.baseLr; }
};

Result<std::unique_ptr<ScheduleShape>> makeConstantSchedule(const train::Arguments&, const SchedulePlan&) {
    return std::unique_ptr<ScheduleShape>(std::make_unique<ConstantShape>());
}

} // namespace

ScheduleEntry constantSchedule() {
    return {{.name = "constant",
             .title = Engine::tr("Constant"),
             .help = Engine::tr("The same learning rate throughout."),
             .params = {warmupInfo()}},
            makeConstantSchedule};
}

namespace {

// Loshchilov and Hutter, "SGDR", 2017, without restarts.
class CosineShape final : public CopyableShape<CosineShape> {
public:
    explicit CosineShape(double endLr) : m_endLr(endLr) {}
    double at(std::int64_t step, const SchedulePlan& plan) const override {
        return halfCosine(plan.baseLr, m_endLr, std::min(1.0, stepsSinceWarmup(step, plan) / stepsAfterWarmup(plan)));
    }

private:
    double m_endLr;
};

Result<std::unique_ptr<ScheduleShape>> makeCosineSchedule(const train::Arguments& arguments, const SchedulePlan& plan) {
    TY_ASSIGN(const double endLr, lowestLr(arguments, plan));
    return std::unique_ptr<ScheduleShape>(std::make_unique<CosineShape>(endLr));
}

} // namespace

ScheduleEntry cosineSchedule() {
    return {{.name = "cosine",
             .title = Engine::tr("Cosine"),
             .help = Engine::tr("Half a cosine wave from the learning rate down to the lowest."),
             .params = {minLrInfo(Engine::tr("The learning rate at the end of the run.")), warmupInfo()}},
            makeCosineSchedule};
}

namespace {

// A straight line from the learning rate to the lowest; the default of Hugging Face's Trainer.
class LinearShape final : public CopyableShape<LinearShape> {
public:
    explicit LinearShape(double endLr) : m_endLr(endLr) {}
    double at(std::int64_t step, const SchedulePlan& plan) const override {
        const double share = std::min(1.0, stepsSinceWarmup(step, plan) / stepsAfterWarmup(plan));
        return plan.baseLr + (m_endLr - plan.baseLr) * share;
    }

private:
    double m_endLr;
};

Result<std::unique_ptr<ScheduleShape>> makeLinearSchedule(const train::Arguments& arguments, const SchedulePlan& plan) {
    TY_ASSIGN(const double endLr, lowestLr(arguments, plan));
    return std::unique_ptr<ScheduleShape>(std::make_unique<LinearShape>(endLr));
}

} // namespace

ScheduleEntry linearSchedule() {
    return {{.name = "linear",
             .title = Engine::tr("Linear"),
             .help = Engine::tr("A straight line from the learning rate down to the lowest."),
             .params = {minLrInfo(Engine::tr("The learning rate at the end of the run.")), warmupInfo()}},
            makeLinearSchedule};
}

namespace {

// Warm-up, stable, decay: Hu et al., "MiniCPM", 2024, whose stable part can be continued at any length.
class StableDecayShape final : public CopyableShape<StableDecayShape> {
public:
    StableDecayShape(double endLr, double decayShare) : m_endLr(endLr), m_decayShare(decayShare) {}
    double at(std::int64_t step, const SchedulePlan& plan) const override {
        const double left = static_cast<double>(plan.totalSteps - step); // steps, this one included
        const double decay = std::min(m_decayShare * static_cast<double>(plan.totalSteps), stepsAfterWarmup(plan));
        if (left >= decay || decay == 0) return plan.baseLr;
        return m_endLr + (plan.baseLr - m_endLr) * std::max(0.0, left / decay);
    }

private:
    double m_endLr, m_decayShare;
};

Result<std::unique_ptr<ScheduleShape>> makeStableDecaySchedule(const train::Arguments& arguments,
                                                               const SchedulePlan& plan) {
    TY_ASSIGN(const double endLr, lowestLr(arguments, plan));
    return std::unique_ptr<ScheduleShape>(std::make_unique<StableDecayShape>(endLr, arguments.number("decayShare")));
}

} // namespace

ScheduleEntry stableDecaySchedule() {
    return {{.name = "wsd",
             .title = Engine::tr("Warm-up, stable, decay"),
             .help = Engine::tr("The same learning rate until the last part of the run, then a straight line down."),
             .params = {{.name = "decayShare",
                         .title = Engine::tr("Decay share"),
                         .defaultValue = 0.2,
                         .min = 0.0,
                         .max = 1.0,
                         .help = Engine::tr("Share of the run in which the learning rate falls.")},
                        minLrInfo(Engine::tr("The learning rate at the end of the run.")),
                        warmupInfo()}},
            makeStableDecaySchedule};
}

namespace {

class ExponentialShape final : public CopyableShape<ExponentialShape> {
public:
    explicit ExponentialShape(double endLr) : m_endLr(endLr) {}
    double at(std::int64_t step, const SchedulePlan& plan) const override {
        const double share = stepsSinceWarmup(step, plan) / std::max(1.0, stepsAfterWarmup(plan) - 1);
        return plan.baseLr * std::pow(m_endLr / plan.baseLr, std::min(1.0, share));
    }

private:
    double m_endLr;
};

Result<std::unique_ptr<ScheduleShape>> makeExponentialSchedule(const train::Arguments& arguments, const SchedulePlan&) {
    return std::unique_ptr<ScheduleShape>(std::make_unique<ExponentialShape>(arguments.number("endLr")));
}

} // namespace

ScheduleEntry exponentialSchedule() {
    return {{.name = "exponential",
             .title = Engine::tr("Exponential"),
             .help = Engine::tr("Multiplied by the same factor each step, from the learning rate to the last one."),
             .params = {{.name = "endLr",
                         .title = Engine::tr("Last learning rate"),
                         .defaultValue = 1e-4,
                         .min = 0.0,
                         .max = spec::kMaxLearningRate,
                         .minExclusive = true,
                         .logScale = true,
                         .help = Engine::tr("The learning rate of the last step.")},
                        warmupInfo()}},
            makeExponentialSchedule};
}

namespace {

class MultiStepShape final : public CopyableShape<MultiStepShape> {
public:
    MultiStepShape(double gamma, std::vector<std::int64_t> milestones)
        : m_gamma(gamma), m_milestones(std::move(milestones)) {}
    double at(std::int64_t step, const SchedulePlan& plan) const override {
        const auto passed = std::upper_bound(m_milestones.begin(), m_milestones.end(), step) - m_milestones.begin();
        return plan.baseLr * std::pow(m_gamma, static_cast<double>(passed));
    }

private:
    double m_gamma;
    std::vector<std::int64_t> m_milestones; // steps
};

Result<std::unique_ptr<ScheduleShape>> makeMultiStepSchedule(const train::Arguments& arguments,
                                                             const SchedulePlan& plan) {
    std::vector<std::int64_t> milestones;
    for (const std::int64_t epoch : arguments.integers("milestones")) {
        if (!milestones.empty() && epoch * plan.stepsPerEpoch <= milestones.back())
            return inputError("epoch " + std::to_string(epoch) + " does not come after the one before it",
                              arguments.path("milestones"), "give each epoch once, growing");
        milestones.push_back(epoch * plan.stepsPerEpoch);
    }
    return std::unique_ptr<ScheduleShape>(
        std::make_unique<MultiStepShape>(arguments.number("gamma"), std::move(milestones)));
}

} // namespace

ScheduleEntry multiStepSchedule() {
    return {{.name = "multi-step",
             .title = Engine::tr("Multi-step"),
             .help = Engine::tr("Multiplied by a factor at chosen epochs."),
             .params = {{.name = "milestones",
                         .title = Engine::tr("Milestones"),
                         .type = spec::ParamType::IntegerList,
                         .defaultValue = std::vector<double>{30, 60, 90},
                         .min = 1.0,
                         .max = 1e6,
                         .unit = Engine::tr("epochs"),
                         .help = Engine::tr("The epochs after which the learning rate drops, in ascending order.")},
                        gammaInfo(),
                        warmupInfo()}},
            makeMultiStepSchedule};
}

namespace {

class StepShape final : public CopyableShape<StepShape> {
public:
    StepShape(double gamma, std::int64_t everySteps) : m_gamma(gamma), m_everySteps(everySteps) {}
    double at(std::int64_t step, const SchedulePlan& plan) const override {
        return plan.baseLr * std::pow(m_gamma, static_cast<double>(step / m_everySteps));
    }

private:
    double m_gamma;
    std::int64_t m_everySteps;
};

Result<std::unique_ptr<ScheduleShape>> makeStepSchedule(const train::Arguments& arguments, const SchedulePlan& plan) {
    return std::unique_ptr<ScheduleShape>(
        std::make_unique<StepShape>(arguments.number("gamma"), arguments.integer("everyEpochs") * plan.stepsPerEpoch));
}

} // namespace

ScheduleEntry stepSchedule() {
    return {{.name = "step",
             .title = Engine::tr("Step"),
             .help = Engine::tr("Multiplied by a factor at regular intervals."),
             .params = {{.name = "everyEpochs",
                         .title = Engine::tr("Every"),
                         .type = spec::ParamType::Integer,
                         .defaultValue = std::int64_t{10},
                         .min = 1.0,
                         .max = 1e6,
                         .unit = Engine::tr("epochs"),
                         .help = Engine::tr("Epochs between reductions.")},
                        gammaInfo(),
                        warmupInfo()}},
            makeStepSchedule};
}

namespace {

// Smith and Topin, "Super-Convergence", 2018; momentum stays. It climbs by itself and has no warm-up.
class OneCycleShape final : public CopyableShape<OneCycleShape> {
public:
    OneCycleShape(double warmupShare, double startDivisor, double endDivisor)
        : m_warmupShare(warmupShare), m_startDivisor(startDivisor), m_endDivisor(endDivisor) {}
    double at(std::int64_t step, const SchedulePlan& plan) const override {
        const double first = plan.baseLr / m_startDivisor;
        const auto last = static_cast<double>(plan.totalSteps - 1);
        const double top = m_warmupShare * static_cast<double>(plan.totalSteps) - 1; // the step at the full rate
        const double at = std::min(static_cast<double>(step), last);
        if (at <= top) return halfCosine(first, plan.baseLr, top > 0 ? at / top : 1.0);
        return halfCosine(plan.baseLr, first / m_endDivisor, last > top ? (at - top) / (last - top) : 1.0);
    }

private:
    double m_warmupShare, m_startDivisor, m_endDivisor;
};

Result<std::unique_ptr<ScheduleShape>> makeOneCycleSchedule(const train::Arguments& arguments, const SchedulePlan&) {
    return std::unique_ptr<ScheduleShape>(std::make_unique<OneCycleShape>(
        arguments.number("warmupShare"), arguments.number("startDivisor"), arguments.number("endDivisor")));
}

} // namespace

ScheduleEntry oneCycleSchedule() {
    return {{.name = "one-cycle",
             .title = Engine::tr("One cycle"),
             .help = Engine::tr("Up to the learning rate and then far down, over the whole run."),
             .params = {{.name = "warmupShare",
                         .title = Engine::tr("Warm-up share"),
                         .defaultValue = 0.3,
                         .min = 0.0,
                         .max = 1.0,
                         .help = Engine::tr("Share of the run in which the learning rate climbs.")},
                        {.name = "startDivisor",
                         .title = Engine::tr("Start divisor"),
                         .defaultValue = 25.0,
                         .min = 1.0,
                         .max = 1e9,
                         .logScale = true,
                         .help = Engine::tr("The first step uses the learning rate divided by this.")},
                        {.name = "endDivisor",
                         .title = Engine::tr("End divisor"),
                         .defaultValue = 1e4,
                         .min = 1.0,
                         .max = 1e12,
                         .logScale = true,
                         .help = Engine::tr("The last step uses the first value divided by this.")}}},
            makeOneCycleSchedule};
}

} // namespace trainyard::optim
