// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/yard_style.h"

#include "ui/theme/theme.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QGuiApplication>
#include <QMenu>
#include <QPainterPath>
#include <QStyleOption>
#include <QTabBar>

namespace trainyard::ui {

namespace {

constexpr int kControl = 28;
constexpr int kTab = 40;
constexpr int kPopupRadius = 6;

// X11 may have no compositor, and then translucent windows are black. Popups use a mask instead.
bool isAlwaysComposited() { return QGuiApplication::platformName().startsWith(QLatin1String("wayland")); }

QRegion roundedRegion(const QRect& rect) {
    QPainterPath path;
    path.addRoundedRect(rect, kPopupRadius, kPopupRadius);
    return QRegion(path.toFillPolygon().toPolygon());
}

int menuColumns(const QStyleOptionMenuItem& item, const Theme& theme) {
    const bool column = item.maxIconWidth > 0 || item.menuHasCheckableItems;
    return theme.px(8) + (column ? theme.px(24) : 0);
}

QSize buttonSize(const QStyleOptionButton& button, const Theme& theme) {
    int width = button.fontMetrics.size(Qt::TextShowMnemonic, button.text).width();
    const bool bare = button.text.isEmpty();
    if (!button.icon.isNull()) width += theme.px(16) + (bare ? 0 : theme.px(6));
    if (button.features & QStyleOptionButton::HasMenu) width += theme.px(16) + theme.px(6);
    width += bare ? theme.px(12) : 2 * theme.px(10) + 2;
    return {std::max(width, theme.px(kControl)), theme.px(kControl)};
}

QSize toolButtonSize(const QStyleOptionToolButton& button, const Theme& theme) {
    const bool text = button.toolButtonStyle != Qt::ToolButtonIconOnly && !button.text.isEmpty();
    const bool icon = button.toolButtonStyle != Qt::ToolButtonTextOnly && !button.icon.isNull();
    int width = 0;
    if (text) width += button.fontMetrics.size(Qt::TextShowMnemonic, button.text).width();
    if (icon) width += theme.px(16) + (text ? theme.px(6) : 0);
    width += text ? 2 * theme.px(10) + 2 : theme.px(12);
    if (button.features & QStyleOptionToolButton::MenuButtonPopup) width += theme.px(24) + 1;
    else if (text && (button.features & QStyleOptionToolButton::HasMenu)) width += theme.px(16) + theme.px(6);
    return {std::max(width, theme.px(kControl)), theme.px(kControl)};
}

} // namespace

YardStyle::YardStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

int YardStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    const Theme& theme = Theme::current();
    switch (metric) {
    case PM_DefaultFrameWidth: return 1;
    case PM_ScrollBarExtent: return theme.px(10);
    case PM_ScrollBarSliderMin: return theme.px(24);
    case PM_SmallIconSize:
    case PM_ButtonIconSize:
    case PM_ToolBarIconSize:
    case PM_TabBarIconSize:
    case PM_ListViewIconSize: return theme.px(16);
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight: return theme.px(14);
    case PM_CheckBoxLabelSpacing:
    case PM_RadioButtonLabelSpacing: return theme.px(6);
    case PM_TabBarTabHSpace: return theme.px(24);
    case PM_TabBarTabVSpace: return theme.px(20);
    case PM_TabBarTabShiftHorizontal:
    case PM_TabBarTabShiftVertical:
    case PM_TabBarBaseOverlap:
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
    case PM_MenuPanelWidth: return 0;
    case PM_MenuHMargin:
    case PM_MenuVMargin: return theme.px(5);
    case PM_MenuButtonIndicator: return theme.px(24);
    case PM_SplitterWidth: return 1;
    case PM_HeaderMargin: return theme.px(12);
    case PM_ToolTipLabelFrameWidth: return theme.px(7);
    case PM_SliderThickness:
    case PM_SliderControlThickness: return theme.px(20);
    case PM_SliderLength: return theme.px(12);
    case PM_TreeViewIndentation: return theme.px(20);
    case PM_LayoutLeftMargin:
    case PM_LayoutTopMargin:
    case PM_LayoutRightMargin:
    case PM_LayoutBottomMargin: return theme.px(12);
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing: return theme.px(8);
    default: return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int YardStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                         QStyleHintReturn* returnData) const {
    switch (hint) {
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
    case SH_ComboBox_Popup:
    case SH_DialogButtonBox_ButtonsHaveIcons:
    case SH_ScrollBar_Transient:
    case SH_ItemView_ChangeHighlightOnFocus: return 0;
    case SH_ItemView_ShowDecorationSelected:
    case SH_Menu_MouseTracking:
    case SH_MenuBar_MouseTracking:
    case SH_Menu_Scrollable: // rather than several columns over the whole window
    case SH_ComboBox_ListMouseTracking: return 1;
    case SH_ToolTipLabel_Opacity: return 255;
    case SH_ToolTip_Mask:
    case SH_Menu_Mask:
        if (isAlwaysComposited()) return 0;
        if (auto* mask = qstyleoption_cast<QStyleHintReturnMask*>(returnData); mask && option)
            mask->region = roundedRegion(option->rect);
        return 1;
    case SH_Slider_AbsoluteSetButtons: return Qt::LeftButton;
    case SH_Slider_PageSetButtons: return Qt::MiddleButton;
    case SH_TabBar_Alignment: return Qt::AlignLeft;
    default: return QProxyStyle::styleHint(hint, option, widget, returnData);
    }
}

QSize YardStyle::menuItemSize(const QStyleOptionMenuItem& item, const QSize& size) const {
    const Theme& theme = Theme::current();
    if (item.menuItemType == QStyleOptionMenuItem::Separator) return {size.width(), 1 + 2 * theme.px(4)};
    int width = item.fontMetrics.size(Qt::TextShowMnemonic, item.text.section(QLatin1Char('\t'), 0, 0)).width();
    const QString shortcut = item.text.section(QLatin1Char('\t'), 1);
    if (!shortcut.isEmpty()) width += theme.px(32) + QFontMetrics(theme.small).horizontalAdvance(shortcut);
    if (item.menuItemType == QStyleOptionMenuItem::SubMenu) width += theme.px(24);
    width += menuColumns(item, theme) + theme.px(12);
    return {std::max(width, theme.px(160)), theme.px(kControl)};
}

QSize YardStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                  const QWidget* widget) const {
    const Theme& theme = Theme::current();
    switch (type) {
    case CT_PushButton:
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option))
            return buttonSize(*button, theme);
        break;
    case CT_ToolButton:
        if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option))
            return toolButtonSize(*button, theme);
        break;
    case CT_CheckBox:
    case CT_RadioButton: return {size.width() + theme.px(14) + theme.px(6), std::max(size.height(), theme.px(20))};
    case CT_LineEdit: return {size.width() + theme.px(12), theme.px(kControl)};
    case CT_SpinBox: return {size.width() + theme.px(8), theme.px(kControl)};
    case CT_ComboBox: return {size.width() + theme.px(42), theme.px(kControl)};
    case CT_HeaderSection: {
        QSize header = QProxyStyle::sizeFromContents(type, option, size, widget);
        header.setHeight(theme.px(kControl));
        return header;
    }
    case CT_ItemViewItem: {
        QSize row = QProxyStyle::sizeFromContents(type, option, size, widget);
        row.setHeight(std::max(row.height(), theme.px(kControl)));
        return row;
    }
    case CT_TabBarTab:
        if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option)) {
            int width = tab->fontMetrics.size(Qt::TextShowMnemonic, tab->text).width();
            width += tab->icon.isNull() ? 0 : theme.px(22);
            return {width + theme.px(24), theme.px(kTab)};
        }
        break;
    case CT_ProgressBar: return {std::max(size.width(), theme.px(80)), theme.px(6)};
    case CT_MenuItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option)) return menuItemSize(*item, size);
        break;
    default: break;
    }
    return QProxyStyle::sizeFromContents(type, option, size, widget);
}

