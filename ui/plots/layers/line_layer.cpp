// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/layers/line_layer.h"

#include "engine/run/record/series/metrics_csv.h"
#include "ui/models/text/format.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

namespace {

constexpr double kNearX = 24;      // pixels to the nearest point
constexpr double kLeastOfAxis = 1; // where all values are 0

} // namespace

LineLayer::LineLayer(QList<PlotLine> lines, const QString& xName, Words heading, Words value)
    : m_lines(std::move(lines)), m_xName(xName), m_heading(heading), m_value(value) {}

void LineLayer::paint(QPainter& painter, const PlotFrame& frame) const {
    const QRectF room = frame.area.adjusted(-4, -4, 4, 4); // an SVG ignores the clip
    painter.setRenderHint(QPainter::Antialiasing);
    for (const PlotLine& line : m_lines) {
        painter.setPen(QPen(line.color, 1.5, Qt::SolidLine, Qt::RoundCap));
        QPolygonF part;
        const auto draw = [&] {
            if (part.size() > 1) painter.drawPolyline(part);
            else if (part.size() == 1) painter.drawPoint(part.first());
            part.clear();
        };
        for (const QPointF& point : line.points) {
            const QPointF at = frame.toPixel(point.x(), point.y());
            if (!std::isfinite(at.y()) || at.x() < room.left() || at.x() > room.right()) {
                draw();
                continue;
            }
            part << QPointF(at.x(), std::clamp(at.y(), room.top(), room.bottom()));
        }
        draw();
    }
}

PlotBounds LineLayer::bounds(bool logX, bool logY) const {
    PlotBounds bounds;
    for (const PlotLine& line : m_lines)
        for (const QPointF& point : line.points)
            if ((!logX || point.x() > 0) && (!logY || point.y() > 0))
                bounds.add(point.x(), std::isfinite(point.y()) ? point.y() : 0); // plots of the same points match
    if (bounds.isEmpty() || logY) return bounds;
    bounds.add(bounds.xLow, 0);                                   // so that a small change looks small
    if (bounds.yHigh <= 0) bounds.add(bounds.xLow, kLeastOfAxis); // nothing has happened yet
    return bounds;
}

std::optional<PlotHit> LineLayer::hit(const QPointF& pixel, const PlotFrame& frame) const {
    if (m_lines.isEmpty() || m_lines.front().points.isEmpty()) return std::nullopt;
    const auto& points = m_lines.front().points;
    const auto nearest = std::min_element(points.begin(), points.end(), [&](const QPointF& a, const QPointF& b) {
        return std::abs(frame.x.toPixel(a.x()) - pixel.x()) < std::abs(frame.x.toPixel(b.x()) - pixel.x());
    });
    const double distance = std::abs(frame.x.toPixel(nearest->x()) - pixel.x());
    if (distance > kNearX) return std::nullopt;
    const auto index = nearest - points.begin();
    TooltipContent tooltip;
    tooltip.heading = m_heading(nearest->x());
    for (const PlotLine& line : m_lines)
        if (index < line.points.size())
            tooltip.rows << TooltipRow{line.color, line.name, m_value(line.points[index].y()), {}};
    return PlotHit{{}, distance, tooltip};
}

QList<LegendEntry> LineLayer::legend(const Theme&) const {
    QList<LegendEntry> entries;
    for (const PlotLine& line : m_lines) entries << LegendEntry{line.name, line.color};
    return entries;
}

std::string LineLayer::csv() const {
    std::string text = run::csvField(m_xName.toStdString());
    for (const PlotLine& line : m_lines) text += ',' + run::csvField(line.name.toStdString());
    text += '\n';
    for (qsizetype i = 0; !m_lines.isEmpty() && i < m_lines.front().points.size(); ++i) {
        text += csvNumber(m_lines.front().points[i].x()).toStdString();
        for (const PlotLine& line : m_lines)
            text += ',' + (i < line.points.size() ? csvNumber(line.points[i].y()).toStdString() : std::string());
        text += '\n';
    }
    return text;
}

QString LineLayer::description() const {
    QStringList spoken;
    for (const PlotLine& line : m_lines)
        if (!line.points.isEmpty()) spoken << line.name + QLatin1Char(' ') + m_value(line.points.last().y());
    return spoken.join(QStringLiteral("; "));
}

} // namespace trainyard::ui
