// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QStringList>

namespace trainyard::ui {

class MainWindow;

// The options of `--screenshot`.
struct ScreenshotRequest {
    QString view; // one of viewNames()
    QString file; // a PNG
    QSize size;
};

// Values of --page: the ids of all pages, and names of views on them (curves, new-run, ...).
QStringList viewNames();
// Opens one of them; false for an unknown name.
bool openView(MainWindow& window, const QString& name);
// Opens the view, waits for its contents, saves a screenshot and ends the program: exit code 0, or 3 if the file
// cannot be written. Call before exec().
void saveScreenshot(MainWindow& window, const ScreenshotRequest& request);

} // namespace trainyard::ui
