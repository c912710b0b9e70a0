// SPDX-License-Identifier: GPL-3.0-or-later
// Long because: all rows open the same window on the same sample workspace and share its helpers.
// The window on a real store: where it opens, what it shows, what it refuses.
#include "engine/base/text/ids.h"
#include "engine/spec/run/run_spec.h"
#include "tests/gui/english_numbers.h"
#include "tests/gui/sample_workspace.h"
#include "ui/forms/advanced_form.h"
#include "ui/models/desktop/settings.h"
#include "ui/new_run/new_run_sheet.h"
#include "ui/pages/home/home_page.h"
#include "ui/pages/runs/curves/chart_board.h"
#include "ui/pages/runs/curves/curves_view.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/runs/table/runs_panel.h"
#include "ui/plots/card/metric_card.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/inputs/unit_field.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRandomGenerator>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <filesystem>
#include <set>

using namespace trainyard;
using namespace trainyard::ui;

namespace {

MetricCard* cardOf(MainWindow& window, const QString& metric) {
    for (auto* card : window.runsPage()->findChildren<MetricCard*>())
        if (card->metric() == metric) return card;
    return nullptr;
}

// The points of train/loss that the window's charts read.
std::shared_ptr<const SeriesData> lossOf(MainWindow& window, const QString& run) {
    return window.bench().feed.series().series(run, QStringLiteral("train/loss"));
}

template <class Found>
Found* named(QWidget& root, const QString& accessibleName) {
    for (auto* widget : root.findChildren<Found*>())
        if (widget->accessibleName() == accessibleName) return widget;
    return nullptr;
}

bool shows(const QWidget& root, const QString& words) {
    const auto labels = root.findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(),
                       [&](const QLabel* label) { return label->isVisible() && label->text() == words; });
}

bool hasWorker() { return std::filesystem::exists(CatalogLoader::workerProgram()); }

} // namespace

class WindowTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    store::Workspace m_workspace;

    // With a few points of one series each.
    void addManyRuns(int count) {
        auto opened = store::Store::open(m_workspace);
        auto& store = **opened;
        const auto added = store.together([&]() -> Result<void> {
            for (int i = 0; i < count; ++i) {
                store::RunRow row;
                row.id = QStringLiteral("20260101-000000-%1").arg(i, 6, 16, QLatin1Char('0')).toStdString();
                row.name = "run-" + std::to_string(i);
                row.status = wire::RunStatus::Finished;
                row.specJson = testing::sampleRunJson({QString::fromStdString(row.name)});
                row.paramsJson = "{}";
                row.createdMs = row.startedMs = row.finishedMs = 1'700'000'000'000 + 1000 * i;
                row.step = row.totalSteps = 10;
                TY_TRY(store.createRun(row));
                TY_TRY(store.appendPoints(row.id, {{"val/accuracy", 0, {{5, 1, 1, 0.4}, {10, 2, 2, 0.5 + 1e-4 * i}}}}));
            }
            return {};
        });
        QVERIFY2(added.ok(), added ? "" : added.error().text().c_str());
    }
    Setting<QString> pageSetting() const {
        return Settings::page.of(QString::fromStdString(m_workspace.root.string()));
    }

