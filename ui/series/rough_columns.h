// SPDX-License-Identifier: GPL-3.0-or-later
// Columns of a plot during a zoom, when no column of the previous frame can be reused.
#pragma once

#include "ui/series/series_data.h"

namespace trainyard::ui {

// Moves the edges between columns right, to the beginning of whole blocks of the series' pyramid, each by at most
// `slack` of its column's points. Returns the number of values in a block; 1 if the columns have too few points for
// blocks, and nothing was moved.
inline std::size_t alignToBlocks(std::vector<std::size_t>& bounds, double slack) {
    if (bounds.size() < 3) return 1;
    const double most =
        slack * static_cast<double>(bounds.back() - bounds.front()) / static_cast<double>(bounds.size() - 1);
    std::size_t block = 1;
    while (static_cast<double>(block * Pyramid::kFan) <= most) block *= Pyramid::kFan;
    if (block == 1) return 1;
    for (std::size_t i = 1; i + 1 < bounds.size(); ++i) {
        const std::size_t moved = (bounds[i] + block - 1) / block * block;
        const auto room = static_cast<double>(bounds[i + 1] - bounds[i]); // points may lie less densely here
        if (static_cast<double>(moved - bounds[i]) <= slack * room) bounds[i] = moved;
    }
    return block;
}

// Like reduceToColumns(), for bounds aligned to blocks: the extremes are those of all points; the first and last values
// are the middles of the outermost blocks. This reads no single value, and a third of the memory.
inline Columns roughColumns(const SeriesData& series, XMode mode, std::span<const std::size_t> bounds,
                            std::size_t block) {
    const auto middle = [](const Bounds& of) { return (of.min + of.max) / 2; };
    std::vector<Column> columns;
    columns.reserve(bounds.size());
    for (std::size_t i = 1; i < bounds.size(); ++i) {
        const std::size_t begin = bounds[i - 1], end = bounds[i];
        Column column{series.x(mode, begin), series.x(mode, end - 1), Extent{series.bounds(begin, end)}, end - begin};
        const Bounds first = series.bounds(begin, std::min(end, begin + block));
        const Bounds last = series.bounds(std::max(begin, end - std::min(end, block)), end);
        if (first.isEmpty() || last.isEmpty()) column.extent = series.reduce(begin, end);
        else column.extent.first = middle(first), column.extent.last = middle(last);
        columns.push_back(column);
    }
    return {std::move(columns)};
}

} // namespace trainyard::ui
