// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QStringList>

namespace trainyard::ui {

class MainWindow;

// What `--picture` asks for.
struct PictureRequest {
    QString view; // one of viewNames()
    QString file; // a PNG
    QSize size;
};

// What --page takes: the ids of all pages, and names of what is opened on one of them (curves, new-run, ...).
QStringList viewNames();
// Opens one of them; false for a name that is none.
bool openView(MainWindow& window, const QString& name);
// Opens the view, waits until its contents are there, saves a picture and ends the program: exit code 0, 3 when the
// file cannot be written. Call before exec().
void takePicture(MainWindow& window, const PictureRequest& request);

} // namespace trainyard::ui
