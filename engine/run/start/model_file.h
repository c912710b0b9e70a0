// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/run_spec.h"

namespace trainyard::run {

// A model that is read from a file (a parameter "path" beside "sha256"): makes the path absolute and writes down which
// file it is, so that every rank and every later start uses that one. A file that is not on this computer is left to
// the hosts that have it. Input: the file is there and cannot be read.
Result<void> pinModelFile(spec::RunSpec& spec);
// For a run that begins with nothing else, before there is one. Input: the file of weights that the run file names is
// missing on this computer, where it is needed.
Result<void> checkWeightsFile(const spec::RunSpec& spec);

} // namespace trainyard::run
