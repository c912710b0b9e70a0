// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <string>
#include <vector>

namespace trainyard::spec {

// Rule: the words of the tasks.
// What a run learns: the run file's `task`.
enum class TaskKind { Classification, Regression, Language, MultiLabel };

const std::vector<std::string>& taskWords(); // of all tasks, in the order of the enumeration
const char* toString(TaskKind task);
Result<TaskKind> taskFromString(const std::string& word); // Input: none of the words

} // namespace trainyard::spec
