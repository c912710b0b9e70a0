// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

#include <QObject>
#include <QProcess>
#include <QStringList>

#include <functional>

namespace trainyard::ui {

// Runs `trainyardctl WORDS` in the workspace, which finds the host of the run that the words name and carries the
// command out there: each command exists once, and no link can hold the window up.
// `done` gets what it printed, or the error that it told, on the GUI thread; not once `context` is gone, which ends the
// program, too. GUI thread.
void callTerminal(QObject* context, const store::Workspace& workspace, const QStringList& words,
                  std::function<void(Result<QByteArray>)> done);

// Starts the same program on those words; whoever owns the process reads it.
void startTerminal(QProcess& process, const store::Workspace& workspace, const QStringList& words);
// Why it could not be started.
Error notStarted(const QProcess& process);

} // namespace trainyard::ui
