// SPDX-License-Identifier: GPL-3.0-or-later
// What does not fit on a screen, in words.
#pragma once

#include "ui/widgets/inputs/segmented_control.h"

#include <QHeaderView>
#include <QLabel>
#include <QLayout>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>

namespace trainyard::testing {

// What a widget cuts off, in words.
inline QString clippedIn(const QWidget& widget) {
    const auto needs = [&widget](const QString& text, int needed, int has) {
        return needed > has ? QStringLiteral("%1 “%2” needs %3 px and has %4")
                                  .arg(QLatin1String(widget.metaObject()->className()), text)
                                  .arg(needed)
                                  .arg(has)
                            : QString();
    };
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) {
        if (button->text().isEmpty() || button->visibleRegion().isEmpty()) return {};
        const auto* tool = qobject_cast<const QToolButton*>(button); // which shows its icon alone where it is narrow
        if (tool && tool->toolButtonStyle() == Qt::ToolButtonIconOnly) return {};
        const int icon = button->icon().isNull() ? 0 : button->iconSize().width() + 4;
        return needs(button->text(), button->fontMetrics().horizontalAdvance(button->text()) + icon, button->width());
    }
    if (const auto* control = qobject_cast<const ui::SegmentedControl*>(&widget))
        return needs(control->items().join(QLatin1Char('|')), control->sizeHint().width(), control->width());
    if (const auto* bar = qobject_cast<const QTabBar*>(&widget)) {
        for (int i = 0; i < bar->count(); ++i) {
            const int needed = bar->fontMetrics().horizontalAdvance(bar->tabText(i));
            if (const auto why = needs(bar->tabText(i), needed, bar->tabRect(i).width()); !why.isEmpty()) return why;
        }
    }
    if (const auto* head = qobject_cast<const QHeaderView*>(&widget); head && head->orientation() == Qt::Horizontal) {
        for (int i = 0; i < head->count(); ++i) {
            const QString text = head->model()->headerData(i, Qt::Horizontal).toString();
            if (head->isSectionHidden(i) || head->sectionSize(i) == 0) continue;
            const int needed = head->fontMetrics().horizontalAdvance(text);
            if (const auto why = needs(text, needed, head->sectionSize(i)); !why.isEmpty()) return why;
        }
    }
    return {};
}

// "QLabel “Status”": a widget in words.
inline QString inWords(const QWidget& widget) {
    QString text = widget.accessibleName();
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) text = label->text();
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget); button && !button->text().isEmpty())
        text = button->text();
    return QStringLiteral("%1 “%2”").arg(QLatin1String(widget.metaObject()->className()), text.left(40));
}

// A line of text that is cut at its end without a mark. A label that breaks its lines has a layout to grow in.
inline QString cutLineIn(const QWidget& widget) {
    const auto* label = qobject_cast<const QLabel*>(&widget);
    if (!label || label->wordWrap() || label->text().isEmpty() || label->textFormat() == Qt::RichText ||
        label->visibleRegion().isEmpty())
        return {};
    const int needed = label->minimumSizeHint().width();
    if (needed <= label->width()) return {};
    return QStringLiteral("%1 needs %2 px and has %3").arg(inWords(widget)).arg(needed).arg(label->width());
}

// The visible widgets that a layout and those in it place.
inline void addPlaced(const QLayout& layout, QList<const QWidget*>& to) {
    for (int i = 0; i < layout.count(); ++i) {
        if (const QWidget* widget = layout.itemAt(i)->widget(); widget && widget->isVisible()) to << widget;
        if (const QLayout* inner = layout.itemAt(i)->layout()) addPlaced(*inner, to);
    }
}

// What the layout of `parent` places over one another or beyond its edges. Without a layout, a widget places its
// children itself, one over the other if it wants; what scrolls may be larger than what it is seen through.
inline QStringList collisionsIn(const QWidget& parent) {
    QStringList found;
    QList<const QWidget*> shown;
    if (parent.layout() && !qobject_cast<const QStackedWidget*>(&parent)) addPlaced(*parent.layout(), shown);
    for (qsizetype i = 0; i < shown.size(); ++i) {
        const QRect one = shown[i]->geometry();
        if (!parent.rect().adjusted(-1, -1, 1, 1).contains(one))
            found << QStringLiteral("%1 at %2…%3 leaves its parent of %4 px")
                         .arg(inWords(*shown[i]))
                         .arg(one.left())
                         .arg(one.right())
                         .arg(parent.width());
        for (qsizetype j = i + 1; j < shown.size(); ++j)
            if (const QRect both = one.intersected(shown[j]->geometry()); both.width() > 1 && both.height() > 1)
                found << QStringLiteral("%1 lies over %2 by %3 px")
                             .arg(inWords(*shown[i]), inWords(*shown[j]))
                             .arg(both.width());
    }
    return found;
}

} // namespace trainyard::testing
