// SPDX-License-Identifier: GPL-3.0-or-later
// trainyardctl, with a worker that does what the plan of its run says.
#pragma once

#include <QJsonDocument>
#include <QProcess>

namespace trainyard::test {

struct Output {
    int code = -1; // it was not there, or took too long
    QString out, err;
    QJsonDocument json() const { return QJsonDocument::fromJson(out.toUtf8()); }
};

inline Output ctl(const QStringList& arguments, int seconds = 60) {
    QProcess process;
    process.start(QStringLiteral(SCRIPTED_PROGRAMS "/trainyardctl"), arguments);
    if (!process.waitForFinished(seconds * 1000)) {
        process.kill();
        process.waitForFinished();
        return {};
    }
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

} // namespace trainyard::test
