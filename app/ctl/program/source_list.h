// SPDX-License-Identifier: GPL-3.0-or-later
// Where the metrics of a program come from, and what it has said of the whole run.
#pragma once

#include "engine/store/run_query.h"

#include <nlohmann/json_fwd.hpp>

namespace trainyard::ctl {

using Json = nlohmann::ordered_json;

// {"sources": [{"source", "feeds", "points", …}], "summary": {…}}. Null of a run that is no program's, and where its
// files are on another computer.
Json sourcesJson(const store::RunRow& row);
// As tables; nothing where there is only one source and no summary.
void printSources(const Json& sources);

} // namespace trainyard::ctl
