// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace trainyard::ui {

// Keeps the mouse wheel from changing fields on its way down a page: boxes, sliders and spin boxes take it only while
// they have the keyboard focus, which a click or Tab gives them and the wheel does not. Without the focus the wheel
// scrolls what the field lies in.
class WheelGuard : public QObject {
    Q_OBJECT
public:
    // For every field of the application, of now and later. Calls after the first do nothing.
    static void install();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using QObject::QObject;
};

} // namespace trainyard::ui
