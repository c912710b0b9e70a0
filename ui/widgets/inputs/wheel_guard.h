// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace trainyard::ui {

// Keeps the mouse wheel from changing fields while it scrolls a page: combo boxes, sliders and spin boxes use the wheel
// only while they have the keyboard focus, which a click or Tab gives them but the wheel does not. Without the focus,
// the wheel scrolls the area around the field. With Shift the wheel scrolls sideways.
class WheelGuard : public QObject {
    Q_OBJECT
public:
    // Covers every field of the application, present and future. Calls after the first do nothing.
    static void install();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using QObject::QObject;
};

} // namespace trainyard::ui
