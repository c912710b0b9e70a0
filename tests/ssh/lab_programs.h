// SPDX-License-Identifier: GPL-3.0-or-later
// The programs under test on the computer that starts things on the hosts of the lab: run to their end, and what they
// said. And the main() of such a test.
#pragma once

#include "tests/pause.h"
#include "tests/ssh/host_lab.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

#include <cstdio>

namespace trainyard::test {

inline QString program(const char* name) { return qEnvironmentVariable("TRAINYARD_BIN") + "/" + QLatin1String(name); }

// How a program ended; -1: by a signal, or it was killed because it took too long.
struct Ended {
    int code = -1;
    QByteArray out, err;
    QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
    QJsonArray list() const { return QJsonDocument::fromJson(out).array(); }
    QByteArray said() const { return err + out; }
};

inline Ended execute(const QString& file, const QStringList& arguments, int seconds = 120) {
    QProcess process;
    process.start(file, arguments);
    if (!process.waitForFinished(seconds * 1000)) process.kill();
    process.waitForFinished(5000);
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAllStandardOutput(),
            process.readAllStandardError()};
}

inline Ended trainyardctl(const QStringList& arguments, int seconds = 120) {
    return execute(program("trainyardctl"), arguments, seconds);
}

// QTest::qWaitFor() for a condition that starts a program or asks a host; with patience().
template <class Condition>
[[nodiscard]] bool waitFor(Condition condition, int milliseconds = 5000) {
    const QDeadlineTimer deadline(static_cast<qint64>(milliseconds * patience()));
    for (;;) {
        const auto asked = std::chrono::steady_clock::now();
        if (condition()) return true;
        if (deadline.hasExpired()) return false;
        QTest::qWait(static_cast<int>(pauseAfter(std::chrono::steady_clock::now() - asked).count()));
    }
}

// Runs the test inside the lab's namespaces; 77 with the reason where one of these programs does not exist.
template <class Test>
int runInHostLab(int argc, char** argv, const QStringList& needed) {
    for (const QString& file : needed)
        if (!QFile::exists(file)) {
            std::printf("SKIP: there is no %s\n", qPrintable(file));
            return 77;
        }
    enterHostLab(argc, argv);
    QCoreApplication application(argc, argv);
    Test test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace trainyard::test
