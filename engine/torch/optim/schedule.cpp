// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/optim/schedule.h"

#include <algorithm>
#include <cmath>

namespace trainyard::optim {
namespace {

// How many steps the warm-up takes; 0 for a schedule that has none.
Result<std::int64_t> warmupSteps(const ScheduleEntry& entry, const train::Arguments& arguments,
                                 const SchedulePlan& plan, std::int64_t stepsPerEpoch) {
    const auto& params = entry.info.params;
    if (std::none_of(params.begin(), params.end(), [](const auto& each) { return each.name == "warmupEpochs"; }))
        return 0;
    const double epochs = arguments.number("warmupEpochs");
    const std::int64_t steps = std::llround(epochs * static_cast<double>(stepsPerEpoch));
    if (steps <= plan.totalSteps) return steps;
    return inputError("the warm-up of " + spec::toText(epochs) + " epochs is longer than the run",
                      arguments.path("warmupEpochs"), "shorten it, or train for longer");
}

} // namespace

Result<Schedule> Schedule::make(const spec::Choice& choice, double baseLr, RunSteps steps) {
    const auto& table = scheduleTable();
    std::vector<std::string> names;
    for (const ScheduleEntry& entry : table) names.push_back(entry.info.name);
    TY_ASSIGN(const std::size_t row, train::findName(names, choice.name, "schedule"));
    const train::Arguments arguments(choice, table[row].info, "schedule");
    TY_TRY(arguments.check());
    Schedule schedule;
    schedule.m_plan = {
        .baseLr = baseLr, .totalSteps = steps.total, .stepsPerEpoch = std::max<std::int64_t>(1, steps.perEpoch)};
    TY_ASSIGN(schedule.m_plan.warmupSteps, warmupSteps(table[row], arguments, schedule.m_plan, steps.perEpoch));
    TY_ASSIGN(schedule.m_shape, table[row].make(arguments, schedule.m_plan));
    return schedule;
}

double Schedule::at(std::int64_t step) const {
    if (step < m_plan.warmupSteps)
        return m_plan.baseLr * static_cast<double>(step + 1) / static_cast<double>(m_plan.warmupSteps);
    return m_shape ? m_shape->at(step, m_plan) : 0;
}

bool Schedule::observe(const std::map<std::string, double>& metrics) {
    return m_shape && m_shape->observe(metrics, m_plan);
}

std::map<std::string, double> Schedule::state() const {
    return m_shape ? m_shape->state() : std::map<std::string, double>();
}

void Schedule::restore(const std::map<std::string, double>& state) {
    if (m_shape) m_shape->restore(state);
}

double lrFactor(const std::string& rule, int worldSize) {
    if (rule == "linear") return worldSize;
    return rule == "sqrt" ? std::sqrt(static_cast<double>(worldSize)) : 1.0;
}

} // namespace trainyard::optim
