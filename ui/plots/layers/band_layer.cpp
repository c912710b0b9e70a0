// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/layers/band_layer.h"

#include "ui/plots/canvas/clip.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace trainyard::ui {

namespace {

// A log axis puts values at or below 0 infinitely far down.
QPointF vertex(const PlotFrame& frame, double x, double y) {
    const QPointF at = frame.toPixel(x, y);
    return {at.x(), std::clamp(at.y(), -1e4, 1e5)};
}

void paintPart(QPainter& painter, const PlotFrame& frame, std::span<const BandPoint> part) {
    QPolygonF outline;
    for (const BandPoint& point : part) outline << vertex(frame, point.x, point.mean + point.deviation);
    for (auto point = part.rbegin(); point != part.rend(); ++point)
        outline << vertex(frame, point->x, point->mean - point->deviation);
    painter.setPen(Qt::NoPen);
    painter.setBrush(mix(frame.theme.card, frame.theme.text2, 0.16));
    painter.drawPolygon(clipped(outline, frame.area));
    painter.setPen(QPen(mix(frame.theme.card, frame.theme.text2, 0.7), 1));
    for (std::size_t i = 1; i < part.size(); ++i) {
        const QLineF mean(vertex(frame, part[i - 1].x, part[i - 1].mean), vertex(frame, part[i].x, part[i].mean));
        if (const auto shown = clipped(mean, frame.area)) painter.drawLine(*shown);
    }
}

} // namespace

void BandLayer::paint(QPainter& painter, const PlotFrame& frame) const {
    painter.setRenderHint(QPainter::Antialiasing, true);
    const auto isGap = [](const BandPoint& point) { return point.runs < 2; };
    for (auto begin = m_points.begin(); begin != m_points.end();) {
        const auto end = std::find_if(begin, m_points.end(), isGap);
        if (end - begin >= 2) paintPart(painter, frame, {begin, end});
        begin = std::find_if_not(end, m_points.end(), isGap);
    }
}

QList<LegendEntry> BandLayer::legend(const Theme& theme) const {
    int most = 0;
    for (const BandPoint& point : m_points) most = std::max(most, point.runs);
    if (most < 2) return {};
    return {
        {QCoreApplication::translate("Plots", "mean ± std of %1 runs").arg(most), mix(theme.card, theme.text2, 0.7)}};
}

} // namespace trainyard::ui