QRect YardStyle::subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const {
    const Theme& theme = Theme::current();
    switch (element) {
    case SE_LineEditContents:
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
            frame != nullptr && frame->lineWidth > 0) {
            return option->rect.adjusted(theme.px(6), 1, -theme.px(6), -1);
        }
        return option->rect;
    case SE_HeaderLabel: // drawHeader() has its own room for the arrow; Qt's differs between releases
        if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option)) {
            QStyleOptionHeader unsorted = *header;
            unsorted.sortIndicator = QStyleOptionHeader::None;
            return QProxyStyle::subElementRect(element, &unsorted, widget);
        }
        return option->rect;
    case SE_ItemViewItemCheckIndicator: { // at the left edge of the texts in other cells
        QRect box = QProxyStyle::subElementRect(element, option, widget);
        box.moveLeft(option->rect.left() + theme.px(12));
        return box;
    }
    case SE_ProgressBarContents:
    case SE_ProgressBarGroove: return option->rect;
    default: return QProxyStyle::subElementRect(element, option, widget);
    }
}

void YardStyle::polish(QWidget* widget) {
    QProxyStyle::polish(widget);
    if (qobject_cast<QAbstractButton*>(widget) != nullptr || qobject_cast<QComboBox*>(widget) != nullptr ||
        qobject_cast<QTabBar*>(widget) != nullptr || qobject_cast<QAbstractSpinBox*>(widget) != nullptr ||
        widget->inherits("QScrollBar") || widget->inherits("QSlider") || widget->inherits("QHeaderView")) {
        widget->setAttribute(Qt::WA_Hover);
    }
    if (qobject_cast<QMenu*>(widget) != nullptr || widget->inherits("QTipLabel"))
        widget->setAttribute(Qt::WA_TranslucentBackground, isAlwaysComposited()); // rounded corners
}

