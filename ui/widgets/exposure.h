// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

class QWidget;

namespace trainyard::ui {

// Whether any part of the widget's window is visible: false while it is minimised or, if the system reports it, on
// another desktop.
bool isOnScreen(const QWidget& widget);

// Calls `act` whenever the window becomes visible (true) or is no longer (false).
void watchExposure(QWidget& window, std::function<void(bool)> act);

} // namespace trainyard::ui
