// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the store as JSON objects of their columns, for another computer that keeps a copy of them.
#pragma once

#include "engine/base/json_text.h"
#include "engine/store/run_events.h"
#include "engine/store/store.h"
#include "engine/store/trial_log.h"

namespace trainyard::store {

Json toJson(const RunRow& row);
Json toJson(const wire::WorkerState& row);
Json toJson(const RunEventRow& row);
Json toJson(const CheckpointRow& row);
Json toJson(const SweepRow& row);
Json toJson(const TrialEventRow& row);
Json toJson(const TrialDecisionRow& row);

// Reads what toJson() wrote. Columns that are missing, or hold a value of another type, keep their defaults.
void fromJson(const Json& json, RunRow& row);
void fromJson(const Json& json, wire::WorkerState& row);
void fromJson(const Json& json, RunEventRow& row);
void fromJson(const Json& json, CheckpointRow& row);
void fromJson(const Json& json, SweepRow& row);
void fromJson(const Json& json, TrialEventRow& row);
void fromJson(const Json& json, TrialDecisionRow& row);

} // namespace trainyard::store
