// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"
#include "ui/theme/yard_style.h"

#include <QPainter>
#include <QStyleOption>

#include <cmath>
#include <optional>

namespace trainyard::ui {

namespace {

// The places of a control's parts; nothing for a part that the base style handles.
std::optional<QRect> comboBoxRect(const QRect& rect, QStyle::SubControl part) {
    const Theme& theme = Theme::current();
    switch (part) {
    case QStyle::SC_ComboBoxFrame: return rect;
    case QStyle::SC_ComboBoxArrow: return rect.adjusted(rect.width() - theme.px(32), 0, 0, 0);
    case QStyle::SC_ComboBoxEditField: return rect.adjusted(theme.px(8), 1, -theme.px(28), -1);
    case QStyle::SC_ComboBoxListBoxPopup: return rect;
    default: return std::nullopt;
    }
}

std::optional<QRect> spinBoxRect(const QRect& rect, QStyle::SubControl part) {
    const Theme& theme = Theme::current();
    const int arrow = theme.px(20);
    const QRect right = rect.adjusted(rect.width() - arrow, 1, -1, -1);
    const int half = right.height() / 2;
    switch (part) {
    case QStyle::SC_SpinBoxFrame: return rect;
    case QStyle::SC_SpinBoxUp: return right.adjusted(0, 0, 0, half - right.height());
    case QStyle::SC_SpinBoxDown: return right.adjusted(0, half, 0, 0);
    case QStyle::SC_SpinBoxEditField: return rect.adjusted(theme.px(6), 1, -arrow, -1);
    default: return std::nullopt;
    }
}

QRect toolButtonRect(const QStyleOptionComplex& option, QStyle::SubControl part) {
    const QRect rect = option.rect;
    const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(&option);
    if (button == nullptr || !(button->features & QStyleOptionToolButton::MenuButtonPopup)) return rect;
    const int arrow = Theme::current().px(24) + 1;
    return part == QStyle::SC_ToolButtonMenu ? rect.adjusted(rect.width() - arrow, 0, 0, 0)
                                             : rect.adjusted(0, 0, -arrow, 0);
}

// `least`: the shortest thumb.
std::optional<QRect> scrollBarRect(const QStyleOptionComplex& option, QStyle::SubControl part, int least) {
    const QRect rect = option.rect;
    if (part == QStyle::SC_ScrollBarAddLine || part == QStyle::SC_ScrollBarSubLine) return QRect();
    if (part == QStyle::SC_ScrollBarGroove) return rect;
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(&option);
    if (bar == nullptr) return std::nullopt;
    const bool flat = bar->orientation == Qt::Horizontal;
    const int length = flat ? rect.width() : rect.height();
    const int range = bar->maximum - bar->minimum;
    const qreal share = bar->pageStep / static_cast<qreal>(std::max(1, range + bar->pageStep));
    const int thumb = std::clamp(static_cast<int>(length * share), std::min(least, length), length);
    const int start = QStyle::sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition, length - thumb,
                                                      bar->upsideDown);
    int from = start;
    int to = start + thumb;
    if (part == QStyle::SC_ScrollBarSubPage) {
        from = 0;
        to = start;
    } else if (part == QStyle::SC_ScrollBarAddPage) {
        from = start + thumb;
        to = length;
    }
    return flat ? QRect(rect.left() + from, rect.top(), to - from, rect.height())
                : QRect(rect.left(), rect.top() + from, rect.width(), to - from);
}

} // namespace

QRect YardStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl subControl,
                                const QWidget* widget) const {
    std::optional<QRect> rect;
    if (control == CC_ComboBox) rect = comboBoxRect(option->rect, subControl);
    if (control == CC_SpinBox) rect = spinBoxRect(option->rect, subControl);
    if (control == CC_ToolButton) rect = toolButtonRect(*option, subControl);
    if (control == CC_ScrollBar)
        rect = scrollBarRect(*option, subControl, pixelMetric(PM_ScrollBarSliderMin, option, widget));
    return rect ? *rect : QProxyStyle::subControlRect(control, option, subControl, widget);
}

