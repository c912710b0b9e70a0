// SPDX-License-Identifier: GPL-3.0-or-later
// The page of sweeps in the window: table, brushes, one selection for all of it, views and their exports.
// Long because: all of them look at one sweep of 40 trials.
#include "engine/base/clock.h"
#include "engine/base/text/ids.h"
#include "engine/store/trial_log.h"
#include "tests/gui/sample_workspace.h"
#include "ui/models/desktop/settings.h"
#include "ui/models/sweeps/trials_model.h"
#include "ui/pages/sweeps/best_trial.h"
#include "ui/pages/sweeps/sweeps_page.h"
#include "ui/pages/sweeps/view_panel.h"
#include "ui/plots/canvas/plot_canvas.h"
#include "ui/plots/card/metric_card.h"
#include "ui/plots/chart/plot.h"
#include "ui/plots/layers/rung_layer.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/inputs/segmented_control.h"
#include "ui/widgets/inputs/unit_field.h"

#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace trainyard;
using namespace trainyard::ui;

namespace {

constexpr int kTrials = 40; // of the sweep with two axes: more than are followed at a time
enum ParameterView { Parallel, Scatter, Contour, Importance, Pareto };
enum ProgressView { Curves, Rungs, Best, Distribution, Timeline };

// A sweep over lr and activation; every fourth trial went on, the others were stopped at epoch 1. `rest` of its file.
void addSearch(const store::Workspace& workspace, const std::string& name = "search",
               const std::string& rest = R"("scheduler": "asha")") {
    const auto store = std::move(store::Store::open(workspace)).value();
    store::SweepRow sweep;
    sweep.id = newId();
    sweep.name = name;
    sweep.status = wire::RunStatus::Finished;
    sweep.createdMs = wallClockMs() + 1000; // the newest: it is the one that is shown
    sweep.trials = kTrials;
    sweep.specJson = R"({"version": 1, "run": {"epochs": 5}, "trials": 40,
        "searcher": "random", "space": {"optimizer.lr": {"from": 0.001, "to": 1, "scale": "log"},
        "model.params.activation": ["relu", "tanh"]}, )" +
                     rest + "}";
    QVERIFY(store->createSweep(sweep).ok());
    store::TrialRecord record;
    for (int i = 0; i < kTrials; ++i) {
        store::RunRow row;
        row.id = newId();
        row.name = name + '-' + std::to_string(i);
        row.sweep = sweep.id;
        row.trial = i;
        const bool goesOn = i % 4 == 0;
        row.status = goesOn ? wire::RunStatus::Finished : wire::RunStatus::Stopped;
        const double lr = std::pow(10.0, -3.0 + 3.0 * i / (kTrials - 1));
        row.paramsJson = "{\"optimizer.lr\": " + std::to_string(lr) + ", \"model.params.activation\": \"" +
                         (i % 2 == 0 ? "relu" : "tanh") + "\"}";
        row.specJson = testing::sampleRunJson({QString::fromStdString(row.name), {}, lr});
        row.createdMs = wallClockMs() - 100'000 + i * 1000;
        row.startedMs = row.createdMs;
        row.finishedMs = row.createdMs + 1900;
        row.epoch = goesOn ? 5 : 1;
        row.trainSeconds = 1.9;
        row.colorIndex = i % 10;
        row.folder = workspace.runFolder(row.id).string();
        std::filesystem::create_directories(row.folder);
        QVERIFY(store->createRun(row).ok());
        const double score = 0.5 + 0.01 * i;
        QVERIFY(store
                    ->appendPoints(row.id, {{"val/accuracy", 0, {{100, 1, 1, score}}},
                                            {"time/step", 0, {{100, 1, 1, 0.1 + 0.1 * (i % 4)}}}})
                    .ok());
        record.events.push_back({i, "report", i, 1, -score, "{}", "[]", wallClockMs()});
        if (!goesOn) record.decisions.push_back({i, store::TrialDecision::Stopped, "asha", 1, -score, -0.95, 3, 4});
    }
    record.events.push_back(
        {kTrials, "adopted", 0, 3, std::nan(""), R"({"optimizer.lr": 0.02})", "36", wallClockMs()}); // as pbt has it
    QVERIFY(store::appendTrialRecord(workspace, sweep.id, record).ok());
}

