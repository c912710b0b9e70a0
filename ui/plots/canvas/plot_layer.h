// SPDX-License-Identifier: GPL-3.0-or-later
// The content between a plot's axes. A new kind of plot is a new layer; axes, zoom, hover and exports come with the
// plot.
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

// The mapping from values to places in a plot, and its look; the same on the screen and in a file.
struct PlotFrame {
    QRectF area; // between the axes, in the painter's units
    AxisMap x, y;
    const Theme& theme;
    QString hovered; // the run under the pointer: the others fade. Empty: none.
    QString current; // the window's current run

    PlotFrame(const QRectF& plotArea, const AxisRange& xRange, const AxisRange& yRange, const Theme& colors)
        : area(plotArea), x(xRange, plotArea.left(), plotArea.right()), y(yRange, plotArea.bottom(), plotArea.top()),
          theme(colors) {}

    QPointF toPixel(double xValue, double yValue) const { return {x.toPixel(xValue), y.toPixel(yValue)}; }
    // Whether a pixel lies between the axes, or at most `slack` beyond them; false if it is not finite.
    bool shows(const QPointF& pixel, double slack = 1) const;
    // The colour of a run's marks, faded while the pointer is on another run.
    QColor emphasised(const QColor& color, const QString& run) const;
};

// The range of a layer's values; empty until one is added.
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
    int pattern = 0; // of the line, as in dashOf()
};
// The dashes of a line in widths of its pen: 0 is solid and has none.
QList<qreal> dashOf(int pattern);

// The part of a layer under the pointer.
struct PlotHit {
    QString run;
    double distance = 0; // pixels to the pointer
    TooltipContent tooltip{};
};

// One kind of marks. A layer is immutable, so that a thread may write its CSV while the window draws; new data needs a
// new layer.
class PlotLayer {
public:
    virtual ~PlotLayer() = default;
    // Draws the marks. The painter clips to the area and 6 px around it, but an SVG does not: the layer must clip marks
    // that may reach farther.
    virtual void paint(QPainter& painter, const PlotFrame& frame) const = 0;
    // The pixel from which on (to the right) it differs from `before`, the layer shown so far: infinite if both are
    // equal, minus infinite if everything must be painted.
    virtual double changedFrom(const PlotLayer& before, const PlotFrame& frame) const;

    // The range that the axes need to show all values; on a log axis, only those above 0. Empty for a layer that only
    // annotates others.
    virtual PlotBounds bounds(bool /*logX*/, bool /*logY*/) const { return {}; }
    // The mark nearest to a pixel, if one is near.
    virtual std::optional<PlotHit> hit(const QPointF& /*pixel*/, const PlotFrame& /*frame*/) const { return {}; }
    // Its entries in the legend of an export.
    virtual QList<LegendEntry> legend(const Theme& /*theme*/) const { return {}; }
    // All its data, shown or not, as CSV with a header line; empty: none. Any thread.
    virtual std::string csv() const { return {}; }
    // The same in words, for a screen reader; empty: nothing.
    virtual QString description() const { return {}; }
};

using PlotLayers = std::vector<std::shared_ptr<const PlotLayer>>;

// The content of one frame of a plot.
struct PlotScene {
    PlotAxis x, y;
    PlotLayers layers;        // the first lies at the bottom
    QString hovered, current; // as in PlotFrame
};

} // namespace trainyard::ui
