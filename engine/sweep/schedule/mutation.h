// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/math/hash_draw.h"
#include "engine/spec/sweep/axis.h"

#include <span>
#include <string>
#include <vector>

namespace trainyard::sweep {

// The parameters with which a trial goes on that has the state of another one, whose parameters are given: each of
// `fields` is drawn anew with a probability of 1/4, else made a fifth smaller or larger within its range; of a list a
// neighbour is taken. One that is no longer in its list is drawn anew.
spec::Params mutated(std::span<const spec::Axis> space, const std::vector<std::string>& fields, spec::Params params,
                     DrawStream draws);

} // namespace trainyard::sweep
