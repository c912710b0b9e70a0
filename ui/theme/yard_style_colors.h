// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QColor>
#include <QStyle>
#include <QVariant>
#include <QWidget>

namespace trainyard::ui {

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
