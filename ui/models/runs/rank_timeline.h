// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/record/straggler.h"
#include "ui/series/rank_lanes.h"
#include "ui/series/series_store.h"

#include <optional>

namespace trainyard::ui {

// The recorded activity of a run's ranks over time, by rank.
std::vector<RankLane> rankLanes(const SeriesStore& store, const QString& run);

// The rank that the others waited for between two times.
std::optional<run::RankWait> stragglerBetween(const std::vector<RankLane>& lanes, double from, double to);

} // namespace trainyard::ui
