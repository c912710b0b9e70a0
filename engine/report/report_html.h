// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/report/report.h"

namespace trainyard::report {

// Rule: how a report looks.
// One file of HTML that asks for nothing else: charts as SVG inside it, no script, light and dark by the reader's
// choice, light on paper. Every text is escaped (markupText).
std::string toHtml(const Report& report);

} // namespace trainyard::report
