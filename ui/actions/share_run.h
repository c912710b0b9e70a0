// SPDX-License-Identifier: GPL-3.0-or-later
// Shares a run: its report, text that starts an identical run, and the whole run in one file.
#pragma once

#include "engine/run/share/copy_as.h"
#include "ui/models/workbench.h"

namespace trainyard::ui {

// Asks where to write the report of a run, of several side by side or of a sweep, as HTML or PDF; `title`: the
// suggested name. Returns when the dialog closes; writes the file in the background.
void askForReport(Workbench& bench, const QStringList& names, const QString& title, QWidget* parent);
// Copies the run to the clipboard as this text.
void copyRunAs(Workbench& bench, const RunItem& run, run::CopyForm form);

// Asks where to write these runs as a bundle, which another computer can import. Returns when the dialog closes; writes
// the file in the background.
void askForBundle(Workbench& bench, const std::vector<RunItemPtr>& runs, QWidget* parent);

} // namespace trainyard::ui
