// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps whose trials are compared by two series: dominance, ranking, what searchers and limits make of pairs.
#include "engine/base/math/hash_draw.h"
#include "engine/store/store.h"
#include "engine/sweep/judge/judge.h"
#include "engine/sweep/results/sweep_result.h"
#include "engine/sweep/trials/trial_watch.h"
#include "engine/sweep/values/pareto.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace trainyard;
using namespace trainyard::sweep;
using wire::RunStatus;

namespace {

// A sweep file over the unit square whose trials are compared by val/loss and time/step.
Result<spec::SweepSpec> pairSweep(const std::string& rest) {
    return spec::parseSweepSpec(R"({"run":{"epochs":3},"scoreBy":["val/loss","time/step"],)"
                                R"("space":{"optimizer.lr":{"from":0,"to":1},"optimizer.momentum":{"from":0,"to":1}})" +
                                (rest.empty() ? rest : "," + rest) + "}");
}

std::string searchedBy(const char* searcher, int trials, int seed) {
    return R"("searcher":")" + std::string(searcher) + R"(","trials":)" + std::to_string(trials) + R"(,"seed":)" +
           std::to_string(seed);
}

Judge pairJudge(const std::string& rest) {
    auto spec = pairSweep(rest);
    if (!spec) qFatal("%s", spec.error().text().c_str());
    const auto checked = checkedSweep(*spec);
    if (!checked) qFatal("%s", checked.error().text().c_str());
    return std::move(*Judge::make(*checked));
}

// The best of both is where momentum is 0; a larger rate is better by one series and worse by the other.
LossPair lossesOf(const spec::Params& params) {
    const spec::Choice choice{{}, params};
    const double x = choice.number("optimizer.lr", 0), y = choice.number("optimizer.momentum", 0);
    return {(1 - x) * (1 - x) + y, x * x + y};
}

// A point of a lattice, so that many are equal in one way or in both.
std::vector<LossPair> lattice(int count, std::uint64_t seed) {
    std::vector<LossPair> pairs;
    for (int i = 0; i < count; ++i) {
        const auto draw = [&](std::uint64_t axis) {
            return std::floor(unitDraw(seed, Draw::Candidate, static_cast<std::uint64_t>(i), axis) * 8);
        };
        pairs.push_back({draw(0), i % 17 == 5 ? qQNaN() : draw(1)});
    }
    return pairs;
}

// All trials one after another; what the judge was told.
std::vector<Event> trained(Judge& judge, int besides = 1) {
    std::vector<Event> told;
    const auto tell = [&](const Event& event) {
        auto orders = judge.take(event);
        for (Event& each : judge.takeRecord()) told.push_back(std::move(each));
        return orders;
    };
    std::vector<Order> running;
    for (;;) {
        while (static_cast<int>(running.size()) < besides) {
            auto orders = tell({.kind = Event::Kind::SlotFree});
            if (orders.empty()) break;
            running.push_back(std::move(orders.front()));
        }
        if (running.empty()) return told;
        const Order order = std::move(running.front());
        running.erase(running.begin());
        const auto [first, second] = lossesOf(order.params);
        const auto kind = order.trial % 13 == 7 ? Event::Kind::Failed : Event::Kind::Ended;
        tell({.kind = kind, .trial = order.trial, .t = 3, .loss = first, .second = second});
    }
}

} // namespace

class SweepPairsTest : public QObject {
    Q_OBJECT

