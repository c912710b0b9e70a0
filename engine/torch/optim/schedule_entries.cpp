// SPDX-License-Identifier: GPL-3.0-or-later
// The table of schedules and what they are made from.
#include "engine/torch/optim/schedule.h"

namespace trainyard::optim {

using spec::Entry;
using spec::ParamInfo;
using spec::ParamType;

namespace {

ParamInfo warmupInfo() {
    return {.name = "warmupEpochs",
            .title = "Warm-up",
            .defaultValue = 0.0,
            .min = 0.0,
            .max = 10000.0,
            .unit = "epochs",
            .help = "The rate climbs evenly from near zero for so long."};
}

ParamInfo gammaInfo() {
    return {.name = "gamma",
            .title = "Factor",
            .defaultValue = 0.1,
            .min = 0.0,
            .max = 1.0,
            .minExclusive = true,
            .help = "What the rate is multiplied by each time."};
}

ParamInfo minLrInfo(const char* help) {
    return {.name = "minLr",
            .title = "Lowest rate",
            .defaultValue = 0.0,
            .min = 0.0,
            .max = 100.0,
            .logScale = true,
            .help = help};
}

Entry entry(const char* name, const char* title, const char* help, std::vector<ParamInfo> params) {
    Entry made;
    made.name = name;
    made.title = title;
    made.help = help;
    made.params = std::move(params);
    return made;
}

Entry oneCycle() {
    return entry("one-cycle", "One cycle", "Up to the learning rate and then far down, over the whole run.",
                 {{.name = "warmupShare",
                   .title = "Share of the climb",
                   .defaultValue = 0.3,
                   .min = 0.0,
                   .max = 1.0,
                   .help = "How much of the run the rate climbs for."},
                  {.name = "startDivisor",
                   .title = "Start divisor",
                   .defaultValue = 25.0,
                   .min = 1.0,
                   .max = 1e9,
                   .logScale = true,
                   .help = "The rate begins at the learning rate divided by this."},
                  {.name = "endDivisor",
                   .title = "End divisor",
                   .defaultValue = 1e4,
                   .min = 1.0,
                   .max = 1e12,
                   .logScale = true,
                   .help = "The rate ends at its first value divided by this."}});
}

Entry plateau() {
    return entry("plateau", "Reduce on plateau", "Lower whenever the validation no longer gets better.",
                 {{.name = "metric",
                   .title = "Metric",
                   .type = ParamType::Text,
                   .defaultValue = std::string("val/loss"),
                   .help = "The validation series that is followed."},
                  {.name = "mode",
                   .title = "Better is",
                   .type = ParamType::Option,
                   .defaultValue = std::string("min"),
                   .options = {"min", "max"},
                   .help = "Whether a smaller or a larger value is better."},
                  {.name = "factor",
                   .title = "Factor",
                   .defaultValue = 0.1,
                   .min = 0.0,
                   .max = 1.0,
                   .minExclusive = true,
                   .help = "What the rate is multiplied by each time."},
                  {.name = "patience",
                   .title = "Patience",
                   .type = ParamType::Integer,
                   .defaultValue = std::int64_t{10},
                   .min = 0.0,
                   .max = 1e6,
                   .unit = "validations",
                   .help = "Validations without a better value that are let pass."},
                  {.name = "threshold",
                   .title = "Threshold",
                   .defaultValue = 1e-4,
                   .min = 0.0,
                   .max = 1.0,
                   .help = "Share of the best value that a better one must gain."},
                  {.name = "cooldown",
                   .title = "Cool-down",
                   .type = ParamType::Integer,
                   .defaultValue = std::int64_t{0},
                   .min = 0.0,
                   .max = 1e6,
                   .unit = "validations",
                   .help = "Validations not counted after each time."},
                  minLrInfo("The rate does not go below it."),
                  warmupInfo()});
}

} // namespace

// In the order of Schedule's shapes.
std::vector<Entry> scheduleEntries() {
    return {
        entry("constant", "Constant", "The same learning rate all the way.", {warmupInfo()}),
        entry("step", "Step", "Lower by a factor every so many epochs.",
              {{.name = "everyEpochs",
                .title = "Every",
                .type = ParamType::Integer,
                .defaultValue = std::int64_t{10},
                .min = 1.0,
                .max = 1e6,
                .unit = "epochs",
                .help = "Epochs between two of them."},
               gammaInfo(),
               warmupInfo()}),
        entry("multi-step", "Multi-step", "Lower by a factor at chosen epochs.",
              {{.name = "milestones",
                .title = "Milestones",
                .type = ParamType::IntegerList,
                .defaultValue = std::vector<double>{30, 60, 90},
                .min = 1.0,
                .max = 1e6,
                .unit = "epochs",
                .help = "The epochs, growing, before which the rate goes down."},
               gammaInfo(),
               warmupInfo()}),
        entry("cosine", "Cosine", "Half a cosine wave from the learning rate down to the lowest.",
              {minLrInfo("The rate that the run ends with."), warmupInfo()}),
        oneCycle(),
        entry("exponential", "Exponential", "From the learning rate to another, each step by the same factor.",
              {{.name = "endLr",
                .title = "Last rate",
                .defaultValue = 1e-4,
                .min = 0.0,
                .max = 10000.0,
                .minExclusive = true,
                .logScale = true,
                .help = "The rate of the last step."},
               warmupInfo()}),
        plateau(),
    };
}

} // namespace trainyard::optim
