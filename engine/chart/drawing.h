// SPDX-License-Identifier: GPL-3.0-or-later
// A chart as shapes and words at places: what an SVG file and a page of a PDF have in common.
#pragma once

#include "engine/chart/chart.h"

#include <span>

namespace trainyard::chart {

// What a shape or word is painted with; the renderer knows the colours.
enum class Ink { Text, Muted, Grid, Axis, Curve };

// Points joined by lines, filled where they are closed, or each a dot.
struct Shape {
    enum class Kind { Line, Area, Dots } kind = Kind::Line;
    Ink ink = Ink::Curve;
    int color = 0;      // of Ink::Curve: index into the palette
    std::string rgb{};  // of Ink::Curve: "#1f77b4" instead; empty: none
    double width = 1;   // of the line; of dots the radius
    double opacity = 1; // 0 to 1
    bool dashed = false;
    std::vector<XY> points{};
};

// One line of text. `at` is the left end, the middle or the right end of its base line.
struct Words {
    enum class Anchor { Start, Middle, End } anchor = Anchor::Start;
    enum class Face { Small, Title } face = Face::Small;
    Ink ink = Ink::Muted;
    XY at{};
    std::string text{};
};

// All of a chart, in pixels from its upper left corner. Later shapes lie above earlier ones, words above all.
struct Drawing {
    double width = 0, height = 0;
    std::vector<Shape> shapes{};
    std::vector<Words> words{};
};

inline constexpr double kSmallSize = 11, kTitleSize = 13; // of the faces, in pixels

// Title, legend, axes with round ticks, grid and lines in this many pixels. Points without a place (not finite, not
// above 0 on a log axis) are left out. The same chart gives the same drawing.
Drawing draw(const Chart& chart, double width, double height);

// The labels of lines with their marks, in as many rows as they take: one legend of several charts.
Drawing drawLegend(std::span<const Line> lines, double width);

// About how wide a text is in one of the faces: what fits is decided without a font, so that every renderer agrees.
double widthOf(std::string_view text, Words::Face face);
// The text, cut to so many characters with "…" at its end.
std::string elided(std::string_view text, std::size_t most);

} // namespace trainyard::chart
