// SPDX-License-Identifier: GPL-3.0-or-later
// A chart as a value: what is drawn in files that are not the window. drawing.h lays it out, svg.h writes it.
#pragma once

#include <string>
#include <vector>

namespace trainyard::chart {

// A point of a line. A value that is not finite interrupts the line.
struct XY {
    double x = 0, y = 0;
    bool operator==(const XY&) const = default;
};

// The range of a band at one x.
struct Range {
    double x = 0, low = 0, high = 0;
};

// One curve, or the points of a scatter plot.
struct Line {
    std::string label{};       // in the legend; empty: none
    int color = 0;             // index into the palette of curves
    std::string rgb{};         // "#1f77b4": that colour instead; empty: none
    bool dashed = false;       // tells lines of one colour apart
    bool faint = false;        // stands behind the others: a member of a group whose mean is drawn
    bool joined = true;        // false: points only
    std::vector<XY> points{};  // by growing x where they are joined
    std::vector<Range> band{}; // behind the line; may be empty
};

// An axis with its title; its range follows from the lines.
struct Axis {
    std::string title{};
    bool log = false; // what is not above 0 is left out
};

// Lines over one pair of axes.
struct Chart {
    std::string title{};
    std::string note{}; // small, right of the title: what a band means
    Axis x{}, y{};
    std::vector<Line> lines{};
};

} // namespace trainyard::chart
