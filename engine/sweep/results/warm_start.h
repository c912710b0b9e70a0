// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/sweep/sweep_spec.h"
#include "engine/store/store.h"

namespace trainyard::sweep {

// The sweep with the current results of the sweeps that it begins from. They become part of its file, so later changes
// to those sweeps do not matter. Input, with the path: there is no such sweep, or none of its trials has a score and
// parameters of this space.
Result<spec::SweepSpec> withEarlierResults(const store::Workspace& workspace, spec::SweepSpec spec);

} // namespace trainyard::sweep
