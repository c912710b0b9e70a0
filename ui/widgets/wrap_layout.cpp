// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/wrap_layout.h"

#include "ui/theme/theme.h"

#include <QStyle>
#include <QWidget>

#include <algorithm>

namespace trainyard::ui {

WrapLayout::WrapLayout(QWidget* widget, int spacing) : QLayout(widget) {
    setContentsMargins(0, 0, 0, 0);
    setSpacing(Theme::current().px(spacing));
}

WrapLayout::~WrapLayout() { qDeleteAll(m_items); }

void WrapLayout::addItem(QLayoutItem* item) {
    m_items << item;
    invalidate();
}

QLayoutItem* WrapLayout::itemAt(int index) const { return m_items.value(index); }

QLayoutItem* WrapLayout::takeAt(int index) {
    return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

int WrapLayout::count() const { return static_cast<int>(m_items.size()); }

int WrapLayout::heightForWidth(int width) const { return arranged({0, 0, width, 0}, false); }

QSize WrapLayout::sizeHint() const {
    QSize size;
    for (const QLayoutItem* item : m_items) {
        const QSize hint = item->sizeHint();
        size = {size.width() + (size.isEmpty() ? 0 : spacing()) + hint.width(), std::max(size.height(), hint.height())};
    }
    return size;
}

QSize WrapLayout::minimumSize() const { return {0, sizeHint().height()}; }

void WrapLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    arranged(rect, true);
}

int WrapLayout::arranged(const QRect& rect, bool place) const {
    int x = 0, y = 0, lineHeight = 0;
    for (QLayoutItem* item : m_items) {
        const QSize hint(std::min(item->sizeHint().width(), std::max(1, rect.width())), item->sizeHint().height());
        if (x > 0 && x + hint.width() > rect.width()) {
            x = 0;
            y += lineHeight + spacing();
            lineHeight = 0;
        }
        const QRect there(rect.topLeft() + QPoint(x, y), hint);
        if (place)
            item->setGeometry(
                QStyle::visualRect(parentWidget() ? parentWidget()->layoutDirection() : Qt::LeftToRight, rect, there));
        x += hint.width() + spacing();
        lineHeight = std::max(lineHeight, hint.height());
    }
    return y + lineHeight;
}

} // namespace trainyard::ui
