// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/text/sentence.h"
#include "engine/store/run_query.h"

#include <optional>

namespace trainyard::run {

// What a stop of a program costs that does not save when it is asked to end.
struct StopCost {
    std::optional<std::int64_t> checkpoint; // the step of the newest complete one; nothing: there is none
    std::int64_t lost = 0;                  // steps after it
    Sentence sentence() const;
};

// Rule: what a stop costs.
// The steps since the newest complete checkpoint. Nothing for a run of Trainyard's own, which saves at the stop, and
// for a run that is not active.
std::optional<StopCost> stopCost(const store::RunRow& run, const std::vector<store::CheckpointRow>& checkpoints);

// The same as a terminal says it before it asks for the stop, with the command that waits for the next checkpoint;
// empty where there is nothing to say.
std::string stopCostLine(store::RunQuery& query, const store::RunRow& run);

} // namespace trainyard::run
