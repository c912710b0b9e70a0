// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard::ui {

// Shows a notice of the desktop through its notification service on D-Bus. Returns at once; where there is no such
// service, nothing happens. Text is shown as it is, also where it holds markup.
void showDesktopNotice(const QString& title, const QString& text);

// Whether a run that ends while another window is in front is told of this way; remembered.
bool desktopNoticesWanted();
void setDesktopNoticesWanted(bool wanted);

} // namespace trainyard::ui
