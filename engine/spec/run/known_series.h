// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/task_kind.h"

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::spec {

// The series that runs record by themselves, such as val/loss. Programs on the library may report others.
const std::vector<std::string>& knownSeries();
// Those of training and validation that a run of this task records, of which val/top5 only with more than five classes.
const std::vector<std::string>& seriesOf(TaskKind task);

// Rule: in what a series is measured.
// "s", "%", "MB", "samples/s"; empty: a plain number, or its name does not tell. A text to be translated.
std::string seriesUnit(std::string_view series);

// Input where a run of the task never records the series, and the group of its name (val/, train/) shows that nothing
// else does; `path` is the field that names it. The remedy is the nearest series, or all of them.
Result<void> checkRecorded(const std::string& series, TaskKind task, const std::string& path);

} // namespace trainyard::spec
