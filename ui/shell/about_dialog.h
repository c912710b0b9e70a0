// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace trainyard::ui {

// Version, licence, and the libraries with theirs.
void showAbout(QWidget* window);

} // namespace trainyard::ui