private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_workspace.root =
            (m_folder.path() + QStringLiteral("/ws%1").arg(QRandomGenerator::global()->generate())).toStdString();
        std::filesystem::create_directories(m_workspace.root);
    }

    void opensOnHome() {
        MainWindow window(m_workspace);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QCOMPARE(window.page(), QString(PageId::home));
        QTRY_VERIFY(window.bench().feed.loaded());
    }

    // Neither the page nor the inspector says that there is no run before the runs are read.
    void theFirstFrameSaysNothingOfRuns() {
        testing::fillSampleWorkspace(m_workspace);
        pageSetting().set(PageId::runs);
        MainWindow window(m_workspace);
        window.show();
        const auto says = [&window] {
            for (const QLabel* label : window.runsPage()->findChildren<QLabel*>())
                if (label->isVisible() && label->text() == QLatin1String("No run selected")) return true;
            return false;
        };
        QVERIFY(!window.bench().feed.loaded());
        QVERIFY(!says());
        QTRY_VERIFY(window.bench().feed.loaded());
        window.bench().selection.setSelected({});
        QTRY_VERIFY(says());
    }

    void homeThatIsMadeLateKnowsTheRuns() {
        testing::fillSampleWorkspace(m_workspace);
        pageSetting().set(PageId::runs);
        MainWindow window(m_workspace);
        window.show();
        QTRY_COMPARE(static_cast<int>(window.bench().feed.runs().size()), 12);
        window.setPage(PageId::home);
        QStringList shown;
        for (const QLabel* label : window.homePage()->findChildren<QLabel*>())
            if (label->isVisible()) shown << label->text();
        QVERIFY2(shown.contains(QStringLiteral("Train a model")), qPrintable(shown.join('|')));
        QVERIFY2(!shown.contains(QStringLiteral("No runs yet")), qPrintable(shown.join('|')));
    }

    // The first window dies without being closed: it is left open while the second one starts.
    void aKilledWindowComesBackAsItWas() {
        testing::fillSampleWorkspace(m_workspace);
        MainWindow killed(m_workspace);
        killed.show();
        QTRY_COMPARE(static_cast<int>(killed.bench().feed.runs().size()), 12);
        const QStringList chosen{killed.bench().feed.runs()[2]->id, killed.bench().feed.runs()[4]->id};
        killed.setPage(PageId::sweeps);
        killed.bench().selection.setSelected(chosen);
        killed.resize(1111, 700); // Qt 6.11 makes what is higher than the screen fit it
        QTRY_COMPARE_WITH_TIMEOUT(pageSetting().get(), QString(PageId::sweeps), 3000);
        MainWindow again(m_workspace);
        QCOMPARE(again.page(), QString(PageId::sweeps));
        QCOMPARE(again.bench().selection.selected(), chosen);
        QCOMPARE(again.size(), QSize(1111, 700));
    }

    void theFirstWindowFitsItsScreen() {
        const MainWindow window(m_workspace);
        const QSize room = window.screen()->availableSize();
        QVERIFY2(window.width() <= room.width() && window.height() < room.height(),
                 qPrintable(QStringLiteral("%1 x %2").arg(window.width()).arg(window.height())));
    }

    void aFinishedRunsNoticeIsInItsHeader() {
        const std::string notice =
            "the checkpoint of step 5 could not be saved: the disk is full; the run's last one is "
            "saved";
        auto store = store::Store::open(m_workspace);
        QVERIFY(store.ok());
        const auto id =
            testing::addRun(**store, m_workspace, {QStringLiteral("short of disk"), QStringLiteral("finished")});
        QVERIFY((*store)->appendLog(id, {{-1, store::kNoticeLevel, notice, 1}}).ok());
        MainWindow window(m_workspace);
        window.show();
        QTRY_COMPARE(static_cast<int>(window.bench().feed.runs().size()), 1);
        window.setPage(QStringLiteral("runs"));
        window.bench().selection.setSelected({QString::fromStdString(id)});
        const auto shown = [&] {
            const auto labels = window.findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
                return label->isVisible() && label->text().toStdString() == notice;
            });
        };
        QTRY_VERIFY(shown());
    }

    void selectedRunsAreDrawnWhole() {
        testing::fillSampleWorkspace(m_workspace);
        MainWindow window(m_workspace);
        window.show();
        QTRY_COMPARE(static_cast<int>(window.bench().feed.runs().size()), 12);
        const QString first = window.bench().feed.runs()[2]->id;
        const QString second = window.bench().feed.runs()[4]->id;
        window.setPage(PageId::runs);
        window.bench().selection.setSelected({first, second});
        auto* loss = cardOf(window, QStringLiteral("train/loss"));
        QVERIFY(loss);
        QCOMPARE(loss->curves().size(), 2);
        QTRY_COMPARE(lossOf(window, first)->size(), 600u);
        QTRY_COMPARE(lossOf(window, second)->size(), 600u);
    }

    void aCurveHiddenAndShownAgainIsWhole() {
        testing::fillSampleWorkspace(m_workspace);
        MainWindow window(m_workspace);
        window.show();
        QTRY_COMPARE(static_cast<int>(window.bench().feed.runs().size()), 12);
        const QString current = window.bench().feed.runs()[2]->id;
        const QString other = window.bench().feed.runs()[4]->id;
        auto& selection = window.bench().selection;
        selection.show(current);
        selection.setSelected({current, other});
        auto* loss = cardOf(window, QStringLiteral("train/loss"));
        for (const QString& run : {current, other}) {
            QTRY_COMPARE(lossOf(window, run)->size(), 600u);
            selection.toggle(run);
            QTest::qWait(200); // the worker has noticed, or a quick change hides the loss
            QCOMPARE(loss->curves().size(), 1);
            selection.toggle(run);
            QTRY_COMPARE(lossOf(window, run)->size(), 600u);
        }
    }

    void aRunIsRenamedInTheTable() {
        testing::fillSampleWorkspace(m_workspace);
        MainWindow window(m_workspace);
        window.setPage(PageId::runs);
        window.show();
        QTRY_COMPARE(static_cast<int>(window.bench().feed.runs().size()), 12);
        const QString run = window.bench().feed.runs()[3]->id;
        window.bench().selection.show(run);
        auto* table = named<QTreeView>(*window.runsPage(), QStringLiteral("Runs"));
        QVERIFY(table);
        QTest::keyClick(table, Qt::Key_F2);
        auto* edit = named<QLineEdit>(*table, QStringLiteral("Name of the run"));
        QVERIFY(edit);
        QCOMPARE(edit->text(), window.bench().feed.run(run)->name);
        edit->selectAll();
        QTest::keyClicks(edit, QStringLiteral("heron"));
        Q_EMIT table->model()->dataChanged(table->currentIndex(), table->currentIndex()); // as a running run does
        QCOMPARE(edit->text(), QStringLiteral("heron"));
        QTest::keyClick(edit, Qt::Key_Return);
        QTRY_COMPARE(window.bench().feed.run(run)->name, QStringLiteral("heron"));
    }

    void archivedRunsComeBackByControlZ() {
        testing::fillSampleWorkspace(m_workspace);
        QStringList told;
        MainWindow window(m_workspace);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTRY_COMPARE(static_cast<int>(window.bench().feed.runs().size()), 12);
        connect(&window.bench(), &Workbench::statusMessage, this, [&told](const QString& text) { told << text; });
        QString ended;
        for (const auto& run : window.bench().feed.runs())
            if (!run->active()) ended = run->id;
        window.bench().actions.setArchived(ended, true);
        QTRY_VERIFY(!window.bench().feed.run(ended));
        QTRY_VERIFY(told.join(QLatin1Char(' ')).contains(QStringLiteral("Ctrl+Z")));
        QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
        QTRY_VERIFY(window.bench().feed.run(ended));
    }

    void pointsWrittenWhileItWasClosedAreThere() {
        auto store = store::Store::open(m_workspace);
        QVERIFY(store.ok());
        testing::SampleRun run{QStringLiteral("long"), QStringLiteral("finished")};
        run.steps = 200;
        const auto id = testing::addRun(**store, m_workspace, run);
        {
            MainWindow window(m_workspace);
            window.show();
            QTRY_VERIFY(window.bench().feed.run(QString::fromStdString(id)));
            window.bench().selection.show(QString::fromStdString(id));
            QTRY_COMPARE(lossOf(window, QString::fromStdString(id))->size(), 200u);
            window.close();
        }
        testing::addPoints(**store, id, run, 200, 1200);
        MainWindow again(m_workspace);
        again.show();
        QTRY_COMPARE(again.bench().selection.current(), QString::fromStdString(id));
        QTRY_COMPARE(lossOf(again, QString::fromStdString(id))->size(), 1200u);
    }

    void pageAndSelectionAreRemembered() {
        testing::fillSampleWorkspace(m_workspace);
        QString chosen;
        {
            MainWindow window(m_workspace);
            window.show();
            QTRY_COMPARE(static_cast<int>(window.bench().feed.runs().size()), 12);
            chosen = window.bench().feed.runs()[5]->id;
            window.bench().selection.show(chosen);
            window.setPage(QStringLiteral("data"));
            window.close();
        }
        MainWindow again(m_workspace);
        again.show();
        QCOMPARE(again.page(), QStringLiteral("data"));
        QCOMPARE(again.bench().selection.selected(), QStringList{chosen});
    }

    void aFailedRunShowsItsCauseAndOneFix() {
        testing::fillSampleWorkspace(m_workspace);
        MainWindow window(m_workspace);
        window.show();
        QTRY_COMPARE(static_cast<int>(window.bench().feed.runs().size()), 12);
        for (const auto& run : window.bench().feed.runs())
            if (run->status == wire::RunStatus::Failed) window.bench().selection.show(run->id);
        window.setPage(PageId::runs);
        QPushButton* fix = nullptr;
        QTRY_VERIFY([&] {
            for (auto* button : window.runsPage()->findChildren<QPushButton*>())
                if (button->text().startsWith(QLatin1String("Retry with lr")) && button->isVisible()) fix = button;
            return fix != nullptr;
        }());
    }

    void narrowWindowsGiveUpTheirColumns() {
        testing::fillSampleWorkspace(m_workspace);
        MainWindow window(m_workspace);
        window.setPage(PageId::runs);
        window.resize(1300, 800);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTRY_VERIFY(window.runsPage()->runsPanel()->isVisible());
        window.resize(900, 700);
        QTRY_VERIFY(!window.runsPage()->runsPanel()->isVisible());
        QTest::keyClick(&window, Qt::Key_F9);
        QTRY_VERIFY(window.runsPage()->runsPanel()->isVisible());
    }

    // The grid of charts once kept the columns that it had had in a wider window, behind the inspector.
    // Feature: no chart and no view is hidden by what stands beside it, in any window, with either column open.
    void noChartIsHiddenByWhatStandsBesideIt() {
        testing::fillSampleWorkspace(m_workspace);
        MainWindow window(m_workspace);
        window.setPage(PageId::runs);
        window.show();
        QTRY_VERIFY(cardOf(window, QStringLiteral("train/loss")) != nullptr);
        auto& page = *window.runsPage();
        auto* board = page.findChild<ChartBoard*>();
        auto* area = qobject_cast<QScrollArea*>(board->parentWidget()->parentWidget());
        auto* splitter = page.findChild<QSplitter*>();
        const auto judge = [&](const QString& when) {
            QCoreApplication::processEvents();
            const int room = area->viewport()->width();
            std::set<int> columns;
            for (const MetricCard* card : board->cards()) {
                columns.insert(card->x());
                QVERIFY2(card->geometry().right() < room || area->horizontalScrollBar()->maximum() > 0,
                         qPrintable(QStringLiteral("%1: %2 ends at %3 of %4")
                                        .arg(when, card->metric())
                                        .arg(card->geometry().right())
                                        .arg(room)));
            }
            const auto fitting = std::clamp<std::size_t>(static_cast<std::size_t>((room - 12) / 312), 1, 4);
            QVERIFY2(columns.size() == std::min(fitting, static_cast<std::size_t>(board->cards().size())),
                     qPrintable(when));
            const QWidget* middle = splitter->widget(1);
            QVERIFY2(middle->width() >= std::min(480, page.width() - 273), qPrintable(when));
            for (int i = 0; i < 2; ++i)
                if (splitter->widget(i)->isVisible() && splitter->widget(i + 1)->isVisible())
                    QVERIFY2(splitter->widget(i)->geometry().right() < splitter->widget(i + 1)->x(), qPrintable(when));
            QVERIFY2(splitter->width() <= page.width() && page.width() <= window.width(), qPrintable(when));
        };
        for (const int width : {1440, 1000, 2560, 1366, 1680, 720, 1440}) {
            window.resize(width, 900);
            QTRY_COMPARE(window.width(), width);
            judge(QStringLiteral("%1 px").arg(width));
            for (const Qt::Key key : {Qt::Key_F9, Qt::Key_F9, Qt::Key_F4, Qt::Key_F4}) {
                QTest::keyClick(&window, key);
                judge(QStringLiteral("%1 px, %2").arg(width).arg(key == Qt::Key_F9 ? "F9" : "F4"));
            }
        }
        splitter->setSizes({2000, 100, 300}); // as a handle that is dragged too far
        judge(QStringLiteral("dragged"));
    }

    void everyViewFitsTheMiddle() {
        testing::fillSampleWorkspace(m_workspace);
        MainWindow window(m_workspace);
        window.setPage(PageId::runs);
        window.resize(1440, 900);
        window.show();
        QTRY_COMPARE(static_cast<int>(window.bench().feed.runs().size()), 12);
        auto* splitter = window.runsPage()->findChild<QSplitter*>();
        auto* views = splitter->widget(1)->findChild<QStackedWidget*>();
        splitter->setSizes({2000, 100, 300}); // as a handle that is dragged too far
        QTRY_COMPARE(splitter->widget(1)->width(), 480);
        for (int i = 0; i < views->count(); ++i) {
            window.runsPage()->setTab(i);
            QTest::qWait(50);
            const int least = views->widget(i)->minimumSizeHint().width();
            QVERIFY2(least <= 480, qPrintable(QStringLiteral("view %1 takes %2 px").arg(i).arg(least)));
        }
    }

    // Feature: of thousands of selected runs a stated sample is drawn, in slices, until it is stopped; a window that
    // did not live through it comes back without them.
    void manySelectedRunsAreDrawnAsASample() {
        const test::EnglishNumbers english;
        addManyRuns(1000);
        MainWindow window(m_workspace);
        window.setPage(PageId::runs);
        window.show();
        auto& bench = window.bench();
        QTRY_COMPARE(static_cast<int>(bench.feed.runs().size()), 1000);
        auto* table = named<QTreeView>(*window.runsPage(), QStringLiteral("Runs"));
        const QString oldest = bench.feed.runs().back()->id;
        bench.selection.show(oldest);
        table->setFocus();
        QElapsedTimer answering;
        answering.start();
        table->selectAll();
        QVERIFY2(answering.elapsed() < 2000, qPrintable(QString::number(answering.elapsed())));
        QCOMPARE(bench.selection.selected().size(), 1000);
        QVERIFY(bench.drawn.isFilling() && bench.drawn.runs().size() < 2 * DrawnRuns::kSlice); // the window answers
        QTRY_COMPARE(bench.drawn.runs().size(), DrawnRuns::kMost);
        QVERIFY(!bench.drawn.isFilling());
        QVERIFY(bench.drawn.runs().contains(bench.selection.current()));
        for (std::size_t i = 0; i + 1 < static_cast<std::size_t>(DrawnRuns::kMost); ++i)
            QVERIFY(bench.drawn.runs().contains(bench.feed.runs()[i]->id));
        const QString said = QStringLiteral("200 of 1,000 selected runs are drawn: the current one and the newest");
        QTRY_VERIFY(shows(window, said));
        QTRY_COMPARE(cardOf(window, QStringLiteral("val/accuracy"))->curves().size(), DrawnRuns::kMost);
        bench.selection.show(oldest); // and back at once
        QVERIFY(!shows(window, said));
        QCOMPARE(bench.drawn.runs(), QStringList{oldest});
    }

    void drawingManyRunsCanBeStopped() {
        addManyRuns(300);
        MainWindow window(m_workspace);
        window.setPage(PageId::runs);
        window.show();
        QTRY_COMPARE(static_cast<int>(window.bench().feed.runs().size()), 300);
        named<QTreeView>(*window.runsPage(), QStringLiteral("Runs"))->selectAll();
        QPushButton* stop = nullptr;
        for (auto* each : window.runsPage()->findChildren<QPushButton*>())
            if (each->toolTip() == QLatin1String("Keep only the runs drawn so far")) stop = each;
        QVERIFY(stop && stop->isVisible());
        stop->click();
        QVERIFY(!stop->isVisible());
        const auto drawn = window.bench().drawn.runs().size();
        QVERIFY(drawn < 200);
        QTest::qWait(200);
        QCOMPARE(window.bench().drawn.runs().size(), drawn);
        QVERIFY(shows(window, QStringLiteral("Stopped: %1 of 300 selected runs are drawn").arg(drawn)));
        QCOMPARE(window.bench().selection.selected().size(), 300); // they are still selected
    }

    // As after kill -9 while it was drawn.
    void aSelectionThatHungIsNotRestored() {
        testing::fillSampleWorkspace(m_workspace);
        const QString root = QString::fromStdString(m_workspace.root.string());
        QStringList all;
        {
            MainWindow window(m_workspace);
            window.show();
            QTRY_COMPARE(static_cast<int>(window.bench().feed.runs().size()), 12);
            for (const auto& run : window.bench().feed.runs()) all << run->id;
        }
        for (const bool hung : {true, false}) {
            Settings::selection.of(root).set(QStringList{all[3]} + all);
            if (hung) Settings::drawing.of(root).set(12);
            MainWindow window(m_workspace);
            QCOMPARE(window.bench().selection.selected().size(), hung ? 0 : 12);
            QCOMPARE(Settings::drawing.of(root).get(), hung ? 0 : 12); // before anything is drawn
            window.setPage(PageId::runs);
            window.show();
            QTRY_COMPARE(static_cast<int>(window.bench().feed.runs().size()), 12);
            QTRY_COMPARE(shows(window, QStringLiteral(
                                           "Trainyard ended while drawing 12 selected runs, so it did not select them "
                                           "again")),
                         hung);
            QTRY_COMPARE(Settings::drawing.of(root).get(), 0);
        }
    }

    void theRankChoiceTellsWhichLinesAreShown() {
        testing::fillSampleWorkspace(m_workspace);
        MainWindow window(m_workspace);
        window.show();
        QTRY_COMPARE(static_cast<int>(window.bench().feed.runs().size()), 12);
        window.setPage(PageId::runs);
        window.runsPage()->setTab(RunsPage::LogsTab);
        const QString first = window.bench().feed.runs()[2]->id;
        window.bench().selection.show(first);
        auto* rank = named<QComboBox>(*window.runsPage(), QStringLiteral("Rank"));
        QVERIFY(rank);
        QTRY_VERIFY(rank->count() > 2);
        rank->setCurrentIndex(rank->count() - 1);
        Q_EMIT rank->activated(rank->currentIndex());
        QVERIFY(rank->currentData().toInt() >= 0);
        Q_EMIT window.bench().feed.logReset(first); // the choice stays while the log begins anew
        QVERIFY(rank->currentData().toInt() >= 0);
        window.bench().selection.show(window.bench().feed.runs()[4]->id);
        QTRY_COMPARE(rank->currentText(), QStringLiteral("All ranks"));
    }

    // A sweep by another series than val/accuracy: its curves are those of its score.
    void theCurvesOfASweepAreThoseOfItsScore() {
        const QTemporaryDir folder;
        const store::Workspace workspace{folder.path().toStdString()};
        const auto store = *store::Store::open(workspace);
        store::SweepRow sweep;
        sweep.id = newId();
        sweep.name = "by-error";
        sweep.status = wire::RunStatus::Finished;
        sweep.specJson = R"({"version":1,"run":{},"space":{"optimizer.lr":[0.1,0.2]},"scoreBy":"val/mae"})";
        sweep.trials = 2;
        QVERIFY(store->createSweep(sweep).ok());
        for (int number = 0; number < 2; ++number) {
            store::RunRow row;
            row.id = newId();
            row.name = "trial-" + std::to_string(number);
            row.status = wire::RunStatus::Finished;
            row.specJson = spec::toJson(spec::RunSpec{});
            row.sweep = sweep.id;
            row.trial = number;
            row.paramsJson = "{\"optimizer.lr\": 0.1}";
            row.folder = workspace.runFolder(row.id).string();
            QVERIFY(store->createRun(row).ok());
            wire::SeriesPoints delta;
            delta.series = "val/mae";
            for (int i = 1; i <= 5; ++i) delta.points.push_back({i * 10, i * 1.0, i * 1.0, 1.0 / (i + number)});
            QVERIFY(store->appendPoints(row.id, {delta}).ok());
        }
        MainWindow window(workspace);
        window.resize(1400, 900);
        window.show();
        window.setPage(PageId::sweeps);
        const auto points = [&window] {
            std::size_t count = 0;
            for (const auto* card : window.findChildren<MetricCard*>()) {
                if (!card->isVisible() || card->metric() != QLatin1String("val/mae")) continue;
                for (const auto& curve : card->curves())
                    if (const auto* series = window.bench().feed.series().find(curve.runId, card->metric()))
                        count += series->size();
            }
            return count;
        };
        QTRY_COMPARE_WITH_TIMEOUT(points(), std::size_t{10}, 20000); // five of each trial
    }

    void aSweepThatIsNotListedYetIsWaitedFor() {
        testing::fillSampleWorkspace(m_workspace);
        MainWindow window(m_workspace);
        window.show();
        QTRY_VERIFY(!window.bench().feed.sweeps().empty());
        window.setPage(PageId::sweeps);
        auto* list = named<QComboBox>(window, QStringLiteral("Sweep"));
        QVERIFY(list);
        QTRY_COMPARE(list->currentIndex(), 0);
        QSignalSpy filled(list->model(), &QAbstractItemModel::rowsInserted);
        Q_EMIT window.bench().feed.sweepsChanged();
        QCOMPARE(filled.count(), 0); // an open list keeps its row
        Q_EMIT window.bench().actions.sweepStarted(QStringLiteral("to-come"));
        Q_EMIT window.bench().feed.sweepsChanged();
        QCOMPARE(list->currentIndex(), -1);
    }

    void theSheetBeginsAtTheDataSet() {
        if (!hasWorker()) QSKIP("there is no trainyard-worker to ask for its catalog");
        MainWindow window(m_workspace);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto* sheet = window.openNewRun({}, false);
        QTRY_VERIFY(sheet->form());
        QTRY_VERIFY(sheet->form()->isVisible()); // faded in
        QTRY_COMPARE(QApplication::focusWidget(), sheet->form()->first());
        QTRY_VERIFY_WITH_TIMEOUT(sheet->startButton()->isEnabled(), 20000);
        QCOMPARE(QApplication::focusWidget(), sheet->form()->first());
    }

    void wrongSettingsAreToldInPlaceAndStartWaits() {
        if (!hasWorker()) QSKIP("there is no trainyard-worker to ask for its catalog");
        MainWindow window(m_workspace);
        window.show();
        auto* sheet = window.openNewRun({}, false);
        QTRY_VERIFY(sheet->form());
        QTRY_VERIFY_WITH_TIMEOUT(sheet->startButton()->isEnabled(), 20000);
        auto* workers = named<UnitEdit>(*sheet, QStringLiteral("Workers"));
        QVERIFY(workers);
        QVERIFY(sheet->copyButton()->isEnabled() && sheet->saveButton()->isEnabled());
        workers->selectAll();
        QTest::keyClicks(workers, QStringLiteral("0"));
        QVERIFY(!sheet->startButton()->isEnabled());
        QVERIFY(!sheet->copyButton()->isEnabled() && !sheet->saveButton()->isEnabled());
        QVERIFY2(sheet->reason().contains(QStringLiteral("Workers")), qPrintable(sheet->reason()));
        auto* field = qobject_cast<UnitField*>(workers->parentWidget());
        QVERIFY(field && !field->error().isEmpty());
        workers->selectAll();
        QTest::keyClicks(workers, QStringLiteral("two"));
        QVERIFY2(sheet->reason().contains(QStringLiteral("whole number")), qPrintable(sheet->reason()));
        workers->selectAll();
        QTest::keyClicks(workers, QStringLiteral("1"));
        QVERIFY2(sheet->reason().isEmpty(), qPrintable(sheet->reason()));
        QVERIFY(sheet->startButton()->isEnabled());
    }

    void aRunGoesOnWithoutTheWindowAndEveryPointIsThereAfterwards() {
        if (!hasWorker()) QSKIP("there is no trainyard-worker to train with");
        QString run;
        {
            MainWindow window(m_workspace);
            window.show();
            spec::RunSpec spec;
            spec.name = "short";
            spec.model = {"mlp", {{"hidden", std::vector<double>{32}}}};
            spec.dataset = {"glyphs", {{"samples", std::int64_t{4000}}}};
            spec.optimizer = {"sgd", {{"lr", 0.05}}};
            spec.epochs = 8;
            window.bench().actions.start(spec);
            QTRY_VERIFY_WITH_TIMEOUT(!window.bench().selection.current().isEmpty(), 10000);
            run = window.bench().selection.current();
            QTRY_VERIFY_WITH_TIMEOUT(lossOf(window, run)->size() > 3, 30000);
            window.close();
        }
        MainWindow again(m_workspace);
        again.show();
        QTRY_VERIFY_WITH_TIMEOUT(
            again.bench().feed.run(run) && again.bench().feed.run(run)->status == wire::RunStatus::Finished, 60000);
        auto query = store::RunQuery::open(m_workspace);
        QVERIFY(query.ok());
        const auto stored = (*query)->points(RunId(run.toStdString()), "train/loss");
        QVERIFY(stored.ok() && stored->size() > 100);
        const auto loss = lossOf(again, run);
        QTRY_COMPARE(loss->size(), stored->size());
        for (std::size_t i = 0; i < stored->size(); ++i) {
            QCOMPARE(loss->at(i).step, (*stored)[i].step);
            QCOMPARE(loss->at(i).value, (*stored)[i].value);
        }
    }

    void aSweepFromTheSheetTrainsEveryTrial() {
        if (!hasWorker()) QSKIP("there is no trainyard-worker to train with");
        MainWindow window(m_workspace);
        window.show();
        spec::RunSpec spec;
        spec.name = "tiny";
        spec.model = {"softmax", {}};
        spec.dataset = {"spirals", {{"samples", std::int64_t{600}}}};
        spec.epochs = 2;
        spec.scaling.workers = 1;
        auto* sheet = window.openNewRun(QString::fromStdString(spec::toJson(spec)), true);
        QTRY_VERIFY_WITH_TIMEOUT(sheet->form() && sheet->startButton()->isEnabled(), 20000);
        QCOMPARE(sheet->startButton()->text(), QStringLiteral("Start 4 trials"));
        sheet->startButton()->click();
        QTRY_COMPARE_WITH_TIMEOUT(window.page(), QString(PageId::sweeps), 10000);
        QTRY_VERIFY_WITH_TIMEOUT(window.bench().feed.countOf(wire::RunStatus::Finished) == 4, 60000);
    }

    void theAdvancedPartHoldsEveryFieldOnceAndKeepsThem() {
        AdvancedForm form({QStringLiteral("seed")});
        spec::RunSpec spec;
        spec.gradient.clipNorm = 1.5;
        spec.augment.flip = true;
        spec.scaling.averaging = "shared";
        spec.earlyStop.metric = "val/loss";
        spec.seed = 7;
        spec.tensorBoard = true;
        form.setSpec(spec);
        QVERIFY(!form.isOpen());
        QVERIFY(!form.field(QStringLiteral("seed")));
        QStringList errors;
        QVERIFY(form.applied(spec, &errors) == spec);
        QCOMPARE(errors, QStringList());
        const auto* toggle = form.findChild<QPushButton*>();
        QVERIFY2(toggle && toggle->text() == QStringLiteral("Advanced (5 changed)"), qPrintable(toggle->text()));
        form.field(QStringLiteral("checkpoint.keep"))->setValue(std::int64_t{9});
        QCOMPARE(form.applied(spec, &errors).checkpoint.keep, 9);
        form.field(QStringLiteral("checkpoint.keep"))->setValue(std::string("many"));
        (void)form.applied(spec, &errors);
        QCOMPARE(errors.size(), 1);
        QVERIFY(form.field(QStringLiteral("checkpoint.keep"))->hasError());
    }

    void aMistakeInTheAdvancedPartOpensIt() {
        if (!hasWorker()) QSKIP("there is no trainyard-worker to ask what it offers");
        MainWindow window(m_workspace);
        window.show();
        spec::RunSpec spec;
        spec.dataset = {"spirals", {}};
        spec.checkpoint.keep = 0;
        auto* sheet = window.openNewRun(QString::fromStdString(spec::toJson(spec)), false);
        QTRY_VERIFY_WITH_TIMEOUT(sheet->form(), 20000);
        QVERIFY(!sheet->startButton()->isEnabled());
        QVERIFY(sheet->form()->advanced()->isOpen());
        QVERIFY2(sheet->reason().contains(QStringLiteral("Keep newest must be at least 1")),
                 qPrintable(sheet->reason()));
    }

    void aForkBeginsWithTheCheckpointThatIsChosen() {
        if (!hasWorker()) QSKIP("there is no trainyard-worker to ask what it offers");
        testing::fillSampleWorkspace(m_workspace);
        MainWindow window(m_workspace);
        window.show();
        QTRY_COMPARE(static_cast<int>(window.bench().feed.runs().size()), 12);
        const auto& runs = window.bench().feed.runs();
        const auto ended = std::find_if(runs.begin(), runs.end(),
                                        [](const auto& run) { return run->status == wire::RunStatus::Finished; });
        QVERIFY(ended != runs.end());
        const QString id = (*ended)->id;
        window.bench().selection.show(id);
        QTRY_VERIFY(!window.bench().feed.checkpoints(id).empty());
        const auto& checkpoints = window.bench().feed.checkpoints(id);
        auto* sheet = window.openFork(id, checkpoints.front().step);
        QTRY_VERIFY_WITH_TIMEOUT(sheet->form(), 20000);
        auto* from = named<QComboBox>(*sheet, QStringLiteral("Start from"));
        QVERIFY(from && !from->isHidden());
        QCOMPARE(from->count(), static_cast<int>(checkpoints.size()) + 1);
        QCOMPARE(from->currentIndex(), static_cast<int>(checkpoints.size()) - 1); // the oldest is the last but one
        QCOMPARE(from->itemText(from->count() - 1), QStringLiteral("New weights"));
    }

    void pauseStandsBesideStop_data() {
        QTest::addColumn<QString>("status");
        QTest::addColumn<QString>("shown");
        QTest::newRow("running") << "running" << "Pause";
        QTest::newRow("paused") << "paused" << "Unpause";
    }
    void pauseStandsBesideStop() {
        QFETCH(QString, status);
        QFETCH(QString, shown);
        auto store = *store::Store::open(m_workspace);
        store::RunRow row;
        row.id = "20260101-000000-000001";
        row.name = "held";
        row.status = *wire::runStatusFromString(status.toStdString());
        row.specJson = spec::toJson(spec::RunSpec{});
        row.folder = m_workspace.runFolder(row.id).string();
        std::filesystem::create_directories(row.folder);
        const auto lock = store::RunLock::acquire(row.folder); // what a live supervisor holds
        QVERIFY(lock.ok() && store->createRun(row).ok());
        MainWindow window(m_workspace);
        window.show();
        QTRY_VERIFY(window.bench().feed.run(QString::fromStdString(row.id)));
        window.setPage(PageId::runs);
        window.bench().selection.show(QString::fromStdString(row.id));
        for (const char* name : {"Pause", "Unpause"}) {
            auto* each = named<QToolButton>(window, QLatin1String(name));
            QVERIFY(each);
            QTRY_COMPARE(each->isVisibleTo(&window), shown == QLatin1String(name));
        }
        auto* save = named<QToolButton>(window, QStringLiteral("Save a checkpoint now"));
        QTRY_VERIFY(save && save->isVisibleTo(&window) && save->isEnabled());
    }

    void enterStartsTheFirstRun() {
        if (!hasWorker()) QSKIP("there is no trainyard-worker to train with");
        auto opened = std::make_unique<MainWindow>(m_workspace);
        MainWindow& window = *opened;
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::keyClick(window.homePage(), Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(window.page(), QString(PageId::runs), 10000);
        QTRY_VERIFY_WITH_TIMEOUT(!window.bench().selection.current().isEmpty(), 10000);
        const QString run = window.bench().selection.current();
        QTRY_VERIFY_WITH_TIMEOUT(lossOf(window, run)->size() > 3, 30000);
        QTest::keyClick(&window, Qt::Key_Period, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(window.bench().feed.run(run) && !window.bench().feed.run(run)->active(), 30000);
        QTRY_VERIFY(window.bench().feed.state(run) && window.bench().feed.state(run)->processesLeft == 0);
        opened = std::make_unique<MainWindow>(m_workspace);
        opened->show();
        QTRY_VERIFY(opened->bench().feed.run(run));
        opened->bench().selection.show(run);
        QTRY_VERIFY(opened->bench().feed.state(run) && opened->bench().feed.state(run)->processesLeft == 0);
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-window-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-window-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    WindowTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "window_test.moc"
