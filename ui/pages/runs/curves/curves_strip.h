// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/feed/workspace_feed.h"
#include "ui/plots/canvas/curve_style.h"
#include "ui/widgets/marks/overview_strip.h"

namespace trainyard::ui {

// Fills the strip below the charts: the loss of each run, its checkpoints, and the epochs of the first run.
void fillStrip(OverviewStrip& strip, const WorkspaceFeed& feed, const QList<CurveStyle>& runs, XMode mode);

} // namespace trainyard::ui
