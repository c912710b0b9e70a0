// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/sheets/tab_order.h"

#include <QApplication>
#include <QGridLayout>
#include <QScrollArea>
#include <QSplitter>

#include <algorithm>

namespace trainyard::ui {

namespace {

void collectItems(QLayout* layout, QList<QWidget*>& widgets) {
    QList<QLayoutItem*> items;
    for (int i = 0; layout != nullptr && i < layout->count(); ++i) items << layout->itemAt(i);
    if (const auto* grid = qobject_cast<QGridLayout*>(layout)) { // row by row, whatever the order of adding
        const auto place = [grid](QLayoutItem* item) {
            int line = 0, column = 0, lines = 0, columns = 0;
            grid->getItemPosition(grid->indexOf(item), &line, &column, &lines, &columns);
            return std::pair(line, column);
        };
        std::stable_sort(items.begin(), items.end(),
                         [&](QLayoutItem* a, QLayoutItem* b) { return place(a) < place(b); });
    }
    for (QLayoutItem* item : std::as_const(items)) {
        if (item->widget() != nullptr) widgets << item->widget();
        else collectItems(item->layout(), widgets);
    }
}

void collect(QWidget* widget, QList<QWidget*>& order) {
    // A widget that was just disabled still marks where the focus continues from.
    if (!widget->isVisible() || (!widget->isEnabled() && widget != QApplication::focusWidget())) return;
    const auto before = order.size();
    QList<QWidget*> children;
    if (const auto* splitter = qobject_cast<QSplitter*>(widget))
        for (int i = 0; i < splitter->count(); ++i) children << splitter->widget(i);
    collectItems(widget->layout(), children);
    for (auto* child : widget->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (!children.contains(child)) children << child;
    const bool takesFocus = (widget->focusPolicy() & Qt::TabFocus) && widget->focusProxy() == nullptr;
    const bool isArea = qobject_cast<QScrollArea*>(widget) != nullptr;
    if (takesFocus && !isArea) order << widget;
    for (auto* child : std::as_const(children))
        if (!child->isWindow()) collect(child, order);
    if (takesFocus && isArea && order.size() == before) order << widget;
}

} // namespace

QList<QWidget*> tabOrder(QWidget* root) {
    QList<QWidget*> order;
    collect(root, order);
    return order;
}

bool moveFocus(QWidget* root, bool next) {
    const QList<QWidget*> order = tabOrder(root);
    if (order.isEmpty()) return false;
    const auto at = order.indexOf(QApplication::focusWidget());
    const auto count = order.size();
    const auto to = at < 0 ? (next ? 0 : count - 1) : (at + (next ? 1 : count - 1)) % count;
    order[to]->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    for (auto* widget = order[to]->parentWidget(); widget != nullptr; widget = widget->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(widget)) area->ensureWidgetVisible(order[to]);
    return true;
}

} // namespace trainyard::ui
