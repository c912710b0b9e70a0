// SPDX-License-Identifier: GPL-3.0-or-later
// A report as a file: PDF pages, with text and curves as vectors, or HTML.
#pragma once

#include "engine/base/result.h"
#include "engine/report/report.h"
#include "engine/store/run_query.h"

#include <QString>

namespace trainyard::ui {

// Rule: how a report becomes pages of a PDF.
// Writes A4 in the light theme, whatever the window shows, and replaces the file. Any thread. Environment: the file
// cannot be written. Stopped where `progress` says so; the file stays as it was.
Result<void> writePdf(const report::Report& report, const QString& file, const report::Progress& progress = {});

// Writes the report of runs or of a sweep (report::findReport): as PDF where the file's name ends with .pdf, else as
// HTML. Any thread. The errors are those of report::writeReport and writePdf.
Result<void> writeReportFile(const store::Workspace& workspace, const std::vector<std::string>& names,
                             const QString& file, bool replace, const report::Progress& progress = {});

} // namespace trainyard::ui
