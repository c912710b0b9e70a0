// SPDX-License-Identifier: GPL-3.0-or-later
// What a sweep's own rules order, event by event: stop rules, trials that are tried again, and how a sweep ends early.
#include "engine/sweep/results/decision_text.h"
#include "engine/sweep/results/sweep_result.h"
#include "engine/sweep/trials/trial_rules.h"
#include "tests/unit/sweep/sweep_simulation.h"

#include <QTest>

using namespace trainyard;
using namespace trainyard::sweep;

namespace {

const char* const kLr = R"({"optimizer.lr":{"from":0.0001,"to":1,"scale":"log"}})";

Failure failureOf(const QString& word, std::int64_t atMs) {
    if (word == QLatin1String("input")) return {ErrorKind::Input, ErrorCode::FieldInvalid, atMs};
    if (word == QLatin1String("host")) return {ErrorKind::Environment, ErrorCode::HostUnreachable, atMs};
    return {ErrorKind::Run, errorCodeFromString(word.toStdString()), atMs};
}

// "free"; "2@3 0.5": trial 2 reports 0.5 at 3; "end 2 0.5"; "fail 2 out-of-memory 7": seen at 7 ms; "pass 2@3 0.5 1":
// its value passes rule 1; "tick 60 90 3": seconds, seconds of training and epochs.
Event limitEventOf(const QString& text) {
    const auto words = text.split(QLatin1Char(' '));
    const auto place = (words[0] == QLatin1String("pass") ? words[1] : words[0]).split(QLatin1Char('@'));
    if (words[0] == QLatin1String("free")) return {.kind = Event::Kind::SlotFree};
    if (words[0] == QLatin1String("end"))
        return {.kind = Event::Kind::Ended, .trial = words[1].toInt(), .t = 27, .loss = words[2].toDouble()};
    if (words[0] == QLatin1String("fail"))
        return {.kind = Event::Kind::Failed,
                .trial = words[1].toInt(),
                .failure = failureOf(words.value(2), words.value(3, QStringLiteral("0")).toInt())};
    if (words[0] == QLatin1String("pass"))
        return {.kind = Event::Kind::Passed,
                .trial = place[0].toInt(),
                .t = place[1].toDouble(),
                .loss = words[2].toDouble(),
                .rule = words[3].toInt()};
    if (words[0] == QLatin1String("tick"))
        return {.kind = Event::Kind::Tick, .spent = {words[1].toDouble(), words[2].toDouble(), words[3].toDouble()}};
    return {
        .kind = Event::Kind::Report, .trial = place[0].toInt(), .t = place[1].toDouble(), .loss = words[1].toDouble()};
}

std::string ordersText(const std::vector<Order>& orders) {
    std::string text;
    for (const Order& order : orders) {
        const auto word = order.kind == Order::Kind::Start    ? "start "
                          : order.kind == Order::Kind::Resume ? "resume "
                          : order.kind == Order::Kind::Pause  ? "pause "
                          : order.kind == Order::Kind::Stop   ? "stop "
                                                              : "end ";
        text += (text.empty() ? "" : ", ") + (word + std::to_string(order.trial));
        if (!order.why.rule.empty()) text += " by " + order.why.rule;
    }
    return text.empty() ? "-" : text;
}

std::string wantedText(const Judge& judge) {
    std::string text;
    for (const auto& trial : judge.trials())
        text += "wrpe.*"[static_cast<int>(trial.wanted)]; // waiting running paused ending stopped ended
    return text;
}

using Steps = QList<std::pair<const char*, const char*>>; // event, orders

} // namespace

class SweepLimitsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Long because: a table, one row for each rule.
    // Feature: a sweep's own rules: trials that reach a limit save and end, failed ones are tried again, a budget or
    // too many failures end the sweep, a score that is never measured is named; decisions are the same after the
    // supervisor was killed. Also in spec_sweep_test, sweep_rules_test.
    void everyRuleHasItsOrders_data() {
        QTest::addColumn<std::string>("file");
        QTest::addColumn<Steps>("steps");
        QTest::addColumn<std::string>("wanted"); // of the trials, at the end
        QTest::addColumn<std::string>("reason"); // of the sweep's end
        const auto row = [](const char* name, const char* file, Steps steps, const char* wanted, const char* reason) {
            QTest::newRow(name) << std::string(file) << steps << std::string(wanted) << std::string(reason);
        };
        row("a trial ends by a rule, and keeps its score", R"("trials":2,"stop":[{"series":"train/loss","below":0.1}])",
            {{"free", "start 0"},
             {"pass 0@3 0.05 0", "end 0 by stop"},
             {"pass 0@4 0.04 0", "-"}, // once is enough
             {"0@4 0.5", "-"},
             {"end 0 0.5", "-"},
             {"free", "start 1"},
             {"end 1 0.6", "-"}},
            ".*", "");
        row("one that fails while it ends has failed", R"("trials":1,"stop":[{"series":"train/loss","below":0.1}])",
            {{"free", "start 0"}, {"pass 0@3 0.05 0", "end 0 by stop"}, {"fail 0", "-"}}, "*", "");
        row("a trial is tried again", R"("trials":1,"failure":{"retries":2})",
            {{"free", "start 0"}, {"fail 0 general 1", "-"}, {"fail 0 general 2", "-"}}, "r", "");
        row("a failure that was told before is none", R"("trials":1,"failure":{"retries":1})",
            {{"free", "start 0"}, {"fail 0 general 5", "-"}, {"fail 0 general 5", "-"}}, "r", "");
        row("until it has failed too often", R"("trials":1,"failure":{"retries":1})",
            {{"free", "start 0"}, {"fail 0 general 1", "-"}, {"fail 0 general 2", "-"}}, "*", "");
        row("what is wrong in the file stays so", R"("trials":1,"failure":{"retries":3})",
            {{"free", "start 0"}, {"fail 0 input 1", "-"}}, ".", "");
        row("too many trials fail", R"("trials":5,"failure":{"maxShare":0.5})",
            {{"free", "start 0"},
             {"free", "start 1"},
             {"free", "start 2"},
             {"free", "start 3"},
             {"end 0 1", "-"},
             {"fail 1 general 1", "-"},
             {"fail 2 general 2", "-"},
             {"free", "start 4"},
             {"fail 3 worker-killed 3", "end 4 by maxShare"},
             {"free", "-"},
             {"end 4 1", "-"}},
            "****.", "3 of 5 trials failed, and failure.maxShare is 0.5");
        row("two are too few to tell", R"("trials":2,"failure":{"maxShare":0})",
            {{"free", "start 0"}, {"fail 0 general 1", "-"}, {"free", "start 1"}, {"fail 1 general 2", "-"}}, "**", "");
        row("the first three fail alike", R"("trials":9)",
            {{"free", "start 0"},
             {"free", "start 1"},
             {"free", "start 2"},
             {"free", "start 3"},
             {"fail 1 out-of-memory 1", "-"},
             {"fail 0 out-of-memory 2", "-"},
             {"fail 2 out-of-memory 3", "end 3 by sameError"},
             {"free", "-"}},
            "***ewwwww", "the first three trials failed with the same error, out-of-memory");
        row("the first three fail in two ways", R"("trials":9)",
            {{"free", "start 0"},
             {"free", "start 1"},
             {"free", "start 2"},
             {"fail 0 out-of-memory 1", "-"},
             {"fail 1 loss-not-finite 2", "-"},
             {"fail 2 out-of-memory 3", "-"},
             {"free", "start 3"}},
            "***rwwwww", "");
        row("lost hosts do not count", R"("trials":4,"failure":{"maxShare":0})",
            {{"free", "start 0"},
             {"fail 0 host 1", "-"},
             {"free", "start 1"},
             {"fail 1 host 2", "-"},
             {"free", "start 2"},
             {"fail 2 host 3", "-"},
             {"free", "start 3"}},
            "***r", "");
        row("seconds", R"("budget":{"seconds":60})",
            {{"tick 1 0 0", "-"},
             {"free", "start 0"},
             {"free", "start 1"},
             {"tick 59 100 9", "-"},
             {"tick 60.5 100 9", "end 0 by seconds, end 1 by seconds"},
             {"tick 61 100 9", "-"},
             {"free", "-"},
             {"end 0 0.5", "-"},
             {"end 1 0.4", "-"}},
            "..", "the budget is used up: 60.5 of 60 seconds");
        row("seconds of training, to the ends of those that train", R"("budget":{"trainSeconds":90},"atEnd":"finish")",
            {{"free", "start 0"},
             {"free", "start 1"},
             {"end 0 0.5", "-"},
             {"tick 50 90 9", "-"},
             {"free", "-"},
             {"1@27 0.4", "-"},
             {"end 1 0.4", "-"}},
            "**", "the budget is used up: 90 of 90 seconds of training");
        row("epochs, with a trial that pauses",
            R"("budget":{"epochs":10},"scheduler":{"name":"asha","mode":"promote"})",
            {{"free", "start 0"},
             {"0@1 0.5", "pause 0 by asha"},
             {"free", "start 1"},
             {"tick 3 3 10", "stop 0 by epochs, end 1 by epochs"}},
            ".e", "the budget is used up: 10 of 10 epochs");
        row("nothing pauses at the end",
            R"("budget":{"epochs":10},"atEnd":"finish","scheduler":{"name":"asha","mode":"promote"})",
            {{"free", "start 0"}, {"tick 3 3 10", "-"}, {"0@1 0.5", "-"}, {"end 0 0.4", "-"}}, "*",
            "the budget is used up: 10 of 10 epochs");
        row("a report reaches the target", R"("budget":{"target":0.2},"trials":3)",
            {{"free", "start 0"},
             {"free", "start 1"},
             {"0@2 0.3", "-"},
             {"1@2 0.2", "end 0 by target, end 1 by target"}},
            "eew", "the target is reached: val/loss 0.2, and 0.2 was asked for");
        row("the last value is known at the end", R"("budget":{"target":0.2},"trials":3,"score":"last")",
            {{"free", "start 0"}, {"free", "start 1"}, {"1@2 0.1", "-"}, {"end 1 0.3", "-"}, {"end 0 0.15", "-"}},
            "**w", "the target is reached: val/loss 0.15, and 0.2 was asked for");
        row("nothing better comes", R"("budget":{"idleTrials":2},"trials":9)",
            {{"free", "start 0"},
             {"end 0 0.5", "-"},
             {"free", "start 1"},
             {"end 1 0.6", "-"},
             {"free", "start 2"},
             {"end 2 0.4", "-"},
             {"free", "start 3"},
             {"fail 3 general 1", "-"},
             {"free", "start 4"},
             {"end 4 0.4", "-"},
             {"free", "-"}},
            "*****wwww", "2 consecutive trials without improvement");
    }
    void everyRuleHasItsOrders() {
        QFETCH(std::string, file);
        QFETCH(Steps, steps);
        QFETCH(std::string, wanted);
        QFETCH(std::string, reason);
        const auto spec = test::sweepOf(kLr, "\"searcher\":\"random\"," + file);
        QVERIFY2(spec.ok(), spec ? "" : spec.error().text().c_str());
        Judge judge = *Judge::make(*spec);
        for (const auto& [event, orders] : steps) {
            const auto given = ordersText(judge.take(limitEventOf(QLatin1String(event))));
            QVERIFY2(given == orders, (std::string(event) + ": " + given).c_str());
        }
        QCOMPARE(wantedText(judge).substr(0, wanted.size()), wanted);
        QCOMPARE(judge.end() ? endReasonOf(decisionOf(*judge.end()), *spec) : std::string(), reason);
        Judge again = *Judge::make(*spec); // what was recorded tells it all
        const auto record = judge.takeRecord();
        for (const Event& event : record) again.replay(event);
        QCOMPARE(again.state(), judge.state());
    }

    // Bad inputs: rules of sweeps.
    void badRulesAreExplained_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const char* file, const char* part) {
            QTest::newRow(name) << QString(file) << QString(part);
        };
        row("halving without a number of trials", R"("budget":{"seconds":9},"scheduler":"halving")",
            "trials: is required: halving waits for all trials at a rung");
    }
    void badRulesAreExplained() {
        QFETCH(QString, file);
        QFETCH(QString, part);
        const auto spec = test::sweepOf(kLr, "\"searcher\":\"random\"," + file.toStdString());
        QVERIFY(!spec.ok() && spec.error().kind == ErrorKind::Input && !spec.error().remedy.empty());
        QVERIFY2(QString::fromStdString(spec.error().text()).contains(part), spec.error().text().c_str());
    }

    void ticksAreKeptEveryTenSeconds() {
        const auto spec = test::sweepOf(kLr, R"("searcher":"random","budget":{"seconds":100})");
        Judge judge = *Judge::make(*spec);
        for (int tenth = 0; tenth <= 995; ++tenth)
            QVERIFY(judge.take({.kind = Event::Kind::Tick, .spent = {.seconds = tenth / 10.0}}).empty());
        QCOMPARE(judge.takeRecord().size(), std::size_t{9});
        QCOMPARE(judge.spent().seconds, 90.0);
        QVERIFY(!judge.end());
        judge.take({.kind = Event::Kind::Tick, .spent = {.seconds = 100}});
        QVERIFY(judge.end() && !judge.end()->isFailure());
    }

    // Its host was lost: it is tried again, as often as that happens, and counts as no failure.
    void aTrialThatLosesItsHostIsTriedAgain() {
        const auto withHosts = [](const char* hosts, int workers) {
            return *spec::parseSweepSpec(
                R"({"version":1,"run":{"epochs":27,"scaling":{"workers":)" + std::to_string(workers) + R"(},"hosts":)" +
                hosts + R"(},"space":{"optimizer.lr":[0.1]},"scoreBy":"val/loss","failure":{"retries":1}})");
        };
        const struct {
            spec::SweepSpec spec;
            ErrorCode code;
            bool triedAgain; // the second and the third time
        } cases[] = {
            {withHosts(R"(["h1","h2"])", 1), ErrorCode::ConnectionLost, true},
            {withHosts(R"(["h1","h2"])", 1), ErrorCode::HostUnreachable, true},
            {withHosts(R"(["h1","h2"])", 1), ErrorCode::WorkerKilled, false},
            {withHosts(R"(["h1","h2"])", 2), ErrorCode::ConnectionLost, false}, // it is on both
            {withHosts(R"(["h1"])", 1), ErrorCode::ConnectionLost, false},
        };
        for (const auto& each : cases) {
            auto judge = *Judge::make(*checkedSweep(each.spec));
            judge.take({.kind = Event::Kind::SlotFree});
            const auto fail = [&](int atMs) {
                judge.take(
                    {.kind = Event::Kind::Failed, .trial = 0, .failure = {ErrorKind::Environment, each.code, atMs}});
                return judge.trials()[0].wanted == Wanted::Running;
            };
            QVERIFY(fail(1)); // the one retry of the sweep file, or another host
            QCOMPARE(fail(2), each.triedAgain);
            QCOMPARE(fail(3), each.triedAgain);
            QCOMPARE(judge.hasLostHost(0), each.triedAgain);
            auto again = *Judge::make(*checkedSweep(each.spec));
            for (const Event& event : judge.takeRecord()) again.replay(event);
            QCOMPARE(again.state(), judge.state());
        }
    }

    void aTrialThatLostItsHostComesFirst() {
        auto judge = *Judge::make(*checkedSweep(
            *spec::parseSweepSpec(R"({"version":1,"run":{"epochs":27,"scaling":{"workers":1},"hosts":["h1","h2"]},)"
                                  R"("space":{"optimizer.lr":[0.1,0.2,0.3,0.4]},"scoreBy":"val/loss"})")));
        for (int slot = 0; slot < 4; ++slot) judge.take({.kind = Event::Kind::SlotFree});
        QCOMPARE(firstLostHosts(judge, {0, 1, 2, 3}), (std::vector<int>{0, 1, 2, 3}));
        for (const int trial : {3, 1})
            judge.take({.kind = Event::Kind::Failed,
                        .trial = trial,
                        .failure = {ErrorKind::Environment, ErrorCode::ConnectionLost, 1}});
        QCOMPARE(firstLostHosts(judge, {0, 1, 2, 3}), (std::vector<int>{1, 3, 0, 2}));
        judge.take({.kind = Event::Kind::Ended, .trial = 1, .t = 27, .loss = 1});
        QVERIFY(!judge.hasLostHost(1)); // it needs no other one
        QCOMPARE(firstLostHosts(judge, {0, 2, 3}), (std::vector<int>{3, 0, 2}));
    }

    // What the supervisor does about the run of a trial follows from how far it has come.
    void aTrialsStageFollowsFromItsRun_data() {
        QTest::addColumn<wire::RunStatus>("status");
        QTest::addColumn<Wanted>("wanted");
        QTest::addColumn<QString>("seen"); // h begun here, s has a slot, l has a lock, t told to stop, a tried again
        QTest::addColumn<Stage>("stage");
        using enum wire::RunStatus;
        const auto row = [](const char* name, wire::RunStatus status, Wanted wanted, const char* seen, Stage stage) {
            QTest::newRow(name) << status << wanted << QString(seen) << stage;
        };
        row("it trains in a slot", Running, Wanted::Running, "hs", Stage::Open);
        row("an earlier supervisor left it", Interrupted, Wanted::Running, "", Stage::Open);
        row("its slot died", Interrupted, Wanted::Running, "h", Stage::Done);
        row("it trained to its end", Finished, Wanted::Running, "h", Stage::Complete);
        row("to its end, and is to adopt", Finished, Wanted::Adopting, "h", Stage::Complete);
        row("it failed", Failed, Wanted::Running, "h", Stage::Complete);
        row("it failed, and is tried again", Failed, Wanted::Running, "ha", Stage::Open);
        row("its supervisor ended without a word", Queued, Wanted::Running, "h", Stage::NeverBegan);
        row("its supervisor is only starting", Queued, Wanted::Running, "hl", Stage::Open);
        row("it waits at a slot", Queued, Wanted::Running, "hs", Stage::Open);
        row("it has not begun", Queued, Wanted::Running, "", Stage::Open);
        row("a person stopped its run", Stopped, Wanted::Running, "h", Stage::Done);
        row("this supervisor paused it", Stopped, Wanted::Paused, "ht", Stage::Open);
        row("paused, and to be resumed", Stopped, Wanted::Running, "ht", Stage::Open);
        row("stopped to adopt", Stopped, Wanted::Adopting, "ht", Stage::Open);
        row("stopped for good", Stopped, Wanted::Stopped, "ht", Stage::Done);
        row("it has saved, and ends", Stopped, Wanted::Ending, "ht", Stage::Done);
        row("it has ended under an earlier supervisor", Stopped, Wanted::Ending, "", Stage::Done);
        row("stopped under an earlier supervisor", Stopped, Wanted::Running, "", Stage::Open);
    }
    void aTrialsStageFollowsFromItsRun() {
        QFETCH(wire::RunStatus, status);
        QFETCH(Wanted, wanted);
        QFETCH(QString, seen);
        TrialEntry trial;
        trial.status = status;
        trial.finishedMs = 5;
        trial.begunHere = seen.contains('h');
        trial.toldToStop = seen.contains('t');
        Judge::Trial judged;
        judged.wanted = wanted;
        judged.failedMs = seen.contains('a') ? 5 : 4; // an earlier failure has been forgotten
        QTEST(stageOf(trial, judged, seen.contains('s'), seen.contains('l')), "stage");
    }

    void trialsSayWhyTheyEnded() {
        const auto spec = test::sweepOf(
            kLr, R"("searcher":"random","trials":1,"stop":[{"series":"train/loss","above":9,"after":2}])");
        using store::TrialDecision;
        const double none = std::nan("");
        const struct {
            store::TrialDecisionRow decision;
            std::string brief, full;
        } cases[] = {
            {{0, TrialDecision::Ended, "stop", 3, 12.5, 9, 0, 0},
             "stop rule at epoch 3",
             "ended by the sweep's stop rule at epoch 3: train/loss 12.5 is above 9"},
            {{0, TrialDecision::Ended, "seconds"}, "ended with the sweep", "ended with the sweep"},
            {{0, TrialDecision::Stopped, "asha", 1, 0.52, 0.31, 5, 6},
             "stopped at epoch 1: 0.52, worse than the cut 0.31",
             "stopped early by asha at epoch 1: val/loss 0.52 came 5th of 6, and 0.31 was needed"},
            {{0, TrialDecision::Stopped, "asha", 1, none, none, 0, 0},
             "stopped at epoch 1: no finite number",
             "stopped early by asha at epoch 1: val/loss was not a finite number"},
            {{0, TrialDecision::Stopped, "halving", 1, none, 0.4, 4, 5},
             "stopped at epoch 1: too late",
             "stopped early by halving at epoch 1: val/loss was not measured by the deadline"},
            {{0, TrialDecision::Paused, "hyperband", 3, 0.52, none, 2, 3},
             "paused at epoch 3: 0.52",
             "paused by hyperband at epoch 3: val/loss 0.52 came 2nd of 3"},
            {{0, TrialDecision::Adopts, "pbt", 2, 0.52, 0.31, 11, 12},
             "to adopt at epoch 2: 0.52, worse than the cut 0.31",
             "told to adopt by pbt at epoch 2: val/loss 0.52 came 11th of 12, and 0.31 was needed"},
            {{0, TrialDecision::Stopped, "ann@lab"}, "stopped by ann@lab", "stopped by ann@lab"},
            {{0, TrialDecision::Killed, "ann@lab"}, "killed by ann@lab", "killed by ann@lab"},
            {{0, TrialDecision::Resumed, "asha"}, "", ""},
        };
        for (const auto& each : cases) {
            const Reason reason = reasonOf(each.decision, *spec, true);
            QCOMPARE(reason.brief, each.brief);
            QCOMPARE(reason.full, each.full);
        }
        QCOMPARE(reasonOf(cases[2].decision, *spec, false).brief,
                 std::string("stopped at 1: 0.52, worse than the cut 0.31"));
        QVERIFY(!spec->rules.stop[0].isPassedBy(1, 12));
        QVERIFY(spec->rules.stop[0].isPassedBy(2, 12));
        QVERIFY(!spec->rules.stop[0].isPassedBy(2, 9));
        QVERIFY(!spec->rules.stop[0].isPassedBy(2, std::nan("")));
    }
};

QTEST_GUILESS_MAIN(SweepLimitsTest)
#include "sweep_limits_test.moc"
