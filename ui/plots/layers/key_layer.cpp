// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/layers/key_layer.h"

#include "ui/plots/layers/parallel_layer.h"

#include <QPainter>

namespace trainyard::ui {

namespace {

// In pixels.
constexpr double kKeyHeight = 16, kMarkWidth = 14, kRampWidth = 72, kBetween = 6, kAfter = 14;

void paintMark(QPainter& painter, const Theme& theme, const KeyEntry& entry, const QRectF& box) {
    const QPointF middle = box.center();
    if (entry.mark == KeyEntry::Line) painter.fillRect(QRectF(box.left(), middle.y() - 1, box.width(), 2), entry.color);
    if (entry.mark == KeyEntry::Cross) {
        painter.setPen(QPen(entry.color, 1.5));
        painter.drawLine(QLineF(middle + QPointF(-3.5, -3.5), middle + QPointF(3.5, 3.5)));
        painter.drawLine(QLineF(middle + QPointF(-3.5, 3.5), middle + QPointF(3.5, -3.5)));
    }
    if (entry.mark != KeyEntry::Ramp) return;
    QLinearGradient colors(box.topLeft(), box.topRight());
    for (const double at : {0.0, 0.25, 0.5, 0.75, 1.0}) colors.setColorAt(at, rampColor(theme, at));
    painter.fillRect(QRectF(box.left(), middle.y() - 4, box.width(), 8), colors);
}

} // namespace

void KeyLayer::paint(QPainter& painter, const PlotFrame& frame) const {
    painter.setFont(frame.theme.small);
    const QFontMetricsF metrics(frame.theme.small);
    double right = frame.area.right() - 4;
    const double top = frame.area.top();
    const auto say = [&](const QString& words) {
        const double wide = metrics.horizontalAdvance(words) + 1;
        painter.setPen(frame.theme.text2);
        painter.drawText(QRectF(right - wide, top, wide, kKeyHeight), Qt::AlignRight | Qt::AlignVCenter, words);
        right -= wide + kBetween;
    };
    for (auto entry = m_entries.rbegin(); entry != m_entries.rend(); ++entry) {
        say(entry->words);
        const double wide = entry->mark == KeyEntry::Ramp ? kRampWidth : kMarkWidth;
        paintMark(painter, frame.theme, *entry, QRectF(right - wide, top, wide, kKeyHeight));
        right -= wide + kBetween;
        if (!entry->worst.isEmpty()) say(entry->worst);
        right -= kAfter - kBetween;
    }
}

} // namespace trainyard::ui
