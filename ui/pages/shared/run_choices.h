// SPDX-License-Identifier: GPL-3.0-or-later
// What pickers offer of runs: columns, groupings, series, in plain words with their keys beside them.
#pragma once

#include "ui/models/runs/runs_model.h"
#include "ui/widgets/inputs/choice_picker.h"

namespace trainyard::spec {
struct Catalog;
}

namespace trainyard::ui {

// Columns: those of every run, settings in which the runs differ, metrics, the other settings by area, system metrics.
// Without a catalog settings are called by their paths. The key of each is its text (columnsToText).
QList<Choice> columnChoices(const RunsModel& runs, const spec::Catalog* catalog);
// The key of each is its text (groupingToText).
QList<Choice> groupChoices(const RunsModel& runs, const spec::Catalog* catalog);
// Series in this order, those of the system last.
QList<Choice> seriesChoices(const QStringList& series);

// Lists what was chosen in pickers of this name first, and remembers what is chosen now.
void rememberChoices(ChoicePicker& picker, const QString& name);

} // namespace trainyard::ui
