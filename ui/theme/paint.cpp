// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/paint.h"

#include "ui/theme/theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <QStyle>

#include <cmath>

namespace trainyard::ui {

namespace {

qreal snapped(const QPainter& painter, qreal value) {
    const qreal dpr = painter.device()->devicePixelRatioF();
    return std::round(value * dpr) / dpr;
}

// One logical pixel, but never a fraction of a device pixel.
qreal lineThickness(const QPainter& painter) {
    const qreal dpr = painter.device()->devicePixelRatioF();
    return std::max(1.0, std::floor(dpr)) / dpr;
}

qreal digitCell(const QFontMetricsF& metrics) {
    qreal cell = 0;
    for (char digit = '0'; digit <= '9'; ++digit) cell = std::max(cell, metrics.horizontalAdvance(QLatin1Char(digit)));
    return cell;
}

} // namespace

void paintFrame(QPainter& painter, const QRectF& rect, qreal radius, const QColor& fill, const QColor& border,
                qreal lineWidth) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF outer(QPointF(snapped(painter, rect.left()), snapped(painter, rect.top())),
                       QPointF(snapped(painter, rect.right()), snapped(painter, rect.bottom())));
    const qreal half = border.isValid() ? lineWidth * lineThickness(painter) / 2 : 0;
    painter.setPen(border.isValid() ? QPen(border, 2 * half) : QPen(Qt::NoPen));
    painter.setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    const qreal corner = std::max(0.0, radius - half);
    painter.drawRoundedRect(outer.adjusted(half, half, -half, -half), corner, corner);
    painter.restore();
}

void paintHLine(QPainter& painter, qreal x, qreal y, qreal width, const QColor& color) {
    painter.fillRect(QRectF(x, snapped(painter, y), width, lineThickness(painter)), color);
}

void paintVLine(QPainter& painter, qreal x, qreal y, qreal height, const QColor& color) {
    painter.fillRect(QRectF(snapped(painter, x), y, lineThickness(painter), height), color);
}

void paintFocusRing(QPainter& painter, const QRectF& rect, qreal radius) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Theme::current().focus, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(rect.adjusted(-2, -2, 2, 2), radius + 2, radius + 2);
    painter.restore();
}

void paintRunChip(QPainter& painter, const QPointF& center, const QColor& color, bool filled) {
    const qreal side = Theme::current().px(10);
    const QRectF box(center.x() - side / 2, center.y() - side / 2, side, side);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (filled) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawRoundedRect(box, 3, 3);
    } else {
        painter.setPen(QPen(color, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box.adjusted(.75, .75, -.75, -.75), 2.25, 2.25);
    }
    painter.restore();
}

QString elidedName(const QFontMetrics& metrics, const QString& name, int width) {
    return metrics.elidedText(name, Qt::ElideMiddle, width);
}

qreal tabularWidth(const QFont& font, const QString& text) {
    const QFontMetricsF metrics(font);
    const qreal cell = digitCell(metrics);
    qreal width = 0;
    for (const QChar c : text) width += c.isDigit() ? cell : metrics.horizontalAdvance(c);
    return width;
}

void paintTabular(QPainter& painter, const QRectF& rect, Qt::Alignment wanted, const QFont& font, const QString& text) {
    const Qt::LayoutDirection direction = painter.layoutDirection();
    const Qt::Alignment alignment = QStyle::visualAlignment(direction, wanted);
    if (text.isRightToLeft()) return painter.drawText(rect, static_cast<int>(wanted), text);
    painter.setLayoutDirection(Qt::LeftToRight); // of the parts, with the blanks between them
    painter.setFont(font);
    const QFontMetricsF metrics(font);
    const qreal cell = digitCell(metrics);
    const qreal width = tabularWidth(font, text);
    qreal x = rect.left();
    if (alignment & Qt::AlignRight) x = rect.right() - width;
    else if (alignment & Qt::AlignHCenter) x = rect.center().x() - width / 2;
    qreal baseline = rect.center().y() + (metrics.ascent() - metrics.descent()) / 2;
    if (alignment & Qt::AlignTop) baseline = rect.top() + metrics.ascent();
    else if (alignment & Qt::AlignBottom) baseline = rect.bottom() - metrics.descent();
    QString other; // letters between digits keep their kerning
    const auto flush = [&] {
        if (!other.isEmpty()) {
            painter.drawText(QPointF(x, baseline), other);
            x += tabularWidth(font, other);
            other.clear();
        }
    };
    for (const QChar c : text) {
        if (!c.isDigit()) {
            other += c;
            continue;
        }
        flush();
        const qreal advance = metrics.horizontalAdvance(c);
        painter.drawText(QPointF(x + (cell - advance) / 2, baseline), QString(c));
        x += cell;
    }
    flush();
    painter.setLayoutDirection(direction);
}

QRectF mirrored(Qt::LayoutDirection direction, const QRectF& area, const QRectF& box) {
    if (direction == Qt::LeftToRight) return box;
    return {area.left() + area.right() - box.right(), box.top(), box.width(), box.height()};
}

QRectF centered(const QRectF& area, qreal side) {
    return {area.center() - QPointF(side / 2, side / 2), QSizeF(side, side)};
}

} // namespace trainyard::ui
