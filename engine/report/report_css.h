// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::report {

// report.css with the colours of the window's themes (resources/themes/tokens.json); CMake fills it in.
extern const char* const kReportCss;

} // namespace trainyard::report
