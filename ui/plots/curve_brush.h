// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/curve_raster.h"

#include <QPen>
#include <QPolygonF>
#include <QRectF>

class QPainter;

namespace trainyard::ui {

// What curves are drawn with. Coordinates are those of the painter in the end.
class CurveBrush {
public:
    virtual ~CurveBrush() = default;
    // One opaque column of pixels.
    virtual void bar(int x, int top, int height, const QColor& color) = 0;
    // The pieces of a line, which the caps of a solid pen join.
    virtual void lines(std::span<const QLineF> pieces, const QPen& pen, bool antialias) = 0;
    // A line whose pattern runs through all of it.
    virtual void dashes(const QPolygonF& line, const QPen& pen, bool antialias) = 0;
    virtual void dot(const QPointF& middle, double diameter, const QColor& color, bool antialias) = 0;
};

// Any device, such as a file with vectors.
class PainterBrush final : public CurveBrush {
public:
    explicit PainterBrush(QPainter& painter) : m_painter(painter) {}
    void bar(int x, int top, int height, const QColor& color) override;
    void lines(std::span<const QLineF> pieces, const QPen& pen, bool antialias) override;
    void dashes(const QPolygonF& line, const QPen& pen, bool antialias) override;
    void dot(const QPointF& middle, double diameter, const QColor& color, bool antialias) override;

private:
    QPainter& m_painter;
};

// Pixels, and many of them in little time.
class RasterBrush final : public CurveBrush {
public:
    // The pixels of `area` on a device with `ratio` of them for each unit.
    RasterBrush(const QRectF& area, double ratio);
    // Whether the painter's device has just these pixels.
    static bool serves(const QPainter& painter);
    // Puts what was drawn there.
    void show(QPainter& painter) const;

    void bar(int x, int top, int height, const QColor& color) override;
    void lines(std::span<const QLineF> pieces, const QPen& pen, bool antialias) override;
    void dashes(const QPolygonF& line, const QPen& pen, bool antialias) override;
    void dot(const QPointF& middle, double diameter, const QColor& color, bool antialias) override;

private:
    QPointF pixel(const QPointF& at) const { return (at - m_area.topLeft()) * m_ratio; }

    QRectF m_area;
    double m_ratio;
    CurveRaster m_raster;
};

} // namespace trainyard::ui
