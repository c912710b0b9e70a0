// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/optim/schedule_shape.h"

#include <algorithm>

namespace trainyard::optim {
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
             .title = "Cosine",
             .help = "Half a cosine wave from the learning rate down to the lowest.",
             .params = {minLrInfo("The learning rate at the end of the run."), warmupInfo()}},
            makeCosineSchedule};
}

} // namespace trainyard::optim
