// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/layers/bar_layer.h"

#include "engine/run/record/series/metrics_csv.h"
#include "ui/models/text/format.h"

#include <QPainter>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr double kShare = 0.62; // of a row's height
constexpr double kHighest = 18; // pixels
constexpr int kMostSpoken = 12;

} // namespace

BarLayer::BarLayer(QList<Bar> bars, const QString& fromName, const QString& toName)
    : m_bars(std::move(bars)), m_fromName(fromName), m_toName(toName) {}

QRectF BarLayer::boxOf(const Bar& bar, const PlotFrame& frame) const {
    const double height = std::min(kHighest, kShare * std::abs(frame.y.toPixel(1) - frame.y.toPixel(0)));
    const double left = std::max(frame.area.left(), frame.x.toPixel(bar.from));
    const double right = std::min(frame.area.right(), frame.x.toPixel(bar.to));
    return {left, frame.y.toPixel(bar.row) - height / 2, std::max(1.0, right - left), std::max(1.0, height)};
}

void BarLayer::paint(QPainter& painter, const PlotFrame& frame) const {
    const Theme& theme = frame.theme;
    painter.setFont(theme.small);
    for (const Bar& bar : m_bars) {
        const QRectF box = boxOf(bar, frame);
        if (!frame.area.adjusted(-1, -1, 1, 1).intersects(box)) continue;
        const QColor color = bar.color.isValid() ? bar.color : theme.seq[3];
        painter.fillRect(box, bar.run.isEmpty() ? color : frame.emphasised(color, bar.run));
        if (!bar.run.isEmpty() && box.width() > 3) // a gap between neighbours of one row
            painter.fillRect(QRectF(box.right() - 1, box.top(), 1, box.height()), theme.card);
        if (bar.run == frame.current && !bar.run.isEmpty()) {
            painter.setPen(QPen(theme.accent, 1.5));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(box.adjusted(-1, -1, 0, 1));
        }
        if (bar.label.isEmpty()) continue;
        painter.setPen(theme.text2);
        painter.drawText(QRectF(box.right() + 6, box.center().y() - 10, 80, 20), Qt::AlignVCenter, bar.label);
    }
}

PlotBounds BarLayer::bounds(bool logX, bool) const {
    PlotBounds bounds;
    for (const Bar& bar : m_bars) {
        if (!logX || bar.from > 0) bounds.add(bar.from, bar.row);
        if (!logX || bar.to > 0) bounds.add(bar.to, bar.row);
    }
    if (!bounds.isEmpty()) { // half a row at each end
        bounds.yLow -= 0.5;
        bounds.yHigh += 0.5;
        const bool labelled =
            std::any_of(m_bars.begin(), m_bars.end(), [](const Bar& bar) { return !bar.label.isEmpty(); });
        if (labelled) bounds.xHigh += 0.06 * (bounds.xHigh - bounds.xLow);
    }
    return bounds;
}

std::optional<PlotHit> BarLayer::hit(const QPointF& pixel, const PlotFrame& frame) const {
    for (const Bar& bar : m_bars) {
        if (!boxOf(bar, frame).adjusted(-1, -2, 1, 2).contains(pixel)) continue;
        TooltipContent tooltip;
        tooltip.heading = bar.name;
        tooltip.footer = bar.note;
        return PlotHit{bar.run, 0, tooltip};
    }
    return std::nullopt;
}

std::string BarLayer::csv() const {
    const auto field = [](const QString& text) { return run::csvField(text.toStdString()); };
    std::string text = "name,row," + field(m_fromName) + ',' + field(m_toName) + '\n';
    for (const Bar& bar : m_bars)
        text += field(bar.name) + ',' + std::to_string(bar.row) + ',' + csvNumber(bar.from).toStdString() + ',' +
                csvNumber(bar.to).toStdString() + '\n';
    return text;
}

QString BarLayer::description() const {
    QStringList spoken;
    for (const Bar& bar : m_bars.first(std::min<qsizetype>(m_bars.size(), kMostSpoken)))
        spoken << (bar.label.isEmpty() ? bar.name : bar.name + QLatin1Char(' ') + bar.label);
    return spoken.join(QStringLiteral("; "));
}

} // namespace trainyard::ui
