// SPDX-License-Identifier: GPL-3.0-or-later
// Population based training: that it helps, what its mutations keep to, and what it cannot be asked for.
#include "engine/sweep/schedule/mutation.h"
#include "tests/unit/sweep/sweep_simulation.h"

#include <QTest>

#include <cmath>
#include <map>

using namespace trainyard;
using namespace trainyard::sweep;

namespace {

const char* const kRate = R"({"optimizer.lr":{"from":0.0001,"to":1,"scale":"log"}})";

// Of 24 trials.
Judge judgeOf(const std::string& scheduler) {
    const auto spec = test::sweepOf(kRate, R"("trials":24,"searcher":"random","scheduler":)" + scheduler);
    if (!spec) qFatal("%s", spec.error().text().c_str());
    auto judge = Judge::make(*spec);
    if (!judge) qFatal("%s", judge.error().text().c_str());
    return std::move(*judge);
}

} // namespace

class SweepPopulationTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Trials whose rates were bad at first end near the best: what they are on average behind the best of those that
    // train alone is halved.
    // Feature: population based training: poor trials go on with the states of good ones and with parameters near
    // theirs, as the same runs, and end the same however often the sweep is killed; terminal and window say whose state
    // a trial has. Also in sweep_adopt_test, sweeps_page_test.
    void aPopulationImproves() {
        const auto endsOf = [](const std::string& scheduler) { // their mean, and the least
            Judge judge = judgeOf(scheduler);
            double sum = 0;
            test::Simulation simulation(judge, {.slots = 24, .loss = test::trainingLoss});
            simulation.heard = [&](const Event& event, const std::vector<Order>&) {
                if (event.kind == Event::Kind::Ended) sum += event.loss;
            };
            const bool whole = simulation.run().empty();
            return std::pair(whole ? sum / simulation.ended() : kNever, simulation.best());
        };
        const auto [alone, best] = endsOf(R"("fifo")");
        for (const char* more : {"", R"(,"synchronous":true)"}) {
            const double together =
                endsOf(R"({"name":"pbt","mutate":"optimizer.lr","interval":3)" + std::string(more) + "}").first;
            QVERIFY2(together - best < 0.5 * (alone - best),
                     std::to_string((together - best) / (alone - best)).c_str());
        }
    }

    void aMutationStaysInItsRange() {
        const auto spec =
            *spec::parseSweepSpec(R"({"version":1,"run":{"epochs":9},"trials":4,"searcher":"random","space":{
            "optimizer.lr":{"from":0.01,"to":1,"scale":"log"}, "optimizer.momentum":[0,0.5,0.9],
            "batch.perRank":{"from":2,"to":64,"whole":true}, "gradient.clipNorm":{"from":0,"to":8,"step":2},
            "schedule.name":["constant","cosine"],
            "schedule.warmup":{"from":0,"to":1,"when":{"schedule.name":["cosine"]}}}})");
        const std::vector<std::string> fields{"optimizer.lr",      "optimizer.momentum", "batch.perRank",
                                              "gradient.clipNorm", "schedule.name",      "schedule.warmup"};
        const spec::Params before{{"optimizer.lr", 0.1},
                                  {"optimizer.momentum", 0.5},
                                  {"batch.perRank", std::int64_t{2}},
                                  {"gradient.clipNorm", 4.0},
                                  {"schedule.name", std::string("constant")}};
        std::map<double, int> rates, batches, clips;
        int anew = 0;
        for (std::uint64_t trial = 0; trial < 400; ++trial) {
            const DrawStream draws(1, Draw::Mutation, trial);
            const auto params = mutated(spec.space, fields, before, draws);
            const spec::Choice after{{}, params};
            const double rate = after.number("optimizer.lr", 0), clip = after.number("gradient.clipNorm", -1);
            QVERIFY(rate >= 0.01 && rate <= 1);
            if (std::abs(rate - 0.08) > 1e-12 && std::abs(rate - 0.12) > 1e-12) ++anew;
            ++batches[after.number("batch.perRank", 0)];
            ++clips[clip];
            QVERIFY(after.integer("batch.perRank", 0) >= 2 && after.integer("batch.perRank", 0) <= 64);
            QVERIFY(std::fmod(clip, 2) == 0 && clip >= 0 && clip <= 8);
            QCOMPARE(params.contains("schedule.warmup"), after.text("schedule.name", "") == "cosine");
            QCOMPARE(mutated(spec.space, {"optimizer.momentum"}, before, draws).at("optimizer.lr"),
                     before.at("optimizer.lr"));
        }
        QVERIFY2(anew > 60 && anew < 140, std::to_string(anew).c_str()); // a quarter of 400
        QVERIFY(batches[3] > 200);                                       // from the end of its range there is one way
        QVERIFY(clips[2] + clips[6] > 250 && clips[4] < 60);
    }

    // Of spaces with fields that no trial can change while it trains, and of sweeps without a population.
    // Bad inputs: populations of sweeps.
    void badPopulationsAreExplained_data() {
        QTest::addColumn<QString>("space");
        QTest::addColumn<QString>("rest");
        QTest::addColumn<QString>("part");
        const QString rate = kRate, mutateRate = R"("scheduler":{"name":"pbt","mutate":"optimizer.lr"})";
        QTest::newRow("mutates the model") << R"({"model.params.width":[8,16]})"
                                           << R"("trials":4,"scheduler":{"name":"pbt","mutate":"model.params.width"})"
                                           << "scheduler.mutate: shapes the weights";
        QTest::newRow("mutates the optimizer itself")
            << R"({"optimizer.name":["sgd","adam"]})"
            << R"("trials":4,"scheduler":{"name":"pbt","mutate":"optimizer.name"})"
            << "scheduler.mutate: shapes the weights or the optimizer's state";
        QTest::newRow("mutates the seed")
            << R"({"seed":[1,2]})" << R"("trials":4,"scheduler":{"name":"pbt","mutate":"seed"})"
            << "scheduler.mutate: cannot change while a trial trains, found \"seed\"";
        QTest::newRow("no number of trials") << rate << R"("searcher":"random","budget":{"seconds":9},)" + mutateRate
                                             << "trials: is missing: pbt needs the size of its population";
        QTest::newRow("several seeds") << rate << R"("trials":4,"searcher":"random","seeds":{"count":2},)" + mutateRate
                                       << "seeds.count: cannot be given together with pbt";
    }
    void badPopulationsAreExplained() {
        QFETCH(QString, space);
        QFETCH(QString, rest);
        QFETCH(QString, part);
        const auto spec = test::sweepOf(space.toStdString(), rest.toStdString());
        QVERIFY(!spec.ok());
        QCOMPARE(spec.error().kind, ErrorKind::Input);
        QVERIFY2(QString::fromStdString(spec.error().text()).contains(part), spec.error().text().c_str());
    }
};

QTEST_GUILESS_MAIN(SweepPopulationTest)
#include "sweep_population_test.moc"
