// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/run_spec.h"

#include <map>
#include <string>

namespace trainyard::run {

// "model.path" -> a file or folder.
using RunFiles = std::map<std::string, std::string>;

// Rule: which files of a run other hosts need.
// As far as this computer has them: the files of model, weights and dataset that the run file names, and the folder of
// an installed dataset. The worker looks for the rest on its host.
RunFiles filesOf(const spec::RunSpec& spec);

} // namespace trainyard::run
