// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"
#include "ui/theme/yard_style.h"

#include <QPainter>
#include <QStyleOption>

namespace trainyard::ui {

namespace {

void drawCheckBox(const QStyleOption& option, QPainter& painter) {
    const Theme& theme = Theme::current();
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool marked = option.state & (QStyle::State_On | QStyle::State_NoChange);
    const QRectF box = option.rect;
    if (!marked) {
        const bool hover = option.state & QStyle::State_MouseOver;
        const QColor fill = !enabled ? theme.window : hover ? theme.controlHover : theme.field;
        paintFrame(painter, box, 3, fill, enabled ? theme.borderStrong : theme.border);
        return;
    }
    const QColor fill = enabled ? theme.accent : theme.borderStrong;
    paintFrame(painter, box, 3, fill, fill);
    const qreal side = theme.px(12);
    const QRectF mark(box.center() - QPointF(side / 2, side / 2), QSizeF(side, side));
    const QString name = option.state & QStyle::State_On ? QStringLiteral("check") : QStringLiteral("minus");
    paintIcon(painter, name, mark, theme.onAccent);
}

void drawRadio(const QStyleOption& option, QPainter& painter) {
    const Theme& theme = Theme::current();
    const bool enabled = option.state & QStyle::State_Enabled;
    const QRectF box = option.rect;
    if (!(option.state & QStyle::State_On)) {
        paintFrame(painter, box, box.height() / 2, enabled ? theme.field : theme.window,
                   enabled ? theme.borderStrong : theme.border);
        return;
    }
    const QColor fill = enabled ? theme.accent : theme.borderStrong;
    paintFrame(painter, box, box.height() / 2, fill, fill);
    const qreal inset = box.height() / 2 - 2.5;
    const QRectF dot = box.adjusted(inset, inset, -inset, -inset);
    paintFrame(painter, dot, dot.height() / 2, theme.onAccent, QColor());
}

void drawRow(const QStyleOption& option, QPainter& painter, const QWidget* widget) {
    const Theme& theme = Theme::current();
    if (option.state & QStyle::State_Selected) {
        // Item views clear State_Active when they lack the keyboard focus; the colour is the window's.
        const bool active = widget ? widget->isActiveWindow() : bool(option.state & QStyle::State_Active);
        painter.fillRect(option.rect, active ? theme.selection : theme.selectionInactive);
    } else if ((option.state & QStyle::State_MouseOver) && (option.state & QStyle::State_Enabled)) {
        painter.fillRect(option.rect, theme.hover);
    }
}

void drawBranch(const QStyleOption& option, QPainter& painter) {
    if (!(option.state & QStyle::State_Children)) return;
    const qreal side = Theme::current().px(16);
    const QRectF rect = option.rect;
    const QRectF square(rect.center() - QPointF(side / 2, side / 2), QSizeF(side, side));
    const QString name =
        option.state & QStyle::State_Open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right");
    paintIcon(painter, name, square, Theme::current().text2);
}

} // namespace

void YardStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                              const QWidget* widget) const {
    const Theme& theme = Theme::current();
    switch (element) {
    case PE_PanelButtonCommand:
    case PE_PanelButtonTool: {
        const ButtonColors colors = buttonColors(kindOf(widget), option->state);
        paintFrame(*painter, option->rect, 4, colors.fill, colors.border);
        return;
    }
    case PE_FrameDefaultButton:
    case PE_FrameFocusRect:       // FocusRing draws it outside the control
    case PE_IndicatorHeaderArrow: // drawHeader() draws it; Qt 6.11 would draw one more
    case PE_FrameTabWidget:
    case PE_IndicatorTabClose:
    case PE_PanelScrollAreaCorner: // transparent
    case PE_FrameStatusBarItem: return;
    case PE_PanelLineEdit:
    case PE_FrameLineEdit: {
        const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
        if (frame != nullptr && frame->lineWidth > 0) {
            const FieldFrame look = fieldFrame(kindOf(widget), option->state);
            paintFrame(*painter, option->rect, 4, look.fill, look.border, look.width);
        }
        return;
    }
    case PE_Frame:
    case PE_FrameGroupBox: paintFrame(*painter, option->rect, 0, QColor(), theme.border); return;
    case PE_IndicatorItemViewItemCheck:
    case PE_IndicatorCheckBox: drawCheckBox(*option, *painter); return;
    case PE_IndicatorRadioButton: drawRadio(*option, *painter); return;
    case PE_PanelItemViewRow:
    case PE_PanelItemViewItem: drawRow(*option, *painter, widget); return;
    case PE_IndicatorBranch: drawBranch(*option, *painter); return;
    case PE_PanelMenu:
    case PE_PanelTipLabel: paintFrame(*painter, option->rect, 6, theme.raised, theme.borderStrong); return;
    case PE_FrameMenu: return;
    case PE_FrameTabBarBase: {
        const QRect rect = option->rect;
        paintHLine(*painter, rect.left(), rect.bottom(), rect.width(), theme.border);
        return;
    }
    default: QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

} // namespace trainyard::ui
