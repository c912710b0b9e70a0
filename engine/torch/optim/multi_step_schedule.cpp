// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/optim/schedule_shape.h"

#include <algorithm>
#include <cmath>

namespace trainyard::optim {
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
             .title = "Multi-step",
             .help = "Multiplied by a factor at chosen epochs.",
             .params = {{.name = "milestones",
                         .title = "Milestones",
                         .type = spec::ParamType::IntegerList,
                         .defaultValue = std::vector<double>{30, 60, 90},
                         .min = 1.0,
                         .max = 1e6,
                         .unit = "epochs",
                         .help = "The epochs, in ascending order, before which the learning rate drops."},
                        gammaInfo(),
                        warmupInfo()}},
            makeMultiStepSchedule};
}

} // namespace trainyard::optim
