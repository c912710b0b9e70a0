// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/run_spec.h"

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::spec {

// Rule: which settings of a run file a resume may change.
// By path, such as "hosts" or "failure.maxRestarts".
bool mayResumeWith(const RunSpec& before, std::string_view path);
// Whether a run of this file may be resumed with these changes, "path=value" each: of where and how it is computed, of
// its checkpoints and of what is done about losses. Input, with what to do instead, for the first one that would change
// what is trained; `run` is its name.
Result<void> mayResumeWith(const RunSpec& before, const std::vector<std::string>& changes, const std::string& run);

} // namespace trainyard::spec