void YardStyle::drawComboBox(const QStyleOptionComboBox& combo, QPainter& painter, const QWidget* widget) const {
    const Theme& theme = Theme::current();
    const FieldFrame look = fieldFrame(kindOf(widget), combo.state);
    const bool enabled = combo.state & State_Enabled;
    const bool hover = (combo.state & State_MouseOver) && enabled && !combo.editable;
    paintFrame(painter, combo.rect, 4, hover && !theme.dark ? theme.controlHover : look.fill, look.border, look.width);
    const QRectF rect = combo.rect;
    const QRectF arrow(rect.right() - theme.px(25), rect.top(), theme.px(16), rect.height());
    paintIcon(painter, QStringLiteral("chevron-down"), centered(arrow, theme.px(16)), theme.text3);
}

void YardStyle::drawSpinBox(const QStyleOptionSpinBox& spin, QPainter& painter, const QWidget* widget) const {
    const Theme& theme = Theme::current();
    const FieldFrame look = fieldFrame(kindOf(widget), spin.state);
    if (spin.frame) paintFrame(painter, spin.rect, 4, look.fill, look.border, look.width);
    if (spin.buttonSymbols == QAbstractSpinBox::NoButtons) return;
    for (const SubControl part : {SC_SpinBoxUp, SC_SpinBoxDown}) {
        const bool up = part == SC_SpinBoxUp;
        const auto step = up ? QAbstractSpinBox::StepUpEnabled : QAbstractSpinBox::StepDownEnabled;
        const bool can = (spin.stepEnabled & step) && (spin.state & State_Enabled);
        const bool active = can && (spin.activeSubControls & part);
        const QRectF cell = subControlRect(CC_SpinBox, &spin, part, widget);
        paintIcon(painter, up ? QStringLiteral("chevron-up") : QStringLiteral("chevron-down"),
                  centered(cell.translated(-theme.px(2), up ? 1 : -1), theme.px(12)),
                  active ? theme.text
                  : can  ? theme.text2
                         : theme.borderStrong);
    }
}

void YardStyle::drawSlider(const QStyleOptionSlider& slider, QPainter& painter, const QWidget* widget) const {
    const Theme& theme = Theme::current();
    if (slider.orientation != Qt::Horizontal) {
        QProxyStyle::drawComplexControl(CC_Slider, &slider, &painter, widget);
        return;
    }
    const bool enabled = slider.state & State_Enabled;
    const QRectF rect = slider.rect;
    const qreal knob = theme.px(12);
    const qreal span = rect.width() - knob;
    const int at = sliderPositionFromValue(slider.minimum, slider.maximum, slider.sliderPosition,
                                           static_cast<int>(span), slider.upsideDown);
    const qreal y = std::floor(rect.center().y());
    const qreal center = rect.left() + knob / 2 + at;
    painter.fillRect(QRectF(rect.left(), y - 1, rect.width(), 2), theme.borderStrong);
    painter.fillRect(QRectF(rect.left(), y - 1, center - rect.left(), 2), enabled ? theme.text2 : theme.borderStrong);
    const bool hover = slider.state & State_MouseOver;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(enabled ? theme.text2 : theme.borderStrong, 1.5));
    painter.setBrush(hover && enabled ? theme.controlHover : theme.card);
    painter.drawEllipse(QPointF(center, y), knob / 2 - .75, knob / 2 - .75);
    painter.restore();
}

void YardStyle::drawScrollBar(const QStyleOptionSlider& bar, QPainter& painter, const QWidget* widget) const {
    const Theme& theme = Theme::current();
    if (bar.maximum <= bar.minimum) return;
    QRectF thumb = subControlRect(CC_ScrollBar, &bar, SC_ScrollBarSlider, widget);
    const bool flat = bar.orientation == Qt::Horizontal;
    const qreal side = (flat ? thumb.height() : thumb.width()) - theme.px(6);
    thumb = flat ? thumb.adjusted(2, side / 2, -2, -side / 2) : thumb.adjusted(side / 2, 2, -side / 2, -2);
    const bool active = (bar.activeSubControls & SC_ScrollBarSlider) && (bar.state & (State_MouseOver | State_Sunken));
    paintFrame(painter, thumb, theme.px(3), active ? theme.text3 : theme.borderStrong, QColor());
}

