// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/marks/color_chip.h"

#include "ui/theme/paint.h"
#include "ui/theme/theme.h"

#include <QPainter>

namespace trainyard::ui {

ColorChip::ColorChip(const QString& accessibleName, QWidget* parent) : QAbstractButton(parent) {
    setAccessibleName(accessibleName);
    setFixedSize(Theme::current().px(14), Theme::current().px(18));
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
}

void ColorChip::setColor(const QColor& color) {
    if (m_color == color) return;
    m_color = color;
    update();
}

void ColorChip::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    paintRunChip(painter, QPointF(theme.px(5), height() / 2.0), m_color, true);
    if (!hasFocus()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.focus, 2));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 3, 3);
}

} // namespace trainyard::ui
