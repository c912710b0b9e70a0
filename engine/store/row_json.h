// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the store as JSON objects of their columns, for another computer that keeps a copy of them.
#pragma once

#include "engine/store/run_events.h"
#include "engine/store/store.h"
#include "engine/store/trial_log.h"

#include <nlohmann/json_fwd.hpp>

namespace trainyard::store {

nlohmann::ordered_json toJson(const RunRow& row);
nlohmann::ordered_json toJson(const wire::WorkerState& row);
nlohmann::ordered_json toJson(const RunEventRow& row);
nlohmann::ordered_json toJson(const CheckpointRow& row);
nlohmann::ordered_json toJson(const SweepRow& row);
nlohmann::ordered_json toJson(const TrialEventRow& row);
nlohmann::ordered_json toJson(const TrialDecisionRow& row);

// Reads what toJson() wrote. Columns that are missing, or hold a value of another type, keep their defaults.
void fromJson(const nlohmann::ordered_json& json, RunRow& row);
void fromJson(const nlohmann::ordered_json& json, wire::WorkerState& row);
void fromJson(const nlohmann::ordered_json& json, RunEventRow& row);
void fromJson(const nlohmann::ordered_json& json, CheckpointRow& row);
void fromJson(const nlohmann::ordered_json& json, SweepRow& row);
void fromJson(const nlohmann::ordered_json& json, TrialEventRow& row);
void fromJson(const nlohmann::ordered_json& json, TrialDecisionRow& row);

} // namespace trainyard::store
