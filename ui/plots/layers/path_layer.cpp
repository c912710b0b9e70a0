// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/layers/path_layer.h"

#include "engine/run/record/series/metrics_csv.h"
#include "ui/models/text/format.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

namespace {

constexpr double kPathReach = 14; // pixels

} // namespace

PathLayer::PathLayer(QList<NamedPath> lines, const QString& xName, const QString& yName)
    : m_lines(std::move(lines)), m_xName(xName), m_yName(yName) {}

void PathLayer::paint(QPainter& painter, const PlotFrame& frame) const {
    // Cut a little outside the axes, because an SVG ignores the clip.
    const QRectF room = frame.area.adjusted(-4, -4, 4, 4);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const NamedPath& line : m_lines) {
        QPolygonF drawn;
        for (const QPointF& point : line.points) {
            const QPointF at = frame.toPixel(point.x(), point.y());
            drawn << QPointF(std::clamp(at.x(), room.left(), room.right()),
                             std::clamp(at.y(), room.top(), room.bottom()));
        }
        QPen pen(line.reference ? frame.theme.text3 : frame.emphasised(line.color, line.name), line.reference ? 1 : 2);
        if (line.reference) pen.setDashPattern(dashOf(1));
        pen.setJoinStyle(Qt::RoundJoin);
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(drawn);
    }
}

PlotBounds PathLayer::bounds(bool logX, bool logY) const {
    PlotBounds bounds;
    for (const NamedPath& line : m_lines)
        for (const QPointF& point : line.points)
            if ((!logX || point.x() > 0) && (!logY || point.y() > 0)) bounds.add(point.x(), point.y());
    return bounds;
}

std::optional<PlotHit> PathLayer::hit(const QPointF& pixel, const PlotFrame& frame) const {
    const NamedPath* nearest = nullptr;
    QPointF place;
    double best = kPathReach;
    for (const NamedPath& line : m_lines) {
        if (line.reference) continue;
        for (const QPointF& point : line.points) {
            const QPointF at = frame.toPixel(point.x(), point.y());
            const double distance = std::hypot(at.x() - pixel.x(), at.y() - pixel.y());
            if (distance >= best || !frame.shows(at)) continue;
            best = distance;
            nearest = &line;
            place = point;
        }
    }
    if (nearest == nullptr) return std::nullopt;
    TooltipContent tooltip;
    tooltip.heading = nearest->name;
    tooltip.rows << TooltipRow{nearest->color, m_xName, metricText(place.x()), {}}
                 << TooltipRow{nearest->color, m_yName, metricText(place.y()), {}};
    return PlotHit{nearest->name, best, tooltip};
}

QList<LegendEntry> PathLayer::legend(const Theme& theme) const {
    QList<LegendEntry> entries;
    for (const NamedPath& line : m_lines)
        entries << LegendEntry{line.name, line.reference ? theme.text3 : line.color, false, line.reference ? 1 : 0};
    return entries;
}

std::string PathLayer::csv() const {
    const auto field = [](const QString& text) { return run::csvField(text.toStdString()); };
    std::string text = "name," + field(m_xName) + ',' + field(m_yName) + '\n';
    for (const NamedPath& line : m_lines)
        for (const QPointF& point : line.points)
            text += field(line.name) + ',' + csvNumber(point.x()).toStdString() + ',' +
                    csvNumber(point.y()).toStdString() + '\n';
    return text;
}

QString PathLayer::description() const {
    QStringList spoken;
    for (const NamedPath& line : m_lines)
        if (!line.reference && !line.points.isEmpty())
            spoken << QCoreApplication::translate("Plots", "%1: %2 from %3 to %4")
                          .arg(line.name, m_yName, metricText(line.points.first().y()),
                               metricText(line.points.last().y()));
    return spoken.join(QStringLiteral("; "));
}

} // namespace trainyard::ui
