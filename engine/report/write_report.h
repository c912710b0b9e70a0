// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/report/report.h"
#include "engine/store/run_query.h"

#include <filesystem>

namespace trainyard::report {

// Rule: what a report says.
// About one run, several side by side (the first is the baseline), or one sweep, named as in RunQuery::run() and
// RunQuery::sweep(). Input: a name is unknown or given twice, or there is none. Stopped where `progress` says so.
Result<Report> findReport(store::RunQuery& query, const std::vector<std::string>& names, const Progress& progress = {});

// Whether a report may be written there. Input: `file` is a folder or in none, or it exists and `replace` is false.
Result<void> mayWriteReport(const std::filesystem::path& file, bool replace);

// Writes it as one HTML file, atomically. Returns the bytes of the file. The errors of both above.
Result<std::int64_t> writeReport(store::RunQuery& query, const std::vector<std::string>& names,
                                 const std::filesystem::path& file, bool replace, const Progress& progress = {});

} // namespace trainyard::report
