// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <string>
#include <vector>

namespace trainyard::spec {

// A run file's text with each "path=value" applied, in order: "optimizer.lr=0.05". Input: there is no such field, or
// the text is no run file.
Result<std::string> withOverrides(std::string text, const std::vector<std::string>& overrides);

// The same of a sweep file's text: to the run in it, unless the path is one of the sweep's own fields.
Result<std::string> withSweepOverrides(std::string text, const std::vector<std::string>& overrides);

// The text of a run or sweep file with each "path=value" applied, and with absolute paths; to the base run of a sweep
// file, unless the path is one of the sweep's own fields. Besides, Environment: the file cannot be read.
Result<std::string> readWithOverrides(const std::string& file, const std::vector<std::string>& overrides);

} // namespace trainyard::spec
