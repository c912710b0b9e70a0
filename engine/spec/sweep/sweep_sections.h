// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of a sweep beside its run, space, searcher and scheduler: what the window makes its form of. Their
// ranges are those that the file is read with.
#pragma once

#include "engine/spec/run/sections.h"
#include "engine/spec/sweep/sweep_spec.h"

namespace trainyard::spec {

// The names of the parameters are paths of the sweep file, "budget.epochs". Where nothing is given, a number is its
// default; that of one without any is not finite.
const std::vector<Section>& sweepSections();

// The values of those fields, by path; those that are not given are left out.
Params sweepValues(const SweepSpec& spec);
// The sweep with these of them changed. `errors`: everything that its file would be refused for.
SweepSpec withSweepValues(const SweepSpec& spec, const Params& values, std::vector<FieldError>& errors);

} // namespace trainyard::spec
