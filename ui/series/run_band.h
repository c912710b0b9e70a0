// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/series/series_data.h"

#include <span>
#include <vector>

namespace trainyard::ui {

// Mean and standard deviation over runs at one x.
struct BandPoint {
    double x = 0;
    double mean = 0;
    double deviation = 0; // of a sample: over n - 1; NaN below two runs
    int runs = 0;         // with a value there
};

// One run of a band: its points, with their values or those of a smoothed copy.
struct BandRun {
    const SeriesData* points = nullptr;
    const ValueSource* values = nullptr;
};

// The runs at x: each counts with the value its curve has there, on the straight line between its two neighbouring
// points. A run that has not begun, has ended, or has a gap there does not count; nor does one whose left neighbour is
// at or below 0 where the axis is logarithmic, as no line comes from there (reduceToColumns()). Mean and variance in
// one pass by Welford (Technometrics 4(3), 1962), which keeps the digits that a sum of squares loses.
BandPoint bandAt(std::span<const BandRun> runs, XMode mode, double x, bool logX = false);
// The same at each edge of the grid's columns: grid.columns + 1 points.
std::vector<BandPoint> bandOver(std::span<const BandRun> runs, const ColumnGrid& grid);

} // namespace trainyard::ui
