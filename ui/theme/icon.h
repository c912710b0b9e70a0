// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QIcon>
#include <QString>
#include <Qt>

class QAbstractButton;
class QPainter;
class QRectF;

namespace trainyard::ui {

// An icon of resources/icons by file name without ".svg"; its strokes take the theme's text2
// (disabled: text3) each time it is painted, so that it follows a theme change.
QIcon icon(const QString& name);
// The same with one fixed colour in the normal state.
QIcon icon(const QString& name, const QColor& color);
// Paints the icon crisply into a square of the painter's logical pixels.
void paintIcon(QPainter& painter, const QString& name, const QRectF& square, const QColor& color);
// Paints the sort arrow of a column: up for ascending values.
void paintSortArrow(QPainter& painter, const QRectF& square, Qt::SortOrder order, const QColor& color);
// Puts an icon on a button so that YardStyle paints it in the colour of the button's state.
void setButtonIcon(QAbstractButton* button, const QString& name);
// Whether such an icon exists.
bool hasIcon(const QString& name);

} // namespace trainyard::ui
