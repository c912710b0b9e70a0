// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/values/json_tree.h"
#include "engine/spec/values/params.h"

#include <optional>

namespace trainyard::spec {

Json valueToJson(const Value& value);
// Nothing when the JSON is null, an object or a list of anything but numbers.
std::optional<Value> valueFromJson(const Json& json);
// A whole number that a double holds exactly.
bool isWhole(double number);
// To twelve digits, as one would write it: 0.3 for 0.1 + 0.2.
double plainNumber(double number);

} // namespace trainyard::spec
