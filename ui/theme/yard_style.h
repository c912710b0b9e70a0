// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QColor>
#include <QProxyStyle>
#include <QStyle>
#include <QVariant>
#include <QWidget>

class QStyleOptionButton;
class QStyleOptionComboBox;
class QStyleOptionHeader;
class QStyleOptionMenuItem;
class QStyleOptionSlider;
class QStyleOptionSpinBox;
class QStyleOptionTab;
class QStyleOptionToolButton;

namespace trainyard::ui {

// The look of every Qt control, drawn from Theme::current() over Fusion's behaviour. A control's
// variant is its dynamic property "kind" (see setKind()).
class YardStyle : public QProxyStyle {
    Q_OBJECT
public:
    YardStyle();

    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* returnData) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                           const QWidget* widget) const override;
    QRect subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl subControl,
                         const QWidget* widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    void polish(QWidget* widget) override;
    using QProxyStyle::polish;

private:
    QSize menuItemSize(const QStyleOptionMenuItem& item, const QSize& size) const;
    void drawButtonLabel(const QStyleOptionButton& button, QPainter& painter, const QWidget* widget) const;
    void drawMenuItem(const QStyleOptionMenuItem& item, QPainter& painter, const QWidget* widget) const;
    void drawTab(const QStyleOptionTab& tab, QPainter& painter) const;
    void drawHeader(ControlElement element, const QStyleOptionHeader& header, QPainter& painter,
                    const QWidget* widget) const;
    void drawComboBox(const QStyleOptionComboBox& combo, QPainter& painter, const QWidget* widget) const;
    void drawSpinBox(const QStyleOptionSpinBox& spin, QPainter& painter, const QWidget* widget) const;
    void drawSlider(const QStyleOptionSlider& slider, QPainter& painter, const QWidget* widget) const;
    void drawScrollBar(const QStyleOptionSlider& bar, QPainter& painter, const QWidget* widget) const;
    void drawToolButton(const QStyleOptionToolButton& button, QPainter& painter, const QWidget* widget) const;
};

// Fill, frame and text of a button in one state.
struct ButtonColors {
    QColor fill, border, text, icon, divider;
};

ButtonColors buttonColors(const QByteArray& kind, QStyle::State state);

inline QByteArray kindOf(const QWidget* widget) {
    return widget != nullptr ? widget->property("kind").toByteArray() : QByteArray();
}

// Frame colour and width of an input in one state.
struct FieldFrame {
    QColor fill, border;
    qreal width;
};

FieldFrame fieldFrame(const QByteArray& kind, QStyle::State state);

} // namespace trainyard::ui
