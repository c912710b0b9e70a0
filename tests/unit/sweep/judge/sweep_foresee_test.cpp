// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of a sweep before it starts.
#include "engine/sweep/judge/foresee.h"
#include "tests/unit/sweep/sweep_simulation.h"

#include <QTest>

using namespace trainyard;
using namespace trainyard::sweep;

class SweepForeseeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: before a sweep starts: its configurations, runs, epochs at most and typically, and what `auto` takes and
    // why. Also in sweep_compose_test.
    void aSweepIsForeseen_data() {
        QTest::addColumn<QString>("space");
        QTest::addColumn<QString>("rest");
        QTest::addColumn<int>("configurations");
        QTest::addColumn<int>("trials");
        QTest::addColumn<int>("known"); // of the first 8
        QTest::addColumn<QString>("searcher");
        QTest::addColumn<double>("longest");
        QTest::addColumn<double>("least"); // bounds of what is typical
        QTest::addColumn<double>("greatest");
        const QString list = R"({"seed":[1,2,3]})", range = R"({"optimizer.lr":{"from":0.01,"to":1,"scale":"log"}})";
        QTest::newRow("grid") << list << R"("searcher":"grid")" << 3 << 3 << 3 << "grid" << 81. << 81. << 81.;
        QTest::newRow("automatic grid") << list << R"("searcher":"auto")" << 3 << 3 << 3 << "grid" << 81. << 81. << 81.;
        QTest::newRow("random, with seeds") << range << R"("searcher":"random","trials":10,"seeds":{"count":2})" << 10
                                            << 20 << 8 << "random" << 540. << 540. << 540.;
        QTest::newRow("learns after some") << range << R"("searcher":{"name":"tpe","startup":4},"trials":20)" << 20
                                           << 20 << 4 << "tpe" << 540. << 540. << 540.;
        QTest::newRow("automatic, learns")
            << range << R"("searcher":"auto","trials":20)" << 20 << 20 << 8 << "gp" << 540. << 540. << 540.;
        // 81 trials halved at 1, 3 and 9: 81 + 27·2 + 9·6 + 3·18.
        QTest::newRow("halving") << range << R"("searcher":"random","trials":81,"scheduler":"halving")" << 81 << 81 << 8
                                 << "random" << 2187. << 243. << 243.;
        QTest::newRow("asha") << range << R"("searcher":"random","trials":81,"scheduler":"asha")" << 81 << 81 << 8
                              << "random" << 2187. << 243. << 700.;
        QTest::newRow("thousands") << range << R"("searcher":"random","trials":90000,"scheduler":"asha")" << 90000
                                   << 90000 << 8 << "random" << 2430000. << 200000. << 700000.;
        QTest::newRow("the length varies") << R"({"epochs":[1,2,9]})" << R"("searcher":"grid","seeds":{"count":2})" << 3
                                           << 6 << 3 << "grid" << 24. << 24. << 24.;
    }
    void aSweepIsForeseen() {
        QFETCH(QString, space);
        QFETCH(QString, rest);
        QFETCH(QString, searcher);
        QFETCH(double, least);
        QFETCH(double, greatest);
        const auto sweep = test::sweepOf(space.toStdString(), rest.toStdString());
        QVERIFY2(sweep.ok(), sweep ? "" : sweep.error().text().c_str());
        const auto foreseen = foresee(*sweep, 8);
        QVERIFY2(foreseen.ok(), foreseen ? "" : foreseen.error().text().c_str());
        QTEST(foreseen->configurations, "configurations");
        QTEST(foreseen->trials, "trials");
        QTEST(foreseen->known, "known");
        QCOMPARE(QString::fromStdString(foreseen->searcher), searcher);
        QCOMPARE(foreseen->reason.empty(), sweep->searcher.name != "auto");
        QTEST(foreseen->longest, "longest");
        QVERIFY2(foreseen->typical >= least - 1e-6 && foreseen->typical <= greatest + 1e-6,
                 qPrintable(QString::number(foreseen->typical)));
    }

    // The configurations that are listed are those that the sweep begins with.
    void theFirstConfigurationsAreThoseThatAreTrained() {
        for (const char* searcher : {"random", "sobol", "tpe", "gp"}) {
            const std::string rest = "\"trials\":12,\"searcher\":\"" + std::string(searcher) + "\"";
            const auto sweep =
                test::sweepOf(R"({"optimizer.lr":{"from":0.01,"to":1,"scale":"log"},"seed":[1,2,3]})", rest);
            QVERIFY(sweep.ok());
            const auto foreseen = foresee(*sweep, 48);
            QVERIFY(foreseen.ok());
            auto judge = Judge::make(*sweep);
            QVERIFY(judge.ok());
            for (int trial = 0; trial < foreseen->known; ++trial) {
                const auto orders = judge->take({.kind = Event::Kind::SlotFree});
                QVERIFY(!orders.empty());
                QVERIFY2(orders.front().params == foreseen->first[static_cast<std::size_t>(orders.front().trial)],
                         searcher);
                judge->take(
                    {.kind = Event::Kind::Ended, .trial = orders.front().trial, .t = 27, .loss = 1.0 / (trial + 1)});
            }
        }
    }
};

QTEST_GUILESS_MAIN(SweepForeseeTest)
#include "sweep_foresee_test.moc"
