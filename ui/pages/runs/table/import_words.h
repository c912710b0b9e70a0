// SPDX-License-Identifier: GPL-3.0-or-later
// What the sheet of imports says of a run before and after it is read.
#pragma once

#include "engine/run/share/import_runs.h"

#include <QString>

namespace trainyard::ui {

QString importKindText(run::ImportKind kind); // "TensorBoard", "W&B"
// "step ← training_iteration, time ← time_total_s; series: loss, acc and 3 more"; empty where the format says it all.
QString mappingText(const run::FoundImport& found);
QString resultText(const run::ImportedSource& source); // "added: 3 series, 1,200 points"
// What was left out and why, a line for each record; empty: nothing.
QString leftOutText(const run::ImportedSource& source);

} // namespace trainyard::ui
