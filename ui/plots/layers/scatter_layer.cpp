// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/layers/scatter_layer.h"

#include "engine/run/record/series/metrics_csv.h"
#include "ui/models/text/format.h"
#include "ui/plots/canvas/plot_words.h"

#include <QPainter>

namespace trainyard::ui {

namespace {

constexpr double kDotReach = 14; // pixels from a dot to the pointer
constexpr double kDotRadius = 5;
constexpr double kBestRadius = 6.5;
constexpr qsizetype kMany = 1000; // dots; beyond, they are small squares, which take a twentieth of the time
constexpr double kManyRadius = 2;

bool hasValues(const ScatterDot& dot) { return std::isfinite(dot.x) && std::isfinite(dot.y); }

bool hasPlace(const ScatterDot& dot, bool logX, bool logY) {
    return hasValues(dot) && (!logX || dot.x > 0) && (!logY || dot.y > 0);
}

} // namespace

void ScatterLayer::paintDot(QPainter& painter, const PlotFrame& frame, const ScatterDot& dot) const {
    const QPointF at = frame.toPixel(dot.x, dot.y);
    if (!hasValues(dot) || !frame.shows(at)) return;
    const bool strong = dot.best || dot.run == frame.hovered;
    const bool many = m_dots.size() > kMany;
    const double radius = strong ? kBestRadius : many ? kManyRadius : kDotRadius;
    if (many && !strong && dot.run != frame.current) { // an outline would take most of the time
        const QColor color = dot.faded ? mix(frame.theme.card, frame.theme.text3, 0.35) : dot.color;
        const double side = 2 * radius - 1;
        return painter.fillRect(QRectF(at.x() - side / 2, at.y() - side / 2, side, side),
                                frame.emphasised(color, dot.run));
    }
    if (dot.faded && !strong) {
        painter.setPen(QPen(mix(frame.theme.card, frame.theme.text3, 0.5), 1));
        painter.setBrush(frame.theme.card);
    } else {
        painter.setPen(QPen(dot.edged ? frame.theme.text2 : frame.theme.card, dot.edged ? 1 : 1.5));
        painter.setBrush(dot.best ? dot.color : frame.emphasised(dot.color, dot.run));
    }
    painter.drawEllipse(at, radius, radius);
    if (dot.run != frame.current) return;
    painter.setPen(QPen(frame.theme.accent, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(at, radius + 2.5, radius + 2.5);
}

ScatterLayer::ScatterLayer(QList<ScatterDot> dots, const QString& xName, const QString& yName)
    : m_dots(std::move(dots)), m_xName(xName), m_yName(yName) {}

void ScatterLayer::paint(QPainter& painter, const PlotFrame& frame) const {
    painter.setRenderHint(QPainter::Antialiasing);
    int waiting = 0;
    int notPositive = 0;
    for (const ScatterDot& dot : m_dots) {
        waiting += hasValues(dot) ? 0 : 1;
        notPositive += hasValues(dot) && !hasPlace(dot, frame.x.isLog(), frame.y.isLog()) ? 1 : 0;
        paintDot(painter, frame, dot);
    }
    QStringList notes;
    if (waiting > 0) notes << PlotWords::tr("%1 without a value").arg(waiting);
    if (notPositive > 0) notes << PlotWords::tr("%1 at or below 0, not on a log axis").arg(notPositive);
    if (notes.isEmpty()) return;
    painter.setFont(frame.theme.small);
    painter.setPen(frame.theme.text3);
    painter.drawText(frame.area.adjusted(0, 0, -4, -4), Qt::AlignRight | Qt::AlignBottom,
                     notes.join(QStringLiteral(", ")));
}

PlotBounds ScatterLayer::bounds(bool logX, bool logY) const {
    PlotBounds bounds;
    for (const ScatterDot& dot : m_dots)
        if (hasPlace(dot, logX, logY)) bounds.add(dot.x, dot.y);
    return bounds;
}

std::optional<PlotHit> ScatterLayer::hit(const QPointF& pixel, const PlotFrame& frame) const {
    const ScatterDot* nearest = nullptr;
    double best = kDotReach;
    for (const ScatterDot& dot : m_dots) {
        const QPointF at = frame.toPixel(dot.x, dot.y);
        const double distance = std::hypot(at.x() - pixel.x(), at.y() - pixel.y());
        if (hasValues(dot) && frame.shows(at) && distance < best) {
            best = distance;
            nearest = &dot;
        }
    }
    if (nearest == nullptr) return std::nullopt;
    TooltipContent tooltip;
    tooltip.heading = nearest->name;
    tooltip.rows << TooltipRow{nearest->color, seriesTitle(m_xName), exactText(nearest->x), {}}
                 << TooltipRow{nearest->color, seriesTitle(m_yName), exactText(nearest->y), {}};
    return PlotHit{nearest->run, best, tooltip};
}

QList<LegendEntry> ScatterLayer::legend(const Theme&) const {
    QList<LegendEntry> entries;
    for (const ScatterDot& dot : m_dots) entries << LegendEntry{dot.name, dot.color, true};
    return entries;
}

std::string ScatterLayer::csv() const {
    const auto field = [](const QString& text) { return run::csvField(text.toStdString()); };
    std::string text = "run,name," + field(m_xName) + ',' + field(m_yName) + '\n';
    for (const ScatterDot& dot : m_dots)
        text += field(dot.run) + ',' + field(dot.name) + ',' + csvNumber(dot.x).toStdString() + ',' +
                csvNumber(dot.y).toStdString() + '\n';
    return text;
}

QString ScatterLayer::description() const {
    QStringList spoken;
    for (const ScatterDot& dot : m_dots)
        spoken << PlotWords::tr("%1: %2 %3 at %4 %5")
                      .arg(dot.name, seriesText(m_yName), metricText(dot.y), seriesText(m_xName), exactText(dot.x));
    return spoken.join(QStringLiteral("; "));
}

} // namespace trainyard::ui
