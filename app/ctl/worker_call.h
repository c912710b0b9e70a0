// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json_text.h"
#include "engine/base/result.h"

#include <string>
#include <vector>

namespace trainyard::ctl {

// What trainyard-worker prints for these arguments, or the error that it ended with, kind and code included. Blocks for
// `seconds` at most.
inline constexpr double kWorkerSeconds = 600;
Result<std::string> callWorker(const std::vector<std::string>& arguments, double seconds = kWorkerSeconds);
// The same, read as JSON.
Result<Json> workerJson(const std::vector<std::string>& arguments, double seconds = kWorkerSeconds);

} // namespace trainyard::ctl
