// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPair>
#include <QString>
#include <QStringList>

#include <string>

namespace trainyard::ui {

// What a program's run was made of, as its record says (engine/run/program/facts). A member is empty where it says
// nothing.
struct ProgramOrigin {
    QStringList words;           // of its command line, as it was started last
    QString interpreter, python; // its file and version
    QString folder, commit, branch, remote;
    bool isChanged = false;                  // files differed from the commit
    QList<QPair<QString, QString>> packages; // name and version
    QString driver;
};
// Of the run with this folder. Blocks.
ProgramOrigin programOrigin(const std::string& runFolder);

} // namespace trainyard::ui
