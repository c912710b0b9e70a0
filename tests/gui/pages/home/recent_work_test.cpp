// SPDX-License-Identifier: GPL-3.0-or-later
// What Home lists: the newest runs, and each sweep with all of its trials as one line.
#include "tests/gui/sample_workspace.h"
#include "ui/models/text/free_name.h"
#include "ui/pages/home/home_page.h"
#include "ui/pages/home/recent_runs.h"
#include "ui/pages/sweeps/sweeps_page.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace trainyard;
using namespace trainyard::ui;

namespace {

RunItemPtr itemOf(const std::string& id, const std::string& sweep, wire::RunStatus status, double score) {
    store::RunRow row;
    row.id = row.name = id;
    row.sweep = sweep;
    row.status = status;
    row.specJson = testing::sampleRunJson({QString::fromStdString(id)});
    auto item = makeRunItem(row);
    store::SeriesSummary summary;
    summary.series = "val/accuracy";
    summary.count = 1;
    summary.min = summary.max = summary.last = score;
    if (std::isfinite(score)) item->series = {summary};
    return item;
}

store::SweepRow sweepOf(const std::string& id, const std::string& best = {}) {
    store::SweepRow row;
    row.id = id;
    row.name = "sweep " + id;
    row.trials = 3;
    row.status = wire::RunStatus::Running;
    row.bestRun = best;
    row.specJson = R"({"run": {}, "space": {"optimizer.lr": [1, 2, 3]}})";
    return row;
}

// "run a", "sweep s1: b of 3".
QStringList said(const std::vector<RecentWork>& work) {
    QStringList lines;
    for (const RecentWork& each : work)
        lines << (each.sweep.isEmpty() ? QStringLiteral("run %1").arg(each.name)
                                       : QStringLiteral("%1: %2, %3 of %4 done")
                                             .arg(each.name, each.run->name)
                                             .arg(each.done)
                                             .arg(each.trials));
    return lines;
}

} // namespace

class RecentWorkTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunNotHeardOfYetSaysOnlyWhereItLives() {
        RunItem run = *itemOf("a", "", wire::RunStatus::Running, 0.9);
        run.workers = 3;
        QCOMPARE(aboutRun(run), run.model + ", " + run.dataset + ", 3 workers");
        run.home.host = "h1";
        QCOMPARE(aboutRun(run), run.model + ", " + run.dataset + ", 3 workers, lives on h1");
        run.model.clear(); // a program on the library has none
        QCOMPARE(aboutRun(run), run.dataset + ", 3 workers, lives on h1");
        run.isRecorded = false;
        QCOMPARE(aboutRun(run), QString("lives on h1"));
    }

    // Names of first runs are told apart.
    void aTakenNameGetsANumber() {
        QCOMPARE(freeName("first-run", {}), QString("first-run"));
        QCOMPARE(freeName("first-run", {"first-run", "first-run-2", "other"}), QString("first-run-3"));
    }

    // Feature: Home lists a sweep as one line with its best trial, however many trials it has.
    void aSweepIsOneLine() {
        using wire::RunStatus;
        const std::vector<RunItemPtr> runs{
            itemOf("a", "", RunStatus::Finished, 0.9),    itemOf("t2", "s1", RunStatus::Running, 0.5),
            itemOf("t1", "s1", RunStatus::Failed, 0.99),  itemOf("b", "", RunStatus::Finished, 0.8),
            itemOf("t0", "s1", RunStatus::Finished, 0.7), itemOf("u1", "s2", RunStatus::Finished, 0.9),
            itemOf("u0", "s2", RunStatus::Finished, 0.6), itemOf("c", "", RunStatus::Finished, 0.8)};
        const std::vector<store::SweepRow> sweeps{sweepOf("s1"), sweepOf("s2", "u0")};
        SweepScores scores;
        const auto work = recentWork(runs, sweeps, 5, scores);
        QCOMPARE(said(work),
                 (QStringList{"run a", "sweep s1: t0, 2 of 3 done", "run b", "sweep s2: u0, 2 of 3 done", "run c"}));
        QCOMPARE(work[1].best, 0.7); // the failed one is none of the best
        QCOMPARE(work[1].scoreSeries, QStringLiteral("val/accuracy"));
        QCOMPARE(said(recentWork(runs, sweeps, 2, scores)), (QStringList{"run a", "sweep s1: t0, 2 of 3 done"}));
        QCOMPARE(said(recentWork(runs, {}, 3, scores)), (QStringList{"run a", "run t2", "run t1"}));
    }

    void aClickOpensTheSweep() {
        const QTemporaryDir folder;
        const store::Workspace workspace{(folder.path() + QStringLiteral("/ws")).toStdString()};
        std::filesystem::create_directories(workspace.root);
        const auto store = std::move(store::Store::open(workspace)).value();
        store::SweepRow sweep = sweepOf("20260101-000000-5eee90");
        sweep.status = wire::RunStatus::Finished;
        QVERIFY(store->createSweep(sweep).ok());
        for (int i = 0; i < 8; ++i) { // more than there are lines
            testing::SampleRun run{QStringLiteral("trial-%1").arg(i)};
            run.sweep = QString::fromStdString(sweep.id);
            run.trial = i;
            testing::addRun(*store, workspace, run);
        }
        testing::SampleRun old{QStringLiteral("old")};
        old.minutesAgo = 600;
        testing::addRun(*store, workspace, old);
        MainWindow window(workspace);
        window.resize(1280, 720);
        window.show();
        const auto rows = [&window] {
            QList<RecentRunRow*> shown;
            for (auto* row : window.homePage()->findChildren<RecentRunRow*>())
                if (row->work()) shown << row;
            return shown;
        };
        QTRY_COMPARE(rows().size(), 2);
        QCOMPARE(rows()[0]->work()->name, QStringLiteral("sweep 20260101-000000-5eee90"));
        QCOMPARE(rows()[1]->work()->name, QStringLiteral("old"));
        QTRY_COMPARE(rows()[0]->work()->done, 8);
        QVERIFY(rows()[0]->accessibleName().startsWith(QLatin1String("Open sweep ")));
        QTRY_VERIFY(rows()[0]->isVisible());
        QTest::mouseClick(rows()[0], Qt::LeftButton);
        QCOMPARE(window.page(), QString(PageId::sweeps));
        QVERIFY(window.findChild<SweepsPage*>()->isVisible());
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-recent-work-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-recent-work-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    RecentWorkTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "recent_work_test.moc"
