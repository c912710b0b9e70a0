// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QFontMetrics>
#include <QRectF>
#include <QString>

class QPainter;

namespace trainyard::ui {

// Rule: what widgets that paint themselves do where people read from right to left.
// Where `box` lies within `area`: as it is, or at the other side. QPainter turns the alignment of texts by itself.
QRectF mirrored(Qt::LayoutDirection direction, const QRectF& area, const QRectF& box);
// The square with side `side` in the middle of `area`.
QRectF centered(const QRectF& area, qreal side);
// Fills a rounded rectangle and draws its 1-px frame inside `rect`, on whole device pixels.
// An invalid colour leaves that part out.
void paintFrame(QPainter& painter, const QRectF& rect, qreal radius, const QColor& fill, const QColor& border,
                qreal lineWidth = 1.0);
// One device-snapped line as a filled rectangle.
void paintHLine(QPainter& painter, qreal x, qreal y, qreal width, const QColor& color);
void paintVLine(QPainter& painter, qreal x, qreal y, qreal height, const QColor& color);
// The 2-px focus ring around `rect`, 1 px off it.
void paintFocusRing(QPainter& painter, const QRectF& rect, qreal radius);
// A run's 10-px chip: filled = drawn in charts, hollow = not.
void paintRunChip(QPainter& painter, const QPointF& center, const QColor& color, bool filled);

// Elides the name of a run or trial in the middle, because similar names differ at their end.
QString elidedName(const QFontMetrics& metrics, const QString& name, int width);

// Width of `text` when every digit takes the width of the widest one (tabular digits, which
// Qt below 6.7 cannot ask a font for).
qreal tabularWidth(const QFont& font, const QString& text);
// Draws `text` with tabular digits, aligned within `rect`, in the painter's pen; left and right change sides with the
// painter's direction.
void paintTabular(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QFont& font,
                  const QString& text);

} // namespace trainyard::ui
