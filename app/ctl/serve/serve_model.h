// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/session.h"
#include "engine/serve/values/service_spec.h"

#include <utility>

namespace trainyard::ctl::serving {

// What RUN[@CHECKPOINT] or a file names, as a model that is served; its name is that of the run or of the file. Input:
// neither is there, or the run is a program's and what it saved is no model that can be served alone.
// With `on`, what is not here is looked for on that host.
Result<serve::ServedModel> servedModelOf(const Session& session, const std::string& given, const std::string& on = {});

// "2" or "0..4": the least and the most. Input: it is neither; `where` names it.
Result<std::pair<int, int>> replicasOf(const std::string& text, const std::string& where);

// What a TorchScript file takes, as modelInfo.json says it: "3,224,224" for a sample, the number of outputs, the task.
// Input: one is missing or wrong.
Result<std::string> modelInfoOf(const std::string& sampleShape, int outputs, const std::string& task);

} // namespace trainyard::ctl::serving
