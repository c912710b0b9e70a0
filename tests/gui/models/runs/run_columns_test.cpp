// SPDX-License-Identifier: GPL-3.0-or-later
// The values behind the runs table: columns, their text and order; groupings and their means; sweeps that fold.
#include "engine/spec/run/run_spec.h"
#include "tests/gui/sample_workspace.h"
#include "ui/actions/run_dialogs.h"
#include "ui/models/runs/runs_model.h"
#include "ui/models/text/format.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace trainyard;
using namespace trainyard::ui;

namespace {

using Kind = RunColumn::Kind;

std::shared_ptr<RunItem> runItem(const QString& name, double lr, int seed, double best, const QString& sweep = {}) {
    store::RunRow row;
    row.id = row.name = name.toStdString();
    row.status = wire::RunStatus::Finished;
    row.tags = "first second";
    row.notes = "one\ntwo";
    row.sweep = sweep.toStdString();
    row.trial = sweep.isEmpty() ? -1 : seed;
    row.createdMs = 1000 + seed;
    row.finishedMs = 5000;
    row.trainSeconds = 75;
    row.epoch = 3;
    row.step = 1200;
    row.worldSize = 2;
    row.specJson = testing::sampleRunJson({name, QStringLiteral("finished"), lr});
    auto spec = *spec::parseRunSpec(row.specJson);
    spec.seed = seed;
    row.specJson = spec::toJson(spec);
    auto run = makeRunItem(row);
    store::SeriesSummary summary;
    summary.series = "val/accuracy";
    summary.count = 3;
    summary.max = best;
    summary.last = best - 0.1;
    summary.min = 0.01;
    run->series = {summary};
    run->best = best;
    return run;
}

QStringList titlesOf(const RunsModel& model, const QModelIndex& parent = {}) {
    QStringList titles;
    for (int row = 0; row < model.rowCount(parent); ++row) titles << model.index(row, 0, parent).data().toString();
    return titles;
}

} // namespace

class RunColumnsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: the runs table: columns by choice, sorted, moved, drawn wider, remembered; trials folded under their
    // sweep; groups with mean and spread. Also in runs_table_test.
    void columnsSurviveBeingText() {
        QList<RunColumn> columns{RunColumn{},
                                 seriesColumn("val/loss", run::Aspect::Last),
                                 settingColumn(QStringLiteral("model.params.dropout")),
                                 {Kind::Age}};
        columns[0].width = 200;
        columns[2].width = 90;
        QList<RunColumn> back = columnsFromText(columnsToText(columns));
        back[0].width = 200; // the first one fills what is left
        QCOMPARE(back, columns);
    }

    void whatCannotBeReadIsLeftOut_data() {
        QTest::addColumn<QStringList>("text");
        QTest::addColumn<QStringList>("columns");
        const QStringList standard{"name 0", "trend 0", "score 0", "age 0"};
        QTest::newRow("nothing saved") << QStringList{} << standard;
        QTest::newRow("nothing known") << QStringList{"weight 80", "series 80", "setting: 3"} << standard;
        QTest::newRow("the name comes first") << QStringList{"age 50", "name 10"} << QStringList{"name 0", "age 50"};
        QTest::newRow("each once") << QStringList{"epoch 40", "epoch 80"} << QStringList{"name 0", "epoch 40"};
        QTest::newRow("a width that is none") << QStringList{"epoch -4"} << QStringList{"name 0", "epoch 0"};
    }
    void whatCannotBeReadIsLeftOut() {
        QFETCH(QStringList, text);
        QFETCH(QStringList, columns);
        QCOMPARE(columnsToText(columnsFromText(text)), columns);
    }

    void cellsHaveTheirText_data() {
        QTest::addColumn<RunColumn>("column");
        QTest::addColumn<QString>("title");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("tip");
        const auto row = [](const char* name, const RunColumn& column, const char* title, const char* text,
                            const char* tip) {
            QTest::newRow(name) << column << QString::fromUtf8(title) << QString::fromUtf8(text)
                                << QString::fromUtf8(tip);
        };
        row("score", {Kind::Score}, "Best score", "0.9123", "val/accuracy 0.912345678, step 0");
        row("last", seriesColumn("val/accuracy", run::Aspect::Last), "Val accuracy last", "0.8123", "0.812345678");
        row("least", seriesColumn("val/accuracy", run::Aspect::Min), "Val accuracy min", "0.0100", "0.01");
        row("no such series", seriesColumn("val/loss", run::Aspect::Best), "Val loss best", "–", "nan");
        row("setting", settingColumn(QStringLiteral("optimizer.lr")), "lr", "0.1", "optimizer.lr 0.1");
        row("no such setting", settingColumn(QStringLiteral("model.depth")), "depth", "–", "model.depth");
        row("time", {Kind::Time}, "Time", "1:15", "75 s");
        row("workers", {Kind::Workers}, "Workers", "2", "2");
        row("hosts", {Kind::Hosts}, "Hosts", "local", "local");
        row("tags", {Kind::Tags}, "Tags", "first second", "first second");
        row("notes on one line", {Kind::Notes}, "Notes", "one two", "one\ntwo");
    }
    void cellsHaveTheirText() {
        QFETCH(RunColumn, column);
        QFETCH(QString, title);
        QFETCH(QString, text);
        QFETCH(QString, tip);
        const auto run = runItem("a", 0.1, 1, 0.912345678);
        QCOMPARE(columnTitle(column), title);
        QCOMPARE(textIn(*run, column), text);
        QVERIFY2(tipIn(*run, column).contains(tip), qPrintable(tipIn(*run, column)));
    }

    void aRunThatTrainsSaysHowFarItIs() {
        RunsModel model;
        auto row = runItem("a", 0.1, 1, 0.7)->row;
        row.status = wire::RunStatus::Running;
        row.step = 629;
        row.totalSteps = 1000;
        model.apply({{makeRunItem(row), runItem("b", 0.1, 1, 0.7)}, {}});
        const auto spoken = [&model](const QString& run) {
            const QModelIndex name = model.indexOf(run);
            return name.siblingAtColumn(model.columnCount() - 1).data(Qt::AccessibleTextRole).toString();
        };
        QCOMPARE(spoken("a"), QStringLiteral("Running, 62%"));
        QVERIFY2(!spoken("b").contains('%'), qPrintable(spoken("b")));
    }

    void rowsWithoutAValueComeLast() {
        const double none = std::numeric_limits<double>::quiet_NaN();
        for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            QVERIFY(compareValues({1, {}}, {none, {}}, order) < 0);
            QVERIFY(compareValues({none, "word"}, {none, {}}, order) < 0);
            QVERIFY(compareValues({1, {}}, {none, "word"}, order) < 0);
        }
        QVERIFY(compareValues({1, {}}, {2, {}}, Qt::AscendingOrder) < 0);
        QVERIFY(compareValues({1, {}}, {2, {}}, Qt::DescendingOrder) > 0);
        QVERIFY(compareValues({none, "a"}, {none, "b"}, Qt::DescendingOrder) > 0);
    }

    void aColumnSorts() {
        RunsModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setColumns({{Kind::Name}, settingColumn(QStringLiteral("optimizer.lr")), {Kind::Score}});
        model.apply({{runItem("a", 0.1, 1, 0.7), runItem("b", 0.01, 2, 0.9), runItem("c", 0.3, 3, 0.8)}, {}});
        QCOMPARE(titlesOf(model, model.index(0, 0)), (QStringList{"c", "b", "a"})); // the newest first
        model.sort(1, Qt::AscendingOrder);
        QCOMPARE(titlesOf(model, model.index(0, 0)), (QStringList{"b", "a", "c"}));
        model.sort(2, Qt::DescendingOrder);
        QCOMPARE(titlesOf(model, model.index(0, 0)), (QStringList{"b", "c", "a"}));
        model.apply({{runItem("a", 0.1, 1, 0.95)}, {}}); // a better one moves up
        QCOMPARE(titlesOf(model, model.index(0, 0)), (QStringList{"a", "b", "c"}));
        QVERIFY(model.indexOf("c").isValid());
        model.sort(-1);
        QCOMPARE(titlesOf(model, model.index(0, 0)), (QStringList{"c", "b", "a"}));
    }

    void trialsStandBelowTheirSweep() {
        RunsModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        store::SweepRow sweep;
        sweep.id = "s";
        sweep.name = "rates";
        sweep.status = wire::RunStatus::Finished;
        sweep.createdMs = 2000;
        model.setSweeps({sweep});
        model.apply({{runItem("own", 0.1, 1, 0.7), runItem("t1", 0.01, 2, 0.9, "s"), runItem("t2", 0.3, 3, 0.8, "s"),
                      runItem("lost", 0.3, 4, 0.6, "gone")},
                     {}});
        QCOMPARE(titlesOf(model), QStringList{"Finished"});
        const QModelIndex finished = model.index(0, 0);
        QCOMPARE(titlesOf(model, finished), (QStringList{"rates", "lost", "own"}));
        const QModelIndex trials = model.index(0, 0, finished);
        QVERIFY(trials.data(RunsModel::IsSweepRole).toBool());
        QCOMPARE(titlesOf(model, trials), (QStringList{"t2", "t1"}));
        QCOMPARE(trials.siblingAtColumn(2).data().toString(), QStringLiteral("0.9000")); // of the best trial
        QCOMPARE(model.shown(), 4);
        model.setFilter(RunFilter("t1"));
        QCOMPARE(titlesOf(model, model.index(0, 0, model.index(0, 0))), QStringList{"t1"});
        model.setFilter({});
        model.apply({{}, {"t1", "t2"}});
        QCOMPARE(titlesOf(model, model.index(0, 0)), (QStringList{"lost", "own"}));
    }

    void configurationsHaveTheMeanOfTheirSeeds() {
        RunsModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setColumns({{Kind::Name}, {Kind::Score}, {Kind::Tags}});
        model.setGrouping({RunGrouping::By::Configuration});
        model.apply({{runItem("a1", 0.1, 1, 0.7), runItem("a2", 0.1, 2, 0.9), runItem("b1", 0.2, 1, 0.6)}, {}});
        QCOMPARE(titlesOf(model), (QStringList{"lr 0.1", "lr 0.2"}));
        QCOMPARE(model.index(0, 0).data(RunsModel::CountRole).toInt(), 2);
        QCOMPARE(model.index(0, 1).data().toString(), QStringLiteral("0.8000 ± 0.1414"));
        QCOMPARE(model.index(1, 1).data().toString(), QStringLiteral("0.6000"));
        QCOMPARE(model.index(0, 2).data().toString(), QString());
        QCOMPARE(model.runsBelow(model.index(0, 0)).size(), 2);
        model.apply({{runItem("a1", 0.1, 1, 0.9)}, {}}); // the mean follows
        QCOMPARE(model.index(0, 1).data().toString(), QStringLiteral("0.9000 ± 0.0000"));
        model.setGrouping({RunGrouping::By::Setting, "seed"});
        QCOMPARE(titlesOf(model), (QStringList{"seed 1", "seed 2"}));
        model.sort(1, Qt::DescendingOrder); // by the mean
        model.apply({{runItem("a2", 0.1, 2, 0.2)}, {}});
        model.sort(1, Qt::AscendingOrder);
        QCOMPARE(titlesOf(model), (QStringList{"seed 2", "seed 1"}));
    }

    // Feature: groups are called by what differs among the runs that pass the filter, and keep their colours.
    void groupsAreNamedWithinTheFilter() {
        RunsModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setGrouping({RunGrouping::By::Configuration});
        const auto adam = [](const QString& name, double lr) {
            auto row = runItem(name, lr, 7, 0.8)->row;
            auto spec = *spec::parseRunSpec(row.specJson);
            spec.optimizer.name = "adam";
            row.specJson = spec::toJson(spec);
            return makeRunItem(row);
        };
        model.apply(
            {{runItem("a1", 0.1, 1, 0.7), runItem("a2", 0.1, 2, 0.9), runItem("b", 0.2, 3, 0.6), adam("c", 0.1)}, {}});
        QCOMPARE(titlesOf(model), (QStringList{"lr 0.1, adam", "lr 0.1, sgd", "lr 0.2, sgd"}));
        const auto colorOf = [&model](int row) {
            return model.index(row, 0).data(RunsModel::GroupColorRole).value<RunColor>().index;
        };
        QCOMPARE((QList<int>{colorOf(0), colorOf(1), colorOf(2)}), (QList<int>{2, 0, 1})); // by age
        QVERIFY(model.index(0, 0).data(Qt::ToolTipRole).toString().contains("optimizer adam"));
        model.setFilter(RunFilter("optimizer=sgd"));
        QCOMPARE(titlesOf(model), (QStringList{"lr 0.1", "lr 0.2"}));
        QCOMPARE((QList<int>{colorOf(0), colorOf(1)}), (QList<int>{0, 1}));
        QCOMPARE(model.groups().size(), std::size_t(2));
        QCOMPARE(model.groups()[0].runs.size(), 2);
        model.setFilter({});
        model.apply({{}, {"a1", "a2"}}); // the colours of the others stay
        QCOMPARE(titlesOf(model), (QStringList{"lr 0.1", "lr 0.2"}));
        QCOMPARE((QList<int>{colorOf(0), colorOf(1)}), (QList<int>{2, 1}));
        model.setGrouping({});
        QVERIFY(model.groups().empty());
        QVERIFY(!model.index(0, 0).data(RunsModel::GroupColorRole).isValid());
    }

    void agesTickAsOftenAsTheyChange_data() {
        QTest::addColumn<qint64>("age");
        QTest::addColumn<int>("next");
        QTest::newRow("seconds") << qint64(5'000) << 1'000;
        QTest::newRow("minutes") << qint64(60'000) << 20'000;
        QTest::newRow("hours") << qint64(7'200'000) << 300'000;
    }
    void agesTickAsOftenAsTheyChange() {
        QFETCH(qint64, age);
        QFETCH(int, next);
        QCOMPARE(ageTickMs(1'000'000, 1'000'000 + age), next);
    }

    void timeLeftHasItsWords_data() {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("words");
        QTest::newRow("seconds") << 12.2 << "13 s left";
        QTest::newRow("minutes") << 130.0 << "2 min left";
        QTest::newRow("hours") << 5400.0 << "1.5 h left";
        QTest::newRow("a day") << 90000.0 << "25 h left";
        QTest::newRow("unknown") << -1.0 << "";
    }
    void timeLeftHasItsWords() {
        QFETCH(double, seconds);
        QFETCH(QString, words);
        QCOMPARE(leftText(seconds), words);
    }

    void groupingsSurviveBeingText() {
        for (const RunGrouping& each : {RunGrouping{}, RunGrouping{RunGrouping::By::Configuration},
                                        RunGrouping{RunGrouping::By::Setting, "optimizer.lr"}})
            QCOMPARE(groupingFromText(groupingToText(each)), each);
        QCOMPARE(groupingFromText("moon"), RunGrouping{});
    }

    void theHeaderNamesTheScore() {
        RunsModel model;
        model.apply({{runItem("a", 0.1, 1, 0.7), runItem("b", 0.1, 2, 0.7)}, {}});
        QCOMPARE(model.headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("Val accuracy"));
        auto other = runItem("c", 0.1, 3, 0.7);
        other->scoreSeries = QStringLiteral("val/loss");
        model.apply({{other}, {}});
        QCOMPARE(model.headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("Best score"));
        const auto nameIn = [&model](const QString& run) {
            return model.indexOf(run).siblingAtColumn(2).data(RunsModel::ScoreSeriesRole).toString();
        };
        QCOMPARE(nameIn("c"), QStringLiteral("val loss")); // the cells say it where the header cannot
        QCOMPARE(nameIn("a"), QStringLiteral("val accuracy"));
        model.setColumns({{Kind::Name}, {Kind::Status}, {Kind::Score}});
        model.setGrouping({RunGrouping::By::Configuration});
        QCOMPARE(model.index(0, 2).data().toString(), QStringLiteral("–")); // no mean of different things
        model.apply({{}, {"c"}});
        QCOMPARE(nameIn("a"), QString());
    }

    void tagsAreAddedAndTaken_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("tags");
        QTest::newRow("added") << "c" << "a b c";
        QTest::newRow("taken") << "-a" << "b";
        QTest::newRow("both") << "c -b" << "a c";
        QTest::newRow("had already") << "a" << "b a";
        QTest::newRow("nothing") << "  " << "a b";
        QTest::newRow("a sign alone") << "-" << "a b";
    }
    void tagsAreAddedAndTaken() {
        QFETCH(QString, words);
        QFETCH(QString, tags);
        QCOMPARE(changedTags({"a", "b"}, words).join(' '), tags);
    }
};

QTEST_MAIN(RunColumnsTest)
#include "run_columns_test.moc"
