// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/run_spec.h"

#include <optional>

namespace trainyard::spec {

// The same run with half as many samples in each backward pass, for one that has found no memory; nothing where a pass
// has one sample.
std::optional<RunSpec> withHalfTheBatch(RunSpec spec);

} // namespace trainyard::spec
