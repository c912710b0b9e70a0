// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

#include <QObject>
#include <QProcess>
#include <QStringList>

#include <functional>

namespace trainyard::ui {

// Runs `trainyardctl WORDS` in the workspace, which finds the run's host and carries the command out there. So each
// command exists once, and no link blocks the window. Passes its output or error to `done` on the GUI thread; ends the
// program if `context` goes. GUI thread.
void callTerminal(QObject* context, const store::Workspace& workspace, const QStringList& words,
                  std::function<void(Result<QByteArray>)> done);

// Starts the same program; the process's owner reads it.
void startTerminal(QProcess& process, const store::Workspace& workspace, const QStringList& words);
// The reason it could not be started.
Error notStarted(const QProcess& process);

} // namespace trainyard::ui
