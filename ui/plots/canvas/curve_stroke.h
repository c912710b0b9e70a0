// SPDX-License-Identifier: GPL-3.0-or-later
// How the columns of a curve become bars and lines of pixels.
#pragma once

#include "ui/plots/canvas/column_picture.h"
#include "ui/plots/canvas/plot_layer.h"
#include "ui/series/series_data.h"

#include <QLineF>
#include <QPen>

namespace trainyard::ui {

// Lines through vertices; a part ends at each gap.
using LineParts = std::vector<QList<QPointF>>;

// One line of a run, in pixels: bars where it is dense, otherwise a line through its vertices.
struct Stroke {
    bool dense = false;
    int columnWidth = 1;          // pixels of a bar
    std::vector<PixelBar> bars{}; // from left to right, each joined to its neighbour
    std::vector<QLineF> links{};  // between bars that are not neighbours
    LineParts parts{};
    double length = 0; // pixels of the parts inside the plot, roughly
};

// From all values of the columns, each `columnWidth` pixels wide, starting at the left end of the plot. `coarse`: bars
// even where a pixel has only one or two points.
Stroke strokeOf(const Columns& columns, const PlotFrame& frame, bool coarse = false, int columnWidth = 1);
// From the last value of each column.
Stroke averageStroke(const Columns& columns, const PlotFrame& frame);

// The x of the leftmost vertex from which on two strokes differ; infinite if they are equal.
double differFrom(const Stroke& a, const Stroke& b);

// Draws the bars and links of a dense stroke that lie in `box`.
void paintBars(QPainter& painter, const Stroke& stroke, const QColor& color, const QRectF& box);
// Draws the parts of a stroke that are visible in `box`, clipped to `area`.
void paintParts(QPainter& painter, const Stroke& stroke, const QPen& pen, bool antialias, const QRectF& area,
                const QRectF& box);

// Of a line with this pattern (dashOf()).
QPen penFor(const QColor& color, qreal width, int pattern);

} // namespace trainyard::ui
