// SPDX-License-Identifier: GPL-3.0-or-later
// Long series as a few points for a chart.
#pragma once

#include "engine/chart/chart.h"

#include <cstddef>
#include <span>

namespace trainyard::chart {

// Neighbouring points as one: `x` is that of the last of them.
struct Group {
    double x = 0, mean = 0, low = 0, high = 0;
};

// At most `most` groups of equally many points. Values that are not finite do not count; a group of nothing else is
// left out.
std::vector<Group> reduce(std::span<const XY> points, std::size_t most);

// The mean of each group as a line; with `extremes` the band reaches from the least to the greatest value, so that no
// spike of the series is hidden. Without a band where every group is one point.
Line lineOf(std::span<const Group> groups, bool extremes);

// Mean of the lines and one sample standard deviation to either side: at their points where those are few and the same
// for all, else at `columns` + 1 places between the first and the last x. Each line counts with its value between its
// neighbouring points, where it has both; a place counts where two lines or more have a value, or where `lines` is a
// single one.
Line meanOf(std::span<const Line> lines, int columns);

} // namespace trainyard::chart
