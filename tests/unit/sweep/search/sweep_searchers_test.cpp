// SPDX-License-Identifier: GPL-3.0-or-later
// Where each searcher draws, that it learns, and what it may depend on.
#include "tests/unit/sweep/sweep_simulation.h"

#include <QTest>

#include <numeric>
#include <set>

using namespace trainyard;
using namespace trainyard::sweep;

namespace {

const char* const kSquare = R"({"optimizer.lr":{"from":0,"to":1},"optimizer.momentum":{"from":0,"to":1}})";

// The rest of a sweep file with so many trials by this searcher. (moc stumbles over raw strings that end in a quote.)
std::string searchOf(int trials, const std::string& searcher, const std::string& rest = {}) {
    return "\"trials\":" + std::to_string(trials) + ",\"searcher\":{\"name\":\"" + searcher + "\"" + rest + "}";
}
std::string seeded(int seed) { return ",\"seed\":" + std::to_string(seed); }

double numberOf(const spec::Params& params, const char* path) { return spec::Choice{{}, params}.number(path, -1); }

// Branin's function over the unit square; its least value, 0.397887, is taken off.
double branin(const spec::Params& params) {
    const double x = -5 + 15 * numberOf(params, "optimizer.lr"), y = 15 * numberOf(params, "optimizer.momentum");
    const double a = y - 5.1 / (4 * M_PI * M_PI) * x * x + 5 / M_PI * x - 6;
    return a * a + 10 * (1 - 1 / (8 * M_PI)) * std::cos(x) + 10 - 0.397887;
}

Judge judgeOf(const std::string& space, const std::string& rest) {
    const auto spec = test::sweepOf(space, rest);
    if (!spec) qFatal("%s", spec.error().text().c_str());
    return std::move(*Judge::make(*spec));
}

// The parameters of all trials, one after another.
std::vector<spec::Params> drawn(const std::string& space, const std::string& rest,
                                const std::function<double(const spec::Params&)>& loss = branin, int slots = 1) {
    Judge judge = judgeOf(space, rest);
    test::Simulation simulation(
        judge, {.slots = slots, .max = 1, .loss = [&](int, const spec::Params& p, double) { return loss(p); }});
    if (const auto problem = simulation.run(); !problem.empty()) qFatal("%s", problem.c_str());
    std::vector<spec::Params> list;
    for (const auto& trial : judge.trials()) list.push_back(trial.params);
    return list;
}

double bestOf(const std::vector<spec::Params>& trials) {
    double best = kNever;
    for (const auto& params : trials) best = std::min(best, branin(params));
    return best;
}

} // namespace

class SweepSearchersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void gridIsEveryCombination() {
        const auto trials = drawn(R"({"optimizer.lr":[0.1,0.2],"batch.perRank":[16,32]})", R"("searcher":"grid")",
                                  [](const spec::Params&) { return 1.0; });
        QCOMPARE(trials.size(), 4u);
        QCOMPARE((std::set<spec::Params>(trials.begin(), trials.end()).size()), 4u);
    }

    void drawsFollowFromTheSeedAlone_data() {
        QTest::addColumn<std::string>("searcher");
        for (const char* name : {"random", "sobol", "tpe", "gp"}) QTest::newRow(name) << std::string(name);
    }
    void drawsFollowFromTheSeedAlone() {
        QFETCH(std::string, searcher);
        const auto with = [&](int seed) { return drawn(kSquare, searchOf(18, searcher) + seeded(seed)); };
        QVERIFY(with(3) == with(3));
        QVERIFY(with(3) != with(4));
        for (const auto& params : with(3))
            for (const auto& [path, value] : params) {
                const double place = std::get<double>(value);
                QVERIFY(place >= 0 && place <= 1);
            }
    }

    // 2^k points of a Sobol' sequence lie in every 2^-k part of each axis once, shifted or not.
    void sobolFillsTheSpaceEvenly() {
        const auto trials = drawn(kSquare, R"("trials":64,"searcher":"sobol")");
        for (const char* path : {"optimizer.lr", "optimizer.momentum"}) {
            std::set<int> parts;
            for (const auto& params : trials) parts.insert(static_cast<int>(numberOf(params, path) * 64));
            QCOMPARE(parts.size(), 64u);
        }
    }

    // The limits are loose: the medians over 30 seeds are in tests/bench/sweep_bench.
    // Feature: searchers: grid, random, Sobol, TPE, Gaussian process, automatic; they learn, keep trials side by side
    // apart, and try nothing twice.
    void learningFindsTheLeast_data() {
        QTest::addColumn<std::string>("searcher");
        QTest::addColumn<int>("trials");
        QTest::addColumn<double>("limit");
        QTest::newRow("tpe") << std::string("tpe") << 100 << 0.2;
        QTest::newRow("gp") << std::string("gp") << 40 << 0.01;
    }
    void learningFindsTheLeast() {
        QFETCH(std::string, searcher);
        QFETCH(int, trials);
        QFETCH(double, limit);
        std::vector<double> bests;
        for (int seed = 1; seed <= 5; ++seed)
            bests.push_back(bestOf(drawn(kSquare, searchOf(trials, searcher) + seeded(seed))));
        std::nth_element(bests.begin(), bests.begin() + 2, bests.end());
        QVERIFY2(bests[2] < limit, std::to_string(bests[2]).c_str());
    }

    // Trials side by side do not all go to one place, though none of them has a loss yet.
    void trialsSideBySideKeepApart_data() {
        QTest::addColumn<std::string>("searcher");
        QTest::newRow("tpe") << std::string("tpe");
        QTest::newRow("gp") << std::string("gp");
    }
    void trialsSideBySideKeepApart() {
        QFETCH(std::string, searcher);
        Judge judge = judgeOf(kSquare, searchOf(40, searcher));
        const auto begin = [&] { return judge.take({.kind = Event::Kind::SlotFree}).front(); };
        for (int i = 0; i < 20; ++i) {
            const auto order = begin();
            judge.take({.kind = Event::Kind::Ended, .trial = order.trial, .t = 27, .loss = branin(order.params)});
        }
        std::vector<spec::Params> beside;
        for (int i = 0; i < 6; ++i) beside.push_back(begin().params);
        std::set<std::pair<int, int>> cells;
        for (const auto& params : beside)
            cells.insert({static_cast<int>(numberOf(params, "optimizer.lr") * 20),
                          static_cast<int>(numberOf(params, "optimizer.momentum") * 20)});
        QVERIFY2(cells.size() >= 4, std::to_string(cells.size()).c_str());
    }

    // Nine points are tried once each, and there is no tenth trial.
    void aFiniteSpaceIsTriedOnce_data() {
        QTest::addColumn<std::string>("searcher");
        QTest::newRow("tpe") << std::string("tpe");
        QTest::newRow("gp") << std::string("gp");
    }
    void aFiniteSpaceIsTriedOnce() {
        QFETCH(std::string, searcher);
        const auto trials = drawn(R"({"optimizer.lr":[0.1,0.2,0.3],"batch.perRank":{"from":8,"to":24,"step":8}})",
                                  searchOf(100, searcher, ",\"startup\":3"),
                                  [](const spec::Params& p) { return numberOf(p, "optimizer.lr"); });
        QCOMPARE(trials.size(), 9u);
        QCOMPARE((std::set<spec::Params>(trials.begin(), trials.end()).size()), 9u);
    }

    // A searcher sees a configuration once, with the mean of its seeds, so what differs between seeds does not lead it
    // astray.
    void eachConfigurationIsTriedWithEachSeed_data() {
        QTest::addColumn<std::string>("searcher");
        for (const char* name : {"random", "tpe", "gp"}) QTest::newRow(name) << std::string(name);
    }
    void eachConfigurationIsTriedWithEachSeed() {
        QFETCH(std::string, searcher);
        Judge judge = judgeOf(kSquare, searchOf(30, searcher) + R"(,"seeds":{"count":3})");
        test::Simulation simulation(judge, {.slots = 4, .max = 1, .loss = [](int trial, const spec::Params& p, double) {
                                                return branin(p) + 20 * (trial % 3 - 1);
                                            }});
        QCOMPARE(QString::fromStdString(simulation.run()), QString());
        const auto& trials = judge.trials();
        QCOMPARE(trials.size(), 90u);
        std::set<spec::Params> different;
        std::vector<spec::Params> configurations;
        for (std::size_t trial = 0; trial < trials.size(); ++trial) {
            different.insert(trials[trial].params);
            QVERIFY(trials[trial].params == trials[trial / 3 * 3].params);
            if (trial % 3 == 0) configurations.push_back(trials[trial].params);
        }
        QCOMPARE(different.size(), 30u);
        if (searcher != "random") QVERIFY2(bestOf(configurations) < 2, std::to_string(bestOf(configurations)).c_str());
    }

    // A field that does not count beside the others is not among the parameters.
    // First the configurations of the file, then what the searcher makes of them.
    void configurationsOfTheFileComeFirst_data() { drawsFollowFromTheSeedAlone_data(); }
    void configurationsOfTheFileComeFirst() {
        QFETCH(std::string, searcher);
        const std::string first = R"(,"first":[{"optimizer.lr":0.25,"optimizer.momentum":0.75},)"
                                  R"({"optimizer.lr":0.5,"optimizer.momentum":0.5}])";
        const auto plain = drawn(kSquare, searchOf(8, searcher));
        const auto trials = drawn(kSquare, searchOf(10, searcher) + first);
        QCOMPARE(trials.size(), 10u);
        QCOMPARE(numberOf(trials[0], "optimizer.lr"), 0.25);
        QCOMPARE(numberOf(trials[1], "optimizer.momentum"), 0.5);
        QCOMPARE(trials[2], plain[0]); // the searcher's own begin after them
        QCOMPARE(trials[9], plain[7]);
    }

    // A searcher that knows an earlier sweep does not begin at random: its first trials are near what was good there,
    // also when only the order of the losses means anything.
    void earlierResultsTeach_data() {
        QTest::addColumn<std::string>("searcher");
        QTest::addColumn<bool>("sameRun");
        for (const char* name : {"tpe", "gp"}) {
            QTest::addRow("%s", name) << std::string(name) << true;
            QTest::addRow("%s, another run", name) << std::string(name) << false;
        }
    }
    void earlierResultsTeach() {
        QFETCH(std::string, searcher);
        QFETCH(bool, sameRun);
        auto earlier = drawn(kSquare, searchOf(60, "random") + seeded(9));
        std::sort(earlier.begin(), earlier.end(), [](const auto& a, const auto& b) { return branin(a) < branin(b); });
        std::string results;
        for (const auto& params : earlier)
            results += std::string(results.empty() ? "" : ",") +
                       "{\"params\":{\"optimizer.lr\":" + std::to_string(numberOf(params, "optimizer.lr")) +
                       ",\"optimizer.momentum\":" + std::to_string(numberOf(params, "optimizer.momentum")) +
                       "},\"loss\":" + std::to_string(branin(params) * (sameRun ? 1 : -1e6)) + "}";
        const std::string warm =
            ",\"warmStart\":[{\"sweep\":\"earlier\",\"best\":1,\"sameRun\":" + std::string(sameRun ? "true" : "false") +
            ",\"results\":[" + results + "]}]";
        const auto meanOf = [](const std::vector<spec::Params>& trials) {
            double sum = 0;
            for (const auto& params : trials) sum += branin(params);
            return sum / static_cast<double>(trials.size());
        };
        const auto cold = drawn(kSquare, searchOf(9, searcher)), trials = drawn(kSquare, searchOf(9, searcher) + warm);
        QVERIFY(std::abs(branin(trials[0]) - branin(earlier[0])) < 1e-3);
        QVERIFY2(meanOf(trials) < 0.5 * meanOf(cold), std::to_string(meanOf(trials) / meanOf(cold)).c_str());
    }

    // The best by their ends, of those that came to one; nothing of it is told to the searcher, and what is not needed
    // is over with the search.
    void theBestGetFreshSeedsOnceTheSearchIsOver() {
        const std::string rest = R"(,"scheduler":"asha","seeds":{"count":2,"for":"best","best":3})";
        Judge judge =
            judgeOf(R"({"optimizer.lr":{"from":0.0001,"to":1,"scale":"log"}})", searchOf(12, "random") + rest);
        QCOMPARE(judge.trials().size(), 18u);
        test::Simulation simulation(judge, {.slots = 2, .loss = test::trainingLoss});
        std::map<double, int> ends;
        bool early = false;
        simulation.heard = [&](const Event& event, const std::vector<Order>& orders) {
            if (event.kind == Event::Kind::Ended && event.trial < 12) ends[event.loss] = event.trial;
            for (const Order& order : orders)
                for (int trial = 0; trial < 12 && order.trial >= 12; ++trial) {
                    const auto wanted = judge.trials()[static_cast<std::size_t>(trial)].wanted;
                    early = early || (wanted != Wanted::Ended && wanted != Wanted::Stopped);
                }
        };
        QCOMPARE(QString::fromStdString(simulation.run()), QString());
        QVERIFY(!early && !ends.empty());
        int fresh = 12;
        for (const auto& [loss, trial] : ends)
            for (int seed = 0; seed < 2 && fresh < 18; ++seed, ++fresh) {
                QCOMPARE(judge.trials()[static_cast<std::size_t>(fresh)].params,
                         judge.trials()[static_cast<std::size_t>(trial)].params);
                QCOMPARE(judge.trials()[static_cast<std::size_t>(fresh)].wanted, Wanted::Ended);
            }
        for (; fresh < 18; ++fresh) QCOMPARE(judge.trials()[static_cast<std::size_t>(fresh)].wanted, Wanted::Stopped);
    }

    void conditionsHold_data() {
        QTest::addColumn<std::string>("searcher");
        for (const char* name : {"random", "sobol", "tpe", "gp", "auto"}) QTest::newRow(name) << std::string(name);
    }
    void conditionsHold() {
        QFETCH(std::string, searcher);
        const auto trials =
            drawn(R"({"optimizer.momentum":{"from":0,"to":0.99,"when":{"optimizer.name":"sgd"}},)"
                  R"("optimizer.name":["sgd","adamw"],"optimizer.lr":{"from":0.001,"to":1,"scale":"log"}})",
                  searchOf(40, searcher), [](const spec::Params& p) { return numberOf(p, "optimizer.lr"); });
        int with = 0;
        for (const auto& params : trials) {
            const bool sgd = std::get<std::string>(params.at("optimizer.name")) == "sgd";
            QCOMPARE(params.contains("optimizer.momentum"), sgd);
            with += sgd ? 1 : 0;
        }
        QVERIFY(with > 0 && with < 40);
    }

    // Every value of such an axis has as many trials.
    void everyValueOfAGridAxisIsSearched() {
        const auto trials =
            drawn(R"({"batch.perRank":{"grid":[8,16,32]},"optimizer.lr":{"from":0.001,"to":1}})",
                  R"("trials":7,"searcher":"tpe")", [](const spec::Params& p) { return numberOf(p, "batch.perRank"); });
        QCOMPARE(trials.size(), 21u);
        std::map<double, int> count;
        for (const auto& params : trials) ++count[numberOf(params, "batch.perRank")];
        QCOMPARE(count, (std::map<double, int>{{8, 7}, {16, 7}, {32, 7}}));
    }

    // Losses at rungs are learned from, and so is what was stopped there or had none: a third of the space is no
    // number.
    void learnsFromRungsAndFailures_data() {
        QTest::addColumn<std::string>("searcher");
        QTest::newRow("tpe") << std::string("tpe");
        QTest::newRow("gp") << std::string("gp");
    }
    void learnsFromRungsAndFailures() {
        QFETCH(std::string, searcher);
        const auto away = [](const spec::Params& params) {
            double sum = 0;
            for (const auto& [path, value] : params) sum += std::abs(std::get<double>(value) - 0.3);
            return sum;
        };
        Judge judge = judgeOf(R"({"optimizer.lr":{"from":0,"to":1},"optimizer.momentum":{"from":0,"to":1},)"
                              R"("optimizer.weightDecay":{"from":0,"to":1},"optimizer.dampening":{"from":0,"to":1}})",
                              searchOf(60, searcher) + ",\"scheduler\":\"asha\"");
        test::Simulation simulation(judge, {.slots = 2, .loss = [&](int, const spec::Params& p, double t) {
                                                return numberOf(p, "optimizer.lr") > 0.67 ? std::nan("")
                                                                                          : away(p) + 1 / t;
                                            }});
        QCOMPARE(QString::fromStdString(simulation.run()), QString());
        const auto median = [&](std::size_t from, std::size_t to) {
            std::vector<double> list;
            for (std::size_t trial = from; trial < to; ++trial) list.push_back(away(judge.trials()[trial].params));
            std::nth_element(list.begin(), list.begin() + static_cast<long>(list.size() / 2), list.end());
            return list[list.size() / 2];
        };
        const double before = median(0, 10), after = median(30, 60);
        QVERIFY2(after < 0.75 * before, (std::to_string(before) + " " + std::to_string(after)).c_str());
    }

    void autoSaysWhatItTakes_data() {
        QTest::addColumn<std::string>("space");
        QTest::addColumn<std::string>("rest");
        QTest::addColumn<std::string>("name");
        QTest::addColumn<std::string>("reason");
        const std::string rate = R"({"optimizer.lr":{"from":0.1,"to":1})";
        std::string many = rate;
        for (int i = 0; i < 20; ++i) many += ",\"model.params.x" + std::to_string(i) + "\":[1,2]";
        const auto row = [](const char* name, const std::string& space, const char* rest, const char* searcher,
                            const char* reason) {
            QTest::newRow(name) << space << std::string(rest) << std::string(searcher) << std::string(reason);
        };
        row("lists", R"({"optimizer.lr":[1,2]})", R"("searcher":"auto")", "grid",
            "every axis lists its values, and no number of trials is given");
        row("a range", rate + "}", R"("trials":50)", "gp", "no more than 20 axes and 500 trials");
        row("many trials", rate + "}", R"("trials":501)", "tpe", "501 trials, more than 500");
        row("many axes", many + "}", R"("trials":50)", "tpe", "21 axes, more than 20");
        row("a condition", rate + R"(,"epochs":{"choice":[1,2],"when":{"seed":1}},"seed":[1,2]})", R"("trials":50)",
            "tpe", "epochs is conditional");
    }
    void autoSaysWhatItTakes() {
        QFETCH(std::string, space);
        QFETCH(std::string, rest);
        QFETCH(std::string, name);
        QFETCH(std::string, reason);
        const auto spec = test::sweepOf(space, rest);
        QVERIFY2(spec.ok(), spec ? "" : spec.error().text().c_str());
        const auto chosen = chooseSearcher(*spec);
        QCOMPARE(chosen.name, name);
        QCOMPARE(chosen.reason.text(), reason);
    }

    // Bad inputs: searchers of sweeps.
    void badOptionsAreExplained_data() {
        QTest::addColumn<QString>("searcher");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const char* searcher, const char* part) {
            QTest::newRow(name) << QString(searcher) << QString(part);
        };
        row("unknown searcher", R"("tpr")",
            "searcher.name: is not a known searcher, found \"tpr\" (did you mean \"tpe\"?)");
        row("unknown option", R"({"name":"gp","starup":2})",
            "searcher.starup: is not a parameter of gp, found 2 (did you mean \"startup\"?)");
        row("startup 0", R"({"name":"tpe","startup":0})", "searcher.startup: must be at least 1, found 0");
        row("startup half", R"({"name":"tpe","startup":1.5})", "searcher.startup: must be a whole number, found 1.5");
        row("grid of a range", R"("grid")", "count must be 1 to 100000 for a grid, found 0");
    }
    void badOptionsAreExplained() {
        QFETCH(QString, searcher);
        QFETCH(QString, part);
        const auto spec = test::sweepOf(kSquare, "\"trials\":5,\"searcher\":" + searcher.toStdString());
        QVERIFY(!spec.ok());
        QCOMPARE(spec.error().kind, ErrorKind::Input);
        QVERIFY2(QString::fromStdString(spec.error().text()).contains(part), spec.error().text().c_str());
    }
};

QTEST_GUILESS_MAIN(SweepSearchersTest)
#include "sweep_searchers_test.moc"
