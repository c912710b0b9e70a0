// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/run/learning_rate.h"
#include "engine/torch/optim/schedule_shape.h"

#include <algorithm>
#include <cmath>

namespace trainyard::optim {
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
             .title = "Exponential",
             .help = "Multiplied by the same factor each step, from the learning rate to the last one.",
             .params = {{.name = "endLr",
                         .title = "Last learning rate",
                         .defaultValue = 1e-4,
                         .min = 0.0,
                         .max = spec::kMaxLearningRate,
                         .minExclusive = true,
                         .logScale = true,
                         .help = "The learning rate of the last step."},
                        warmupInfo()}},
            makeExponentialSchedule};
}

} // namespace trainyard::optim
