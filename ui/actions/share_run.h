// SPDX-License-Identifier: GPL-3.0-or-later
// A run for others: its report, text that starts it again, and the whole of it in one file.
#pragma once

#include "engine/run/share/copy_as.h"
#include "ui/models/workbench.h"

namespace trainyard::ui {

// Asks where the report of a run, of several side by side or of a sweep is written, as HTML or PDF; `title` is its name
// to begin with. Returns when the dialog was closed; the file is written in the background.
void askForReport(Workbench& bench, const QStringList& names, const QString& title, QWidget* parent);
// Puts the run into the clipboard as such a text.
void copyRunAs(Workbench& bench, const RunItem& run, run::CopyForm form);

// Asks where these runs are written as a bundle, which another computer imports. Returns when the dialog was closed;
// the file is written in the background.
void askForBundle(Workbench& bench, const std::vector<RunItemPtr>& runs, QWidget* parent);

} // namespace trainyard::ui
