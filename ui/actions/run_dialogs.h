// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked before something is done to a run. Each opens a dialog and returns at once.
#pragma once

#include "ui/models/workbench.h"

namespace trainyard::ui {

// For how many epochs a run that has finished is to go on.
void askForMoreEpochs(Workbench& bench, const RunItem& run, QWidget* parent);
// Goes on with the data as it is now, though it has changed since the run was trained on it; of a finished run it asks
// for how many epochs.
void goOnWithChangedData(Workbench& bench, const RunItem& run, QWidget* parent);
// With which other settings a run is resumed.
void askForChanges(Workbench& bench, const RunItem& run, QWidget* parent);
// The learning rate of a run that trains.
void askForLr(Workbench& bench, const RunItem& run, QWidget* parent);
// Asks whether a worker of the run may be ended as a crash would end it, and which.
void confirmRehearsal(Workbench& bench, const RunItem& run, QWidget* parent);
// The number of workers of a run with scaling.elastic, at most mostWorkers().
void askForWorkers(Workbench& bench, const RunItem& run, QWidget* parent);
int mostWorkers(const RunItem& run); // 0 without scaling.elastic
// The tags of a run, words separated by spaces; of several, which tags they all get and which they lose.
void editTags(Workbench& bench, const std::vector<RunItemPtr>& runs, QWidget* parent);
// The tags with the words added, those that begin with - taken away.
QStringList changedTags(QStringList tags, const QString& words);
void editNotes(Workbench& bench, const RunItem& run, QWidget* parent);
void editColor(Workbench& bench, const std::vector<RunItemPtr>& runs, QWidget* parent);
// Where a checkpoint's model is written as "safetensors", "state-dict" or "torchscript".
void exportCheckpoint(Workbench& bench, const RunItem& run, const store::CheckpointRow& checkpoint,
                      const QString& format, QWidget* parent);
// Where all points of a run are written, as CSV or as TensorBoard's event file; of several, in which folder.
void exportPoints(Workbench& bench, const std::vector<RunItemPtr>& runs, QWidget* parent);
void exportEvents(Workbench& bench, const RunItem& run, QWidget* parent);

} // namespace trainyard::ui
