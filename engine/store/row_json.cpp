// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/row_json.h"

#include "engine/base/json_text.h"
#include "engine/store/rows.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace trainyard::store {
namespace {

using Metrics = std::map<std::string, double>;

// As the database has them: states and codes are words, and a value that is not finite is null.
template <class T>
Json asJson(const T& value) {
    if constexpr (std::is_enum_v<T>) return std::string(toString(value));
    else if constexpr (std::is_same_v<T, double>) return std::isfinite(value) ? Json(value) : Json();
    else if constexpr (std::is_same_v<T, Metrics>) {
        Json object = Json::object();
        for (const auto& [series, number] : value) object[series] = asJson(number);
        return object;
    } else return value;
}

template <class T>
void take(const Json& object, T& out) {
    if constexpr (std::is_same_v<T, std::string>) {
        if (object.is_string()) out = object.get<std::string>();
    } else if constexpr (std::is_same_v<T, bool>) {
        if (object.is_boolean()) out = object.get<bool>();
    } else if constexpr (std::is_same_v<T, double>) {
        if (object.is_number()) out = object.get<double>();
        else if (object.is_null()) out = std::numeric_limits<double>::quiet_NaN();
    } else if constexpr (std::is_integral_v<T>) {
        if (object.is_number_integer()) out = object.get<T>();
    } else if constexpr (std::is_same_v<T, Metrics>) {
        if (!object.is_object()) return;
        for (const auto& [series, number] : object.items()) take(number, out[series]);
    } else if constexpr (std::is_same_v<T, ErrorCode>) {
        if (object.is_string()) out = errorCodeFromString(object.get<std::string>());
    } else if constexpr (std::is_same_v<T, RunEventKind>) {
        if (object.is_string()) out = runEventKindFromString(object.get<std::string>());
    } else if constexpr (std::is_same_v<T, TrialDecision>) {
        if (object.is_string()) out = trialDecisionFromString(object.get<std::string>());
    } else if constexpr (std::is_same_v<T, wire::RunStatus>) {
        if (object.is_string())
            out = wire::runStatusFromString(object.get<std::string>()).valueOr(wire::RunStatus::Unknown);
    } else {
        if (object.is_string() && !wire::fromWord(object.get<std::string>(), out)) out = T{};
    }
}

template <class Row>
Json rowJson(const Row& row) {
    Json object = Json::object();
    columns(row, [&object](const char* name, const auto& member, Column) { object[name] = asJson(member); });
    return object;
}

template <class Row>
void readRowJson(const Json& object, Row& row) {
    if (!object.is_object()) return;
    columns(row, [&object](const char* name, auto& member, Column) {
        if (const auto found = object.find(name); found != object.end()) take(*found, member);
    });
}

} // namespace

Json toJson(const RunRow& row) { return rowJson(row); }
Json toJson(const wire::WorkerState& row) { return rowJson(row); }
Json toJson(const RunEventRow& row) { return rowJson(row); }
Json toJson(const CheckpointRow& row) { return rowJson(row); }
Json toJson(const SweepRow& row) { return rowJson(row); }
Json toJson(const TrialEventRow& row) { return rowJson(row); }
Json toJson(const TrialDecisionRow& row) { return rowJson(row); }

void fromJson(const Json& object, RunRow& row) { readRowJson(object, row); }
void fromJson(const Json& object, wire::WorkerState& row) { readRowJson(object, row); }
void fromJson(const Json& object, RunEventRow& row) { readRowJson(object, row); }
void fromJson(const Json& object, CheckpointRow& row) { readRowJson(object, row); }
void fromJson(const Json& object, SweepRow& row) { readRowJson(object, row); }
void fromJson(const Json& object, TrialEventRow& row) { readRowJson(object, row); }
void fromJson(const Json& object, TrialDecisionRow& row) { readRowJson(object, row); }

} // namespace trainyard::store