void YardStyle::drawToolButton(const QStyleOptionToolButton& button, QPainter& painter, const QWidget* widget) const {
    const Theme& theme = Theme::current();
    QByteArray kind = kindOf(widget);
    if (kind.isEmpty() && (button.state & State_AutoRaise)) kind = "flat";
    const bool split = button.features & QStyleOptionToolButton::MenuButtonPopup;
    const QRectF rect = button.rect;
    State state = button.state;
    const bool menuOpen = state & State_Sunken && !(button.activeSubControls & SC_ToolButton);
    if (split && menuOpen) state &= ~State_Sunken;
    const ButtonColors colors = buttonColors(kind, state);
    paintFrame(painter, rect, 4, colors.fill, colors.border);
    const qreal side = theme.px(16);
    QRectF label = rect;
    if (split) {
        const QRectF arrow = subControlRect(CC_ToolButton, &button, SC_ToolButtonMenu, widget);
        paintVLine(painter, arrow.left(), rect.top() + 1, rect.height() - 2, colors.divider);
        paintIcon(painter, QStringLiteral("chevron-down"), centered(arrow, side), colors.icon);
        label.setRight(arrow.left());
    }
    const bool text = button.toolButtonStyle != Qt::ToolButtonIconOnly && !button.text.isEmpty();
    const bool image = button.toolButtonStyle != Qt::ToolButtonTextOnly && !button.icon.isNull();
    const bool menu = !split && text && (button.features & QStyleOptionToolButton::HasMenu);
    const int textWidth = text ? button.fontMetrics.size(Qt::TextShowMnemonic, button.text).width() : 0;
    const qreal gap = text ? theme.px(6) : 0;
    const qreal total = textWidth + (image ? side + gap : 0) + (menu ? side + gap : 0);
    qreal x = label.left() + (label.width() - total) / 2;
    if (image) {
        const QRectF square(x, rect.top() + (rect.height() - side) / 2, side, side);
        const QString name = widget != nullptr ? widget->property("iconName").toString() : QString();
        if (!name.isEmpty()) {
            paintIcon(painter, name, square, colors.icon);
        } else {
            button.icon.paint(&painter, square.toRect(), Qt::AlignCenter,
                              state & State_Enabled ? QIcon::Normal : QIcon::Disabled);
        }
        x += side + gap;
    }
    if (text) {
        painter.setFont(button.font);
        painter.setPen(colors.text);
        painter.drawText(QRectF(x, rect.top(), textWidth + 1, rect.height()),
                         Qt::AlignVCenter | Qt::AlignLeft | Qt::TextShowMnemonic, button.text);
    }
    if (menu) {
        const QRectF cell(x + textWidth + gap, rect.top(), side, rect.height());
        paintIcon(painter, QStringLiteral("chevron-down"), centered(cell, side), colors.icon);
    }
}

void YardStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                   const QWidget* widget) const {
    switch (control) {
    case CC_ComboBox: drawComboBox(*qstyleoption_cast<const QStyleOptionComboBox*>(option), *painter, widget); return;
    case CC_SpinBox: drawSpinBox(*qstyleoption_cast<const QStyleOptionSpinBox*>(option), *painter, widget); return;
    case CC_Slider: drawSlider(*qstyleoption_cast<const QStyleOptionSlider*>(option), *painter, widget); return;
    case CC_ScrollBar: drawScrollBar(*qstyleoption_cast<const QStyleOptionSlider*>(option), *painter, widget); return;
    case CC_ToolButton:
        drawToolButton(*qstyleoption_cast<const QStyleOptionToolButton*>(option), *painter, widget);
        return;
    default: QProxyStyle::drawComplexControl(control, option, painter, widget);
    }
}

} // namespace trainyard::ui
