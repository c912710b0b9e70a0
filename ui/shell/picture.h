// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>

namespace trainyard::ui {

class MainWindow;

struct PictureRequest {
    QString place; // home, curves, model, logs, sweeps, data, cluster, add-host, settings, new-run, new-sweep
    QString file;  // a PNG
    QSize size;
};

// Shows the place, waits until its contents are there, saves a picture and ends the program: exit code 0, 2 for an
// unknown place, 3 when the file cannot be written. Call before exec().
void takePicture(MainWindow& window, const PictureRequest& request);

} // namespace trainyard::ui
