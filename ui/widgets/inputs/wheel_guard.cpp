// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/inputs/wheel_guard.h"

#include <QAbstractScrollArea>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QPointer>
#include <QScrollBar>
#include <QTabBar>
#include <QWheelEvent>

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

// Qt turns the wheel with Alt alone; with Shift it would scroll a page up or down.
bool scrollSideways(QObject* watched, const QWheelEvent& wheel) {
    if (wheel.modifiers() != Qt::ShiftModifier || wheel.angleDelta().x() != 0) return false;
    auto* area = qobject_cast<QAbstractScrollArea*>(watched->parent());
    if (area == nullptr || watched != area->viewport()) return false;
    QScrollBar* bar = area->horizontalScrollBar();
    if (bar->minimum() == bar->maximum()) return false;
    QWheelEvent turned(wheel.position(), wheel.globalPosition(), wheel.pixelDelta().transposed(),
                       wheel.angleDelta().transposed(), wheel.buttons(), Qt::NoModifier, wheel.phase(),
                       wheel.inverted(), wheel.source());
    QApplication::sendEvent(bar, &turned);
    return true;
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
    if (event->type() == QEvent::Wheel && scrollSideways(watched, *static_cast<QWheelEvent*>(event))) return true;
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
