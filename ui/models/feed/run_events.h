// SPDX-License-Identifier: GPL-3.0-or-later
// What the charts are told of the events of a run.
#pragma once

#include "engine/store/run_events.h"
#include "ui/series/plot_event.h"
#include "ui/series/wall_clock.h"

namespace trainyard::ui {

// Those that are marked (store::isMarked), with their words.
std::vector<PlotEvent> plotEvents(const std::vector<store::RunEventRow>& events);
// The clock of a run: an anchor for each launch among its events, or one at `startedMs` (since 1970) when no event
// tells of a launch, as of an imported run.
WallClock wallClockOf(const std::vector<store::RunEventRow>& events, std::int64_t startedMs);

} // namespace trainyard::ui
