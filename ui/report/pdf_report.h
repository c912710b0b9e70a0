// SPDX-License-Identifier: GPL-3.0-or-later
// A report as PDF pages, with text and curves as vectors.
#pragma once

#include "engine/base/result.h"
#include "engine/report/report.h"

#include <QString>

namespace trainyard::ui {

// Rule: how a report becomes pages of a PDF.
// Writes A4 in the light theme, whatever the window shows, and replaces the file. Any thread. Environment: the file
// cannot be written.
Result<void> writePdf(const report::Report& report, const QString& file);

} // namespace trainyard::ui
