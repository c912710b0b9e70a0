// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/run_query.h"

#include <QString>

namespace trainyard::ui {

// Writes the report of runs or of a sweep (report::findReport): as PDF where the file's name ends with .pdf, else as
// HTML. Any thread. The errors are those of report::writeReport and writePdf.
Result<void> writeReportFile(const store::Workspace& workspace, const std::vector<std::string>& names,
                             const QString& file, bool replace);

} // namespace trainyard::ui
