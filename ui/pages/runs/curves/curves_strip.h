// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/plots/canvas/curve_style.h"
#include "ui/widgets/marks/overview_strip.h"

namespace trainyard::ui {

// What the charts and the strip draw of these runs. Those of a group of the table are one line where the charts show
// means; while it is grouped by status, runs that differ only in their seed have a mean beside their own lines.
QList<CurveStyle> curveStyles(const Workbench& bench, const QStringList& runs);
// Fills the strip below the charts: the loss of each run, its checkpoints, and the epochs of the first run.
void fillStrip(OverviewStrip& strip, const WorkspaceFeed& feed, const QList<CurveStyle>& runs, XMode mode);

// Whether a series has a chart: what a lesser source of a program says, where the inspector's switch asks for it.
bool isWanted(const Workbench& bench, const QString& series);

} // namespace trainyard::ui
