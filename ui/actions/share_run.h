// SPDX-License-Identifier: GPL-3.0-or-later
// A run for others: its report, and text that starts it again.
#pragma once

#include "engine/run/actions/copy_as.h"
#include "ui/models/workbench.h"

namespace trainyard::ui {

// Asks where the report of a run, of several side by side or of a sweep is written, as HTML or PDF; `title` is its name
// to begin with. Opens a dialog and returns at once.
void askForReport(Workbench& bench, const QStringList& names, const QString& title, QWidget* parent);
// Puts the run into the clipboard as such a text.
void copyRunAs(Workbench& bench, const RunItem& run, run::CopyForm form);

} // namespace trainyard::ui
