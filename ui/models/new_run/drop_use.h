// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/new_run/training_source.h"

class QMimeData;

namespace trainyard::ui {

// Where something is dropped.
enum class DropPlace { RunsTable, Elsewhere };

// What the window does with files and folders that are dropped on it: it imports the runs that other programs have
// recorded in them, or begins a run with the first that one can begin with.
struct DropUse {
    enum Kind { Nothing, Import, Train };
    Kind kind = Nothing;
    QStringList imports{};                  // of Import: all that was dropped
    std::optional<TrainingSource> source{}; // of Train
};

// Rule: what a drop on the window does.
// Content decides: logs are imported wherever they are dropped. Only a table is ambiguous: with a step or an epoch it
// is a log where it is dropped on the table of runs, and data to train on elsewhere. Reads names and the beginnings of
// files, of a large folder only some.
DropUse dropUse(const QStringList& paths, DropPlace place);

// The local files and folders that are dragged; empty: none.
QStringList localPaths(const QMimeData& dragged);

} // namespace trainyard::ui
