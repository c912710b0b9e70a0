// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/canvas/plot_layer.h"

#include <algorithm>

namespace trainyard::ui {

bool PlotFrame::shows(const QPointF& pixel, double slack) const {
    return std::isfinite(pixel.x()) && std::isfinite(pixel.y()) && // contains() is true for NaN
           area.adjusted(-slack, -slack, slack, slack).contains(pixel);
}

QColor PlotFrame::emphasised(const QColor& color, const QString& run) const {
    return hovered.isEmpty() || run == hovered ? color : mix(theme.card, color, 0.45);
}

void PlotBounds::add(double x, double y) {
    xLow = std::min(xLow, x);
    xHigh = std::max(xHigh, x);
    yLow = std::min(yLow, y);
    yHigh = std::max(yHigh, y);
}

void PlotBounds::add(const PlotBounds& other) {
    if (other.isEmpty()) return;
    add(other.xLow, other.yLow);
    add(other.xHigh, other.yHigh);
}

double PlotLayer::changedFrom(const PlotLayer& before, const PlotFrame&) const {
    constexpr double kNowhere = std::numeric_limits<double>::infinity();
    return this == &before ? kNowhere : -kNowhere;
}

QList<qreal> dashOf(int pattern) {
    static const QList<QList<qreal>> patterns = {{}, {4, 2}, {1.5, 2}, {7, 2, 1.5, 2}};
    return patterns[pattern % patterns.size()];
}

} // namespace trainyard::ui