    void staysTheSame(const std::string& rest) {
        Judge judge = pairJudge(rest);
        const auto told = trained(judge, 3);
        QVERIFY(told.size() > 60);
        Judge whole = pairJudge(rest);
        for (const Event& event : told) {
            Judge restored = pairJudge(rest);
            for (const Event& before : told) {
                if (&before == &event) break;
                restored.replay(before);
            }
            QCOMPARE(restored.state(), whole.state());
            whole.replay(event);
        }
        QCOMPARE(whole.state(), judge.state());
    }

private Q_SLOTS:
    // The end is told once, and the sweep may look at the trial's row only after that.
    void anEndIsRememberedOverLaterLooks() {
        QTemporaryDir folder;
        const auto workspace = store::Workspace::open(folder.path().toStdString());
        QVERIFY(workspace.ok());
        const auto written = store::Store::open(*workspace);
        QVERIFY(written.ok());
        store::RunRow row;
        row.id = "20261129-000000-aaaaaa";
        row.name = "trial";
        row.status = RunStatus::Finished;
        row.folder = folder.path().toStdString();
        QVERIFY((*written)->createRun(row).ok());
        auto watch = TrialWatch::open(*workspace, row.id, {"train/loss"}, false);
        QVERIFY(watch.ok());
        for (int look = 0; look < 20 && !watch->ended(); ++look) QVERIFY(watch->read().ok());
        QVERIFY(watch->ended());
        for (int look = 0; look < 3; ++look) QVERIFY(watch->read().ok());
        QVERIFY(watch->ended());
    }
    // Feature: trials are compared by two series: dominance and fronts as a direct search has them, one ranking for
    // searcher, limits, terminal and window, configurations of several seeds by the mean of each series, searchers that
    // seek the front, a sweep that is restored at any event, schedulers that rank pairs, what goes by one score
    // refused. Also in sweep_commands_test, sweep_early_stop_test, sweep_form_test, sweep_pair_schedulers_test,
    // sweeps_page_test.
    void oneDominatesAnother_data() {
        QTest::addColumn<double>("first");
        QTest::addColumn<double>("second");
        QTest::addColumn<bool>("dominated"); // by (1, 1)
        QTest::newRow("worse in both") << 2.0 << 2.0 << true;
        QTest::newRow("worse in one") << 1.0 << 2.0 << true;
        QTest::newRow("the same") << 1.0 << 1.0 << false;
        QTest::newRow("better in one") << 2.0 << 0.5 << false;
        QTest::newRow("not a number") << 2.0 << qQNaN() << false;
    }
    void oneDominatesAnother() {
        QFETCH(double, first);
        QFETCH(double, second);
        QFETCH(bool, dominated);
        QCOMPARE(dominates({1, 1}, {first, second}), dominated);
        QVERIFY(!dominates({first, second}, {1, 1}) || second < 1);
    }

