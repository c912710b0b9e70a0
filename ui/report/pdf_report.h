// SPDX-License-Identifier: GPL-3.0-or-later
// A report on pages: PDF with text and curves as vectors.
#pragma once

#include "engine/base/result.h"
#include "engine/report/report.h"

#include <QString>

namespace trainyard::ui {

// Rule: how a report becomes pages of a PDF.
// Writes the report as a PDF on A4, replacing the file. In the light theme, whatever the window has; any thread.
// Environment: the file cannot be written.
Result<void> writePdf(const report::Report& report, const QString& file);

} // namespace trainyard::ui
