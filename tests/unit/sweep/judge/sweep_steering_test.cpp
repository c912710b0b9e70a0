// SPDX-License-Identifier: GPL-3.0-or-later
// What a person asks of a sweep: what is ordered then, what is refused and with which words, and that the record makes
// the same judge again.
#include "engine/sweep/judge/replayed_curves.h"
#include "tests/unit/sweep/sweep_simulation.h"
#include "tests/unit/sweep/sweep_steering.h"

#include <QTest>

#include <set>

using namespace trainyard;
using namespace trainyard::sweep;
using test::steeringOf;

namespace {

const char* const kRates = R"({"optimizer.lr":{"from":0.001,"to":1,"scale":"log"}})";
const char* const kMixed =
    R"({"optimizer.lr":{"from":0.001,"to":1,"scale":"log"},"batch.perRank":[16,32,64],"optimizer.name":["sgd","adam"],)"
    R"("optimizer.momentum":{"choice":[0.8,0.9],"when":{"optimizer.name":["sgd"]}}})";

Judge judgeOver(const std::string& space, const std::string& rest) {
    const auto spec = test::sweepOf(space, rest);
    if (!spec) qFatal("%s", spec.error().text().c_str());
    auto judge = Judge::make(*spec);
    if (!judge) qFatal("%s", judge.error().text().c_str());
    return std::move(*judge);
}

std::string wordsOf(const std::vector<Order>& orders) {
    std::string text;
    static const char* const words[] = {"start ", "resume ", "pause ", "stop ", "end "};
    for (const Order& order : orders) {
        text += (text.empty() ? "" : ", ") + (words[static_cast<int>(order.kind)] + std::to_string(order.trial));
        if (order.why.rule == "ann@lab") text += " by ann";
    }
    return text.empty() ? "-" : text;
}

// "free", "1@3 0.5", "end 1 0.5", "fail 1"; all else is asked by a person: "add 2", "restrict optimizer.lr=0.1..1".
std::string told(Judge& judge, const QString& text) {
    const auto words = text.split(QLatin1Char(' '));
    if (words[0] == QLatin1String("free")) return wordsOf(judge.take({.kind = Event::Kind::SlotFree}));
    if (words[0] == QLatin1String("end"))
        return wordsOf(
            judge.take({.kind = Event::Kind::Ended, .trial = words[1].toInt(), .t = 27, .loss = words[2].toDouble()}));
    if (words[0] == QLatin1String("fail") || words[0] == QLatin1String("unfit")) {
        const auto kind = words[0] == QLatin1String("fail") ? ErrorKind::Run : ErrorKind::Input;
        return wordsOf(judge.take({.kind = Event::Kind::Failed,
                                   .trial = words[1].toInt(),
                                   .failure = {kind, ErrorCode::OutOfMemory, words.value(2).toInt()}}));
    }
    if (const auto place = words[0].split(QLatin1Char('@')); place.size() == 2)
        return wordsOf(judge.take({.kind = Event::Kind::Report,
                                   .trial = place[0].toInt(),
                                   .t = place[1].toDouble(),
                                   .loss = words[1].toDouble()}));
    const auto asked = steeringOf(text.toStdString());
    if (const auto can = judge.check(asked); !can) return can.error().text();
    return wordsOf(judge.take({.kind = Event::Kind::Steered, .trial = asked.trial, .steering = asked}));
}

using SteeredSteps = QList<std::pair<const char*, const char*>>;
const char* const kAsha = R"("trials":4,"searcher":"random","scheduler":"asha","failure":{"maxShare":1})";
const char* const kFifo = R"("trials":3,"searcher":"random","failure":{"maxShare":1})";

} // namespace

class SweepSteeringTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: what a person restricts holds for what a population mutates, too.
    void aPopulationMutatesWithinWhatIsLeft() {
        const auto spec = test::sweepOf(
            R"({"optimizer.lr":{"from":0.0001,"to":1,"scale":"log"},"batch.perRank":[16,32,64]})",
            R"("trials":24,"scheduler":{"name":"pbt","mutate":"optimizer.lr, batch.perRank","interval":2})");
        QVERIFY2(spec.ok(), spec ? "" : spec.error().text().c_str());
        Judge judge = *Judge::make(*spec);
        test::Simulation simulation(judge, {.slots = 24, .loss = test::trainingLoss});
        int adoptions = 0;
        bool restricted = false;
        simulation.heard = [&](const Event& event, const std::vector<Order>& orders) {
            for (const Order& order : orders) {
                if (!restricted || order.kind != Order::Kind::Adopt) continue;
                ++adoptions;
                const spec::Choice point{{}, order.params};
                const double rate = point.number("optimizer.lr", 0);
                QVERIFY2(rate >= 0.01 && rate <= 0.02, std::to_string(rate).c_str());
                QCOMPARE(point.integer("batch.perRank", 0), std::int64_t{64});
            }
            if (restricted || event.kind != Event::Kind::Report) return;
            restricted = true;
            for (const char* asked : {"restrict optimizer.lr=0.01..0.02", "restrict batch.perRank=[64]"}) {
                QVERIFY(judge.check(steeringOf(asked)).ok());
                judge.take({.kind = Event::Kind::Steered, .steering = steeringOf(asked)});
            }
        };
        QCOMPARE(simulation.run(), std::string());
        QVERIFY(adoptions > 20);
    }
    // Feature: a sweep is steered by hand, while it runs and after: trials are stopped, killed, promoted and retried,
    // configurations added and enqueued, axes restricted, slots and trials set, the sweep paused and finished; each
    // request has its time and author, is kept until it is answered, and done once, whatever dies. Also in
    // ctl_sweep_test, sweep_schedulers_test, sweep_steer_test.
    void everyRequestHasItsOrders_data() {
        QTest::addColumn<std::string>("rest");
        QTest::addColumn<SteeredSteps>("steps");
        const auto row = [](const char* name, const std::string& rest, SteeredSteps steps) {
            QTest::newRow(name) << rest << steps;
        };
        row("stop and kill", kFifo,
            {{"free", "start 0"},
             {"free", "start 1"},
             {"stop 0", "end 0 by ann"},
             {"kill 1", "stop 1 by ann"},
             {"end 0 0.5", "-"},
             {"promote 1", "trial 1: was killed, found promote (enqueue its values to train them again)"},
             {"promote 0", "resume 0"}});
        row("kill one that is ending", kFifo,
            {{"free", "start 0"}, {"stop 0", "end 0 by ann"}, {"kill 0", "stop 0 by ann"}});
        row("promote what was stopped: it is judged no more", kAsha,
            {{"free", "start 0"},
             {"free", "start 1"},
             {"0@1 0.1", "-"},
             {"1@1 0.9", "stop 1"},
             {"promote 1", "resume 1"},
             {"1@3 9", "-"},
             {"1@9 9", "-"},
             {"end 1 9", "-"},
             {"promote 1", "trial 1: has trained to its end, found promote (no change is needed)"}});
        row("promote what pauses: the others go on without it",
            R"("trials":3,"searcher":"random","scheduler":"halving","failure":{"maxShare":1})",
            {{"free", "start 0"},
             {"free", "start 1"},
             {"free", "start 2"},
             {"0@1 0.5", "pause 0"},
             {"1@1 0.4", "pause 1"},
             {"promote 0", "resume 0"},
             {"2@1 0.3", "stop 1"}, // of two, the better half goes on
             {"0@3 9", "-"},
             {"end 0 0.4", "-"}});
        row("a pausing trial that is stopped is over at once",
            R"("trials":2,"searcher":"random","scheduler":{"name":"asha","mode":"promote"})",
            {{"free", "start 0"}, {"0@1 0.5", "pause 0"}, {"stop 0", "stop 0 by ann"}, {"free", "start 1"}});
        row("retry", kFifo,
            {{"free", "start 0"},
             {"fail 0 7", "-"},
             {"retry 0", "resume 0"},
             {"fail 0 7", "-"}, // the failure that is known
             {"fail 0 8", "-"},
             {"retry 0", "resume 0"},
             {"end 0 0.5", "-"},
             {"free", "start 1"},
             {"unfit 1 9", "-"},
             {"retry 1", "trial 1: failed because of its input, found retry (enqueue other values)"}});
        row("add", kFifo,
            {{"free", "start 0"},
             {"free", "start 1"},
             {"free", "start 2"},
             {"free", "-"},
             {"add 2", "-"},
             {"free", "start 3"},
             {"free", "start 4"},
             {"free", "-"}});
        row("enqueued ones are next, in their order", kFifo,
            {{"free", "start 0"},
             {"enqueue optimizer.lr=0.5", "-"},
             {"enqueue optimizer.lr=0.25", "-"},
             {"free", "start 3"},
             {"free", "start 4"},
             {"free", "start 1"}});
        row("pause and resume", kFifo,
            {{"free", "start 0"},
             {"pause", "-"},
             {"free", "-"},
             {"pause", "sweep: is paused already, found pause (resume it)"},
             {"0@1 0.5", "-"},
             {"resume", "-"},
             {"resume", "sweep: is not paused, found resume (no change is needed)"},
             {"free", "start 1"}});
        row("finish, and add all the same", kFifo,
            {{"free", "start 0"},
             {"finish", "-"},
             {"free", "-"},
             {"finish", "sweep: is finishing already, found finish (no change is needed)"},
             {"end 0 0.5", "-"},
             {"add 1", "-"},
             {"free", "start 3"}, // those that waited are not begun any more
             {"free", "-"}});
        row("finish stops what pauses", R"("trials":2,"searcher":"random","scheduler":"halving")",
            {{"free", "start 0"}, {"0@1 0.5", "pause 0"}, {"finish", "stop 0"}});
        row("a number of trials", kFifo,
            {{"free", "start 0"},
             {"set trials=2", "-"},
             {"free", "start 1"},
             {"free", "-"},
             {"set trials=1", "-"}, // two have begun
             {"set trials=3", "-"},
             {"free", "start 3"},
             {"free", "-"}});
        row("a budget ends it, and a person goes on", R"("searcher":"random","budget":{"idleTrials":1,"epochs":5})",
            {{"free", "start 0"},
             {"end 0 0.5", "-"},
             {"free", "start 1"},
             {"add 1", "count: has no meaning while only the budget limits the sweep, found 1 (set "
                       "trials=N first, or enqueue the configurations that you want: trainyardctl sweep enqueue SWEEP "
                       "--set PATH=VALUE)"},
             {"end 1 0.6", "-"},
             {"free", "-"},
             {"enqueue optimizer.lr=0.5", "-"},
             {"free", "start 2"},
             {"end 2 0.7", "-"},
             {"free", "-"}});
    }
    void everyRequestHasItsOrders() {
        QFETCH(std::string, rest);
        QFETCH(SteeredSteps, steps);
        Judge judge = judgeOver(kRates, rest);
        std::vector<Event> record;
        for (const auto& [text, expected] : steps) {
            const auto given = told(judge, QLatin1String(text));
            QVERIFY2(given == expected, (std::string(text) + ": " + given).c_str());
            for (const Event& each : judge.takeRecord()) record.push_back(each);
        }
        Judge restored = judgeOver(kRates, rest);
        for (const Event& each : record) restored.replay(each);
        QCOMPARE(restored.state(), judge.state());
    }

    void anEnqueuedConfigurationHasItsValuesAndASearchGoesOnAsPlanned() {
        for (const char* searcher : {"random", "sobol", "tpe"}) {
            const std::string rest =
                "\"trials\":3,\"seeds\":{\"count\":2},\"searcher\":\"" + std::string(searcher) + "\"";
            Judge judge = judgeOver(kRates, rest), plain = judgeOver(kRates, rest);
            told(judge, "enqueue optimizer.lr=0.5");
            std::vector<double> rates, planned;
            for (int i = 0; i < 8; ++i)
                for (const Order& order : judge.take({.kind = Event::Kind::SlotFree}))
                    rates.push_back(spec::Choice{{}, order.params}.number("optimizer.lr", 0));
            for (int i = 0; i < 6; ++i)
                for (const Order& order : plain.take({.kind = Event::Kind::SlotFree}))
                    planned.push_back(spec::Choice{{}, order.params}.number("optimizer.lr", 0));
            QCOMPARE(rates.size(), std::size_t{8});
            QCOMPARE((std::vector(rates.begin(), rates.begin() + 2)), (std::vector{0.5, 0.5})); // with both seeds
            QCOMPARE((std::vector(rates.begin() + 2, rates.end())), planned);
        }
    }

    // Every draw after the restriction lies inside, and what was outside is no longer learned from.
    void aRestrictionHoldsFromTheNextDraw_data() {
        QTest::addColumn<QString>("searcher");
        for (const char* searcher : {"random", "sobol", "tpe", "gp"}) QTest::newRow(searcher) << QString(searcher);
    }
    void aRestrictionHoldsFromTheNextDraw() {
        QFETCH(QString, searcher);
        const std::string rest = "\"trials\":60,\"searcher\":\"" + searcher.toStdString() + "\"";
        Judge judge = judgeOver(kMixed, rest);
        const auto run = [&](int trials, bool inside) {
            for (int i = 0; i < trials; ++i) {
                const auto orders = judge.take({.kind = Event::Kind::SlotFree});
                if (orders.empty()) return false;
                const spec::Choice point{{}, orders[0].params};
                const double rate = point.number("optimizer.lr", 0);
                if (inside && (rate < 0.01 - 1e-12 || rate > 0.1 + 1e-12 || point.integer("batch.perRank", 0) == 64))
                    return false;
                if (inside &&
                    (point.text("optimizer.name", "") != "sgd" || !orders[0].params.contains("optimizer.momentum")))
                    return false;
                judge.take({.kind = Event::Kind::Ended, .trial = orders[0].trial, .t = 27, .loss = rate});
            }
            return true;
        };
        QVERIFY(run(20, false));
        QCOMPARE(told(judge, "restrict optimizer.lr=0.01..0.1"), std::string("-"));
        QCOMPARE(told(judge, "restrict batch.perRank=[16,32]"), std::string("-"));
        QCOMPARE(told(judge, "restrict optimizer.name=sgd"), std::string("-"));
        QVERIFY(run(25, true));
        QCOMPARE(told(judge, "restrict optimizer.lr=0.001..1"), std::string("-")); // and it can be lifted
        QVERIFY(run(5, false));
        Judge again = judgeOver(kMixed, rest);
        for (const Event& each : judge.takeRecord()) again.replay(each);
        QCOMPARE(again.state(), judge.state());
    }

    void aRestrictedGridLeavesOutItsPoints() {
        Judge judge = judgeOver(R"({"optimizer.lr":[0.1,0.2,0.3],"batch.perRank":[16,32]})", R"("searcher":"grid")");
        QCOMPARE(told(judge, "free"), std::string("start 0"));
        QCOMPARE(told(judge, "restrict optimizer.lr=[0.1,0.3]"), std::string("-"));
        QCOMPARE(judge.planned(), 4);
        QCOMPARE(told(judge, "free"), std::string("start 1"));
        QCOMPARE(told(judge, "free"), std::string("start 4"));
        QCOMPARE(told(judge, "free"), std::string("start 5"));
        QCOMPARE(told(judge, "free"), std::string("-"));
    }

    // Bad inputs: requests to sweeps.
    void badRequestsAreExplained_data() {
        QTest::addColumn<QString>("request");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const char* request, const char* said) {
            QTest::newRow(name) << QString(request) << QString::fromUtf8(said);
        };
        row("unknown trial", "stop 99", "trial: is not a trial of the sweep, found 99 (take one of 0 to 3)");
        row("trial -1", "kill -1", "trial: is not a trial of the sweep, found -1");
        row("stop what has not started", "stop 3", "trial 3: has not started, found stop");
        row("stop what is over", "stop 1", "trial 1: has trained to its end, found stop");
        row("promote what trains", "promote 0", "trial 0: is being trained, found promote");
        row("promote what is over", "promote 1", "trial 1: has trained to its end, found promote");
        row("promote what failed", "promote 2", "trial 2: has failed, found promote (retry it)");
        row("retry what is over", "retry 1", "trial 1: has trained to its end, found retry");
        row("add nothing", "add 0", "count: must be 1 to 100000, found 0");
        row("add too many", "add 100000", "count: would make more than 100000 trials, found 100000");
        row("enqueue an unknown field", "enqueue optimizer.rl=0.1",
            "optimizer.rl: is not a field that the sweep varies, found 0.1 (did you mean \"optimizer.lr\"?)");
        row("enqueue a value outside", "enqueue optimizer.lr=2 batch.perRank=16 optimizer.name=adam",
            "optimizer.lr: is outside of the space, found 2 (take a value of 0.001 to 1)");
        row("enqueue a choice outside", "enqueue optimizer.lr=0.1 batch.perRank=17 optimizer.name=adam",
            "batch.perRank: is outside of the space, found 17 (take one of 16, 32, 64)");
        row("enqueue a word for a number", "enqueue optimizer.lr=fast batch.perRank=16 optimizer.name=adam",
            "optimizer.lr: must be a number, found fast");
        row("enqueue too little", "enqueue optimizer.lr=0.1 optimizer.name=adam", "batch.perRank: is missing");
        row("enqueue what does not count",
            "enqueue optimizer.lr=0.1 batch.perRank=16 optimizer.name=adam optimizer.momentum=0.9",
            "optimizer.momentum: does not apply with the other values, found 0.9 (leave it out)");
        row("restrict an unknown field", "restrict batch.size=16..32",
            "batch.size: is not a field that the sweep varies");
        row("restrict to nothing", "restrict optimizer.lr=2..3",
            "optimizer.lr: leaves nothing, found 2 to 3 (keep a part of 0.001 to 1)");
        row("restrict a list to nothing", "restrict batch.perRank=100..200",
            "batch.perRank: leaves nothing, found 100 to 200 (keep one of its values: 16, 32, 64)");
        row("restrict to a value outside", "restrict batch.perRank=[16,48]",
            "batch.perRank: is outside of the space, found 48");
        row("restrict the wrong way round", "restrict optimizer.lr=0.5..0.1",
            "optimizer.lr: from must not be greater than to, found 0.5 and 0.1 (swap the two)");
        row("no slots", "set parallel=-1", "parallel: must be 0 to 1024, found -1");
        row("no trials", "set trials=0", "trials: must be at least 1, found 0");
        row("set nothing", "set", "set: nothing is given");
        row("resume what is not paused", "resume", "sweep: is not paused, found resume");
    }
    void badRequestsAreExplained() {
        QFETCH(QString, request);
        QFETCH(QString, said);
        Judge judge = judgeOver(kMixed, R"("trials":4,"searcher":"random","failure":{"maxShare":1})");
        for (const char* step : {"free", "free", "free", "end 1 0.5", "fail 2 7"}) told(judge, QLatin1String(step));
        const auto before = judge.state();
        const auto can = judge.check(steeringOf(request.toStdString()));
        QVERIFY(!can.ok());
        QCOMPARE(can.error().kind, ErrorKind::Input);
        QVERIFY2(QString::fromStdString(can.error().text()).startsWith(said), can.error().text().c_str());
        QVERIFY(!can.error().remedy.empty());
        QCOMPARE(judge.state(), before);
    }

    void aFiniteSpaceAndAGridDoNotGrow() {
        Judge finite = judgeOver(R"({"optimizer.lr":[0.1,0.2,0.3]})", R"("trials":2,"searcher":"tpe")");
        QCOMPARE(told(finite, "add 2"),
                 std::string("count: is more than there is: the space has 3 configurations, and 2 "
                             "are planned, found 2 (take at most 1)"));
        QCOMPARE(told(finite, "add 1"), std::string("-"));
        Judge grid = judgeOver(R"({"optimizer.lr":[0.1,0.2,0.3]})", R"("searcher":"grid")");
        QCOMPARE(told(grid, "add 1"),
                 std::string(
                     "count: cannot grow: the sweep tries every point of a grid, found 1 "
                     "(enqueue the configurations that you want: trainyardctl sweep enqueue SWEEP --set PATH=VALUE)"));
        QCOMPARE(told(grid, "enqueue optimizer.lr=0.2"), std::string("-"));
    }

    void textsOfRequestsReadBack() {
        for (const char* text : {"stop 3", "kill 0", "promote 2", "retry 1", "add 5", "pause", "resume", "finish",
                                 "set parallel=3 trials=40", "enqueue optimizer.lr=0.25 optimizer.name=sgd",
                                 "restrict optimizer.lr=0.001..0.1", "restrict optimizer.name=[\"sgd\",\"adam\"]"}) {
            const auto asked = steeringOf(text);
            auto back = steeringFromBody(bodyOf(asked));
            QVERIFY2(back.ok(), text);
            back->trial = asked.trial;
            back->author = asked.author;
            back->atMs = asked.atMs;
            QVERIFY2(*back == asked, text);
            QVERIFY(!describe(asked).empty());
        }
        QVERIFY(!steeringFromBody("{}").ok());
        QVERIFY(!steeringFromBody(R"({"verb":"fly"})").ok());
        const Error error = inputError("is wrong", "here", "do that").withCode(ErrorCode::FieldInvalid);
        QCOMPARE(answerFrom(answerText(error)).error().text(), error.text());
        QCOMPARE(answerFrom(answerText(7)).value(), 7);
    }

    // A scheduler over recorded curves trains less than FIFO and finds what FIFO finds.
    // Feature: what a sweep would come to, from the curves of another. Also in ctl_sweep_test.
    void simulatesOverRecordedCurves() {
        std::vector<RecordedCurve> curves;
        for (int trial = 0; trial < 40; ++trial) {
            const double rate = std::pow(10.0, -3 + 3.0 * trial / 39);
            RecordedCurve curve{trial, {{"optimizer.lr", rate}}, {}};
            for (int t = 1; t <= 27; ++t) curve.losses.emplace_back(t, test::trainingLoss(trial, curve.params, t));
            curves.push_back(std::move(curve));
        }
        const auto found = [&](const char* scheduler) {
            const auto spec =
                test::sweepOf(kRates, R"("trials":30,"searcher":"random","scheduler":)" + std::string(scheduler));
            return *simulate(*spec, curves, 4);
        };
        const auto fifo = found("\"fifo\""), asha = found("\"asha\"");
        QCOMPARE(fifo.started, 30);
        QCOMPARE(fifo.ended, 30);
        QCOMPARE(fifo.used, 30 * 27.0);
        QCOMPARE(asha.fifo, fifo.fifo);
        QVERIFY(asha.used < 0.6 * asha.fifo);
        QVERIFY(asha.bestLoss < fifo.bestLoss + 0.02);
        int stopped = 0;
        for (const auto& [rung, trials] : asha.stoppedAt) {
            QVERIFY(rung == 1 || rung == 3 || rung == 9);
            stopped += trials;
        }
        QCOMPARE(stopped + asha.ended, 30);
        QVERIFY(!simulate(*test::sweepOf(kRates, R"("trials":3,"searcher":"random")"), {}, 4).ok());
    }

    // The one that a sweep would name, whose trials are compared by their best losses unless it says otherwise.
    void aSimulationNamesTheBestAsTheSweepDoes() {
        const std::vector<RecordedCurve> curves{{0, {{"optimizer.lr", 0.01}}, {{1, 0.9}, {2, 0.1}, {27, 0.8}}},
                                                {1, {{"optimizer.lr", 0.1}}, {{1, 0.7}, {2, 0.6}, {27, 0.5}}}};
        const auto bestBy = [&](const char* score) {
            return *simulate(
                *test::sweepOf(R"({"optimizer.lr":[0.01,0.1]})", R"("searcher":"grid","score":)" + std::string(score)),
                curves, 2);
        };
        QCOMPARE(bestBy("\"best\"").best, 0);
        QCOMPARE(bestBy("\"best\"").bestLoss, 0.1);
        QCOMPARE(bestBy("\"last\"").best, 1);
        QCOMPARE(bestBy("\"last\"").bestLoss, 0.5);
    }
};

QTEST_GUILESS_MAIN(SweepSteeringTest)
#include "sweep_steering_test.moc"
