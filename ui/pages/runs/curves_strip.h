// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workspace_feed.h"
#include "ui/plots/curve_style.h"
#include "ui/widgets/overview_strip.h"

namespace trainyard::ui {

// Fills the strip below the charts: the loss of each run, its checkpoints, and the epochs of the first run.
void fillStrip(OverviewStrip& strip, const WorkspaceFeed& feed, const QList<CurveStyle>& runs, XMode mode);

} // namespace trainyard::ui