// A sweep of three seeds.
void addSeeds(const store::Workspace& workspace) {
    const auto store = std::move(store::Store::open(workspace)).value();
    store::SweepRow sweep;
    sweep.id = sweep.name = "seeds";
    sweep.status = wire::RunStatus::Finished;
    sweep.createdMs = wallClockMs();
    sweep.trials = 3;
    sweep.specJson = R"({"version": 1, "run": {"epochs": 5}, "space": {"seed": [1, 2, 3]}})";
    QVERIFY(store->createSweep(sweep).ok());
    for (int i = 0; i < 3; ++i) {
        store::RunRow row;
        row.id = row.name = "seeds-" + std::to_string(i);
        row.sweep = sweep.id;
        row.trial = i;
        row.status = wire::RunStatus::Finished;
        row.paramsJson = "{\"seed\": " + std::to_string(i + 1) + "}";
        row.specJson = testing::sampleRunJson({QString::fromStdString(row.name), {}, 0.1});
        row.createdMs = wallClockMs();
        QVERIFY(store->createRun(row).ok());
        QVERIFY(store->appendPoints(row.id, {{"val/accuracy", 0, {{100, 1, 1, 0.9 + 0.02 * i}}}}).ok());
    }
}

} // namespace

class SweepsPageTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    store::Workspace m_workspace;
    std::unique_ptr<MainWindow> m_window;

    void open(int trials = kTrials) {
        m_window = std::make_unique<MainWindow>(m_workspace);
        m_window->resize(1280, 720);
        m_window->setPage(PageId::sweeps);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QTRY_COMPARE(table().model()->rowCount(), trials);
        QTRY_VERIFY(std::isfinite(model().trialAt(trials - 1).score));
    }
    QTableView& table() { return *m_window->findChild<SweepsPage*>()->findChild<QTableView*>(); }
    TrialsModel& model() { return static_cast<TrialsModel&>(*table().model()); }
    QString cell(int row, int column, int role = Qt::DisplayRole) {
        return model().index(row, column).data(role).toString();
    }
    ViewPanel& panel(int which) { return *m_window->findChildren<ViewPanel*>().at(which); }
    Plot& parameters(ParameterView view) {
        shown(0, view);
        return *qobject_cast<Plot*>(panel(0).current()->chart());
    }
    Plot& progress(ProgressView view) {
        shown(1, view);
        return *qobject_cast<Plot*>(panel(1).current()->chart());
    }
    // The view was laid out, whichever was shown before.
    void shown(int which, int view) {
        panel(which).setCurrentIndex(view);
        QTest::qWait(30);
    }
    static void moveTo(PlotCanvas& canvas, QPoint at, Qt::MouseButtons held = {}, Qt::KeyboardModifiers keys = {}) {
        QMouseEvent move(QEvent::MouseMove, at, canvas.mapToGlobal(at), Qt::NoButton, held, keys);
        QApplication::sendEvent(&canvas, &move);
    }
    static PlotCanvas& canvas(Plot& plot) { return *plot.findChild<PlotCanvas*>(); }
    QPushButton* toggle(const QString& name) {
        for (auto* each : panel(0).findChildren<QPushButton*>())
            if (each->accessibleName() == name) return each;
        return nullptr;
    }
    QString current() { return m_window->bench().selection.current(); }
    // Drags along an axis of the parallel coordinates, between two places of it.
    void brush(int axis, double from, double to, Qt::KeyboardModifiers keys = {}) {
        auto& where = canvas(parameters(Parallel));
        const auto at = [&](double place) { return where.frame().toPixel(axis, place).toPoint(); };
        QTest::mousePress(&where, Qt::LeftButton, keys, at(from));
        for (const double share : {0.3, 0.6, 1.0}) moveTo(where, at(from + share * (to - from)), Qt::LeftButton, keys);
        QTest::mouseRelease(&where, Qt::LeftButton, keys, at(to));
    }

