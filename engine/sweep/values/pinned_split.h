// SPDX-License-Identifier: GPL-3.0-or-later
// Fixes the validation samples of a sweep's trials when the sweep starts: a later version may hold out another share
// by default, and trials added then would not be comparable.
#pragma once

#include "engine/base/result.h"
#include "engine/spec/sweep/sweep_spec.h"

namespace trainyard::sweep {

// The sweep with its dataset's validation share written into the run. Unchanged if the run gives it, a field of the
// space chooses the dataset, or the dataset has no test part of its own. Environment: no catalog.
Result<spec::SweepSpec> withPinnedSplit(spec::SweepSpec spec);

// For a sweep recorded by a version that did not write the share: it held out no training samples and validated on the
// test part. Input: the run's JSON is damaged.
Result<spec::SweepSpec> withEarlierSplit(spec::SweepSpec spec);

} // namespace trainyard::sweep
