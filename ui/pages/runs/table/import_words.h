// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of the import sheet about a run, before and after it is read.
#pragma once

#include "engine/run/share/import_runs.h"

#include <QString>

namespace trainyard::ui {

QString importKindText(run::ImportKind kind); // "TensorBoard", "W&B"
// "step ← training_iteration, time ← time_total_s; series: loss, acc and 3 more"; empty if the format alone says it.
QString mappingText(const run::FoundImport& found);
QString resultText(const run::ImportedSource& source); // "added: 3 series, 1,200 points"
// The skipped records and why, one per line; empty: none.
QString leftOutText(const run::ImportedSource& source);

} // namespace trainyard::ui
