// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/layers/band_layer.h"

#include "ui/plots/canvas/clip.h"
#include "ui/plots/canvas/curve_stroke.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <span>

namespace trainyard::ui {

namespace {

constexpr float kAreaShare = 0.16F;

using BandPart = std::span<const BandPoint>;

// A log axis puts values at or below 0 infinitely far down.
QPointF vertex(const PlotFrame& frame, double x, double y) {
    const QPointF at = frame.toPixel(x, y);
    return {at.x(), std::clamp(at.y(), -1e4, 1e5)};
}

// The parts of at least two points where `least` runs have a value.
std::vector<BandPart> partsOf(const Band& band, int least) {
    std::vector<BandPart> parts;
    const auto isGap = [least](const BandPoint& point) { return point.runs < least; };
    for (auto begin = band.points.begin(); begin != band.points.end();) {
        const auto end = std::find_if(begin, band.points.end(), isGap);
        if (end - begin >= 2) parts.push_back(BandPart(begin, end));
        begin = std::find_if_not(end, band.points.end(), isGap);
    }
    return parts;
}

// Faded while the pointer is on a run of another group; the mean of runs that are drawn themselves never fades.
QColor colorOf(const Band& band, const PlotFrame& frame) {
    if (!band.color.isValid()) return frame.theme.text2;
    const bool isOut = band.isOneLine && !frame.hovered.isEmpty() && !band.runs.contains(frame.hovered);
    return isOut ? mix(frame.theme.card, band.color, 0.35) : band.color;
}

void paintArea(QPainter& painter, const PlotFrame& frame, BandPart part, const QColor& color) {
    QPolygonF outline;
    for (const BandPoint& point : part) outline << vertex(frame, point.x, point.mean + point.deviation);
    for (auto point = part.rbegin(); point != part.rend(); ++point)
        outline << vertex(frame, point->x, point->mean - point->deviation);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(clipped(outline, frame.area));
}

void paintMean(QPainter& painter, const PlotFrame& frame, BandPart part) {
    QPointF last = vertex(frame, part.front().x, part.front().mean);
    QPolygonF run; // of lines that touch: one stroke, so that dashes go on
    for (const BandPoint& point : part.subspan(1)) {
        const QPointF next = vertex(frame, point.x, point.mean);
        const auto shown = clipped(QLineF(std::exchange(last, next), next), frame.area);
        if (!shown || (!run.isEmpty() && run.last() != shown->p1())) painter.drawPolyline(std::exchange(run, {}));
        if (!shown) continue;
        if (run.isEmpty()) run << shown->p1();
        run << shown->p2();
    }
    painter.drawPolyline(run);
}

} // namespace

void BandLayer::paint(QPainter& painter, const PlotFrame& frame) const {
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const Band& band : m_bands) {
        QColor area = colorOf(band, frame);
        if (m_bands.size() == 1) area = mix(frame.theme.card, area, kAreaShare);
        else area.setAlphaF(kAreaShare); // those below stay visible
        for (const BandPart part : partsOf(band, 2)) paintArea(painter, frame, part, area);
    }
    painter.setBrush(Qt::NoBrush);
    for (const Band& band : m_bands) {
        const QColor color = colorOf(band, frame);
        painter.setPen(band.isOneLine ? penFor(color, 2, band.pattern) : QPen(mix(frame.theme.card, color, 0.7), 1));
        for (const BandPart part : partsOf(band, band.isOneLine ? 1 : 2)) paintMean(painter, frame, part);
    }
}

QList<LegendEntry> BandLayer::legend(const Theme& theme) const {
    QList<LegendEntry> entries;
    for (const Band& band : m_bands) {
        int most = 0;
        for (const BandPoint& point : band.points) most = std::max(most, point.runs);
        if (most < 2) continue;
        const QString words = QCoreApplication::translate("Plots", "mean ± std of %1 runs").arg(most);
        const QColor color = band.color.isValid() ? band.color : mix(theme.card, theme.text2, 0.7);
        entries << LegendEntry{band.name.isEmpty() ? words : QStringLiteral("%1: %2").arg(band.name, words), color,
                               false, band.pattern};
    }
    return entries;
}

} // namespace trainyard::ui
