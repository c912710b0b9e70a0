// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

class QWidget;

namespace trainyard::ui {

// Whether anything of the widget's window can be seen: false while it is minimised, or on another desktop where the
// system says so.
bool isOnScreen(const QWidget& widget);

// Calls `act` whenever the window, which has been shown, can be seen again after it could not.
void whenExposed(QWidget& window, std::function<void()> act);

} // namespace trainyard::ui
