// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>

class QCoreApplication;

namespace trainyard {

// The command line of the window.
struct GuiOptions {
    QString file;      // a run or sweep file to open
    QString workspace; // empty: $TRAINYARD_WORKSPACE, else ~/.local/share/trainyard
    QString picture;   // save a picture of a place here and end
    QString
        place; // which place: home, curves, model, logs, sweeps, data, cluster, add-host, settings, new-run, new-sweep
    QSize size{1440, 900}; // of the picture
    bool timing = false;   // tell when the window was first painted
};

// Reads the arguments; ends the process for --help, --version and for what it does not understand (exit code 2).
GuiOptions readGuiOptions(const QCoreApplication& app);

} // namespace trainyard
