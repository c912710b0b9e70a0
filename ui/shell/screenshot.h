// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QStringList>

namespace trainyard::ui {

class MainWindow;

// What `--screenshot` asks for.
struct ScreenshotRequest {
    QString view; // one of viewNames()
    QString file; // a PNG
    QSize size;
};

// What --page takes: the ids of all pages, and names of what is opened on one of them (curves, new-run, ...).
QStringList viewNames();
// Opens one of them; false for a name that is none.
bool openView(MainWindow& window, const QString& name);
// Opens the view, waits until its contents are there, saves a screenshot and ends the program: exit code 0, 3 when the
// file cannot be written. Call before exec().
void saveScreenshot(MainWindow& window, const ScreenshotRequest& request);

} // namespace trainyard::ui
