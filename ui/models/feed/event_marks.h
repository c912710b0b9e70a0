// SPDX-License-Identifier: GPL-3.0-or-later
// A run's events as charts need them.
#pragma once

#include "engine/store/run_events.h"
#include "ui/series/plot_point.h"
#include "ui/series/wall_clock.h"

namespace trainyard::ui {

// The marked events (store::isMarked), with their texts.
std::vector<PlotEvent> plotEvents(const std::vector<store::RunEventRow>& events);
// A run's clock: an anchor for each launch among its events, or one at `startedMs` (since 1970) without launches, as
// in imported runs.
WallClock wallClockOf(const std::vector<store::RunEventRow>& events, std::int64_t startedMs);

} // namespace trainyard::ui
