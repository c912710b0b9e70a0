// SPDX-License-Identifier: GPL-3.0-or-later
// The window's process is killed (kill -9) while runs train: they go on, and another window comes up as it was. The one
// that is killed is this program once more, with the same settings, used by keys.
#include "engine/run/attach/run_control.h"
#include "tests/multiproc/lab/run_lab.h"
#include "ui/models/desktop/settings.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/runs/table/runs_view.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QProcess>
#include <QSettings>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <cstdio>

using namespace trainyard;
using namespace trainyard::ui;
using test::RunLab;

namespace {

constexpr int kLong = 20'000; // for a busy computer

bool bothAreThere(MainWindow& window) { return window.bench().feed.runs().size() == 2; }

std::unique_ptr<MainWindow> opened(const std::string& workspace) {
    auto window = std::make_unique<MainWindow>(store::Workspace{workspace});
    window->resize(1366, 768);
    window->show();
    window->activateWindow();
    return window;
}

// Selects both runs, groups them, opens the timeline, says so and stays until it is killed.
int useWindow(const std::string& workspace) {
    const auto window = opened(workspace);
    if (!QTest::qWaitForWindowActive(window.get()) || !QTest::qWaitFor([&] { return bothAreThere(*window); }, kLong))
        return 1;
    QTest::keyClick(window.get(), Qt::Key_2, Qt::ControlModifier);
    auto* runs = window->findChild<RunsView*>();
    runs->setGrouping({RunGrouping::By::Configuration, {}});
    runs->setFocus();
    QTest::keyClick(runs, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(window.get(), Qt::Key_5, Qt::AltModifier);
    auto& selection = window->bench().selection;
    if (!QTest::qWaitFor([&] { return selection.selected().size() == 2; }, kLong)) return 2;
    const auto saved = Settings::selection.of(QString::fromStdString(workspace));
    if (!QTest::qWaitFor([&] { return saved.get().size() >= 3 && saved.get()[0] == selection.current(); }, kLong))
        return 3;
    std::printf("%s\n", qPrintable(selection.current()));
    std::fflush(stdout);
    return QApplication::exec();
}

} // namespace

class WindowKilledTest : public QObject {
    Q_OBJECT

    RunLab m_lab;
    std::vector<std::string> m_runs;

private Q_SLOTS:
    void cleanup() {
        for (const auto& run : m_runs) (void)run::stopRun(m_lab.workspace(), run, wire::StopMode::Kill);
    }

    void aKilledWindowComesBackAsItWas() {
        for (int i = 0; i < 2; ++i) {
            m_runs.push_back(m_lab.start({.plan = "perEpoch=10 ms=10", .epochs = 1000}));
            QVERIFY(m_lab.waitForStep(m_runs.back(), 5));
        }
        QProcess killed;
        killed.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        const QString config = QFileInfo(QSettings().fileName()).absolutePath();
        killed.start(QApplication::applicationFilePath(),
                     {QStringLiteral("--window"), QString::fromStdString(m_lab.workspace().root.string()), config});
        QVERIFY(killed.waitForReadyRead(3 * kLong));
        const QString current = QString::fromUtf8(killed.readLine()).trimmed();
        const auto before = m_lab.points(m_runs[0], "train/loss").size();
        ::kill(static_cast<pid_t>(killed.processId()), SIGKILL);
        QVERIFY(killed.waitForFinished());
        QCOMPARE(killed.exitStatus(), QProcess::CrashExit);
        QVERIFY(m_lab.waitUntil([&] { return m_lab.points(m_runs[0], "train/loss").size() > before + 5; }));

        QSettings().sync();
        const auto window = opened(m_lab.workspace().root.string());
        QTRY_VERIFY_WITH_TIMEOUT(bothAreThere(*window), kLong);
        QCOMPARE(window->page(), QString(PageId::runs));
        QCOMPARE(window->runsPage()->findChild<QTabBar*>()->currentIndex(), int{RunsPage::TimelineTab});
        QTRY_COMPARE(window->bench().selection.selected().size(), 2);
        QCOMPARE(window->bench().selection.current(), current);
        const QString root = QString::fromStdString(m_lab.workspace().root.string());
        QCOMPARE(Settings::runGrouping.of(root).get(), groupingToText({RunGrouping::By::Configuration, {}}));
        for (const auto& run : m_runs) { // both train, and no point is missing
            const QString id = QString::fromStdString(run);
            const auto points = [&] { return window->bench().feed.series().series(id, QStringLiteral("train/loss")); };
            QTRY_VERIFY_WITH_TIMEOUT(window->bench().feed.run(id)->status == wire::RunStatus::Running, kLong);
            QTRY_VERIFY_WITH_TIMEOUT(points()->size() > before, kLong);
            for (std::size_t i = 0; i < points()->size(); ++i)
                QCOMPARE(points()->at(i).step, points()->at(0).step + static_cast<qint64>(i));
        }
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("window-killed"));
    QApplication::setOrganizationName(QStringLiteral("window-killed"));
    const bool isWindow = argc > 3 && qstrcmp(argv[1], "--window") == 0;
    const QTemporaryDir config;
    const QString folder = isWindow ? QFileInfo(QString::fromLocal8Bit(argv[3])).absolutePath() : config.path();
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder);
    ThemeController::instance().install(app);
    if (isWindow) return useWindow(argv[2]);
    WindowKilledTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "window_killed_test.moc"
