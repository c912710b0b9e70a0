// SPDX-License-Identifier: GPL-3.0-or-later
// The window's theme follows the desktop's, as its portal tells it: on a session bus of the test's own.
#include "tests/gui/session_bus.h"
#include "ui/theme/theme.h"
#include "ui/theme/theme_controller.h"

#include <QDBusMessage>
#include <QDBusVariant>

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

    static QDBusConnection bus() { return trainyard::testing::desktopsBus(); }
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

    // Feature: the window follows the system's theme, fits its screen, and comes back as it was after it was killed;
    // Home knows the runs however late it is made. Also in window_killed_test, window_test.
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

TRAINYARD_TEST_MAIN(int argc, char** argv) { return trainyard::testing::runOnSessionBus<SystemThemeTest>(argc, argv); }
#include "system_theme_test.moc"
