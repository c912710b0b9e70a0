// SPDX-License-Identifier: GPL-3.0-or-later
// Dialogs before an action on a run. Each opens a dialog and returns at once.
#pragma once

#include "ui/models/workbench.h"

namespace trainyard::ui {

// Asks for the number of epochs to continue a finished run.
void askForMoreEpochs(Workbench& bench, const RunItem& run, QWidget* parent);
// Continues with the data as it is now, although it has changed since the training; for a finished run, asks for the
// number of epochs.
void goOnWithChangedData(Workbench& bench, const RunItem& run, QWidget* parent);
// Asks for the changed settings to resume a run with.
void askForChanges(Workbench& bench, const RunItem& run, QWidget* parent);
// Asks for the new learning rate of a training run.
void askForLr(Workbench& bench, const RunItem& run, QWidget* parent);
// Asks which worker of the run to kill, as a crash would, and tells how it recovered.
void confirmRehearsal(Workbench& bench, const RunItem& run, QWidget* parent);
// Asks for the number of workers of a run with scaling.elastic, at most mostWorkers().
void askForWorkers(Workbench& bench, const RunItem& run, QWidget* parent);
int mostWorkers(const RunItem& run); // 0 without scaling.elastic
// Asks for the tags of a run, words separated by spaces; for several runs, the tags to add and to remove.
void editTags(Workbench& bench, const std::vector<RunItemPtr>& runs, QWidget* parent);
// The tags with the words added, and those that begin with - removed.
QStringList changedTags(QStringList tags, const QString& words);
void editNotes(Workbench& bench, const RunItem& run, QWidget* parent);
void editColor(Workbench& bench, const std::vector<RunItemPtr>& runs, QWidget* parent);
// Asks where to write a checkpoint's model as "safetensors", "state-dict" or "torchscript".
void exportCheckpoint(Workbench& bench, const RunItem& run, const store::CheckpointRow& checkpoint,
                      const QString& format, QWidget* parent);
// Asks where to write all points of a run, as CSV or as a TensorBoard event file; for several runs, asks for a folder.
void exportPoints(Workbench& bench, const std::vector<RunItemPtr>& runs, QWidget* parent);
void exportEvents(Workbench& bench, const RunItem& run, QWidget* parent);

} // namespace trainyard::ui
