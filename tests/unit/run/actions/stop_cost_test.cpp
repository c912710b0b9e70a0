// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/actions/stop_cost.h"
#include "engine/spec/run/run_spec.h"

#include <QTest>

using namespace trainyard;

class StopCostTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aStopSaysWhatItCosts_data() {
        QTest::addColumn<QList<int>>("checkpoints"); // their steps; negative: superseded
        QTest::addColumn<QString>("text");
        QTest::newRow("none") << QList<int>{}
                              << "No checkpoint is complete yet: unless the program saves when it is "
                                 "asked to end, all 1,250 steps are lost.";
        QTest::newRow("some") << QList<int>{500, 1000}
                              << "The newest complete checkpoint is of step 1,000: unless the program saves when it is "
                                 "asked to end, the 250 steps after it are lost.";
        QTest::newRow("just saved") << QList<int>{1000, 1250}
                                    << "The newest complete checkpoint is of step 1,250: no step is lost.";
        QTest::newRow("of a step that is not told yet")
            << QList<int>{1260} << "The newest complete checkpoint is of step 1,260: no step is lost.";
        QTest::newRow("one that is not resumed from")
            << QList<int>{500, -1240}
            << "The newest complete checkpoint is of step 500: unless the program saves when "
               "it is asked to end, the 750 steps after it are lost.";
    }
    // Feature: a stop of a program says which steps would be lost.
    void aStopSaysWhatItCosts() {
        QFETCH(QList<int>, checkpoints);
        QFETCH(QString, text);
        const auto cost = run::stopCost(running(true), rowsOf(checkpoints));
        QVERIFY(cost);
        QCOMPARE(QString::fromStdString(cost->sentence().text()), text);
    }
    void othersCostNothing() {
        QVERIFY(!run::stopCost(running(false), rowsOf({100})));
        auto ended = running(true);
        ended.status = wire::RunStatus::Finished;
        QVERIFY(!run::stopCost(ended, rowsOf({100})));
    }
    void nothingIsLostOfNothing() {
        auto begun = running(true);
        begun.step = 0;
        QCOMPARE(run::stopCost(begun, {})->sentence().text(), std::string("No checkpoint is complete yet."));
    }

private:
    static store::RunRow running(bool isProgram) {
        spec::Program program;
        program.script = "train.py";
        store::RunRow row;
        row.status = wire::RunStatus::Running;
        row.step = 1250;
        row.specJson = spec::toJson(isProgram ? spec::programRun(program) : spec::RunSpec{});
        return row;
    }
    static std::vector<store::CheckpointRow> rowsOf(const QList<int>& steps) {
        std::vector<store::CheckpointRow> rows;
        for (const int step : steps) {
            store::CheckpointRow row;
            row.step = std::abs(step);
            row.superseded = step < 0;
            rows.push_back(row);
        }
        return rows;
    }
};

QTEST_GUILESS_MAIN(StopCostTest)
#include "stop_cost_test.moc"
