// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/outlier_layer.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>

namespace trainyard::ui {

namespace {

enum class PlotEdge { Top, Bottom };

QString markText(std::size_t count, PlotEdge edge) {
    const char* words = edge == PlotEdge::Top ? (count == 1 ? QT_TRANSLATE_NOOP("Plots", "%1 point above")
                                                            : QT_TRANSLATE_NOOP("Plots", "%1 points above"))
                                              : (count == 1 ? QT_TRANSLATE_NOOP("Plots", "%1 point below")
                                                            : QT_TRANSLATE_NOOP("Plots", "%1 points below"));
    const QString number =
        QLocale().toString(static_cast<qulonglong>(count)) + (count >= 1000 ? QStringLiteral("+") : QString());
    return QCoreApplication::translate("Plots", words).arg(number);
}

void paintOutliers(QPainter& painter, const PlotFrame& frame, PlotEdge edge, std::size_t count, double x,
                   const QColor& color) {
    if (count == 0) return;
    const QRectF& area = frame.area;
    const bool top = edge == PlotEdge::Top;
    const QString text = markText(count, edge);
    const double width = QFontMetricsF(frame.theme.small).horizontalAdvance(text) + 12;
    const double left =
        std::clamp(frame.x.toPixel(x) - 4, area.left() + 4, std::max(area.left() + 4, area.right() - width - 4));
    const double tip = top ? area.top() + 1 : area.bottom() - 3;
    const double base = top ? tip + 5 : tip - 5;
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(QPolygonF({{left, base}, {left + 8, base}, {left + 4, tip}}));
    painter.setPen(frame.theme.text3);
    const double middle = top ? tip + 2.5 : tip - 2.5;
    painter.drawText(QRectF(left + 12, std::max(middle - 8, area.top() - 5), width, 16),
                     Qt::AlignVCenter | Qt::AlignLeft, text);
}

} // namespace

void OutlierLayer::paint(QPainter& painter, const PlotFrame& frame) const {
    painter.setFont(frame.theme.small);
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintOutliers(painter, frame, PlotEdge::Top, m_mark.above, m_mark.aboveX, m_mark.aboveColor);
    paintOutliers(painter, frame, PlotEdge::Bottom, m_mark.below, m_mark.belowX, m_mark.belowColor);
}

} // namespace trainyard::ui
