// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"
#include "ui/theme/yard_style.h"

#include <QAction>
#include <QMenu>
#include <QPainter>
#include <QStyleOption>

namespace trainyard::ui {

namespace {

int mnemonicFlag(const QStyle& style, const QStyleOption& option, const QWidget* widget) {
    return style.styleHint(QStyle::SH_UnderlineShortcut, &option, widget) ? Qt::TextShowMnemonic : Qt::TextHideMnemonic;
}

void drawProgress(const QStyleOptionProgressBar& bar, QPainter& painter, const QWidget* widget) {
    const Theme& theme = Theme::current();
    const QRectF rect = bar.rect;
    const QVariant own = widget != nullptr ? widget->property("color") : QVariant();
    const QColor color = own.isValid() ? own.value<QColor>() : theme.text2;
    const qreal radius = rect.height() / 2;
    paintFrame(painter, rect, radius, theme.track, QColor());
    QRectF done = rect;
    if (bar.maximum <= bar.minimum) // unknown length: a block, which does not move
        done.setWidth(rect.width() * 0.25);
    else done.setWidth(rect.width() * (bar.progress - bar.minimum) / (bar.maximum - bar.minimum));
    if (done.width() > 0) {
        done.setWidth(std::max(done.width(), rect.height()));
        paintFrame(painter, done, radius, color, QColor());
    }
}

QColor menuTextColor(const QStyleOptionMenuItem& item, const QWidget* widget) {
    const Theme& theme = Theme::current();
    if (!(item.state & QStyle::State_Enabled)) return theme.text3;
    if (const auto* menu = qobject_cast<const QMenu*>(widget)) {
        const QAction* action = menu->actionAt(item.rect.center());
        if (action != nullptr && action->property("kind").toByteArray() == "danger") return theme.error;
    }
    return theme.text;
}

} // namespace

void YardStyle::drawButtonLabel(const QStyleOptionButton& button, QPainter& painter, const QWidget* widget) const {
    const Theme& theme = Theme::current();
    const ButtonColors colors = buttonColors(kindOf(widget), button.state);
    const int flags = mnemonicFlag(*this, button, widget);
    const int textWidth = button.fontMetrics.size(flags, button.text).width();
    const int side = theme.px(16);
    const int gap = button.text.isEmpty() ? 0 : theme.px(6);
    const bool menu = button.features & QStyleOptionButton::HasMenu;
    int total = textWidth + (button.icon.isNull() ? 0 : side + gap) + (menu ? side + gap : 0);
    qreal x = button.rect.left() + (button.rect.width() - total) / 2.0;
    const qreal y = button.rect.top() + (button.rect.height() - side) / 2.0;
    if (!button.icon.isNull()) {
        const QString name = widget != nullptr ? widget->property("iconName").toString() : QString();
        if (!name.isEmpty()) {
            paintIcon(painter, name, QRectF(x, y, side, side), colors.icon);
        } else {
            const auto mode = button.state & State_Enabled ? QIcon::Normal : QIcon::Disabled;
            button.icon.paint(&painter, QRectF(x, y, side, side).toRect(), Qt::AlignCenter, mode);
        }
        x += side + gap;
    }
    painter.setPen(colors.text);
    const QRectF textRect(x, button.rect.top(), textWidth + 1, button.rect.height());
    painter.drawText(textRect, flags | Qt::AlignVCenter | Qt::AlignLeft, button.text);
    if (menu)
        paintIcon(painter, QStringLiteral("chevron-down"), QRectF(x + textWidth + gap, y, side, side), colors.icon);
}

void YardStyle::drawMenuItem(const QStyleOptionMenuItem& item, QPainter& painter, const QWidget* widget) const {
    const Theme& theme = Theme::current();
    const QRect rect = item.rect;
    if (item.menuItemType == QStyleOptionMenuItem::Separator) {
        paintHLine(painter, rect.left(), rect.center().y(), rect.width(), theme.border);
        return;
    }
    const bool enabled = item.state & State_Enabled;
    const bool selected = (item.state & State_Selected) && enabled;
    if (selected) paintFrame(painter, rect, 4, theme.selection, QColor());
    qreal x = rect.left() + theme.px(8);
    const qreal side = theme.px(16);
    if (item.maxIconWidth > 0 || item.menuHasCheckableItems) {
        const QRectF cell(x, rect.top(), side, rect.height());
        if (item.checkType != QStyleOptionMenuItem::NotCheckable) {
            if (item.checked) paintIcon(painter, QStringLiteral("check"), centered(cell, side), theme.accentText);
        } else if (!item.icon.isNull()) {
            item.icon.paint(&painter, centered(cell, side).toRect(), Qt::AlignCenter,
                            enabled ? QIcon::Normal : QIcon::Disabled);
        }
        x += theme.px(24);
    }
    const QRectF textRect(x, rect.top(), rect.right() - x - theme.px(8), rect.height());
    painter.setFont(item.font);
    painter.setPen(menuTextColor(item, widget));
    painter.drawText(textRect, mnemonicFlag(*this, item, widget) | Qt::AlignVCenter | Qt::AlignLeft,
                     item.text.section(QLatin1Char('\t'), 0, 0));
    const QString shortcut = item.text.section(QLatin1Char('\t'), 1);
    if (!shortcut.isEmpty()) {
        painter.setFont(theme.small);
        painter.setPen(selected ? theme.text2 : theme.text3);
        painter.drawText(textRect, Qt::AlignVCenter | Qt::AlignRight, shortcut);
    }
    if (item.menuItemType == QStyleOptionMenuItem::SubMenu) {
        const QRectF arrow(textRect.right() - side, rect.top(), side, rect.height());
        paintIcon(painter, QStringLiteral("chevron-right"), centered(arrow, side), theme.text2);
    }
}

void YardStyle::drawTab(const QStyleOptionTab& tab, QPainter& painter) const {
    const Theme& theme = Theme::current();
    const bool current = tab.state & State_Selected;
    const bool hover = tab.state & State_MouseOver;
    const bool enabled = tab.state & State_Enabled;
    QRectF text = QRectF(tab.rect).adjusted(theme.px(12), 0, -theme.px(12), 0);
    if (current) painter.fillRect(QRectF(text.left(), tab.rect.bottom() - 1, text.width(), 2), theme.accent);
    if (!tab.icon.isNull()) {
        const qreal side = theme.px(16);
        const QRectF cell(text.left(), text.top(), side, text.height());
        tab.icon.paint(&painter, centered(cell, side).toRect());
        text.setLeft(text.left() + theme.px(22));
    }
    painter.setFont(theme.medium);
    painter.setPen(!enabled ? theme.text3 : (current || hover) ? theme.text : theme.text2);
    painter.drawText(text, Qt::AlignCenter | Qt::TextShowMnemonic, tab.text);
}

void YardStyle::drawHeader(ControlElement element, const QStyleOptionHeader& header, QPainter& painter,
                           const QWidget* widget) const {
    const Theme& theme = Theme::current();
    const QRect rect = header.rect;
    if (element != CE_HeaderLabel) {
        const QWidget* parent = widget != nullptr ? widget->parentWidget() : nullptr;
        const auto role = parent != nullptr ? parent->backgroundRole() : QPalette::Window;
        const QColor fill = role == QPalette::Base && parent != nullptr ? parent->palette().color(QPalette::Base)
                                                                        : header.palette.color(role);
        if (widget == nullptr || !widget->property("seeThrough").toBool()) painter.fillRect(rect, fill);
        paintHLine(painter, rect.left(), rect.bottom(), rect.width(), theme.border);
        return;
    }
    // Qt subtracts the header margin on all four sides, which leaves no height for the text.
    QRectF text = QRectF(rect);
    const bool sorted = header.sortIndicator != QStyleOptionHeader::None;
    if (header.textAlignment & Qt::AlignRight)
        text.setRight(text.right() + theme.px(2)); // at the right edge of the numbers
    painter.setPen(sorted ? theme.text2 : theme.text3);
    painter.setFont(theme.small);
    if (sorted) {
        // After the title; in a column of numbers, before it.
        const qreal side = theme.px(16);
        const bool atRight = (header.textAlignment & Qt::AlignRight) != 0;
        const qreal titled = QFontMetricsF(theme.small).horizontalAdvance(header.text) + theme.px(2);
        const qreal left = atRight ? text.right() - side : std::min(text.left() + titled, text.right() - side);
        const QRectF cell(left, text.top(), side, text.height());
        const bool up = header.sortIndicator == QStyleOptionHeader::SortDown; // QHeaderView's word for ascending
        paintSortArrow(painter, centered(cell, side), up ? Qt::AscendingOrder : Qt::DescendingOrder, theme.text2);
        text.setRight(text.right() - side);
    }
    const QString shown = QFontMetricsF(theme.small).elidedText(header.text, Qt::ElideRight, text.width());
    painter.drawText(text, static_cast<int>(header.textAlignment | Qt::AlignVCenter) | Qt::TextDontClip, shown);
}

void YardStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                            const QWidget* widget) const {
    const Theme& theme = Theme::current();
    switch (element) {
    case CE_PushButtonBevel: drawPrimitive(PE_PanelButtonCommand, option, painter, widget); return;
    case CE_PushButtonLabel:
        drawButtonLabel(*qstyleoption_cast<const QStyleOptionButton*>(option), *painter, widget);
        return;
    case CE_MenuItem: drawMenuItem(*qstyleoption_cast<const QStyleOptionMenuItem*>(option), *painter, widget); return;
    case CE_MenuEmptyArea: return;
    case CE_TabBarTab: drawTab(*qstyleoption_cast<const QStyleOptionTab*>(option), *painter); return;
    case CE_ProgressBar:
        drawProgress(*qstyleoption_cast<const QStyleOptionProgressBar*>(option), *painter, widget);
        return;
    case CE_HeaderSection:
    case CE_HeaderEmptyArea:
    case CE_HeaderLabel:
        if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option))
            drawHeader(element, *header, *painter, widget);
        else if (widget == nullptr || !widget->property("seeThrough").toBool()) // behind the last section
            painter->fillRect(option->rect, option->palette.color(QPalette::Window));
        return;
    case CE_Splitter: {
        const QRect rect = option->rect;
        if (option->state & State_Horizontal)
            paintVLine(*painter, rect.center().x(), rect.top(), rect.height(), theme.border);
        else paintHLine(*painter, rect.left(), rect.center().y(), rect.width(), theme.border);
        return;
    }
    case CE_ComboBoxLabel:
        if (const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option);
            combo != nullptr && !combo->editable) {
            const QRect text = subControlRect(CC_ComboBox, combo, SC_ComboBoxEditField, widget);
            painter->setPen(combo->state & State_Enabled ? theme.text : theme.text3);
            painter->drawText(text, Qt::AlignVCenter | Qt::AlignLeft,
                              combo->fontMetrics.elidedText(combo->currentText, Qt::ElideRight, text.width()));
        }
        return;
    default: QProxyStyle::drawControl(element, option, painter, widget);
    }
}

} // namespace trainyard::ui