private Q_SLOTS:
    void initTestCase() {
        m_workspace.root = (m_folder.path() + QStringLiteral("/ws")).toStdString();
        std::filesystem::create_directories(m_workspace.root);
        testing::fillSampleWorkspace(m_workspace);
        addSearch(m_workspace);
    }
    void init() {
        QSettings().clear();
        open();
    }
    void cleanup() { m_window.reset(); }

    // Feature: the page of sweeps: a table that sorts and filters, reasons in words, brushes, one selection for table
    // and plots, every view exports. Also in headers_test, sweep_end_test.
    void theTableHasTheScoreFirstAndTheReasonInWords() {
        QStringList titles;
        for (int i = 0; i < model().columnCount(); ++i)
            titles << model().headerData(i, Qt::Horizontal, Qt::DisplayRole).toString();
        QCOMPARE(titles, (QStringList{"Trial", "Val accuracy", "lr", "activation", "Status", "Epochs", "Time"}));
        QCOMPARE(cell(0, TrialsModel::Number), QString("39")); // the best
        QVERIFY(model().isBest(0));
        QTRY_VERIFY(cell(0, model().statusColumn()).startsWith("stopped at")); // the decisions were read
        // Every one, not only those whose runs are followed.
        for (int row = 0; row < kTrials; ++row) {
            const Trial trial = model().trialAt(row);
            if (trial.run->row.trial == 0) {
                QCOMPARE(cell(row, model().statusColumn()), QString("finished, adopted trial 36 at epoch 3"));
                QCOMPARE(cell(row, model().statusColumn(), Qt::ToolTipRole),
                         QString("adopted trial 36 at epoch 3, and continues with optimizer.lr 0.02"));
                continue;
            }
            QCOMPARE(cell(row, model().statusColumn()),
                     trial.run->row.trial % 4 == 0
                         ? QString("finished")
                         : QString("stopped at epoch 1: %1, worse than the cut 0.95").arg(trial.score));
        }
        QVERIFY(cell(0, model().statusColumn(), Qt::ToolTipRole).startsWith("stopped early by asha at epoch 1"));
    }

    void aClickOnATitleSorts_data() {
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("firstBackwards");
        QTest::newRow("trial") << 0 << "0" << "39";
        QTest::newRow("score") << 1 << "0" << "39";
        QTest::newRow("number") << 2 << "0" << "39";
        QTest::newRow("choice, then by rank") << 3 << "38" << "39";
        QTest::newRow("status") << 4 << "36" << "39";
        QTest::newRow("epochs") << 5 << "39" << "36";
    }
    void aClickOnATitleSorts() {
        QFETCH(int, column);
        QFETCH(QString, first);
        QFETCH(QString, firstBackwards);
        QTRY_VERIFY(cell(0, model().statusColumn()).startsWith("stopped at")); // the decisions were read
        const QString before = current();
        table().sortByColumn(column, Qt::AscendingOrder);
        QCOMPARE(cell(0, TrialsModel::Number), first);
        table().sortByColumn(column, Qt::DescendingOrder);
        QCOMPARE(cell(0, TrialsModel::Number), firstBackwards);
        QCOMPARE(current(), before); // another order is no other choice
    }

    void theFilterKeepsWhatFits() {
        auto* field = m_window->findChild<SweepsPage*>()->findChild<UnitEdit*>();
        field->setText(QStringLiteral("status:finished"));
        QCOMPARE(model().rowCount(), kTrials / 4);
        field->setText(QStringLiteral("lr<"));
        QCOMPARE(model().rowCount(), kTrials); // a filter that is not understood hides nothing
        field->clear();
        QCOMPARE(model().rowCount(), kTrials);
    }

    void brushesFilterTableAndPlots() {
        brush(0, 0.5, 1.05); // the upper half of lr, on its log axis
        QCOMPARE(model().rowCount(), kTrials / 2);
        brush(1, -0.02, 0.5); // and the first of two choices
        QCOMPARE(model().rowCount(), kTrials / 4);
        for (int row = 0; row < model().rowCount(); ++row) QCOMPARE(cell(row, 3), QString("relu"));
        brush(1, 0.6, 1.0, Qt::ShiftModifier); // and the second as well
        QCOMPARE(model().rowCount(), kTrials / 2);
        QTRY_COMPARE(m_window->bench().selection.selected().size(), kTrials / 2); // whose curves are drawn
        QVERIFY(parameters(Parallel).hasFocus());
        QTest::keyClick(&parameters(Parallel), Qt::Key_Escape);
        QTRY_COMPARE(model().rowCount(), kTrials);
        brush(2, 0.9, 1.05); // the best scores
        QVERIFY(model().rowCount() > 0 && model().rowCount() < kTrials / 5);
        QTest::mouseDClick(&canvas(parameters(Parallel)), Qt::LeftButton, {}, QPoint(60, 80));
        QCOMPARE(model().rowCount(), kTrials);
    }

    void theSelectionIsShared() {
        auto& plot = parameters(Scatter);
        const Trial trial = model().trialAt(5);
        table().selectRow(5);
        QCOMPARE(current(), trial.run->id);
        QCOMPARE(plot.scene().current, trial.run->id);
        QCOMPARE(progress(Best).scene().current, trial.run->id);
        const QString other = model().trialAt(9).run->id;
        const QPointF dot = canvas(plot).frame().toPixel(
            std::pow(10.0, -3.0 + 3.0 * model().trialAt(9).run->row.trial / 39.0), model().trialAt(9).score);
        moveTo(canvas(plot), dot.toPoint());
        QTRY_COMPARE(m_window->bench().selection.hovered(), other);
        QCOMPARE(progress(Best).scene().hovered, other);
        QTest::mouseClick(&canvas(plot), Qt::LeftButton, {}, dot.toPoint());
        QCOMPARE(current(), other);
        QCOMPARE(table().currentIndex().row(), 9);
    }

    void aDoubleClickOpensTheRun() {
        const QString run = model().trialAt(3).run->id;
        const QPoint at = table().visualRect(model().index(3, 1)).center();
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, at);
        QTest::mouseDClick(table().viewport(), Qt::LeftButton, {}, at);
        QCOMPARE(current(), run);
        QTRY_VERIFY(!table().isVisible());
    }

    void rungsSayWhyATrialWasStopped() {
        auto& plot = progress(Rungs);
        QTRY_VERIFY(!plot.scene().layers.empty());
        const auto frame = canvas(plot).frame();
        const auto hit = plot.scene().layers.front()->hit(frame.toPixel(1, 0.5 + 0.01 * 30), frame);
        QVERIFY(hit.has_value());
        QCOMPARE(hit->tooltip.heading, QString("Trial 30"));
        QCOMPARE(hit->tooltip.footer, QString("stopped at epoch 1: 0.8, worse than the cut 0.95"));
    }

    void everyViewExports_data() {
        QTest::addColumn<int>("which");
        QTest::addColumn<int>("view");
        QTest::addColumn<QByteArray>("head");
        QTest::addColumn<int>("lines");
        QTest::newRow("parallel") << 0 << int(Parallel) << QByteArray("run,name,lr,activation,val/accuracy\n")
                                  << kTrials + 1;
        QTest::newRow("scatter") << 0 << int(Scatter) << QByteArray("run,name,lr,val/accuracy\n") << kTrials + 1;
        QTest::newRow("contour") << 0 << int(Contour) << QByteArray("run,name,lr,activation\n") << kTrials + 1;
        QTest::newRow("importance") << 0 << int(Importance) << QByteArray("name,row,from,share\n") << 3;
        QTest::newRow("pareto") << 0 << int(Pareto) << QByteArray("time/step,front of val/accuracy\n")
                                << 4 + kTrials + 2;
        QTest::newRow("rungs") << 1 << int(Rungs) << QByteArray("run,name,Epoch,val/accuracy,reason\n") << kTrials + 1;
        QTest::newRow("distribution") << 1 << int(Distribution) << QByteArray("val/accuracy,share\n") << kTrials + 2;
        QTest::newRow("timeline") << 1 << int(Timeline) << QByteArray("name,row,from (s),to (s)\n") << kTrials + 1;
    }
    void everyViewExports() {
        QFETCH(int, which);
        QFETCH(int, view);
        QFETCH(QByteArray, head);
        QFETCH(int, lines);
        panel(which).setCurrentIndex(view);
        auto* chart = panel(which).current()->chart();
        QTRY_VERIFY(!qobject_cast<Plot*>(chart)->scene().layers.empty());
        const QString csv = m_folder.filePath(QStringLiteral("view.csv")),
                      svg = m_folder.filePath(QStringLiteral("view.svg"));
        int done = 0;
        QString problem;
        const auto ended = [&](const QString& error) {
            ++done;
            problem += error;
        };
        chart->exportCsv(csv, ended);
        chart->exportChart(svg, ChartFormat::Svg, QSize(640, 400), ended);
        QTRY_COMPARE(done, 2);
        QCOMPARE(problem, QString());
        QFile text(csv), picture(svg);
        QVERIFY(text.open(QIODevice::ReadOnly) && picture.open(QIODevice::ReadOnly));
        const QByteArray all = text.readAll();
        QVERIFY2(all.startsWith(head), all.left(120));
        QCOMPARE(all.count('\n'), lines);
        QVERIFY(picture.readAll().contains("<svg"));
    }

    void aClickOnADotChoosesItsTrial() {
        auto& plot = parameters(Scatter);
        const QString wanted = model().trialAt(20).run->id;
        const double lr = std::pow(10.0, -3.0 + 3.0 * model().trialAt(20).run->row.trial / 39.0);
        QTest::mouseClick(&canvas(plot), Qt::LeftButton, {},
                          canvas(plot).frame().toPixel(lr, model().trialAt(20).score).toPoint());
        QCOMPARE(current(), wanted);
    }

    void theScatterIsOfTheChosenParameter() {
        QCOMPARE(parameters(Scatter).scene().x.title, QString("lr")); // first of all
        auto* choice = panel(0).findChild<QComboBox*>(QStringLiteral("scatterParameter"));
        choice->setFocus();
        QTest::keyClick(choice, Qt::Key_Down);
        QTRY_COMPARE(parameters(Scatter).scene().x.names, (QStringList{"relu", "tanh"}));
    }

    // Feature: the curves of a sweep by groups: a mean and a band for each value of a parameter, with a legend.
    void theCurvesAreOfGroups() {
        panel(1).setCurrentIndex(Curves);
        auto* choice = panel(1).findChild<QComboBox*>(QStringLiteral("curvesGroupBy"));
        QTRY_VERIFY(choice && choice->isVisible());
        QCOMPARE(choice->count(), 2); // each trial has a rate of its own
        QCOMPARE(choice->itemText(1), QStringLiteral("By activation"));
        const auto* card = panel(1).findChild<MetricCard*>();
        QTRY_COMPARE(static_cast<int>(card->curves().size()), kTrials);
        QVERIFY(!card->curves().first().group.isOneLine);
        choice->setFocus();
        QTest::keyClick(choice, Qt::Key_Down);
        QMap<QString, int> trialsOf;
        for (const CurveStyle& curve : card->curves()) trialsOf[curve.group.isOneLine ? curve.group.name : QString()]++;
        const QMap<QString, int> wanted{{"activation relu", kTrials / 2}, {"activation tanh", kTrials / 2}};
        QCOMPARE(trialsOf, wanted);
        QPointer<QAbstractButton> tanh;
        for (auto* each : panel(1).findChildren<QAbstractButton*>())
            if (each->text() == QLatin1String("activation tanh")) tanh = each;
        QTRY_VERIFY(tanh && tanh->isVisible());
        tanh->click();
        QCOMPARE(static_cast<int>(card->curves().size()), kTrials / 2);
        QTest::keyClick(choice, Qt::Key_Up);
        QCOMPARE(static_cast<int>(card->curves().size()), kTrials);
        QVERIFY(tanh.isNull()); // the legend has no entries
    }

    void itsAxesAreRemembered() {
        QVERIFY(parameters(Scatter).scene().x.range.log && !parameters(Scatter).scene().y.range.log);
        auto* x = toggle(QStringLiteral("Logarithmic x axis"));
        auto* y = toggle(QStringLiteral("Logarithmic y axis"));
        QVERIFY(x && y && x->isChecked() && !y->isChecked());
        x->click();
        y->click();
        QVERIFY(!parameters(Scatter).scene().x.range.log && parameters(Scatter).scene().y.range.log);
        m_window.reset();
        open();
        QCOMPARE(panel(0).currentIndex(), int(Scatter)); // and which view is shown
        QVERIFY(!parameters(Scatter).scene().x.range.log && parameters(Scatter).scene().y.range.log);
        QVERIFY(!toggle(QStringLiteral("Logarithmic x axis"))->isChecked());
    }

    void everyViewIsRemembered() {
        panel(0).setCurrentIndex(Pareto);
        m_window.reset();
        open();
        QCOMPARE(panel(0).currentIndex(), int(Pareto));
    }

    void aModeAgainstTheNameOfItsSeriesIsTold() {
        m_window.reset();
        const QTemporaryDir folder;
        const auto workspace = *store::Workspace::open(folder.path().toStdString());
        addSearch(workspace, "contrary", R"("scoreBy": "val/accuracy", "mode": "min")");
        MainWindow window(workspace);
        window.setPage(PageId::sweeps);
        window.show();
        const auto told = [&] {
            QStringList texts;
            for (const auto* label : window.findChildren<QLabel*>()) texts << label->toolTip();
            return texts.join(QLatin1Char('\n')).contains(QStringLiteral("; the lowest val accuracy is the best"));
        };
        QTRY_VERIFY(told());
    }

    // Of two series the table has both, and the front is what no other trial beats.
    void aSweepOfTwoSeriesShowsItsFront() {
        m_window.reset();
        const QTemporaryDir folder;
        const store::Workspace workspace{folder.path().toStdString()};
        addSearch(workspace, "pairs", R"("scoreBy": ["val/accuracy", "time/step"])");
        const auto before = std::exchange(m_workspace, workspace);
        open();
        m_workspace = before;
        QCOMPARE(model().headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(), QString("Time per step"));
        QCOMPARE(model().headerData(3, Qt::Horizontal, Qt::DisplayRole).toString(), QString("lr"));
        QStringList front;
        for (int row = 0; row < kTrials; ++row)
            if (model().isBest(row)) front << cell(row, 0) + QLatin1Char(' ') + cell(row, 2);
        front.sort();
        QCOMPARE(front, (QStringList{"36 0.1000", "37 0.2000", "38 0.3000", "39 0.4000"}));
        QVERIFY(cell(0, 2, Qt::ToolTipRole).endsWith("no other trial beats it in both series"));
        const auto* header = m_window->findChild<SweepsPage*>()->findChild<QTableView*>()->horizontalHeader();
        QCOMPARE(header->sortIndicatorSection(), -1); // the order is that of both
        model().sort(TrialsModel::Score, Qt::DescendingOrder);
        for (int row = 1; row < kTrials; ++row) QVERIFY(!(model().trialAt(row - 1).score < model().trialAt(row).score));
        model().sort(2, Qt::DescendingOrder);
        QCOMPARE(cell(0, 2), QString("0.4000"));
        const auto& plot = parameters(Pareto);
        QTRY_VERIFY(plot.title().startsWith("Pareto front: 4 of 40 trials"));
        QCOMPARE(plot.scene().x.title, QString("Time per step, smaller is better"));
    }

    // Which seed is the best says nothing; how far they lie apart does.
    // Feature: a sweep of seeds alone shows their spread, not a winner.
    void seedsAreNoCompetitors() {
        m_window.reset();
        const QTemporaryDir folder;
        const store::Workspace workspace{folder.path().toStdString()};
        addSeeds(workspace);
        const auto before = std::exchange(m_workspace, workspace);
        open(3);
        m_workspace = before;
        const auto* best = m_window->findChild<BestTrial*>();
        const auto says = [best](const QString& words) {
            const auto labels = best->findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(), [&](const QLabel* each) { return each->text() == words; });
        };
        QTRY_VERIFY(says("Spread over the seeds"));
        QVERIFY(says("The trials differ only in their seed, so any lead is chance: 0.9200 ± 0.0200 over 3 seeds."));
    }

    void aNarrowWindowCutsNoColumn_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<bool>("best"); // whether it has a column
        for (const int width : {720, 800, 900, 1000}) QTest::addRow("%d", width) << width << false;
        QTest::newRow("1280") << 1280 << true;
    }
    void aNarrowWindowCutsNoColumn() {
        QFETCH(int, width);
        QFETCH(bool, best);
        m_window->resize(width, 720);
        auto* page = m_window->findChild<SweepsPage*>();
        QTRY_COMPARE(m_window->width(), width);
        QTRY_COMPARE(page->findChild<BestTrial*>()->isVisible(), best);
        const auto* splitter = page->findChild<QSplitter*>();
        int shown = 0;
        for (int i = 0; i < splitter->count(); ++i) {
            const QWidget* column = splitter->widget(i);
            if (!column->isVisible()) continue;
            ++shown;
            const QRect place(column->mapTo(m_window.get(), QPoint()), column->size());
            QVERIFY2(m_window->rect().contains(place), qPrintable(QString::number(place.right())));
        }
        QCOMPARE(shown, best ? 3 : 2);
        for (const auto* choice : page->findChildren<SegmentedControl*>()) { // no view's name is cut off
            if (!choice->isVisible()) continue;
            QVERIFY(choice->width() >= choice->sizeHint().width());
            const QPoint end = choice->mapTo(m_window.get(), QPoint(choice->width(), 0));
            QVERIFY2(end.x() <= m_window->width(), qPrintable(QString::number(end.x())));
        }
    }

    // Feature: the table of trials ends with a whole column at every width; a status gives way before a number does.
    void theTableEndsWithAWholeColumn_data() {
        QTest::addColumn<int>("width");
        for (const int width : {260, 300, 336, 360, 401, 420, 500, 640}) QTest::addRow("%d", width) << width;
    }
    void theTableEndsWithAWholeColumn() {
        QFETCH(int, width);
        m_window->resize(1680, 900);
        auto* splitter = m_window->findChild<SweepsPage*>()->findChild<QSplitter*>();
        splitter->setSizes({width, splitter->width() - width - 300, 300});
        QTRY_COMPARE(table().width(), width);
        const int edge = table().viewport()->width(), status = model().columnCount() - 3;
        int shown = 0;
        for (int column = 0; column < model().columnCount(); ++column) {
            const int left = table().columnViewportPosition(column), right = left + table().columnWidth(column);
            QVERIFY2(right <= edge || left >= edge,
                     qPrintable(QStringLiteral("%1: %2 to %3 of %4").arg(column).arg(left).arg(right).arg(edge)));
            shown += right <= edge ? 1 : 0;
            if (column == status) continue;
            for (int row = 0; row < model().rowCount(); ++row) // and no number gives way
                QVERIFY(table().fontMetrics().horizontalAdvance(cell(row, column)) < table().columnWidth(column));
        }
        QVERIFY2(shown >= 2, qPrintable(QString::number(shown)));
    }

    void withoutSweepsItSaysWhatToDo() {
        m_window.reset();
        const QTemporaryDir folder;
        const store::Workspace workspace{folder.path().toStdString()};
        MainWindow window(workspace);
        window.resize(1280, 720);
        window.setPage(PageId::sweeps);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QLabel* why = nullptr;
        for (auto* label : window.findChild<SweepsPage*>()->findChildren<QLabel*>())
            if (label->isVisible() && label->text().startsWith(QLatin1String("A sweep trains"))) why = label;
        QVERIFY(why);
        QTRY_VERIFY(why->height() >= why->heightForWidth(why->width())); // no line is cut off
    }

    void aSweepWithoutAScheduleHasNoRungs() {
        QComboBox* sweeps = nullptr;
        for (auto* each : m_window->findChild<SweepsPage*>()->findChildren<QComboBox*>())
            if (each->accessibleName() == QLatin1String("Sweep")) sweeps = each;
        QVERIFY(sweeps);
        sweeps->setCurrentIndex(1);
        Q_EMIT sweeps->activated(1);
        QTRY_COMPARE(model().rowCount(), 4);
        panel(1).setCurrentIndex(Rungs);
        QTRY_VERIFY(progress(Rungs).scene().layers.empty() && !progress(Rungs).isVisible());
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-sweeps-page-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-sweeps-page-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    SweepsPageTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "sweeps_page_test.moc"
