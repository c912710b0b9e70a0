// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/checkpoint_list.h"
#include "ui/models/workbench.h"

class QMenu;

namespace trainyard::ui {

// The menu of one run: stop or go on, fork, rename, tags, copy, export, archive.
void showRunMenu(Workbench& bench, const RunItem& run, QWidget* parent, const QPoint& globalPosition,
                 std::function<void()> rename);
// The export entries of one checkpoint (nothing when `checkpoint` is null) and of the run's points.
void addExportEntries(QMenu& menu, Workbench& bench, const RunItem& run, const store::CheckpointRow* checkpoint,
                      QWidget* parent);
// Asks for how many epochs a run that has ended is to go on, or for the learning rate of one that trains.
void askForMoreEpochs(Workbench& bench, const RunItem& run, QWidget* parent);
void askForRate(Workbench& bench, const RunItem& run, QWidget* parent);
// For a run with scaling.elastic.
void askForWorkers(Workbench& bench, const RunItem& run, QWidget* parent);
// Asks for the tags of a run, words separated by spaces.
void editTags(Workbench& bench, const RunItem& run, QWidget* parent);

} // namespace trainyard::ui
