// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a script of tests/unit/python with a Python that has torch: the independent reader and the reference.
#pragma once

#include <QProcess>
#include <QString>
#include <QStringList>

#include <optional>

namespace trainyard::test {

// The interpreter, or empty where none has torch (the reason is for QSKIP).
inline QString pythonWithTorch() {
    static const QString found = [] {
        for (const QString& candidate : {QStringLiteral("/usr/bin/python3"), QStringLiteral("python3")}) {
            QProcess probe;
            probe.start(candidate, {QStringLiteral("-c"), QStringLiteral("import torch, numpy")});
            if (probe.waitForFinished(60000) && probe.exitStatus() == QProcess::NormalExit && probe.exitCode() == 0)
                return candidate;
        }
        return QString();
    }();
    return found;
}

struct ScriptResult {
    int code = -1;
    QString out, err;
};

inline ScriptResult runScript(const QString& script, const QStringList& arguments) {
    QProcess process;
    process.start(pythonWithTorch(),
                  QStringList{QStringLiteral(TRAINYARD_SOURCE_DIR "/tests/unit/python/") + script} + arguments);
    if (!process.waitForFinished(60000)) return {-1, {}, QStringLiteral("the script did not end")};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

} // namespace trainyard::test
