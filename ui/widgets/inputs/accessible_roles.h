// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::ui {

// Gives widgets that paint themselves their roles for assistive programs: a SegmentedControl is a group of radio
// buttons, a ChartWidget a chart with a summary and last values. Tabs tell which one is chosen, and a slider says the
// number that it stands for. Call once per program; GUI thread.
void installAccessibleRoles();

} // namespace trainyard::ui
