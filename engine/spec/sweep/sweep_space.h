// SPDX-License-Identifier: GPL-3.0-or-later
// The "space" of a sweep file: JSON to axes and back. Only for engine/spec.
#pragma once

#include "engine/spec/sweep/axis.h"
#include "engine/spec/values/json_tree.h"

namespace trainyard::spec {

// Reads what can be read and reports the rest. Knows Ray Tune's words ({"loguniform": [a, b]}) as well; they come back
// from spaceJson() as ranges.
std::vector<Axis> readSpace(const Json& space, Errors& errors);
Json spaceJson(const std::vector<Axis>& space);

} // namespace trainyard::spec
