// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep file as a tree of JSON. Only for engine/spec.
#pragma once

#include "engine/spec/sweep/sweep_spec.h"
#include "engine/spec/values/json_tree.h"

namespace trainyard::spec {

// Reads what can be read and reports the rest. `file`: where a "runFile" lies beside; empty: nowhere.
SweepSpec readSweep(const Json& tree, const std::string& file, Errors& errors);
Json sweepToJson(const SweepSpec& spec);

} // namespace trainyard::spec
