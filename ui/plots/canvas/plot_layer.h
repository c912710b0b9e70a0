// SPDX-License-Identifier: GPL-3.0-or-later
// What a plot shows between its axes. A new kind of plot is a new layer; axes, zoom, hover and exports are there.
#pragma once

#include "ui/plots/canvas/chart_tooltip.h"
#include "ui/plots/canvas/plot_axis.h"
#include "ui/theme/theme.h"

#include <QColor>
#include <QList>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <vector>

class QPainter;

namespace trainyard::ui {

// Where a layer's values lie in a plot, and how it looks. The same on the screen and in a file.
struct PlotFrame {
    QRectF area; // between the axes, in the painter's units
    AxisMap x, y;
    const Theme& theme;
    QString hovered; // the run that is pointed at: the others fade. Empty: none.
    QString current; // the run that is chosen in the window

    PlotFrame(const QRectF& plotArea, const AxisRange& xRange, const AxisRange& yRange, const Theme& colors)
        : area(plotArea), x(xRange, plotArea.left(), plotArea.right()), y(yRange, plotArea.bottom(), plotArea.top()),
          theme(colors) {}

    QPointF toPixel(double xValue, double yValue) const { return {x.toPixel(xValue), y.toPixel(yValue)}; }
    // Whether a pixel lies between the axes, at most `slack` beyond them; never one that is not finite.
    bool shows(const QPointF& pixel, double slack = 1) const;
    // The colour of a run's marks, faded while another run is pointed at.
    QColor emphasised(const QColor& color, const QString& run) const;
};

// The values that a layer covers; empty until one was added.
struct PlotBounds {
    double xLow = std::numeric_limits<double>::infinity(), xHigh = -std::numeric_limits<double>::infinity();
    double yLow = std::numeric_limits<double>::infinity(), yHigh = -std::numeric_limits<double>::infinity();

    bool isEmpty() const { return xLow > xHigh; }
    void add(double x, double y);
    void add(const PlotBounds& other);
};

// One entry of an export's legend: a line, or a dot.
struct LegendEntry {
    QString name;
    QColor color;
    bool dot = false;
    int pattern = 0; // of the line, as of dashOf()
};
// The dashes of a line in widths of its pen: 0 is solid and has none.
QList<qreal> dashOf(int pattern);

// What of a layer lies under the pointer.
struct PlotHit {
    QString run;
    double distance = 0; // pixels to the pointer
    TooltipContent tooltip{};
};

// One kind of marks. A layer is immutable, so that a thread may write its CSV while the window draws;
// new data takes a new layer.
class PlotLayer {
public:
    virtual ~PlotLayer() = default;
    // Draws the marks. The painter clips to the area and 6 px around it, but an SVG does not: what
    // may reach farther is cut by the layer.
    virtual void paint(QPainter& painter, const PlotFrame& frame) const = 0;
    // The pixel right of which it looks other than `before`, which is shown in its place: infinite where both are the
    // same, minus infinite where all of it has to be painted.
    virtual double changedFrom(const PlotLayer& before, const PlotFrame& frame) const;

    // What the axes must cover to show everything that has a place on them: values greater than 0
    // where an axis is logarithmic. A layer that only adds to others leaves it empty.
    virtual PlotBounds bounds(bool /*logX*/, bool /*logY*/) const { return {}; }
    // The mark nearest to a pixel, if one is near.
    virtual std::optional<PlotHit> hit(const QPointF& /*pixel*/, const PlotFrame& /*frame*/) const { return {}; }
    // Its entries in the legend of an export.
    virtual QList<LegendEntry> legend(const Theme& /*theme*/) const { return {}; }
    // All that it holds, shown or not, as the text of a CSV file with a header line; empty: nothing.
    // Any thread.
    virtual std::string csv() const { return {}; }
    // The same in words, for a screen reader; empty: nothing.
    virtual QString description() const { return {}; }
};

using PlotLayers = std::vector<std::shared_ptr<const PlotLayer>>;

// All that one frame of a plot shows.
struct PlotScene {
    PlotAxis x, y;
    PlotLayers layers;        // the first lies at the bottom
    QString hovered, current; // as of PlotFrame
};

} // namespace trainyard::ui
