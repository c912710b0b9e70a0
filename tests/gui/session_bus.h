// SPDX-License-Identifier: GPL-3.0-or-later
// A session bus of a test's own; needs TRAINYARD_DBUS_DAEMON.
#pragma once

#include <QApplication>
#include <QDBusConnection>
#include <QProcess>
#include <QTest>

namespace trainyard::testing {

// A connection of its own for what is another process on a desktop: a portal, a notification service.
inline QDBusConnection desktopsBus() {
    return QDBusConnection::connectToBus(QString::fromLocal8Bit(qgetenv("DBUS_SESSION_BUS_ADDRESS")),
                                         QStringLiteral("desktop"));
}

// Runs the test with an application on such a bus; 77 (skipped) where none starts.
template <class Test>
int runOnSessionBus(int argc, char** argv) {
    QProcess daemon;
    daemon.start(QString::fromLocal8Bit(qgetenv("TRAINYARD_DBUS_DAEMON")),
                 {QStringLiteral("--session"), QStringLiteral("--nofork"), QStringLiteral("--print-address")});
    if (!daemon.waitForReadyRead(10000)) {
        qWarning("dbus-daemon does not start: %s", daemon.readAllStandardError().constData());
        return 77;
    }
    qputenv("DBUS_SESSION_BUS_ADDRESS", daemon.readLine().trimmed());
    int code = 0;
    {
        QApplication app(argc, argv);
        Test test;
        code = QTest::qExec(&test, argc, argv);
    }
    daemon.terminate();
    daemon.waitForFinished(5000);
    return code;
}

} // namespace trainyard::testing
