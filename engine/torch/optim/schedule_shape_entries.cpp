// SPDX-License-Identifier: GPL-3.0-or-later
// The table of schedules, and the parameters that several of them have.
#include "engine/spec/run/learning_rate.h"
#include "engine/torch/optim/schedule.h"
#include "engine/torch/optim/schedule_shape.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace trainyard::optim {

using spec::ParamInfo;

ParamInfo warmupInfo() {
    return {.name = "warmupEpochs",
            .title = Engine::tr("Warm-up"),
            .defaultValue = 0.0,
            .min = 0.0,
            .max = 10000.0,
            .unit = Engine::tr("epochs"),
            .help = Engine::tr("The learning rate rises linearly from near zero for this long.")};
}

ParamInfo gammaInfo() {
    return {.name = "gamma",
            .title = Engine::tr("Factor"),
            .defaultValue = 0.1,
            .min = 0.0,
            .max = 1.0,
            .minExclusive = true,
            .help = Engine::tr("The learning rate is multiplied by this each time.")};
}

ParamInfo minLrInfo(const char* help) {
    return {.name = "minLr",
            .title = Engine::tr("Lowest learning rate"),
            .defaultValue = 0.0,
            .min = 0.0,
            .max = spec::kMaxLearningRate,
            .logScale = true,
            .help = help};
}

Result<double> lowestLr(const train::Arguments& arguments, const SchedulePlan& plan) {
    const double lowest = arguments.number("minLr");
    if (lowest <= plan.baseLr) return lowest;
    return inputError("the lowest learning rate " + spec::toText(lowest) + " is above the learning rate " +
                          spec::toText(plan.baseLr),
                      arguments.path("minLr"));
}

double halfCosine(double from, double to, double t) {
    return to + (from - to) * (1.0 + std::cos(std::numbers::pi * t)) / 2.0;
}

double stepsSinceWarmup(std::int64_t step, const SchedulePlan& plan) {
    return static_cast<double>(step - plan.warmupSteps);
}

double stepsAfterWarmup(const SchedulePlan& plan) {
    return static_cast<double>(std::max<std::int64_t>(1, plan.totalSteps - plan.warmupSteps));
}

const std::vector<ScheduleEntry>& scheduleTable() {
#define TRAINYARD_MAKE(entry) entry(),
    static const std::vector<ScheduleEntry> table = {TRAINYARD_SCHEDULES(TRAINYARD_MAKE)};
#undef TRAINYARD_MAKE
    return table;
}

std::vector<spec::Entry> scheduleEntries() {
    std::vector<spec::Entry> entries;
    for (const ScheduleEntry& row : scheduleTable()) entries.push_back(row.info);
    return entries;
}

} // namespace trainyard::optim