ButtonColors buttonColors(const QByteArray& kind, QStyle::State state) {
    const Theme& theme = Theme::current();
    const bool enabled = state & QStyle::State_Enabled;
    const bool pressed = state & QStyle::State_Sunken;
    const bool on = state & QStyle::State_On;
    const bool hover = state & QStyle::State_MouseOver;
    if (kind == "flat") {
        QColor fill;
        if (enabled && (pressed || hover)) fill = pressed ? theme.controlPressed : theme.controlHover;
        if (on) fill = theme.selectionInactive;
        const QColor text = !enabled ? theme.text3 : (on || hover) ? theme.text : theme.text2;
        return {fill, QColor(), text, enabled ? theme.text2 : theme.text3, theme.border};
    }
    if (!enabled) return {theme.window, theme.border, theme.text3, theme.text3, theme.border};
    if (kind == "primary") {
        const QColor fill = pressed ? theme.accentPressed : hover ? theme.accentHover : theme.accent;
        return {fill, fill, theme.onAccent, theme.onAccent, theme.accentPressed};
    }
    const QColor fill = (pressed || on) ? theme.controlPressed : hover ? theme.controlHover : theme.control;
    const bool danger = kind == "danger";
    return {fill, theme.borderStrong, danger ? theme.error : theme.text, danger ? theme.error : theme.text2,
            theme.borderStrong};
}

FieldFrame fieldFrame(const QByteArray& kind, QStyle::State state) {
    const Theme& theme = Theme::current();
    if (!(state & QStyle::State_Enabled)) return {theme.window, theme.border, 1};
    if (kind == "drop") return {mix(theme.field, theme.accent, 0.12), theme.accent, 2}; // the drag can be dropped here
    if (state & QStyle::State_HasFocus) return {theme.field, kind == "error" ? theme.error : theme.focus, 2};
    return {theme.field, kind == "error" ? theme.error : theme.borderStrong, 1};
}

} // namespace trainyard::ui
