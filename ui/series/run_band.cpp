// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/series/run_band.h"

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

namespace {

// The value of a run at x; NaN if it has none. `hint`: an index near x; updated to a nearer one.
double valueAt(const BandRun& run, XMode mode, double x, bool logX, std::size_t& hint) {
    const std::size_t size = std::min(run.points->size(), run.values->size());
    const std::size_t after = std::min(size, run.points->lowerBound(mode, x, hint));
    hint = after;
    if (after == size) return std::nan("");
    const double right = run.points->x(mode, after);
    if (!(right > x)) return run.values->value(after);
    if (after == 0) return std::nan("");
    const double left = run.points->x(mode, after - 1);
    if (logX && !(left > 0)) return std::nan("");
    const double share = (x - left) / (right - left);
    return run.values->value(after - 1) * (1 - share) + run.values->value(after) * share;
}

BandPoint pointAt(std::span<const BandRun> runs, XMode mode, double x, bool logX, std::vector<std::size_t>& hints) {
    BandPoint point{.x = x};
    double squares = 0; // of the distances to the mean
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const double value = valueAt(runs[i], mode, x, logX, hints[i]);
        if (!std::isfinite(value)) continue;
        const double before = value - point.mean;
        point.mean += before / ++point.runs;
        squares += before * (value - point.mean);
    }
    point.deviation = point.runs < 2 ? std::nan("") : std::sqrt(squares / (point.runs - 1));
    return point;
}

} // namespace

BandPoint bandAt(std::span<const BandRun> runs, XMode mode, double x, bool logX) {
    std::vector<std::size_t> hints(runs.size(), 0);
    return pointAt(runs, mode, x, logX, hints);
}

std::vector<BandPoint> bandOver(std::span<const BandRun> runs, const ColumnGrid& grid) {
    std::vector<BandPoint> points;
    std::vector<std::size_t> hints(runs.size(), 0);
    for (int column = 0; column <= grid.columns; ++column)
        points.push_back(pointAt(runs, grid.mode, columnEdge(grid, column), grid.logX, hints));
    return points;
}

} // namespace trainyard::ui
