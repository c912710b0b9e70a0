// SPDX-License-Identifier: GPL-3.0-or-later
// Which samples the trials of a sweep are validated on stays as it was when the sweep was started: a later version may
// keep another share by default, and trials that are added then would not compare with the earlier ones.
#pragma once

#include "engine/base/result.h"
#include "engine/spec/sweep/sweep_spec.h"

namespace trainyard::sweep {

// The sweep with the share that its dataset keeps for validation written into its run; unchanged where the run says it,
// a field of the space chooses the dataset, or the dataset has no test part of its own. Environment: no catalog.
Result<spec::SweepSpec> withPinnedSplit(spec::SweepSpec spec);

// As recorded by a version that did not write the share: none of the training samples, since it validated on the test
// part. Input: the run's JSON is damaged.
Result<spec::SweepSpec> withEarlierSplit(spec::SweepSpec spec);

} // namespace trainyard::sweep
