// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/new_run/training_source.h"

class QMimeData;

namespace trainyard::ui {

// The target of a drop.
enum class DropPlace { RunsTable, Elsewhere };

// The use of dropped files and folders: import the runs that other programs recorded in them, or start a run from the
// first usable one.
struct DropUse {
    enum Kind { Nothing, Import, Train };
    Kind kind = Nothing;
    QStringList imports{};                  // for Import: all dropped paths
    std::optional<TrainingSource> source{}; // for Train
};

// Rule: what a drop on the window does.
// The content decides: logs are imported wherever they are dropped. Only tables are ambiguous: one with a step or an
// epoch is a log when dropped on the table of runs, and training data elsewhere. Reads names and the beginnings of
// files; in a large folder, of some files only.
DropUse dropUse(const QStringList& paths, DropPlace place);

// The local files and folders that are dragged; empty: none.
QStringList localPaths(const QMimeData& dragged);

} // namespace trainyard::ui
