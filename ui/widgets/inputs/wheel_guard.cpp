// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/inputs/wheel_guard.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QPointer>
#include <QScrollBar>
#include <QTabBar>

namespace trainyard::ui {

namespace {

// Widgets whose value the wheel would change, except scroll bars.
bool isField(const QObject* object) {
    return qobject_cast<const QComboBox*>(object) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(object) != nullptr ||
           qobject_cast<const QTabBar*>(object) != nullptr ||
           (qobject_cast<const QAbstractSlider*>(object) != nullptr &&
            qobject_cast<const QScrollBar*>(object) == nullptr);
}

// In a spin box or an editable combo box, the inner line edit has the focus.
bool hasFocus(const QWidget* field) {
    const QWidget* focus = QApplication::focusWidget();
    return focus != nullptr && (focus == field || field->isAncestorOf(focus));
}

} // namespace

void WheelGuard::install() {
    static QPointer<WheelGuard> guard; // in a test, one application may end before the next begins
    if (guard) return;
    guard = new WheelGuard(qApp);
    qApp->installEventFilter(guard);
}

bool WheelGuard::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::Wheel && event->type() != QEvent::Polish) return false;
    if (!isField(watched)) return false;
    auto* field = static_cast<QWidget*>(watched);
    if (event->type() == QEvent::Polish) {
        if (field->focusPolicy() == Qt::WheelFocus) field->setFocusPolicy(Qt::StrongFocus);
        return false;
    }
    if (hasFocus(field)) return false;
    event->ignore(); // passes it on to the field's parent
    return true;
}

} // namespace trainyard::ui
