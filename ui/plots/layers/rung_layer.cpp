// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/layers/rung_layer.h"

#include "engine/run/record/series/metrics_csv.h"
#include "ui/models/text/format.h"
#include "ui/plots/canvas/plot_words.h"
#include "ui/plots/layers/parallel_layer.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr double kPointReach = 12; // pixels from a point to the pointer
constexpr double kCutHalf = 14;    // pixels
constexpr qsizetype kFewLines = 600;

} // namespace

RungLayer::RungLayer(QList<RungLine> lines, QList<RungCut> cuts, const QString& tName, const QString& scoreName)
    : m_lines(std::move(lines)), m_cuts(std::move(cuts)), m_tName(tName), m_scoreName(scoreName) {
    std::stable_sort(m_lines.begin(), m_lines.end(),
                     [](const RungLine& a, const RungLine& b) { return a.quality < b.quality; });
}

void RungLayer::paint(QPainter& painter, const PlotFrame& frame) const {
    painter.setRenderHint(QPainter::Antialiasing, m_lines.size() <= kFewLines);
    const auto marked = [&](const RungLine& line) {
        return line.best || line.run == frame.hovered || line.run == frame.current;
    };
    for (const RungCut& cut : m_cuts) {
        const double x = frame.x.toPixel(cut.t);
        if (x < frame.area.left() || x > frame.area.right()) continue;
        painter.setPen(QPen(frame.theme.axis, 1));
        painter.drawLine(QLineF(x, frame.area.top(), x, frame.area.bottom()));
    }
    for (const bool last : {false, true})
        for (const RungLine& line : m_lines)
            if (marked(line) == last) paintLine(painter, frame, line);
    for (const RungCut& cut : m_cuts) {
        const QPointF at = frame.toPixel(cut.t, cut.score);
        if (!frame.shows(at)) continue;
        painter.fillRect(QRectF(at.x() - kCutHalf, at.y() - 1, 2 * kCutHalf, 2), frame.theme.warn);
    }
}

void RungLayer::paintLine(QPainter& painter, const PlotFrame& frame, const RungLine& line) const {
    const Theme& theme = frame.theme;
    const bool marked = line.run == frame.hovered || line.run == frame.current || line.best;
    const QColor plain = line.faded ? mix(theme.card, theme.text3, 0.22) : rampColor(theme, line.quality);
    const QColor color = marked ? line.color : frame.emphasised(plain, line.run);
    QPolygonF path;
    for (const QPointF& point : line.points)
        if (const QPointF at = frame.toPixel(point.x(), point.y()); frame.shows(at, 2)) path << at;
    if (path.isEmpty()) return;
    painter.setPen(QPen(color, marked ? 2.5 : 1));
    painter.drawPolyline(path);
    const QPointF end = path.last();
    if (line.reason.isEmpty()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawEllipse(end, 3.5, 3.5);
    } else { // a cross for a stopped run
        painter.setPen(QPen(marked ? line.color : frame.emphasised(line.faded ? plain : theme.text3, line.run), 1.5));
        painter.drawLine(QLineF(end + QPointF(-3.5, -3.5), end + QPointF(3.5, 3.5)));
        painter.drawLine(QLineF(end + QPointF(-3.5, 3.5), end + QPointF(3.5, -3.5)));
    }
}

PlotBounds RungLayer::bounds(bool logX, bool logY) const {
    PlotBounds bounds;
    const auto add = [&](double x, double y) {
        if (std::isfinite(y) && (!logX || x > 0) && (!logY || y > 0)) bounds.add(x, y);
    };
    for (const RungLine& line : m_lines)
        for (const QPointF& point : line.points) add(point.x(), point.y());
    for (const RungCut& cut : m_cuts) add(cut.t, cut.score);
    return bounds;
}

std::optional<PlotHit> RungLayer::hit(const QPointF& pixel, const PlotFrame& frame) const {
    const RungLine* nearest = nullptr;
    QPointF found;
    double least = kPointReach;
    for (const RungLine& line : m_lines) {
        if (line.faded) continue;
        for (const QPointF& point : line.points) {
            const QPointF away = frame.toPixel(point.x(), point.y()) - pixel;
            if (const double distance = std::hypot(away.x(), away.y()); distance <= least) {
                least = distance;
                nearest = &line;
                found = point;
            }
        }
    }
    if (nearest == nullptr) return std::nullopt;
    TooltipContent tooltip;
    tooltip.heading = nearest->name;
    tooltip.rows << TooltipRow{nearest->color, m_tName, exactText(found.x()), {}}
                 << TooltipRow{nearest->color, seriesTitle(m_scoreName), metricText(found.y()), {}};
    tooltip.footer = nearest->reason.isEmpty() ? PlotWords::tr("continued") : nearest->reason;
    return PlotHit{nearest->run, least, tooltip};
}

QList<LegendEntry> RungLayer::legend(const Theme& theme) const {
    return {{PlotWords::tr("cut-off of a rung"), theme.warn}, {PlotWords::tr("stopped (cross)"), theme.text3}};
}

std::string RungLayer::csv() const {
    const auto field = [](const QString& text) { return run::csvField(text.toStdString()); };
    std::string text = "run,name," + field(m_tName) + ',' + field(m_scoreName) + ",reason\n";
    for (const RungLine& line : m_lines)
        for (const QPointF& point : line.points)
            text += field(line.run) + ',' + field(line.name) + ',' + csvNumber(point.x()).toStdString() + ',' +
                    csvNumber(point.y()).toStdString() + ',' + field(line.reason) + '\n';
    return text;
}

QString RungLayer::description() const {
    const auto stopped =
        std::count_if(m_lines.begin(), m_lines.end(), [](const auto& l) { return !l.reason.isEmpty(); });
    return PlotWords::tr("%1 trials at %2 rungs, %3 stopped").arg(m_lines.size()).arg(m_cuts.size()).arg(stopped);
}

} // namespace trainyard::ui
