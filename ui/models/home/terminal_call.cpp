// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/home/terminal_call.h"

#include "engine/base/error_json.h"
#include "engine/run/launch/programs.h"

namespace trainyard::ui {

namespace {

Result<QByteArray> resultOf(QProcess& process) {
    QByteArray output = process.readAllStandardOutput();
    if (process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0) return output;
    return programError("trainyardctl", process.exitCode(), output.toStdString(),
                        process.readAllStandardError().toStdString());
}

} // namespace

void callTerminal(QObject* context, const store::Workspace& workspace, const QStringList& words,
                  std::function<void(Result<QByteArray>)> done) {
    auto* process = new QProcess(context);
    QObject::connect(process, &QProcess::finished, context, [process, done] {
        process->deleteLater();
        done(resultOf(*process));
    });
    QObject::connect(process, &QProcess::errorOccurred, context, [process, done](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart) return; // finished() follows
        process->deleteLater();
        done(notStarted(*process));
    });
    startTerminal(*process, workspace, words);
}

void startTerminal(QProcess& process, const store::Workspace& workspace, const QStringList& words) {
    process.setStandardInputFile(QProcess::nullDevice());
    process.start(QString::fromStdString((run::programFolder() / "trainyardctl").string()),
                  words + QStringList{QStringLiteral("--workspace"), QString::fromStdString(workspace.root.string()),
                                      QStringLiteral("--json")});
}

Error notStarted(const QProcess& process) {
    return environmentError("cannot be started", process.program().toStdString(), "install Trainyard again");
}

} // namespace trainyard::ui
