// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <functional>

class QWidget;

namespace trainyard::ui {

// What people are asked for.
struct FileQuestion {
    enum class Kind { File, Files, Folder, NewFile } kind = Kind::File;
    QString title{};
    QStringList filters{}; // "PDF (*.pdf)"; none: all files
    QString name{};        // proposed for a new file
    QString folder{};      // where to begin; empty, or none that exists: where files were chosen last
};

// What they have chosen.
struct ChosenFiles {
    QStringList paths{}; // absolute; one, unless several were asked for
    QString filter{};    // the one in use
    const QString& path() const { return paths.front(); }
};

// Rule: how people choose files and folders.
// In the desktop's own dialog where its portal offers one, else in Qt's; one question at a time. It begins in the
// folder that was used last, at first at home. A new file without an ending gets that of the filter. Calls `then` with
// what was chosen, and `closed` at the end in any case, unless `parent` is gone by then. GUI thread.
void askForFiles(QWidget* parent, const FileQuestion& question, std::function<void(const ChosenFiles&)> then,
                 std::function<void()> closed = {});

} // namespace trainyard::ui
