// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/report/report.h"

namespace trainyard::report {

// Rule: how a report looks.
// One HTML file that loads nothing: charts are inline SVG, no script; light or dark as the reader prefers, light in
// print. Every text is escaped (markupText).
std::string toHtml(const Report& report);

// report.css with the colours of the window's themes (resources/themes/tokens.json); CMake fills it in.
extern const char* const kReportCss;

} // namespace trainyard::report
