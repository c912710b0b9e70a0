// SPDX-License-Identifier: GPL-3.0-or-later
// What a fork is: a new run that begins with a checkpoint of another one; with store::defaultCheckpoint() unless
// another is named.
#pragma once

#include "engine/spec/run/run_spec.h"
#include "engine/store/store.h"

namespace trainyard::run {

// Rule: what a fork is.
// The settings of the new run: those of the source under a name of its own. A run forked at the end of its epochs or
// steps gets the same number again. Input when the source's run file cannot be read.
Result<spec::RunSpec> forkedSpec(const store::RunRow& source, const store::CheckpointRow& from);

// The same of one that begins with fresh weights, and is as long as the source.
Result<spec::RunSpec> freshSpec(const store::RunRow& source);

} // namespace trainyard::run
