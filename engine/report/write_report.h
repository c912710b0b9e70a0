// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/run_query.h"

#include <filesystem>

namespace trainyard::report {

// Writes the report of one run, or of several side by side (the first is the baseline), as one HTML file, atomically.
// Runs are named as in RunQuery::run(). Returns the bytes of the file. Input: a run is unknown or named twice, `file`
// is a folder or in none, or it exists and `replace` is false.
Result<std::int64_t> writeReport(store::RunQuery& query, const std::vector<std::string>& runs,
                                 const std::filesystem::path& file, bool replace);

} // namespace trainyard::report
