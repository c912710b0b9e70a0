// SPDX-License-Identifier: GPL-3.0-or-later
// A real run in the window: the timeline of its ranks, the rehearsal of a lost worker, the scaling advisor; by keys.
#include "engine/run/attach/run_control.h"
#include "tests/multiproc/lab/paced.h"
#include "tests/multiproc/lab/run_lab.h"
#include "ui/actions/action.h"
#include "ui/actions/rehearsal_sheet.h"
#include "ui/models/runs/rank_table.h"
#include "ui/pages/runs/curves/curves_view.h"
#include "ui/pages/runs/curves/rank_timeline_view.h"
#include "ui/pages/runs/table/scaling_sheet.h"
#include "ui/plots/card/metric_card.h"
#include "ui/plots/chart/plot.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/sheets/checklist.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QTableView>
#include <QTest>

using namespace trainyard;
using namespace trainyard::ui;
using test::RunLab;

class RunningTest : public QObject {
    Q_OBJECT

    std::unique_ptr<RunLab> m_lab;
    std::unique_ptr<MainWindow> m_window;
    std::string m_run;

    void open() {
        m_run = m_lab->startReal(test::paced(RunLab::spirals(2, RunLab::kEndless), PACED_MODEL, 4));
        QVERIFY(!m_run.empty());
        m_window = std::make_unique<MainWindow>(m_lab->workspace());
        m_window->resize(1280, 720);
        m_window->setPage(PageId::runs);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTRY_VERIFY_WITH_TIMEOUT(bench().feed.run(id()) != nullptr, 20'000);
        bench().selection.setCurrent(id());
        QTRY_VERIFY_WITH_TIMEOUT(bench().feed.state(id()) && bench().feed.state(id())->phase == wire::Phase::Train,
                                 40'000);
    }
    Workbench& bench() { return m_window->bench(); }
    QString id() const { return QString::fromStdString(m_run); }
    ActionTarget target() { return {bench(), bench().feed.run(id()), m_window.get()}; }
    bool offered(const char* name) { return isOffered(action(name), target()); }
    RankTimelineView& timeline() { return *m_window->findChild<RankTimelineView*>(); }
    QTableView& ranks() { return *timeline().findChild<QTableView*>(); }
    Plot& lanes() { return *timeline().findChild<Plot*>(); }
    QString cell(int row, int column) { return ranks().model()->index(row, column).data().toString(); }

private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_lab = std::make_unique<RunLab>();
        open();
    }
    void cleanup() {
        m_window.reset();
        (void)run::stopRun(m_lab->workspace(), m_run, wire::StopMode::Kill);
        m_lab->waitForEnd(m_run);
        m_lab.reset();
    }

    // Feature: the timeline of the ranks in the window, and which rank the others wait for. Also in system_book_test.
    void theTimelineShowsEveryRank() {
        QTest::keyClick(m_window.get(), Qt::Key_5, Qt::AltModifier);
        QTRY_VERIFY(timeline().isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(ranks().isVisible() && ranks().model()->rowCount() == 2, 20'000);
        QVERIFY(cell(0, RankTable::RankColumn).startsWith("rank 0"));
        QVERIFY(cell(1, RankTable::RankColumn).startsWith("rank 1"));
        QVERIFY(cell(0, RankTable::ComputeColumn).endsWith('%'));
        QTRY_VERIFY(cell(0, RankTable::CpuColumn).endsWith('%'));
        QVERIFY(lanes().accessibleDescription().contains("rank 1: compute"));
        // The time that is left is an estimate, and says so.
        const auto eta = [this] {
            for (const auto* label : m_window->findChildren<QLabel*>())
                if (label->isVisible() && label->text().endsWith(" left")) return label->text();
            return QString();
        };
        QTRY_VERIFY2_WITH_TIMEOUT(eta().startsWith("est. "), qPrintable(eta()), 20'000);
        // Keys zoom the lanes, and the table follows.
        QTRY_VERIFY_WITH_TIMEOUT(lanes().scene().x.range.high > 3, 20'000);
        lanes().setFocus();
        const AxisRange before = lanes().scene().x.range;
        QTest::keyClick(&lanes(), Qt::Key_Plus);
        QVERIFY(lanes().isZoomed());
        const AxisRange zoomed = lanes().scene().x.range;
        QVERIFY(zoomed.high - zoomed.low < before.high - before.low);
        QTest::keyClick(&lanes(), Qt::Key_Home);
        QVERIFY(!lanes().isZoomed());
        QTest::keyClick(&lanes(), Qt::Key_Tab);
        QTRY_VERIFY(ranks().hasFocus());
    }

    // The parts of a rank's time have no charts of their own, what else is measured stands behind the training's.
    void systemSeriesStandBehindTheOthers() {
        auto& curves = *m_window->findChild<CurvesView*>();
        const auto shown = [&] {
            QStringList names;
            for (auto* card : curves.findChildren<MetricCard*>()) names << card->metric();
            return names;
        };
        QTRY_VERIFY_WITH_TIMEOUT(shown().contains("system/rank1/cpu_percent"), 20'000);
        QTRY_VERIFY(shown().contains("system/host/localhost/memory_mb"));
        QVERIFY(!shown().contains("system/rank0/compute"));
        QVERIFY(seriesRank("system/rank0/cpu_percent") > seriesRank("some/other"));
    }

    void aRehearsalTellsHowLongTheRecoveryTook() {
        act(action("rehearse-loss"), target());
        RehearsalSheet* sheet = nullptr;
        QTRY_VERIFY((sheet = m_window->findChild<RehearsalSheet*>()) != nullptr && sheet->isVisible());
        QCOMPARE(sheet->rank()->count(), 2);
        QCOMPARE(sheet->rank()->currentText(), QStringLiteral("Rank 1"));
        QTest::keyClick(sheet->rank(), Qt::Key_Return);
        const auto steps = [sheet] { return sheet->timeline()->steps(); };
        QTRY_VERIFY_WITH_TIMEOUT(steps().size() == 4 && steps().last().state == StepState::Done, 90'000);
        QVERIFY2(steps()[0].text.startsWith("Rank 1 killed after step "), qPrintable(steps()[0].text));
        for (int i = 1; i < 4; ++i) QVERIFY(steps()[i].note >= steps()[i - 1].note); // "0.00 s" and on
        bool isTold = false;
        for (auto* label : sheet->findChildren<QLabel*>())
            isTold =
                isTold || (label->text().startsWith("Recovered in ") && label->text().endsWith("no step was lost"));
        QVERIFY(isTold);
        QTest::keyClick(sheet, Qt::Key_Escape);
        QTRY_VERIFY(m_window->findChild<RehearsalSheet*>() == nullptr);
        QVERIFY(offered("rehearse-loss")); // it trains
    }

    void theAdvisorMeasuresAndRecommends() {
        act(action("measure-scaling"), target());
        ScalingSheet* sheet = nullptr;
        QTRY_VERIFY((sheet = m_window->findChild<ScalingSheet*>()) != nullptr && sheet->isVisible());
        auto& table = *static_cast<ScalingTable*>(sheet->findChild<QTableView*>()->model());
        QVERIFY(table.rowCount() >= 2);
        const auto button = [&](const char* text) -> QPushButton* {
            for (auto* each : sheet->findChildren<QPushButton*>())
                if (each->text() == QString::fromUtf8(text)) return each;
            return nullptr;
        };
        QTRY_VERIFY(button("Measure")->hasFocus());
        QTest::keyClick(button("Measure"), Qt::Key_Space);
        QTRY_VERIFY_WITH_TIMEOUT(!table.card().empty(), 60'000); // while the others are measured
        QTRY_VERIFY_WITH_TIMEOUT(button("Measure")->isEnabled(), 120'000);
        QCOMPARE(static_cast<int>(table.card().size()), table.rowCount());
        QVERIFY(table.index(0, ScalingTable::SpeedColumn).data().toString() != QStringLiteral("–"));
        const auto& plot = *sheet->findChild<Plot*>();
        QCOMPARE(plot.scene().y.names.size(), qsizetype{table.rowCount()}); // a bar for each
        QVERIFY(plot.scene().layers.size() == 2 && plot.scene().layers[1]->description().contains("1 worker"));
        QVERIFY(button("Measure")->hasFocus());
        bool advised = false, isPlaced = false;
        for (auto* label : sheet->findChildren<QLabel*>())
            isPlaced = isPlaced || label->text().startsWith("on this computer, ");
        QVERIFY(isPlaced);
        for (auto* label : sheet->findChildren<QLabel*>()) advised = advised || label->text().startsWith("Use ");
        QVERIFY(advised);
        QVERIFY(button("New run with this…")->isEnabled());
        QTest::keyClick(sheet, Qt::Key_Escape);
        QTRY_VERIFY(m_window->findChild<ScalingSheet*>() == nullptr);
    }
};

QTEST_MAIN(RunningTest)
#include "running_test.moc"
