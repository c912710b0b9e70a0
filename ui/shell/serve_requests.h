// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::ui {

class MainWindow;

// Opens the sheet that serves a checkpoint when it is asked for, shows a service that was started, and tells what
// became of what was done to one. Once for each window.
void connectServing(MainWindow& window);

} // namespace trainyard::ui
