// SPDX-License-Identifier: GPL-3.0-or-later
// What schedulers make of trials that are compared by two series.
#include "tests/unit/sweep/sweep_simulation.h"

#include <QTest>

#include <cmath>

using namespace trainyard;
using namespace trainyard::sweep;

namespace {

// Over a learning rate, compared by val/loss and time/step.
Result<spec::SweepSpec> pairedSweep(int trials, const std::string& scheduler, int epochs) {
    return spec::parseSweepSpec(R"({"scoreBy":["val/loss","time/step"],"searcher":"random","failure":{"maxShare":1},)"
                                R"("space":{"optimizer.lr":{"from":0.0001,"to":1,"scale":"log"}},"run":{"epochs":)" +
                                std::to_string(epochs) + R"(},"trials":)" + std::to_string(trials) +
                                R"(,"scheduler":)" + scheduler + "}");
}

Judge judgeOf(int trials, const std::string& scheduler, int epochs = 3) {
    const auto spec = pairedSweep(trials, scheduler, epochs);
    if (!spec) qFatal("%s", spec.error().text().c_str());
    const auto checked = checkedSweep(*spec);
    if (!checked) qFatal("%s", checked.error().text().c_str());
    return std::move(*Judge::make(*checked));
}

} // namespace

class SweepPairSchedulersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // What halving makes of pairs: a front goes on before what it beats, and on it the trial with most of its volume.
    void trialsAreHalvedByTheirFronts() {
        Judge judge = judgeOf(4, R"({"name":"halving","factor":2})");
        for (int i = 0; i < 4; ++i) judge.take({.kind = Event::Kind::SlotFree});
        const double t = judge.nextReport(0);
        const auto report = [&](int trial, double first, double second) {
            return judge.take({.kind = Event::Kind::Report, .trial = trial, .t = t, .loss = first, .second = second});
        };
        report(0, 1, 8);
        report(1, 4, 4); // of the front with 0 the one with more volume
        report(2, 5, 5); // beaten
        QCOMPARE(judge.trials()[2].wanted, Wanted::Paused);
        const auto orders = report(3, 2, qQNaN());
        QCOMPARE(orders.front().trial, 3); // no pair
        QCOMPARE(judge.trials()[3].wanted, Wanted::Stopped);
        QCOMPARE(judge.trials()[2].wanted, Wanted::Stopped); // of the other three ⌈3/2⌉ go on
        QVERIFY(judge.trials()[0].wanted == Wanted::Paused && judge.trials()[1].wanted == Wanted::Paused);
        QCOMPARE(judge.take({.kind = Event::Kind::SlotFree}).front().trial, 1);
    }

    // At a rung a trial goes on that none of the earlier ones beats, and is stopped where too many do.
    void ashaStopsByPlaces() {
        Judge judge = judgeOf(8, R"({"name":"asha","factor":2})");
        for (int i = 0; i < 8; ++i) judge.take({.kind = Event::Kind::SlotFree});
        const double t = judge.nextReport(0);
        const auto goesOn = [&](int trial, double first, double second) {
            judge.take({.kind = Event::Kind::Report, .trial = trial, .t = t, .loss = first, .second = second});
            return judge.trials()[static_cast<std::size_t>(trial)].wanted == Wanted::Running;
        };
        QVERIFY(goesOn(0, 1, 8));        // the first
        QVERIFY(goesOn(1, 8, 1));        // as good in another way
        QVERIFY(!goesOn(2, 9, 9));       // worse than both
        QVERIFY(goesOn(3, 4, 4));        // between them
        QVERIFY(!goesOn(4, 2, qQNaN())); // no pair
        QVERIFY(!goesOn(5, 5, 5));       // beaten by one, and last but one
        QVERIFY(goesOn(6, 0.5, 0.5));    // beats all
        QVERIFY(!goesOn(7, 1, 8));       // beaten now
    }

    void ashaPromotesByFronts() {
        Judge judge = judgeOf(4, R"({"name":"asha","factor":2,"mode":"promote"})");
        for (int i = 0; i < 4; ++i) judge.take({.kind = Event::Kind::SlotFree});
        const double t = judge.nextReport(0);
        const std::vector<LossPair> losses{{1, 8}, {5, 5}, {4, 4}, {8, 1}};
        for (int i = 0; i < 4; ++i) {
            const auto [first, second] = losses[static_cast<std::size_t>(i)];
            judge.take({.kind = Event::Kind::Report, .trial = i, .t = t, .loss = first, .second = second});
            QCOMPARE(judge.trials()[static_cast<std::size_t>(i)].wanted, Wanted::Paused);
        }
        QCOMPARE(judge.take({.kind = Event::Kind::SlotFree}).front().trial,
                 2); // of its front the one that is missed most
        QCOMPARE(judge.take({.kind = Event::Kind::SlotFree}).front().trial, 0); // the second of two
        QCOMPARE(judge.trials()[1].wanted, Wanted::Paused);
    }

    // A trial is stopped that more than half of the others' means stand before, with the best it had of each series.
    void theMedianRuleGoesByPlaces_data() {
        struct Report {
            int trial;
            double t, first, second;
            bool goesOn;
        };
        QTest::addColumn<QString>("options");
        QTest::addColumn<QList<QVariantList>>("reports");
        const auto row = [](const char* name, const char* options, const std::vector<Report>& reports) {
            QList<QVariantList> list;
            for (const Report& each : reports)
                list.append(QVariantList{each.trial, each.t, each.first, each.second, each.goesOn});
            QTest::newRow(name) << QString(options) << list;
        };
        row("too few to compare", "", {{0, 1, 1, 8, true}, {1, 1, 8, 1, true}, {2, 1, 9, 9, true}});
        row("beaten by half", "",
            {{0, 1, 1, 8, true}, {1, 1, 8, 1, true}, {2, 1, 9, 9, true}, {3, 1, 8.5, 8.5, false}});
        row("little of the front", "", // both others on it stand before it
            {{0, 1, 1, 8, true}, {1, 1, 8, 1, true}, {2, 1, 9, 9, true}, {3, 1, 0.5, 99, false}});
        row("beats one", "", {{0, 1, 1, 8, true}, {1, 1, 8, 1, true}, {2, 1, 9, 9, true}, {3, 1, 0.5, 6, true}});
        row("between", "", {{0, 1, 1, 8, true}, {1, 1, 8, 1, true}, {2, 1, 9, 9, true}, {3, 1, 4, 4, true}});
        row("no pair", "", {{0, 1, 1, 8, true}, {1, 1, 2, qQNaN(), false}});
        row("before the grace", R"(,"grace":2,"minTrials":1)", {{0, 1, 1, 1, true}, {1, 1, 9, 9, true}});
        row("its best was early", R"(,"minTrials":1)", // the others' mean at 2 is (3, 3), its best (2, 2)
            {{0, 1, 1, 1, true}, {0, 2, 5, 5, true}, {1, 1, 1, 1, true}, {1, 2, 9, 9, true}});
        row("its best was worse", R"(,"minTrials":1)",
            {{0, 1, 1, 1, true}, {0, 2, 1, 1, true}, {1, 1, 1, 1, true}, {1, 2, 9, 9, true}, {2, 1, 9, 9, false}});
    }
    void theMedianRuleGoesByPlaces() {
        QFETCH(QString, options);
        QFETCH(QList<QVariantList>, reports);
        Judge judge = judgeOf(4, R"({"name":"median")" + options.toStdString() + "}");
        for (int i = 0; i < 4; ++i) judge.take({.kind = Event::Kind::SlotFree});
        for (const QVariantList& each : reports) {
            const int trial = each[0].toInt();
            judge.take({.kind = Event::Kind::Report,
                        .trial = trial,
                        .t = each[1].toDouble(),
                        .loss = each[2].toDouble(),
                        .second = each[3].toDouble()});
            const auto wanted = judge.trials()[static_cast<std::size_t>(trial)].wanted;
            QVERIFY2((wanted == Wanted::Running) == each[4].toBool(), qPrintable(QString::number(trial)));
        }
    }

    // A population whose trials lie on one front has none to give up; the one that is beaten adopts.
    void aPopulationIsRankedByFronts() {
        Judge judge = judgeOf(4, R"({"name":"pbt","mutate":"optimizer.lr","quantile":0.25})");
        for (int i = 0; i < 4; ++i) judge.take({.kind = Event::Kind::SlotFree});
        const auto adopts = [&](int trial, double t, double first, double second) {
            const auto orders =
                judge.take({.kind = Event::Kind::Report, .trial = trial, .t = t, .loss = first, .second = second});
            return !orders.empty() && orders.front().kind == Order::Kind::Adopt ? orders.front().donor : -1;
        };
        QCOMPARE(adopts(0, 1, 1, 8), -1);
        QCOMPARE(adopts(1, 1, 8, 1), -1);
        QCOMPARE(adopts(2, 1, 4, 4), -1);
        QCOMPARE(adopts(3, 1, 9, 9), 2); // the best of the front
        QCOMPARE(adopts(0, 2, 1, 8), -1);
    }

    // What stops, pauses or copies trials by pairs loses none of them, and is known again from what was recorded.
    void schedulersHoldWithPairs_data() {
        QTest::addColumn<QString>("scheduler");
        for (const char* scheduler :
             {R"("asha")", R"({"name":"asha","factor":2,"brackets":2})", R"({"name":"asha","mode":"promote"})",
              R"("halving")", R"("hyperband")", R"("median")",
              R"({"name":"median","grace":2,"interval":2,"minTrials":1})", R"({"name":"pbt","mutate":"optimizer.lr"})",
              R"({"name":"pbt","mutate":"optimizer.lr","interval":3,"synchronous":true})"})
            QTest::newRow(scheduler) << QString(scheduler);
    }
    void schedulersHoldWithPairs() {
        QFETCH(QString, scheduler);
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            Judge judge = judgeOf(40, scheduler.toStdString(), 27);
            test::Simulation simulation(judge, {.slots = 1 + static_cast<int>(seed % 5),
                                                .failShare = seed % 2 == 0 ? 0.05 : 0,
                                                .seed = seed,
                                                .loss = test::trainingLoss,
                                                .second = [](int trial, const spec::Params& params, double t) {
                                                    return trial % 11 == 3 && t > 4
                                                               ? qQNaN()
                                                               : 1 - test::trainingLoss(trial + 1, params, t);
                                                }});
            std::vector<Event> told;
            std::map<std::size_t, std::string> states; // by how much was told
            simulation.heard = [&](const Event&, const std::vector<Order>&) {
                for (Event& event : judge.takeRecord()) told.push_back(std::move(event));
                states[told.size()] = judge.state();
            };
            QCOMPARE(QString::fromStdString(simulation.run()), QString());
            Judge restored = judgeOf(40, scheduler.toStdString(), 27);
            for (std::size_t i = 0; i < told.size(); ++i) {
                restored.replay(told[i]);
                if (const auto known = states.find(i + 1); known != states.end())
                    QCOMPARE(restored.state(), known->second);
            }
            QVERIFY(seed % 2 == 0 || simulation.ended() >= 1);
        }
    }
};

QTEST_GUILESS_MAIN(SweepPairSchedulersTest)
#include "sweep_pair_schedulers_test.moc"
