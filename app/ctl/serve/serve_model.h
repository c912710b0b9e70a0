// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/session.h"
#include "engine/serve/values/service_spec.h"

namespace trainyard::ctl::serving {

// What RUN[@CHECKPOINT] or a file names, as a model that is served; its name is that of the run or of the file. Input:
// neither is there, or the run is a program's and what it saved is no model that can be served alone.
Result<serve::ServedModel> servedModelOf(const Session& session, const std::string& given);

} // namespace trainyard::ctl::serving
