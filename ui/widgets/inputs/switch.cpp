// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/inputs/switch.h"

#include "ui/theme/paint.h"
#include "ui/theme/theme.h"

#include <QPainter>

namespace trainyard::ui {

Switch::Switch(const QString& label, QWidget* parent) : QAbstractButton(parent) {
    setCheckable(true);
    setText(label);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
    setAccessibleName(label);
}

QSize Switch::sizeHint() const {
    const Theme& theme = Theme::current();
    const int text = QFontMetrics(theme.body).horizontalAdvance(QAbstractButton::text());
    const int label = QAbstractButton::text().isEmpty() ? 0 : theme.px(8) + text;
    return {theme.px(28) + label, label > 0 ? theme.px(20) : theme.px(16)};
}

void Switch::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    const auto placed = [this](const QRectF& area, const QRectF& box) {
        return mirrored(layoutDirection(), area, box);
    };
    const QRectF box = placed(rect(), QRectF(0, (height() - theme.px(16)) / 2.0, theme.px(28), theme.px(16)));
    QColor ground = isChecked() ? (underMouse() ? theme.accentHover : theme.accent)
                                : (underMouse() ? theme.text3 : theme.borderStrong);
    if (!isEnabled()) ground = isChecked() ? mix(theme.window, theme.accent, 0.4) : theme.border;
    paintFrame(painter, box, box.height() / 2, ground, QColor());
    const qreal knob = box.height() - 4;
    const qreal x = isChecked() ? box.right() - 2 - knob : box.left() + 2;
    paintFrame(painter, placed(box, QRectF(x, box.top() + 2, knob, knob)), knob / 2, Qt::white, QColor());
    if (!text().isEmpty()) {
        painter.setFont(theme.body);
        painter.setPen(isEnabled() ? theme.text : theme.text3);
        const qreal left = box.width() + theme.px(8);
        painter.drawText(placed(rect(), QRectF(left, 0, width() - left, height())), Qt::AlignVCenter | Qt::AlignLeft,
                         text());
    }
}

} // namespace trainyard::ui
