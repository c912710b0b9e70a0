// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/layers/heat_layer.h"

#include "ui/plots/canvas/plot_words.h"
#include "ui/plots/layers/parallel_layer.h"

#include <QPainter>

namespace trainyard::ui {

void HeatLayer::paint(QPainter& painter, const PlotFrame& frame) const {
    if (m_field.columns <= 0 || m_field.rows <= 0) return;
    const QPointF low = frame.toPixel(m_field.xLow, m_field.yLow), high = frame.toPixel(m_field.xHigh, m_field.yHigh);
    const double width = (high.x() - low.x()) / m_field.columns, height = (low.y() - high.y()) / m_field.rows;
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (int row = 0; row < m_field.rows; ++row)
        for (int column = 0; column < m_field.columns; ++column) {
            const float quality = m_field.quality[static_cast<std::size_t>(row * m_field.columns + column)];
            if (!(quality >= 0)) continue;
            const double left = std::floor(low.x() + column * width),
                         right = std::floor(low.x() + (column + 1) * width);
            const double top = std::floor(low.y() - (row + 1) * height), bottom = std::floor(low.y() - row * height);
            const QRectF cell = QRectF(left, top, right - left, bottom - top).intersected(frame.area);
            // Half of the card: the dots above must stand out.
            if (!cell.isEmpty()) painter.fillRect(cell, mix(frame.theme.card, rampColor(frame.theme, quality), 0.6));
        }
}

PlotBounds HeatLayer::bounds(bool logX, bool logY) const {
    PlotBounds bounds;
    if (m_field.columns > 0 && (!logX || m_field.xLow > 0) && (!logY || m_field.yLow > 0)) {
        bounds.add(m_field.xLow, m_field.yLow);
        bounds.add(m_field.xHigh, m_field.yHigh);
    }
    return bounds;
}

QList<LegendEntry> HeatLayer::legend(const Theme& theme) const {
    return {{PlotWords::tr("worst"), rampColor(theme, 0)}, {PlotWords::tr("best"), rampColor(theme, 1)}};
}

} // namespace trainyard::ui
