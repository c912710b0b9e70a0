// SPDX-License-Identifier: GPL-3.0-or-later
// Runs side by side: what differs, in which order, and by how much.
#include "engine/run/actions/compare_groups.h"

#include <QTest>

#include <cmath>

using namespace trainyard;
using namespace trainyard::run;

namespace {

StoredRun comparedRun(const char* id, const char* lr, double loss, const char* torch) {
    store::RunRow row;
    row.id = id;
    row.name = std::string("run ") + id;
    row.status = wire::RunStatus::Finished;
    row.worldSize = 2;
    row.specJson = std::string(R"({"optimizer": {"name": "sgd", "lr": )") + lr + "}}";
    row.environmentJson = std::string(R"({"torch": ")") + torch + "\"}";
    store::SeriesSummary summary;
    summary.series = "val/loss";
    summary.count = 2;
    summary.min = loss;
    summary.max = summary.last = 2 * loss;
    return StoredRun(row, {summary});
}

const ComparedRow* rowOf(const Comparison& comparison, const std::string& name) {
    for (const ComparedRow& row : comparison.rows)
        if (row.name == name) return &row;
    return nullptr;
}

} // namespace

class CompareRunsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: runs side by side: results, settings, environment; differences only, any baseline; the same in the
    // terminal. Also in runs_table_test, same_answers_test.
    void whatDiffersIsKnown() {
        const auto comparison =
            compareRuns({comparedRun("a", "0.1", 0.5, "1.13"), comparedRun("b", "0.2", 0.25, "1.13")});
        QCOMPARE(comparison.names, (std::vector<std::string>{"run a", "run b"}));
        QStringList differing;
        for (const ComparedRow& row : comparison.rows) {
            QCOMPARE(row.values.size(), std::size_t{2});
            if (row.differs) differing << QString::fromStdString(row.name);
        }
        QCOMPARE(differing, (QStringList{"val/loss.best", "val/loss.last", "optimizer.lr"})); // results come first
        QCOMPARE(rowOf(comparison, "val/loss.best")->values, (std::vector<std::string>{"0.5", "0.25"}));
        QCOMPARE(rowOf(comparison, "torch")->part, ComparedRow::Part::Environment);
        QCOMPARE(rowOf(comparison, "workers")->values, (std::vector<std::string>{"2", "2"}));
    }

    // Groups of runs as columns: means with their spread, settings that the runs share, and those they do not.
    void groupsHaveMeans() {
        const auto runs = compareRuns({comparedRun("a", "0.1", 0.5, "1.13"), comparedRun("b", "0.2", 0.25, "1.13"),
                                       comparedRun("c", "0.2", 0.75, "1.13")});
        const auto groups =
            compareGroups(runs, {{"x", "first", {0}}, {"y", "others", {1, 2}}, {"z", "all", {0, 1, 2}}});
        QCOMPARE(groups.names, (std::vector<std::string>{"first", "others", "all"}));
        const ComparedRow& loss = *rowOf(groups, "val/loss.best");
        QCOMPARE(loss.numbers, (std::vector<double>{0.5, 0.5, 0.5}));
        QVERIFY(std::isnan(loss.spreads[0]));
        QVERIFY(std::abs(loss.spreads[1] - std::sqrt(0.125)) < 1e-12);
        QVERIFY(std::abs(loss.spreads[2] - 0.25) < 1e-12);
        QVERIFY(!loss.differs);
        QCOMPARE(rowOf(groups, "optimizer.lr")->values, (std::vector<std::string>{"0.1", "0.2", "0.1, 0.2"}));
        QVERIFY(rowOf(groups, "optimizer.lr")->differs);
        QVERIFY(compareGroups(runs, {}).rows.front().values.empty());
    }

    void whatARunDoesNotHaveIsEmpty() {
        auto other = comparedRun("b", "0.1", 0.5, "2.6");
        const auto comparison = compareRuns({StoredRun(store::RunRow{}, {}), other});
        QCOMPARE(rowOf(comparison, "optimizer.lr")->values, (std::vector<std::string>{"", "0.1"}));
        QVERIFY(rowOf(comparison, "optimizer.lr")->differs);
        QVERIFY(compareRuns({}).rows.empty());
    }

    void differencesAreOfTheBaseline_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<double>("baseline");
        QTest::addColumn<QString>("text");
        QTest::newRow("more") << 0.9 << 0.8 << "+12.5%";
        QTest::newRow("less") << 0.25 << 0.5 << "-50.0%";
        QTest::newRow("a little") << 0.50003 << 0.5 << "+0.01%";
        QTest::newRow("of something negative") << -1.0 << -2.0 << "+50.0%";
        QTest::newRow("many times as much") << 41.7 << 1.0 << "+4070%";
        QTest::newRow("nearly a thousand percent") << 10.996 << 1.0 << "+1000%";
        QTest::newRow("beyond all measure") << 1e9 << 1.0 << "";
        QTest::newRow("the same") << 0.5 << 0.5 << "";
        QTest::newRow("too little to read") << 0.500'02 << 0.5 << "";
        QTest::newRow("the least that is read") << 0.500'03 << 0.5 << "+0.01%";
        QTest::newRow("of nothing") << 0.5 << 0.0 << "";
        QTest::newRow("no number") << std::nan("") << 0.5 << "";
    }
    void differencesAreOfTheBaseline() {
        QFETCH(double, value);
        QFETCH(double, baseline);
        QFETCH(QString, text);
        ComparedRow row;
        row.part = ComparedRow::Part::Result;
        row.numbers = {baseline, value};
        QCOMPARE(QString::fromStdString(differenceText(row, 1, 0)), text);
        row.part = ComparedRow::Part::Setting; // a seed is no quantity
        QCOMPARE(differenceText(row, 1, 0), std::string());
    }

    void theScoreComesFirstAndTimingsFollowTheSettings() {
        std::vector<StoredRun> runs;
        for (const char* id : {"a", "b"}) {
            store::RunRow row;
            row.id = id;
            row.specJson = R"({"checkpoint": {"scoreBy": "zeta", "mode": "min"}})";
            const double value = *id == 'a' ? 1 : 2;
            std::vector<store::SeriesSummary> series;
            for (const char* name : {"grad", "time/comm", "val/accuracy", "zeta"}) {
                store::SeriesSummary summary;
                summary.series = name;
                summary.count = 1;
                summary.min = summary.max = summary.last = value;
                series.push_back(summary);
            }
            runs.emplace_back(row, series);
        }
        const auto comparison = compareRuns(runs);
        QStringList differing;
        for (const ComparedRow& row : comparison.rows)
            if (row.differs && row.name.ends_with(".best")) differing << QString::fromStdString(row.name);
        QCOMPARE(differing, (QStringList{"zeta.best", "val/accuracy.best", "grad.best", "time/comm.best"}));
        QCOMPARE(rowOf(comparison, "time/comm.best")->part, ComparedRow::Part::Timing);
    }

    void aRunIsBetterAsTheMetricSays_data() {
        QTest::addColumn<QString>("series");
        QTest::addColumn<int>("more"); // what more of it is
        QTest::newRow("a loss") << "val/loss" << static_cast<int>(Verdict::Worse);
        QTest::newRow("an accuracy") << "val/accuracy" << static_cast<int>(Verdict::Better);
        QTest::newRow("a name that says nothing") << "lr" << static_cast<int>(Verdict::Neither);
    }
    void aRunIsBetterAsTheMetricSays() {
        QFETCH(QString, series);
        QFETCH(int, more);
        ComparedRow row;
        row.better = spec::betterByName(series.toStdString());
        row.numbers = {0.5, 0.75, 0.5, std::nan(""), 0.500'02};
        row.differs = true;
        QCOMPARE(static_cast<int>(verdictOf(row, 1, 0)), more);
        QCOMPARE(static_cast<int>(verdictOf(row, 2, 0)), static_cast<int>(Verdict::Neither));
        QCOMPARE(static_cast<int>(verdictOf(row, 3, 0)), static_cast<int>(Verdict::Neither));
        QCOMPARE(static_cast<int>(verdictOf(row, 4, 0)), static_cast<int>(Verdict::Neither));
        QCOMPARE(isBestOf(row, 1), more == static_cast<int>(Verdict::Better));
        QCOMPARE(isBestOf(row, 0), more == static_cast<int>(Verdict::Worse));
        // Of groups whose means differ by 0.25.
        row.spreads = {0.1, 0.2, std::nan(""), std::nan(""), std::nan("")};
        QCOMPARE(static_cast<int>(verdictOf(row, 1, 0)), more);
        for (const std::size_t wide : {0, 1}) {
            auto noisy = row;
            noisy.spreads[wide] = 0.3;
            QCOMPARE(static_cast<int>(verdictOf(noisy, 1, 0)), static_cast<int>(Verdict::Neither));
        }
    }
};

QTEST_GUILESS_MAIN(CompareRunsTest)
#include "compare_runs_test.moc"
