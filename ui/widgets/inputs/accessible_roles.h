// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::ui {

// Gives widgets that paint themselves their roles for assistive programs: a SegmentedControl is a group of radio
// buttons, a ChartWidget a chart whose value is its description. Call once per program; GUI thread.
void installAccessibleRoles();

} // namespace trainyard::ui