    // Front 0 is what none dominates; each later one is that without the fronts before it.
    void frontsAreThoseOfADirectSearch() {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            const auto pairs = lattice(60, seed);
            std::vector<int> wanted(pairs.size(), -1);
            for (int front = 0, left = 1; left > 0; ++front) {
                std::vector<std::size_t> found;
                left = 0;
                for (std::size_t i = 0; i < pairs.size(); ++i) {
                    if (!pairs[i].isFinite() || wanted[i] >= 0) continue;
                    bool beaten = false;
                    for (std::size_t j = 0; j < pairs.size(); ++j)
                        beaten = beaten || (pairs[j].isFinite() && wanted[j] < 0 && dominates(pairs[j], pairs[i]));
                    if (beaten) ++left;
                    else found.push_back(i);
                }
                for (const std::size_t i : found) wanted[i] = front;
            }
            QCOMPARE(frontsOf(pairs), wanted);
        }
    }

    // On one front by what the hypervolume loses without the trial.
    void theOrderIsThatOfADirectSearch() {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            const auto pairs = lattice(40, seed);
            const auto fronts = frontsOf(pairs);
            const LossPair worst = paretoOf(pairs).reference;
            const auto volumeOf = [&](int front, std::size_t without) {
                std::vector<LossPair> members{worst};
                for (std::size_t i = 0; i < pairs.size(); ++i)
                    if (fronts[i] == front && i != without) members.push_back(pairs[i]);
                return paretoOf(members).hypervolume;
            };
            const auto keyOf = [&](std::size_t i) {
                const double share = volumeOf(fronts[i], pairs.size()) - volumeOf(fronts[i], i);
                return std::tuple(fronts[i], -share, i);
            };
            const auto order = bestFirst(pairs);
            QCOMPARE(order.size(),
                     std::size_t(std::count_if(fronts.begin(), fronts.end(), [](int f) { return f >= 0; })));
            for (std::size_t i = 1; i < order.size(); ++i) QVERIFY(keyOf(order[i - 1]) < keyOf(order[i]));
        }
    }

    void equalTrialsHaveOnePlace() {
        const std::vector<LossPair> pairs{{1, 4}, {2, 2}, {4, 1}, {2, 3}, {qQNaN(), 0}, {2, 2}};
        QCOMPARE(placesOf(pairs), (std::vector<int>{1, 1, 1, 5, 0, 1})); // of the front none is missed alone
        const std::vector<LossPair> others{{1, 4}, {2, 2}, {4, 1}, {2, 3}, {9, 9}};
        QCOMPARE(placesOf(others), (std::vector<int>{1, 3, 1, 4, 5}));
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            const auto all = lattice(40, seed);
            const auto places = placesOf(all);
            const auto order = bestFirst(all);
            for (std::size_t i = 0; i < order.size(); ++i) {
                const int place = places[order[i]];
                QVERIFY(place == static_cast<int>(i) + 1 || (i > 0 && place == places[order[i - 1]]));
            }
            QCOMPARE(std::count(places.begin(), places.end(), 0), std::ssize(all) - std::ssize(order));
        }
    }

    void trialsAreRankedByTheirFronts() {
        const auto trial = [](double accuracy, std::optional<double> seconds, RunStatus status = RunStatus::Finished) {
            return Standing{status, accuracy, -1, false, seconds};
        };
        const Scores scores{{"val/accuracy", spec::Better::Larger}, run::Score{"time/step", spec::Better::Smaller}};
        const std::vector<Standing> trials{
            trial(0.9, 3.0), trial(0.8, std::nullopt), // it has no second score
            trial(0.5, 1.0), trial(0.8, 1.5),          // the hypervolume would lose most without it
            trial(0.4, 2.0), trial(0.99, 0.1, RunStatus::Failed)};
        const auto order = rank(trials, scores);
        QCOMPARE(order.indices, (std::vector<std::size_t>{3, 2, 0, 4, 5, 1}));
        QVERIFY(order.hasBest);
        QCOMPARE(order.front, 3u);
        const auto none = rank({trial(0.5, std::nullopt)}, scores);
        QVERIFY(!none.hasBest && none.front == 0 && none.indices.size() == 1);
        const auto one = rank(trials, Scores{scores.first, std::nullopt}); // one series: no front
        QCOMPARE(one.indices.front(), 0u);
        QCOMPARE(one.front, 0u);
    }

    // Configuration 0 has the best single values, and by its means it is beaten.
    void configurationsStandByTheirMeans() {
        const auto trial = [](int configuration, double loss, std::optional<double> seconds,
                              RunStatus status = RunStatus::Finished,
                              bool fresh = false) { return Standing{status, loss, configuration, fresh, seconds}; };
        const Scores scores{{"val/loss", spec::Better::Smaller}, run::Score{"time/step", spec::Better::Smaller}};
        std::vector<Standing> trials{trial(0, 0, 0.0),          trial(0, 8, 8.0), // 4, 4
                                     trial(1, 3, 5.0),          trial(1, 1, 3.0), // 2, 4
                                     trial(2, 5, 1.0),          trial(2, 5, 3.0, RunStatus::Failed),
                                     trial(3, 0, std::nullopt), trial(3, 6, 6.0)}; // the first one has no pair
        const auto order = rank(trials, scores);
        QCOMPARE(order.front, 3u); // both of 1, and the one of 2 that counts
        QCOMPARE(order.indices, (std::vector<std::size_t>{3, 2, 4, 0, 1, 7, 5, 6}));
        const auto list = configurationsOf(trials, order, scores);
        QCOMPARE(list.size(), 4u);
        QVERIFY(list[0].onFront && list[1].onFront && !list[2].onFront && !list[3].onFront);
        QCOMPARE(list[0].configuration, 1);
        QCOMPARE(list[0].stats.mean, 2.0);
        QCOMPARE(list[0].second.mean, 4.0);
        QCOMPARE(list[1].second.count, 1);
        QCOMPARE(list[3].stats.count, 1);
        QCOMPARE(statsText(list[0], scores),
                 std::string("val/loss 2 ± 1.4 over 2 seeds, time/step 4 ± 1.4 over 2 seeds"));
        const auto results = pairedResults(trials, scores);
        QCOMPARE(results.size(), 4u);
        QVERIFY(results[0].losses == (LossPair{4, 4}) && results[1].losses == (LossPair{2, 4}));
        QCOMPARE(results[1].trials, (std::vector<std::size_t>{3, 2}));
        // Fresh seeds alone rank what was chosen, though what was searched has better values.
        trials.push_back(trial(4, 7, 7.0, RunStatus::Finished, true));
        QCOMPARE(pairedResults(trials, scores).size(), 1u);
        QCOMPARE(rank(trials, scores).indices.front(), 8u);
        QCOMPARE(rank(trials, scores).front, 1u);
    }

    // The losses of a configuration's seeds are off its mean by as much to either side.
    void searchersLearnFromTheMeans_data() { searchersSeekTheFront_data(); }
    void searchersLearnFromTheMeans() {
        QFETCH(QString, searcher);
        constexpr int kConfigurations = 30;
        const auto rest = searchedBy(qPrintable(searcher), kConfigurations, 5);
        Judge one = pairJudge(rest), two = pairJudge(rest + R"(,"seeds":{"count":2})");
        const auto exact = [](double loss) { return std::round(loss * 1024) / 1024; };
        for (int i = 0; i < kConfigurations; ++i) {
            const auto wanted = one.take({.kind = Event::Kind::SlotFree}).front();
            const auto [first, second] = lossesOf(wanted.params);
            one.take({.kind = Event::Kind::Ended, .trial = i, .t = 3, .loss = exact(first), .second = exact(second)});
            for (const double off : {0.5, -0.5}) {
                const auto order = two.take({.kind = Event::Kind::SlotFree}).front();
                QVERIFY(order.params == wanted.params);
                two.take({.kind = Event::Kind::Ended,
                          .trial = order.trial,
                          .t = 3,
                          .loss = exact(first) + off,
                          .second = exact(second) - 4 * off});
            }
        }
    }

    void theBestOfTheFrontGetFreshSeeds() {
        Judge judge = pairJudge(searchedBy("random", 20, 2) + R"(,"seeds":{"count":2,"for":"best","best":3})");
        QCOMPARE(judge.trials().size(), 26u);
        (void)trained(judge);
        std::vector<LossPair> losses;
        std::vector<spec::Params> params;
        for (std::size_t i = 0; i < 20; ++i) {
            if (i % 13 == 7) continue; // it has failed
            params.push_back(judge.trials()[i].params);
            losses.push_back(lossesOf(params.back()));
        }
        const auto best = bestFirst(losses);
        for (std::size_t i = 20; i < 26; ++i)
            QVERIFY(spec::Params(judge.trials()[i].params) == params[best[(i - 20) / 2]]);
    }

    // What it adds to the hypervolume of the front, in 60 trials, next to random draws.
    void searchersSeekTheFront_data() {
        QTest::addColumn<QString>("searcher");
        for (const char* name : {"tpe", "gp"}) QTest::newRow(name) << QString(name);
    }
    void searchersSeekTheFront() {
        QFETCH(QString, searcher);
        const auto medianOf = [](const char* name) {
            std::vector<double> volumes;
            for (int seed = 1; seed <= 5; ++seed) {
                Judge judge = pairJudge(searchedBy(name, 60, seed));
                (void)trained(judge);
                std::vector<LossPair> losses{{2, 2}};
                for (const auto& trial : judge.trials()) losses.push_back(lossesOf(trial.params));
                volumes.push_back(paretoOf(losses).hypervolume);
            }
            std::nth_element(volumes.begin(), volumes.begin() + 2, volumes.end());
            return volumes[2];
        };
        const double all = 4 - 1.0 / 6; // of the whole front under (2, 2)
        const double random = medianOf("random"), found = medianOf(qPrintable(searcher));
        QVERIFY2(all - found < 0.6 * (all - random), qPrintable(QString("%1 %2").arg(random).arg(found)));
    }

    void restoredAtAnyEventItIsTheSame_data() { searchersSeekTheFront_data(); }
    void restoredAtAnyEventItIsTheSame() {
        QFETCH(QString, searcher);
        for (const char* more : {R"(,"budget":{"idleTrials":12})", R"(,"seeds":{"count":2})"})
            staysTheSame(searchedBy(qPrintable(searcher), 30, 3) + more);
    }

    // A trial is idle that adds nothing to the front.
    void idleTrialsAddNothingToTheFront() {
        Judge judge = pairJudge(searchedBy("random", 9, 1) + R"(,"budget":{"idleTrials":2})");
        const auto end = [&](double first, double second) {
            const auto orders = judge.take({.kind = Event::Kind::SlotFree});
            if (orders.empty()) return false;
            judge.take({.kind = Event::Kind::Ended, .trial = orders[0].trial, .t = 3, .loss = first, .second = second});
            return true;
        };
        QVERIFY(end(1, 4));
        QVERIFY(end(2, 5)); // dominated
        QVERIFY(end(4, 1)); // worse than the first in one way, and adds to the front
        QVERIFY(end(1, 4)); // the same again
        QVERIFY(!judge.end());
        QVERIFY(end(3, qQNaN())); // no pair
        QVERIFY(judge.end() && judge.end()->cause == SweepEnd::Cause::IdleTrials);
        QVERIFY(!end(0, 0));
    }

    // A second value counts from its t on, however the two series come.
    void twoSeriesBecomePairs() {
        PairedSeries series;
        const auto text = [&] {
            QString all;
            for (const auto& [t, first, second] : series.take())
                all += QString("%1:%2,%3 ").arg(t).arg(first).arg(second);
            return all.trimmed();
        };
        series.addFirst(1, 10);
        QCOMPARE(text(), QString()); // the second one is not there yet
        series.addSecond(1, 20);
        QCOMPARE(text(), QString("1:10,20"));
        QCOMPARE(text(), QString());
        series.addSecond(2, 21);
        series.addSecond(2.5, 22);
        series.addFirst(3, 12);
        QCOMPARE(text(), QString()); // another may come at 3
        series.addSecond(4, 24);
        QCOMPARE(text(), QString("3:12,22"));
        series.addFirst(5, 14);
        series.addFirst(6, 15);
        series.addSecond(6, 26);
        QCOMPARE(text(), QString("5:14,24 6:15,26"));
        PairedSeries late;
        late.addFirst(1, 10);
        late.addFirst(2, 11);
        late.addSecond(2, 20);
        const auto pairs = late.take(); // nothing of the second up to 1
        QVERIFY(pairs.size() == 1 && pairs[0].t == 2 && pairs[0].first == 11);
    }

    void aFileOfTwoSeriesComesThrough() {
        const auto spec = pairSweep(R"("searcher":"random","trials":4,"mode":["min","max"])");
        QVERIFY2(spec.ok(), spec ? "" : spec.error().text().c_str());
        QCOMPARE(spec->scoreBy + " " + spec->mode, std::string("val/loss min"));
        QVERIFY(spec->second == (spec::Objective{"time/step", "max"}));
        const auto again = spec::parseSweepSpec(spec::toJson(*spec));
        QVERIFY(again.ok() && *again == *spec);
        const auto byName = spec::parseSweepSpec(R"({"run":{},"space":{"seed":[1]},"scoreBy":["val/loss","val/r2"]})");
        QVERIFY2(byName.ok(), byName ? "" : byName.error().text().c_str());
        QCOMPARE(byName->mode + " " + byName->second->mode, std::string("min max"));
        const auto one = spec::parseSweepSpec(R"({"run":{},"space":{"seed":[1]},"scoreBy":["val/loss"]})");
        QVERIFY(one.ok() && !one->second && one->scoreBy == "val/loss");
    }

    // Bad inputs: sweeps by two series.
    void badPairsAreExplained_data() {
        QTest::addColumn<QString>("rest");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const char* rest, const char* part) {
            QTest::newRow(name) << QString(rest) << QString(part);
        };
        row("three series", R"("scoreBy":["val/loss","val/f1","lr"])", "scoreBy: must be a text, or a list of two");
        row("no series", R"("scoreBy":[])", "scoreBy: must be a text, or a list of two");
        row("a list of numbers", R"("scoreBy":["val/loss",2])", "scoreBy: must be a text, or a list of two");
        row("the same series", R"("scoreBy":["val/loss","val/loss"])",
            R"(scoreBy.1: is the first series again, found "val/loss" (name another one))");
        row("a slip in the second series", R"("scoreBy":["val/loss","val/f2"])",
            R"(scoreBy.1: is not the name of a series, found "val/f2" (did you mean "val/f1"?))");
        row("one mode of two", R"("scoreBy":["val/loss","val/f1"],"mode":"min")",
            "mode: must say max or min of each series of scoreBy");
        row("two modes of one", R"("scoreBy":"val/loss","mode":["min","max"])",
            "mode: must say max or min of each series of scoreBy");
        row("a second mode that is none", R"("scoreBy":["val/loss","val/f1"],"mode":["min","best"])",
            R"(mode.1: must be one of max, min, found "best")");
        row("a target of two", R"("scoreBy":["val/loss","val/f1"],"budget":{"target":0.5})",
            "budget.target: is a score of one series, and scoreBy names two, found 0.5");
    }
    void badPairsAreExplained() {
        QFETCH(QString, rest);
        QFETCH(QString, part);
        const auto file = R"({"run":{"epochs":9},"space":{"optimizer.lr":[0.1,0.2]},)" + rest.toStdString() + "}";
        auto spec = spec::parseSweepSpec(file);
        if (spec) spec = checkedSweep(*spec);
        QVERIFY(!spec.ok());
        QCOMPARE(spec.error().kind, ErrorKind::Input);
        QVERIFY2(QString::fromStdString(spec.error().text()).contains(part), spec.error().text().c_str());
    }
};

QTEST_GUILESS_MAIN(SweepPairsTest)
#include "sweep_pairs_test.moc"
