// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/curve_brush.h"

#include <QPaintEngine>
#include <QPainter>

#include <array>
#include <cmath>
#include <numbers>

namespace trainyard::ui {

void PainterBrush::bar(int x, int top, int height, const QColor& color) {
    m_painter.fillRect(QRect(x, top, 1, height), color);
}

// Single lines go straight to Qt's rasteriser, a polyline through its path machinery.
void PainterBrush::lines(std::span<const QLineF> pieces, const QPen& pen, bool antialias) {
    m_painter.setRenderHint(QPainter::Antialiasing, antialias);
    m_painter.setPen(pen);
    m_painter.drawLines(pieces.data(), static_cast<int>(pieces.size()));
}

void PainterBrush::dashes(const QPolygonF& line, const QPen& pen, bool antialias) {
    m_painter.setRenderHint(QPainter::Antialiasing, antialias);
    m_painter.setPen(pen);
    m_painter.drawPolyline(line);
}

void PainterBrush::dot(const QPointF& middle, double diameter, const QColor& color, bool antialias) {
    m_painter.setRenderHint(QPainter::Antialiasing, antialias);
    m_painter.setPen(QPen(color, diameter, Qt::SolidLine, Qt::RoundCap));
    m_painter.drawPoint(middle);
}

RasterBrush::RasterBrush(const QRectF& area, double ratio)
    : m_area(area), m_ratio(ratio), m_raster((area.size() * ratio).toSize()) {}

bool RasterBrush::serves(const QPainter& painter) {
    return painter.paintEngine()->type() == QPaintEngine::Raster &&
           painter.transform().type() <= QTransform::TxTranslate;
}

void RasterBrush::show(QPainter& painter) const {
    QImage image = m_raster.image();
    image.setDevicePixelRatio(m_ratio);
    painter.drawImage(m_area.topLeft(), image);
}

void RasterBrush::bar(int x, int top, int height, const QColor& color) {
    const QPointF from = pixel(QPointF(x, top)), to = pixel(QPointF(x + 1, top + height));
    for (int column = qRound(from.x()); column < qRound(to.x()); ++column)
        m_raster.fillColumn(column, qRound(from.y()), qRound(to.y()), color.rgb());
}

void RasterBrush::lines(std::span<const QLineF> pieces, const QPen& pen, bool antialias) {
    const double width = pen.widthF() * m_ratio;
    const double cap = pen.capStyle() == Qt::FlatCap ? 0 : width / 2;
    const QRgb color = pen.color().rgb();
    for (const QLineF& piece : pieces) {
        const QLineF line(pixel(piece.p1()), pixel(piece.p2()));
        if (antialias) m_raster.drawLine(line, width, cap, color);
        else m_raster.drawHairline(line, qRound(width), color);
    }
}

void RasterBrush::dashes(const QPolygonF& line, const QPen& pen, bool antialias) {
    const QList<qreal> pattern = pen.dashPattern();
    qsizetype part = 0;
    double left = pattern.value(0) * pen.widthF(); // of the dash or gap
    std::vector<QLineF> pieces;
    for (qsizetype i = 1; i < line.size(); ++i) {
        QLineF rest(line[i - 1], line[i]);
        while (rest.length() > 0) {
            const double length = rest.length();
            const QPointF end = length > left ? rest.pointAt(left / length) : rest.p2();
            if (part % 2 == 0) pieces.emplace_back(rest.p1(), end);
            left -= std::min(length, left);
            if (!(left > 0)) left = pattern[part = (part + 1) % pattern.size()] * pen.widthF();
            rest.setP1(end);
        }
    }
    lines(pieces, pen, antialias);
}

void RasterBrush::dot(const QPointF& middle, double diameter, const QColor& color, bool) {
    std::array<QPointF, 16> corners;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(corners.size());
        corners[i] = pixel(middle) + QPointF(std::cos(angle), std::sin(angle)) * (diameter / 2 * m_ratio);
    }
    m_raster.fillConvex(corners, color.rgb());
}

} // namespace trainyard::ui
