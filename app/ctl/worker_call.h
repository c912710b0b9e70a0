// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json_text.h"
#include "engine/base/result.h"

#include <string>
#include <vector>

namespace trainyard::ctl {

// What trainyard-worker prints for these arguments, or the error that it ended with, kind and code included. Blocks for
// minutes at most.
Result<std::string> callWorker(const std::vector<std::string>& arguments);
// The same, read as JSON.
Result<Json> workerJson(const std::vector<std::string>& arguments);

} // namespace trainyard::ctl
