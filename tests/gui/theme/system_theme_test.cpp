// SPDX-License-Identifier: GPL-3.0-or-later
// The window's theme follows the desktop's, as its portal tells it: on a session bus of the test's own.
#include "ui/theme/theme.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusVariant>
#include <QProcess>
#include <QTest>

using namespace trainyard::ui;

// What a desktop's portal answers and announces (org.freedesktop.portal.Settings, version 1).
class Portal : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Settings")
public:
    uint scheme = 2; // 1: dark, 2: light
    int asked = 0;

public Q_SLOTS:
    QDBusVariant Read(const QString&, const QString& key) {
        ++asked;
        const uint value = key == QLatin1String("color-scheme") ? scheme : 0;
        return QDBusVariant(QVariant::fromValue(QDBusVariant(value)));
    }
};

class SystemThemeTest : public QObject {
    Q_OBJECT

    Portal m_portal;

    // A connection of its own, as the portal is another process.
    static QDBusConnection bus() {
        return QDBusConnection::connectToBus(QString::fromLocal8Bit(qgetenv("DBUS_SESSION_BUS_ADDRESS")),
                                             QStringLiteral("portal"));
    }
    static bool announce(bool dark) {
        auto changed = QDBusMessage::createSignal(QStringLiteral("/org/freedesktop/portal/desktop"),
                                                  QStringLiteral("org.freedesktop.portal.Settings"),
                                                  QStringLiteral("SettingChanged"));
        changed << QStringLiteral("org.freedesktop.appearance") << QStringLiteral("color-scheme")
                << QVariant::fromValue(QDBusVariant(dark ? 1U : 2U));
        return bus().send(changed);
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(bus().registerObject(QStringLiteral("/org/freedesktop/portal/desktop"), &m_portal,
                                     QDBusConnection::ExportAllSlots));
        QVERIFY(bus().registerService(QStringLiteral("org.freedesktop.portal.Desktop")));
        ThemeController::instance().install(*qApp);
    }

    void followsTheSystemWhileItRuns() {
        QTRY_COMPARE(m_portal.asked, 2); // for the colour scheme and the contrast
        QTest::qWait(100);               // the answers have arrived: none comes after what is announced now
        QVERIFY(!Theme::current().dark);
        for (const bool dark : {true, false, true}) {
            QVERIFY(announce(dark));
            QTRY_COMPARE(Theme::current().dark, dark);
        }
    }

    void aThemeThatWasChosenStays() {
        ThemeController::instance().setMode(ThemeMode::Light);
        QVERIFY(announce(true));
        QTest::qWait(200);
        QVERIFY(!Theme::current().dark);
    }
};

int main(int argc, char** argv) {
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
        SystemThemeTest test;
        code = QTest::qExec(&test, argc, argv);
    }
    daemon.terminate();
    daemon.waitForFinished(5000);
    return code;
}

#include "system_theme_test.moc"
