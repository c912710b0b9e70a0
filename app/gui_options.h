// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/manual/man_page.h"

#include <QSize>
#include <QString>
#include <QStringList>

class QCoreApplication;

namespace trainyard {

// The command line of the window.
struct GuiOptions {
    QString file;          // a run or sweep file to open
    QString workspace;     // empty: $TRAINYARD_WORKSPACE, else ~/.local/share/trainyard
    QString screenshot;    // save a screenshot of a page here and end
    QString page;          // which one: a name of ui::viewNames()
    QSize size{1440, 900}; // of the screenshot
    QStringList report{};  // runs, or a sweep, whose report is written; then it ends
    QString pdf;           // where to
    bool force = false;    // replace that file
    bool timing = false;   // tell when the window was first painted
};

// Reads the arguments; ends the process for --help, --version and for what it does not understand (exit code 2).
GuiOptions readGuiOptions(const QCoreApplication& app);
// trainyard(1), of the same options.
manual::Page guiManual();

} // namespace trainyard
