// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/optim/schedule_shape.h"

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
             .title = "Constant",
             .help = "The same learning rate throughout.",
             .params = {warmupInfo()}},
            makeConstantSchedule};
}

} // namespace trainyard::optim
