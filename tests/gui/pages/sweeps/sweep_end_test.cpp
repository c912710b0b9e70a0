// SPDX-License-Identifier: GPL-3.0-or-later
// Which trial of a sweep is the current one while it trains, and once it has ended.
#include "engine/base/clock.h"
#include "tests/gui/sample_workspace.h"
#include "ui/models/sweeps/trials_model.h"
#include "ui/pages/sweeps/sweeps_page.h"
#include "ui/pages/sweeps/trial_table.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/marks/status_chip.h"

#include <QApplication>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace trainyard;
using namespace trainyard::ui;

class SweepEndTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    store::Workspace m_workspace;
    std::unique_ptr<store::Store> m_store;
    store::SweepRow m_sweep;
    std::unique_ptr<MainWindow> m_window;

    void addTrial(int number, double score) {
        store::RunRow row;
        row.id = row.name = "grid-" + std::to_string(number);
        row.sweep = m_sweep.id;
        row.trial = number;
        row.status = wire::RunStatus::Finished;
        const double lr = 0.1 * (number + 1);
        row.paramsJson = "{\"optimizer.lr\": " + std::to_string(lr) + "}";
        row.specJson = testing::sampleRunJson({QString::fromStdString(row.name), {}, lr});
        row.createdMs = wallClockMs();
        row.folder = m_workspace.runFolder(row.id).string();
        std::filesystem::create_directories(row.folder);
        QVERIFY(m_store->createRun(row).ok());
        QVERIFY(m_store->appendPoints(row.id, {{"val/accuracy", 0, {{100, 1, 1, score}}}}).ok());
    }
    void end() {
        m_sweep.status = wire::RunStatus::Finished;
        m_sweep.finishedMs = wallClockMs();
        QVERIFY(m_store->updateSweep(m_sweep).ok());
    }
    QTableView& table() { return *m_window->findChild<TrialTable*>()->findChild<QTableView*>(); }
    TrialsModel& model() { return static_cast<TrialsModel&>(*table().model()); }
    QString current() const { return m_window->bench().selection.current(); }
    QString firstRow() { return model().rowCount() > 0 ? model().trialAt(0).run->id : QString(); }

private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
        m_workspace.root = m_folder->path().toStdString();
        m_store = std::move(*store::Store::open(m_workspace));
        m_sweep = {};
        m_sweep.id = m_sweep.name = "grid";
        m_sweep.status = wire::RunStatus::Running;
        m_sweep.createdMs = wallClockMs();
        m_sweep.trials = 3;
        m_sweep.specJson = R"({"version": 1, "run": {"epochs": 5}, "space": {"optimizer.lr": [0.1, 0.2, 0.3]}})";
        QVERIFY(m_store->createSweep(m_sweep).ok());
        addTrial(0, 0.5);
        m_window = std::make_unique<MainWindow>(m_workspace);
        m_window->resize(1366, 768);
        m_window->setPage(PageId::sweeps);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QTRY_COMPARE(current(), QStringLiteral("grid-0"));
    }
    void cleanup() {
        m_window.reset();
        m_store.reset();
    }

    void theBestTrialIsCurrentAfterTheEnd() {
        addTrial(1, 0.9);
        addTrial(2, 0.7);
        QTRY_COMPARE(firstRow(), QStringLiteral("grid-1"));
        QCOMPARE(current(), QStringLiteral("grid-0")); // it does not wander while trials come
        end();
        QTRY_COMPARE(current(), QStringLiteral("grid-1"));
        QCOMPARE(table().currentIndex().row(), 0);
    }

    // Feature: while the pointer is in the table of trials, its rows stay where they are and new ones come last.
    void rowsStandStillUnderThePointer() {
        const QPointF at(20, 20);
        QEnterEvent enter(at, at, at);
        QApplication::sendEvent(table().viewport(), &enter);
        addTrial(1, 0.9);
        QTRY_COMPARE(model().rowCount(), 2);
        QTRY_VERIFY(std::isfinite(model().trialAt(1).score));
        QCOMPARE(firstRow(), QStringLiteral("grid-0"));
        StatusChip* paused = nullptr;
        for (auto* chip : table().findChildren<StatusChip*>()) paused = chip;
        QVERIFY(paused && paused->isVisible());
        QVERIFY(table().viewport()->geometry().contains(paused->geometry()));
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(table().viewport(), &leave);
        QCOMPARE(firstRow(), QStringLiteral("grid-1"));
        QVERIFY(!paused->isVisible());
    }

    void aChosenTrialStays() {
        addTrial(1, 0.9);
        addTrial(2, 0.7);
        QTRY_COMPARE(model().rowCount(), 3);
        QTRY_COMPARE(firstRow(), QStringLiteral("grid-1"));
        const int other = model().rowOf(QStringLiteral("grid-2"));
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, table().visualRect(model().index(other, 1)).center());
        QCOMPARE(current(), QStringLiteral("grid-2"));
        end();
        const auto ended = [this] { return m_window->bench().feed.sweeps().front().status == m_sweep.status; };
        QTRY_VERIFY(ended());
        QTest::qWait(300); // longer than the page takes to follow
        QCOMPARE(current(), QStringLiteral("grid-2"));
    }

    // It ended while another page was shown.
    void theBestTrialIsCurrentWhenThePageComesBack() {
        m_window->setPage(PageId::runs);
        addTrial(1, 0.9);
        end();
        const auto ended = [this] { return m_window->bench().feed.sweeps().front().status == m_sweep.status; };
        QTRY_VERIFY(ended() && m_window->bench().feed.runs().size() == 2);
        m_window->setPage(PageId::sweeps);
        QTRY_COMPARE(current(), QStringLiteral("grid-1"));
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-sweep-end-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-sweep-end-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    SweepEndTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "sweep_end_test.moc"
