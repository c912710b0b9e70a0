// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/rail_button.h"

#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"

#include <QPainter>

namespace trainyard::ui {

RailButton::RailButton(const QString& iconName, const QString& name, const QString& shortcut, QWidget* parent)
    : QAbstractButton(parent), m_icon(iconName) {
    setCheckable(true);
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(name);
    setToolTip(shortcut.isEmpty() ? name : tr("%1 (%2)").arg(name, shortcut));
}

void RailButton::setDot(const QColor& color) {
    if (color != m_dot) {
        m_dot = color;
        update();
    }
}

QSize RailButton::sizeHint() const { return {Theme::current().px(36), Theme::current().px(36)}; }

void RailButton::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    QColor fill;
    if (isChecked()) fill = theme.selection;
    else if (isEnabled() && (underMouse() || isDown())) fill = isDown() ? theme.controlPressed : theme.hover;
    if (fill.isValid()) paintFrame(painter, rect(), 6, fill, QColor());
    const qreal side = theme.px(20);
    const QColor color = !isEnabled() ? theme.text3 : isChecked() ? theme.accentText : theme.text2;
    paintIcon(painter, m_icon, QRectF((width() - side) / 2, (height() - side) / 2, side, side), color);
    if (m_dot.isValid()) {
        const QRectF dot(width() - theme.px(12), theme.px(4), theme.px(8), theme.px(8));
        paintFrame(painter, dot, dot.width() / 2, m_dot, isChecked() ? theme.selection : theme.window);
    }
}

} // namespace trainyard::ui
