// SPDX-License-Identifier: GPL-3.0-or-later
// Objects among the values of an axis, such as whole models: each has a short name, which is the axis's value for
// searchers, tables and requests. Only for engine/spec, but for checkVaried().
#pragma once

#include "engine/spec/sweep/axis.h"
#include "engine/spec/sweep/sweep_spec.h"
#include "engine/spec/values/json_tree.h"

namespace trainyard::spec {

// Rule: the names of objects in a space.
// The values of a list: those that are objects by their names, with the objects in axis.objects. The name of an object
// is its `name`, and what tells it from others of that name: "mlp hidden=[64]". Reports, at `path`, an empty list and
// what is no value.
void readAxisValues(const Json& given, const std::string& path, Errors& errors, Axis& axis);
// The value that the axis has for what a person wrote: an object as well as its name. Nothing when it is no value.
std::optional<Value> readValueOf(const Axis& axis, const Json& given);
// The same of what a condition names: the `name` of objects stands for all that have it. Empty when it is no value.
std::vector<Value> readValuesOf(const Axis& axis, const Json& given);
// What the value stands for in a run file.
Json jsonOf(const Axis& axis, const Value& value);
// The varied parameters of a trial that its model, optimizer or the like does not have, where another one that the
// sweep names has it: the remedy is to vary them with that one alone.
std::vector<FieldError> checkVaried(const SweepSpec& spec, const Params& params, const RunSpec& trial,
                                    const Catalog& catalog);

} // namespace trainyard::spec
