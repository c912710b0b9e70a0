// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/actions/stop_cost.h"

#include "engine/base/text/amounts.h"
#include "engine/base/text/quoted.h"
#include "engine/spec/run/run_spec.h"

#include <algorithm>

namespace trainyard::run {

Sentence StopCost::sentence() const {
    if (lost == 0 && checkpoint)
        return {Engine::tr("The newest complete checkpoint is of step %1: no step is lost."), {grouped(*checkpoint)}};
    if (checkpoint)
        return {Engine::tr("The newest complete checkpoint is of step %1: unless the program saves when it is asked to "
                           "end, the %2 steps after it are lost."),
                {grouped(*checkpoint), grouped(lost)}};
    if (lost == 0) return {Engine::tr("No checkpoint is complete yet."), {}};
    return {Engine::tr("No checkpoint is complete yet: unless the program saves when it is asked to end, all %1 steps "
                       "are lost."),
            {grouped(lost)}};
}

std::optional<StopCost> stopCost(const store::RunRow& run, const std::vector<store::CheckpointRow>& checkpoints) {
    const auto spec = spec::parseRunSpec(run.specJson);
    if (!spec || !spec->program || !wire::isActive(run.status)) return std::nullopt;
    StopCost cost{std::nullopt, run.step};
    for (const auto& each : checkpoints)
        if (!each.superseded) cost.checkpoint = std::max(cost.checkpoint.value_or(0), each.step);
    if (cost.checkpoint) cost.lost = std::max<std::int64_t>(0, run.step - *cost.checkpoint);
    return cost;
}

std::string stopCostLine(store::RunQuery& query, const store::RunRow& run) {
    const auto now = query.run(run.id);
    const auto checkpoints = query.checkpoints(run.id);
    const auto cost = now && checkpoints ? stopCost(*now, *checkpoints) : std::nullopt;
    if (!cost) return {};
    auto line = cost->sentence().text();
    if (cost->lost > 0)
        line += " To stop right after the next one: trainyardctl stop " + shellArgument(run.id) + " --at-checkpoint";
    return line;
}

} // namespace trainyard::run
