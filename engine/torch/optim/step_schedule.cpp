// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/optim/schedule_shape.h"

#include <cmath>

namespace trainyard::optim {
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
             .title = "Step",
             .help = "Multiplied by a factor at regular intervals.",
             .params = {{.name = "everyEpochs",
                         .title = "Every",
                         .type = spec::ParamType::Integer,
                         .defaultValue = std::int64_t{10},
                         .min = 1.0,
                         .max = 1e6,
                         .unit = "epochs",
                         .help = "Epochs between reductions."},
                        gammaInfo(),
                        warmupInfo()}},
            makeStepSchedule};
}

} // namespace trainyard::optim
