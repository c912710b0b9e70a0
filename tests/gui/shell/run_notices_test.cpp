// SPDX-License-Identifier: GPL-3.0-or-later
// The desktop is told of the end of a run with its result, and a click opens it: a notification service on a session
// bus of the test's own.
#include "tests/gui/sample_workspace.h"
#include "tests/gui/session_bus.h"
#include "ui/models/desktop/desktop_notice.h"
#include "ui/models/desktop/settings.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/shell/main_window.h"
#include "ui/shell/run_notices.h"
#include "ui/theme/theme_controller.h"

#include <QDBusMessage>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QVariantMap>

#include <filesystem>

using namespace trainyard;
using namespace trainyard::ui;

// What a desktop does with notices (Desktop Notifications Specification 1.2).
class NotificationService : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")
public:
    struct Shown {
        QString title, text;
        QStringList actions;
        QVariantMap hints;
    };
    QList<Shown> shown;

public Q_SLOTS:
    uint Notify(const QString&, uint, const QString&, const QString& title, const QString& text,
                const QStringList& actions, const QVariantMap& hints, int) {
        shown << Shown{title, text, actions, hints};
        return static_cast<uint>(shown.size());
    }
};

class RunNoticesTest : public QObject {
    Q_OBJECT

    NotificationService m_service;
    QTemporaryDir m_folder, m_config;
    store::Workspace m_workspace;

    static bool press(uint notice, const char* action) {
        auto pressed = QDBusMessage::createSignal(QStringLiteral("/org/freedesktop/Notifications"),
                                                  QStringLiteral("org.freedesktop.Notifications"),
                                                  QStringLiteral("ActionInvoked"));
        pressed << notice << QString::fromLatin1(action);
        return testing::desktopsBus().send(pressed);
    }

private Q_SLOTS:
    void initTestCase() {
        QApplication::setApplicationName(QStringLiteral("trainyard-run-notices-test"));
        QApplication::setOrganizationName(QStringLiteral("trainyard-run-notices-test"));
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_config.path());
        QVERIFY(testing::desktopsBus().registerObject(QStringLiteral("/org/freedesktop/Notifications"), &m_service,
                                                      QDBusConnection::ExportAllSlots));
        QVERIFY(testing::desktopsBus().registerService(QStringLiteral("org.freedesktop.Notifications")));
        ThemeController::instance().install(*qApp);
        m_workspace.root = (m_folder.path() + QStringLiteral("/ws")).toStdString();
        std::filesystem::create_directories(m_workspace.root);
        testing::fillSampleWorkspace(m_workspace);
    }
    void init() { m_service.shown.clear(); }

    // Feature: desktop notices with result and action; saved run files are known by their name; About names every
    // library. Also in desktop_files_test, libraries_test, training_source_test.
    void aResultIsOneLine_data() {
        QTest::addColumn<QString>("status");
        QTest::addColumn<double>("best");
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("error");
        QTest::addColumn<QString>("text");
        const double none = std::nan("");
        QTest::newRow("finished") << "finished" << 0.9958 << 192.0 << ""
                                  << "Finished · best val accuracy 0.9958 · in 3:12";
        QTest::newRow("failed") << "failed" << none << 2.0 << "the loss is NaN"
                                << "Failed · the loss is NaN · in 0:02";
        QTest::newRow("before its first step") << "stopped" << none << 0.0 << ""
                                               << "Stopped";
    }
    void aResultIsOneLine() {
        QFETCH(QString, status);
        QFETCH(double, best);
        QFETCH(double, seconds);
        QFETCH(QString, error);
        RunItem run;
        run.status = *wire::runStatusFromString(status.toStdString());
        run.scoreSeries = QStringLiteral("val/accuracy");
        run.best = best;
        run.row.trainSeconds = seconds;
        run.row.error.message = error.toStdString();
        QTEST(resultText(run), "text");
    }

    void aRunThatEndsIsToldOfAndOpened() {
        MainWindow window(m_workspace);
        window.show();
        QTRY_VERIFY(window.bench().feed.loaded());
        QVERIFY(!window.isActiveWindow() || (QApplication::setActiveWindow(nullptr), true));
        RunItemPtr run;
        for (const auto& each : window.bench().feed.runs())
            if (each->status == wire::RunStatus::Finished && each->row.sweep.empty()) run = each;
        QVERIFY(run);
        window.setPage(PageId::home);
        Q_EMIT window.bench().feed.runEnded(run->id);
        QTRY_COMPARE(m_service.shown.size(), 1);
        const auto notice = m_service.shown.first();
        QCOMPARE(notice.title, run->name);
        QVERIFY2(notice.text.contains(QStringLiteral("best val accuracy")), qPrintable(notice.text));
        QCOMPARE(notice.hints.value(QStringLiteral("desktop-entry")).toString(),
                 QStringLiteral("org.trainyard.Trainyard"));
        QVERIFY(notice.actions.contains(QStringLiteral("default")) && notice.actions.contains(QStringLiteral("Open")));
        QVERIFY(press(99, "open")); // of another program: nothing happens
        QTest::qWait(50);
        QCOMPARE(window.page(), QString(PageId::home));
        QVERIFY(press(1, "open"));
        QTRY_COMPARE(window.page(), QString(PageId::runs));
        QCOMPARE(window.bench().selection.current(), run->id);
    }

    void markupIsShownAsText() {
        DesktopNotices notices;
        QSignalSpy opened(&notices, &DesktopNotices::opened);
        notices.show(QStringLiteral("a"), QStringLiteral("<b>x</b> & y"), QStringLiteral("Open"), QStringLiteral("id"));
        QTRY_COMPARE(m_service.shown.size(), 1);
        QCOMPARE(m_service.shown.first().text, QStringLiteral("&lt;b&gt;x&lt;/b&gt; &amp; y"));
        QTest::qWait(50); // until the number of the notice has come back
        QVERIFY(press(1, "default"));
        QTRY_COMPARE(opened.count(), 1);
        QCOMPARE(opened.first().first().toString(), QStringLiteral("id"));
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) { return trainyard::testing::runOnSessionBus<RunNoticesTest>(argc, argv); }
#include "run_notices_test.moc"
