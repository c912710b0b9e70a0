// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/optim/schedule_shape.h"

#include <algorithm>

namespace trainyard::optim {
namespace {

// Smith and Topin, "Super-Convergence", 2018; momentum stays. It climbs by itself and has no warm-up.
class OneCycleShape final : public CopyableShape<OneCycleShape> {
public:
    OneCycleShape(double warmupShare, double startDivisor, double endDivisor)
        : m_warmupShare(warmupShare), m_startDivisor(startDivisor), m_endDivisor(endDivisor) {}
    double at(std::int64_t step, const SchedulePlan& plan) const override {
        const double first = plan.baseLr / m_startDivisor;
        const auto last = static_cast<double>(plan.totalSteps - 1);
        const double top = m_warmupShare * static_cast<double>(plan.totalSteps) - 1; // the step at the full rate
        const double at = std::min(static_cast<double>(step), last);
        if (at <= top) return halfCosine(first, plan.baseLr, top > 0 ? at / top : 1.0);
        return halfCosine(plan.baseLr, first / m_endDivisor, last > top ? (at - top) / (last - top) : 1.0);
    }

private:
    double m_warmupShare, m_startDivisor, m_endDivisor;
};

Result<std::unique_ptr<ScheduleShape>> makeOneCycleSchedule(const train::Arguments& arguments, const SchedulePlan&) {
    return std::unique_ptr<ScheduleShape>(std::make_unique<OneCycleShape>(
        arguments.number("warmupShare"), arguments.number("startDivisor"), arguments.number("endDivisor")));
}

} // namespace

ScheduleEntry oneCycleSchedule() {
    return {{.name = "one-cycle",
             .title = Engine::tr("One cycle"),
             .help = Engine::tr("Up to the learning rate and then far down, over the whole run."),
             .params = {{.name = "warmupShare",
                         .title = Engine::tr("Warm-up share"),
                         .defaultValue = 0.3,
                         .min = 0.0,
                         .max = 1.0,
                         .help = Engine::tr("Share of the run in which the learning rate climbs.")},
                        {.name = "startDivisor",
                         .title = Engine::tr("Start divisor"),
                         .defaultValue = 25.0,
                         .min = 1.0,
                         .max = 1e9,
                         .logScale = true,
                         .help = Engine::tr("The first step uses the learning rate divided by this.")},
                        {.name = "endDivisor",
                         .title = Engine::tr("End divisor"),
                         .defaultValue = 1e4,
                         .min = 1.0,
                         .max = 1e12,
                         .logScale = true,
                         .help = Engine::tr("The last step uses the first value divided by this.")}}},
            makeOneCycleSchedule};
}

} // namespace trainyard::optim
