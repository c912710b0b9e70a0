// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/math/hash_draw.h"
#include "engine/spec/sweep/axis.h"

#include <span>
#include <string>
#include <vector>

namespace trainyard::sweep {

// New parameters for a trial that adopts another's state, made from that other trial's parameters. Each of `fields` is
// drawn anew with a probability of 1/4, else moved a fifth up or down within its range, or to a neighbour in its list.
// A value that is no longer in its list is drawn anew.
spec::Params mutated(std::span<const spec::Axis> space, const std::vector<std::string>& fields, spec::Params params,
                     DrawStream draws);

} // namespace trainyard::sweep
