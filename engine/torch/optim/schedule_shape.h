// SPDX-License-Identifier: GPL-3.0-or-later
// The schedules that a run file can name, in the order in which they are listed. A row here and the function it names,
// in this folder, are all that a new one takes.
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/catalog.h"
#include "engine/torch/base/arguments.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

// clang-format off
#define TRAINYARD_SCHEDULES(ROW) \
    ROW(constantSchedule)        \
    ROW(stepSchedule)            \
    ROW(multiStepSchedule)       \
    ROW(cosineSchedule)          \
    ROW(linearSchedule)          \
    ROW(stableDecaySchedule)     \
    ROW(oneCycleSchedule)        \
    ROW(exponentialSchedule)     \
    ROW(plateauSchedule)
// clang-format on

namespace trainyard::optim {

// What a shape is laid over. Counts are of optimizer steps.
struct SchedulePlan {
    double baseLr = 0;
    std::int64_t warmupSteps = 0, totalSteps = 0, stepsPerEpoch = 1;
};

// What a schedule does after its warm-up: a pure function of the step, unless it follows the validation.
class ScheduleShape {
public:
    virtual ~ScheduleShape() = default;
    // The learning rate of step number `step`, counted from 0, warm-up included; at or after plan.warmupSteps.
    virtual double at(std::int64_t step, const SchedulePlan& plan) const = 0;
    // As those of Schedule; for shapes that follow the validation.
    virtual bool observe(const std::map<std::string, double>&, const SchedulePlan&) { return false; }
    virtual std::map<std::string, double> state() const { return {}; }
    virtual void restore(const std::map<std::string, double>&) {}
    virtual std::unique_ptr<ScheduleShape> clone() const = 0;
};

// Gives a shape clone() by its copy constructor.
template <class Shape>
class CopyableShape : public ScheduleShape {
public:
    std::unique_ptr<ScheduleShape> clone() const override {
        return std::make_unique<Shape>(static_cast<const Shape&>(*this));
    }
};

// One row of the table of schedules.
struct ScheduleEntry {
    spec::Entry info; // with "warmupEpochs" among its parameters where the schedule has a warm-up
    // Input: parameters that fit their ranges but not one another, or not the run.
    Result<std::unique_ptr<ScheduleShape>> (*make)(const train::Arguments& arguments, const SchedulePlan& plan);
};
const std::vector<ScheduleEntry>& scheduleTable();

#define TRAINYARD_DECLARE(entry) ScheduleEntry entry();
TRAINYARD_SCHEDULES(TRAINYARD_DECLARE)
#undef TRAINYARD_DECLARE

// Parameters that several schedules have.
spec::ParamInfo warmupInfo();
spec::ParamInfo gammaInfo();
spec::ParamInfo minLrInfo(const char* help);
// The minLr of the arguments; Input when it is above the learning rate.
Result<double> lowestLr(const train::Arguments& arguments, const SchedulePlan& plan);
// Half a cosine wave from `from` (t = 0) to `to` (t = 1).
double halfCosine(double from, double to, double t);
// How far a step lies between the end of the warm-up (0) and the end of the run, in steps.
double stepsSinceWarmup(std::int64_t step, const SchedulePlan& plan);
double stepsAfterWarmup(const SchedulePlan& plan); // at least 1

} // namespace trainyard::optim
