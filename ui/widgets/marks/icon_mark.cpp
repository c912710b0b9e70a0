// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/marks/icon_mark.h"

#include "ui/theme/icon.h"

#include <QPainter>

namespace trainyard::ui {

IconMark::IconMark(const QString& name, int pixels, ThemeColor color, QWidget* parent)
    : QWidget(parent), m_name(name), m_color(color) {
    setFixedSize(Theme::current().px(pixels), Theme::current().px(pixels));
}

void IconMark::set(const QString& name, ThemeColor color) {
    m_name = name;
    m_color = color;
    update();
}

void IconMark::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintIcon(painter, m_name, rect(), Theme::current().*m_color);
}

} // namespace trainyard::ui
