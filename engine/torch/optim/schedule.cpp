// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/optim/schedule.h"

#include "engine/torch/arguments.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace trainyard::optim {

using spec::ParamInfo;
using spec::ParamType;

namespace {

ParamInfo warmupInfo() {
    return {.name = "warmupEpochs", .title = "Warm-up", .defaultValue = 0.0, .min = 0.0, .max = 10000.0,
            .unit = "epochs", .help = "The rate climbs evenly from near zero for so long."};
}

spec::Entry constantInfo() {
    spec::Entry entry;
    entry.name = "constant";
    entry.title = "Constant";
    entry.help = "The same learning rate all the way.";
    entry.params = {warmupInfo()};
    return entry;
}

spec::Entry cosineInfo() {
    spec::Entry entry;
    entry.name = "cosine";
    entry.title = "Cosine";
    entry.help = "Half a cosine wave from the learning rate down to the lowest.";
    entry.params = {{.name = "minLr", .title = "Lowest rate", .defaultValue = 0.0, .min = 0.0, .max = 100.0,
                     .logScale = true, .help = "The rate that the run ends with."},
                    warmupInfo()};
    return entry;
}

} // namespace

std::vector<spec::Entry> scheduleEntries() { return {constantInfo(), cosineInfo()}; }

Result<Schedule> Schedule::make(const spec::Choice& choice, double baseLr, std::int64_t stepsPerEpoch,
                                std::int64_t totalSteps) {
    const std::vector<spec::Entry> entries = scheduleEntries();
    std::vector<std::string> names;
    for (const spec::Entry& entry : entries) names.push_back(entry.name);
    TY_ASSIGN(const std::size_t row, train::findName(names, choice.name, "schedule"));
    const train::Arguments arguments(choice, entries[row], "schedule");
    TY_TRY(arguments.check());
    Schedule schedule;
    schedule.m_shape = choice.name == "cosine" ? Shape::Cosine : Shape::Constant;
    schedule.m_baseLr = baseLr;
    schedule.m_totalSteps = totalSteps;
    const double warmup = arguments.number("warmupEpochs");
    schedule.m_warmupSteps = std::llround(warmup * static_cast<double>(stepsPerEpoch));
    if (schedule.m_warmupSteps > totalSteps)
        return inputError("the warm-up of " + spec::toText(warmup) + " epochs is longer than the run",
                          arguments.path("warmupEpochs"), "shorten it, or train for longer");
    if (schedule.m_shape == Shape::Cosine) {
        schedule.m_minLr = arguments.number("minLr");
        if (schedule.m_minLr > baseLr)
            return inputError("the lowest rate " + spec::toText(schedule.m_minLr) + " is above the learning rate "
                                  + spec::toText(baseLr),
                              arguments.path("minLr"));
    }
    return schedule;
}

double Schedule::at(std::int64_t step) const {
    if (step < m_warmupSteps)
        return m_baseLr * static_cast<double>(step + 1) / static_cast<double>(m_warmupSteps);
    if (m_shape == Shape::Constant) return m_baseLr;
    const auto span = static_cast<double>(std::max<std::int64_t>(1, m_totalSteps - m_warmupSteps));
    const double t = std::min(1.0, static_cast<double>(step - m_warmupSteps) / span);
    return m_minLr + (m_baseLr - m_minLr) * (1.0 + std::cos(std::numbers::pi * t)) / 2.0;
}

} // namespace trainyard::optim
