// SPDX-License-Identifier: GPL-3.0-or-later
// What follows a loss, and how the size of a group changes: sequences of events with times, and the decisions expected.
#include "engine/run/supervise/failures/recovery_policy.h"
#include "engine/run/supervise/group_size.h"

#include <QTest>

using namespace trainyard;
using run::FailureCode;
using run::GroupSize;
using run::LaunchRetries;
using run::RecoveryPolicy;
using Action = RecoveryPolicy::Action;
using Change = GroupSize::Change;

namespace {

struct Loss {
    FailureCode code = FailureCode::Exited;
    int able = 1; // to go on
    std::int64_t step = 50;
    bool newcomer = false, finished = false;
    ErrorKind kind = ErrorKind::Run;
    Action action = Action::Replace; // expected
    double pause = 0;
    ErrorCode error = ErrorCode::General;
    const char* what = "";
    bool newcomerFailed = false;
};

// One event of a group's size at a second, and what has to come of it, in words.
struct SizeEvent {
    double at;
    enum {
        Ask,
        AskPaused,
        AskNccl,
        Look,
        LookUnsettled,
        LeftOut,
        LeftOutNoRestarts,
        GrowFails,
        Forms,
        Announced,
        Regroup, // both
        Trains,
        Relaunch
    } what;
    int value; // of Ask: workers; else the ranks that there are
    QString expected;
};

const char* wordOf(Change change) {
    switch (change) {
    case Change::None: return "none";
    case Change::Grow: return "grow";
    case Change::Shrink: return "shrink";
    case Change::Reached: return "reached";
    }
    return "";
}

QString play(GroupSize& size, const SizeEvent& event) {
    switch (event.what) {
    case SizeEvent::Ask:
    case SizeEvent::AskPaused:
    case SizeEvent::AskNccl: {
        const wire::Command command{"id", wire::CommandKind::Resize, static_cast<double>(event.value)};
        const auto asked = size.ask(command, event.what == SizeEvent::AskNccl, event.what == SizeEvent::AskPaused);
        return asked ? "asked" : QString::fromStdString(asked.error().message);
    }
    case SizeEvent::Look: {
        const auto change = size.next(event.at, event.value, true);
        if (change == Change::Reached && !size.answer(event.value, 7)) return "reached, and nobody to answer";
        return wordOf(change);
    }
    case SizeEvent::LookUnsettled: return wordOf(size.next(event.at, event.value, false));
    case SizeEvent::LeftOut: size.leftOut(event.at, true); return "";
    case SizeEvent::LeftOutNoRestarts: size.leftOut(event.at, false); return "";
    case SizeEvent::GrowFails: return size.growFailed(event.at, event.value, true) ? "answer" : "later";
    case SizeEvent::Forms: size.beginRegroup(event.at); return "";
    case SizeEvent::Announced: size.announced(); return "";
    case SizeEvent::Regroup:
        size.beginRegroup(event.at);
        size.announced();
        return "";
    case SizeEvent::Trains: {
        if (!size.endRegroup(event.at)) return "trained";
        const auto done = size.answer(event.value, 7);
        return !done ? "silent" : done->isDone() ? "done" : QString::fromStdString(done->error.message);
    }
    case SizeEvent::Relaunch: size.relaunched(); return "";
    }
    return {};
}

} // namespace

Q_DECLARE_METATYPE(RecoveryPolicy::Settings)
Q_DECLARE_METATYPE(std::vector<Loss>)
Q_DECLARE_METATYPE(std::vector<SizeEvent>)

class RecoveryPolicyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void decides_data();
    void decides();
    void survivorsSave_data();
    void survivorsSave();
    void keepsTheFirstCause();
    void aPauseGrowsOnlyWithoutProgress_data();
    void aPauseGrowsOnlyWithoutProgress();
    void changesTheSize_data();
    void changesTheSize();
    void triesALaunchAgainInTime();
};

// Each loss is handled, and counted, before the next.
// Fault: A rank finds no memory before its first step. The run ends with the code out-of-memory, with what was needed,
// what was left and a batch to set; no restart, which would need as much again. Also in script_runs_test.
// Fault: The same exception at the same step as before a restart. The run ends with it: it would come again. Also in
// script_runs_test.
void RecoveryPolicyTest::decides_data() {
    using Settings = RecoveryPolicy::Settings;
    QTest::addColumn<Settings>("settings");
    QTest::addColumn<std::vector<Loss>>("losses");
    const auto row = [](const char* name, Settings settings, std::vector<Loss> losses) {
        QTest::newRow(name) << settings << losses;
    };
    row("a lost rank is replaced", {3}, {{}});
    row("all lost: from the checkpoint", {3}, {{.able = 0, .action = Action::Restart}});
    row("of a program: from its checkpoint", {3, 0, true}, {{.action = Action::Restart}});
    row("a rank has finished: from the checkpoint", {3}, {{.finished = true, .action = Action::Restart}});
    row("no restarts", {0}, {{.action = Action::GiveUp}});
    row("no restarts, and ranks may be left out", {0, 1}, {{.action = Action::Shrink}});
    row("no restarts, and too few are left", {0, 3}, {{.able = 2, .action = Action::GiveUp}});
    row("restarts are used up", {2}, {{}, {}, {.action = Action::GiveUp}});
    row("restarts are used up, then ranks are left out", {1, 1}, {{}, {.action = Action::Shrink}});
    row("replaced as long as there are restarts, rather than left out", {3, 1}, {{}, {}, {}});
    row("newcomers lost three times in a row: left out", {9, 1},
        {{}, {.newcomer = true}, {.newcomer = true}, {.newcomer = true, .action = Action::Shrink}});
    row("newcomers lost, and nobody may be left out", {9, 0},
        {{}, {.newcomer = true}, {.newcomer = true}, {.newcomer = true}, {.newcomer = true}});
    row("newcomers lost, but not in a row", {9, 1},
        {{.newcomer = true}, {.newcomer = true}, {}, {.newcomer = true}, {.newcomer = true}});
    row("what is wrong with the input", {3, 1},
        {{.code = FailureCode::Reported, .kind = ErrorKind::Input, .action = Action::GiveUp}});
    row("what is wrong with a newcomer's host, and the others may go on", {3, 1},
        {{.code = FailureCode::Reported,
          .newcomer = true,
          .kind = ErrorKind::Input,
          .action = Action::Shrink,
          .newcomerFailed = true}});
    row("the same, and nobody may be left out", {3},
        {{.code = FailureCode::Reported,
          .newcomer = true,
          .kind = ErrorKind::Input,
          .action = Action::GiveUp,
          .newcomerFailed = true}});
    row("another version on a newcomer's host, and the others may go on", {3, 1},
        {{.code = FailureCode::OtherProtocol, .newcomer = true, .action = Action::Shrink, .newcomerFailed = true}});
    row("a newcomer is killed: replaced", {3, 1}, {{.newcomer = true, .newcomerFailed = true}});
    row("another version on a host", {3, 1}, {{.code = FailureCode::OtherProtocol, .action = Action::GiveUp}});
    row("results that differ", {3, 1}, {{.code = FailureCode::ResultsDiffer, .able = 0, .action = Action::GiveUp}});
    row("could not be launched: again", {3},
        {{.code = FailureCode::NotLaunched, .able = 0, .action = Action::Restart}});
    row("a broken link: all keep their state", {3}, {{.code = FailureCode::LinkBroken, .able = 3}});
    row("without progress, pauses grow to five seconds", {9},
        {{.step = 0},
         {.step = 0, .pause = 0.5},
         {.step = 0, .pause = 1},
         {.step = 0, .pause = 2},
         {.step = 0, .pause = 4},
         {.step = 0, .pause = 5},
         {.step = 0, .pause = 5}});
    row("without progress from the checkpoint, too", {9},
        {{.able = 0, .step = 0, .action = Action::Restart},
         {.able = 0, .step = 0, .action = Action::Restart, .pause = 0.5},
         {.able = 0, .step = 1, .action = Action::Restart}});
    // What would only come again.
    const auto raised = [](const char* what, std::int64_t step, Action action) {
        return Loss{.code = FailureCode::Reported, .step = step, .action = action, .what = what};
    };
    row("the same exception at the same step", {9},
        {raised("a shape", 50, Action::Replace), raised("a shape", 50, Action::GiveUp)});
    row("the same exception at another step", {9},
        {raised("a shape", 50, Action::Replace), raised("a shape", 51, Action::Replace)});
    row("another exception at the same step", {9},
        {raised("a shape", 50, Action::Replace), raised("a device", 50, Action::Replace)});
    row("the same exception, and something else in between", {9},
        {raised("a shape", 50, Action::Replace), {.step = 50}, raised("a shape", 50, Action::Replace)});
    row("killed again and again at the same step", {2}, {{}, {}, {.action = Action::GiveUp}});
    row("a loop without end, and once more at the same step", {9},
        {{.code = FailureCode::Stuck, .step = 0}, {.code = FailureCode::Stuck, .step = 0, .action = Action::GiveUp}});
    row("a device that fails again", {9},
        {{.code = FailureCode::Reported, .kind = ErrorKind::Environment},
         {.code = FailureCode::Reported, .kind = ErrorKind::Environment}});
    const auto noMemory = [](FailureCode code, std::int64_t step, Action action) {
        return Loss{.code = code,
                    .step = step,
                    .kind = ErrorKind::Environment,
                    .action = action,
                    .error = ErrorCode::OutOfMemory};
    };
    row("no memory before a step is taken", {9}, {noMemory(FailureCode::Reported, 0, Action::GiveUp)});
    row("the same, ended by the kernel", {9}, {noMemory(FailureCode::OutOfMemory, 0, Action::GiveUp)});
    row("no memory for a newcomer, and the others may go on", {9, 1},
        {noMemory(FailureCode::OutOfMemory, 0, Action::Shrink)});
    row("no memory after steps that had enough", {9}, {noMemory(FailureCode::Reported, 50, Action::Replace)});
    row("the same again at the same step", {9},
        {noMemory(FailureCode::Reported, 50, Action::Replace), noMemory(FailureCode::Reported, 50, Action::GiveUp)});
    row("nobody waits before ranks are left out", {1, 1}, {{.step = 0}, {.step = 0, .action = Action::Shrink}});
}

void RecoveryPolicyTest::decides() {
    QFETCH(RecoveryPolicy::Settings, settings);
    QFETCH(std::vector<Loss>, losses);
    RecoveryPolicy policy(settings);
    for (std::size_t i = 0; i < losses.size(); ++i) {
        const auto& loss = losses[i];
        policy.beginGroup(0);
        run::Cause cause;
        cause.code = loss.code;
        cause.step = loss.step;
        cause.error.kind = loss.kind;
        cause.error.code = loss.error;
        cause.what = loss.what;
        const auto decision = policy.decide(cause, {loss.able, loss.finished, loss.newcomer, loss.newcomerFailed});
        const std::string which = "loss " + std::to_string(i);
        QVERIFY2(decision.action == loss.action, which.c_str());
        QVERIFY2(decision.pause == loss.pause, (which + ": " + std::to_string(decision.pause)).c_str());
        if (decision.action == Action::Replace || decision.action == Action::Restart) policy.spendRestart();
        if (decision.action == Action::Shrink) policy.forgetNewcomers();
    }
}

// What is left of a group saves only what nothing is wrong with.
void RecoveryPolicyTest::survivorsSave_data() {
    QTest::addColumn<FailureCode>("code");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<int>("able");
    QTest::addColumn<bool>("finished");
    QTest::addColumn<bool>("program");
    QTest::addColumn<bool>("newcomer");
    QTest::addColumn<bool>("saves");
    const auto row = [](const char* name, FailureCode code, ErrorKind kind, int able, bool finished, bool program,
                        bool saves, bool newcomer = false) {
        QTest::newRow(name) << code << kind << able << finished << program << newcomer << saves;
    };
    using C = FailureCode;
    using K = ErrorKind;
    row("a rank was killed", C::Exited, K::Run, 1, false, false, true);
    row("killed for lack of memory", C::OutOfMemory, K::Environment, 2, false, false, true);
    row("its host is gone", C::Silent, K::Environment, 1, false, false, true);
    row("it hangs", C::Absent, K::Run, 1, false, false, true);
    row("a replacement could not be launched", C::NotLaunched, K::Environment, 1, false, false, true);
    row("nobody is left", C::Exited, K::Run, 0, false, false, false);
    row("a rank has finished already", C::Exited, K::Run, 1, true, false, false);
    row("a program of its own", C::Exited, K::Run, 1, false, true, false);
    row("the ranks do not reach one another", C::LinkBroken, K::Environment, 2, false, false, false);
    row("the input is wrong", C::Reported, K::Input, 1, false, false, false);
    row("the input is wrong where a newcomer is", C::Reported, K::Input, 1, false, false, true, true);
    row("the results differ", C::ResultsDiffer, K::Run, 1, false, false, false);
}

void RecoveryPolicyTest::survivorsSave() {
    QFETCH(FailureCode, code);
    QFETCH(ErrorKind, kind);
    QFETCH(int, able);
    QFETCH(bool, finished);
    QFETCH(bool, program);
    QFETCH(bool, newcomer);
    const RecoveryPolicy policy({0, 0, program});
    run::Cause cause;
    cause.code = code;
    cause.error.kind = kind;
    QTEST(policy.survivorsSave(cause, {able, finished, newcomer, newcomer}), "saves");
}

void RecoveryPolicyTest::keepsTheFirstCause() {
    RecoveryPolicy policy({3});
    run::Cause cause;
    cause.code = FailureCode::Exited;
    cause.rank = 1;
    (void)policy.decide(cause, {1});
    cause.rank = 2;
    (void)policy.decide(cause, {1});
    QCOMPARE(policy.firstCause()->rank, 1);
    cause.rank = 3; // nothing else can be the reason
    cause.code = FailureCode::OtherProtocol;
    (void)policy.decide(cause, {1});
    QCOMPARE(policy.firstCause()->rank, 3);
}

void RecoveryPolicyTest::aPauseGrowsOnlyWithoutProgress_data() {
    QTest::addColumn<std::optional<std::int64_t>>("begun");
    QTest::addColumn<std::optional<std::int64_t>>("beat");
    QTest::addColumn<std::int64_t>("step");
    QTest::addColumn<double>("pause");
    using Step = std::optional<std::int64_t>;
    const auto row = [](const char* name, Step begun, Step beat, std::int64_t step, double pause) {
        QTest::newRow(name) << begun << beat << step << pause;
    };
    row("no sign of life", {}, {}, 0, 0.5);
    row("lost where the checkpoint was", {}, 40, 40, 0.5);
    row("lost after it", {}, 40, 41, 0);
    row("replaced, and lost at once", 45, 45, 45, 0.5);
    row("the first beat does not move where a new group began", 45, 48, 47, 0);
}

void RecoveryPolicyTest::aPauseGrowsOnlyWithoutProgress() {
    QFETCH(std::optional<std::int64_t>, begun);
    QFETCH(std::optional<std::int64_t>, beat);
    QFETCH(std::int64_t, step);
    RecoveryPolicy policy({3});
    policy.spendRestart();
    policy.beginGroup(begun);
    if (beat) policy.noteStep(*beat);
    run::Cause cause;
    cause.code = FailureCode::Exited;
    cause.step = step;
    QTEST(policy.decide(cause, {1}).pause, "pause");
}

// Long because: a table of event sequences, one row each.
void RecoveryPolicyTest::changesTheSize_data() {
    using E = SizeEvent;
    QTest::addColumn<std::vector<SizeEvent>>("events");
    const auto row = [](const char* name, std::vector<SizeEvent> events) { QTest::newRow(name) << events; };
    row("grows on request", {{0, E::Ask, 3, "asked"},
                             {1, E::LookUnsettled, 2, "none"},
                             {2, E::Look, 2, "grow"},
                             {2, E::Regroup, 3, ""},
                             {3, E::Look, 3, "none"},
                             {4, E::Trains, 3, "done"},
                             {5, E::Look, 3, "none"}});
    row("shrinks on request",
        {{0, E::Ask, 1, "asked"}, {1, E::Look, 2, "shrink"}, {1, E::Regroup, 1, ""}, {2, E::Trains, 1, "done"}});
    row("the old group is heard of while a rank is ended", {{0, E::Ask, 1, "asked"},
                                                            {1, E::Look, 2, "shrink"},
                                                            {1, E::Forms, 2, ""},
                                                            {1, E::Trains, 2, "trained"}, // and answers nothing
                                                            {2, E::Announced, 1, ""},
                                                            {3, E::Trains, 1, "done"}});
    row("as many as there are", {{0, E::Ask, 2, "asked"}, {1, E::Look, 2, "reached"}});
    row("one at a time", {{0, E::Ask, 3, "asked"}, {1, E::Ask, 4, "its number of workers is being changed already"}});
    row("too many", {{0, E::Ask, 5, "scaling.elastic allows 1 to 4 workers, and 5 were asked for"}});
    row("none", {{0, E::Ask, 0, "scaling.elastic allows 1 to 4 workers, and 0 were asked for"}});
    row("not while paused", {{0, E::AskPaused, 3, "it is paused: resume it first"}});
    row("not over NCCL",
        {{0, E::AskNccl, 3,
          "over NCCL the ranks cannot regroup while they train: stop it, and fork it with another number of workers"}});
    row("newcomers are lost", {{0, E::Ask, 3, "asked"},
                               {1, E::Look, 2, "grow"},
                               {1, E::Regroup, 3, ""},
                               {2, E::LeftOut, 2, ""},
                               {3, E::Trains, 2, "the new ranks were lost while joining; continues with 2 workers"},
                               {21.9, E::Look, 2, "none"},
                               {22, E::Look, 2, "grow"}});
    row("they cannot be launched",
        {{0, E::Ask, 3, "asked"}, {1, E::Look, 2, "grow"}, {1, E::GrowFails, 2, "answer"}, {100, E::Look, 2, "none"}});
    row("what was left out comes back", {{0, E::Regroup, 1, ""},
                                         {0, E::LeftOut, 1, ""},
                                         {1, E::Trains, 1, "silent"},
                                         {19, E::Look, 1, "none"},
                                         {20, E::LookUnsettled, 1, "none"},
                                         {21, E::Look, 1, "grow"},
                                         {21, E::Regroup, 2, ""},
                                         {22, E::Trains, 2, "silent"},
                                         {999, E::Look, 2, "none"}});
    row("pauses double, to ten minutes", {{0, E::LeftOut, 1, ""},
                                          {20, E::Look, 1, "grow"},
                                          {20, E::GrowFails, 1, "later"},
                                          {59, E::Look, 1, "none"},
                                          {60, E::Look, 1, "grow"},
                                          {60, E::GrowFails, 1, "later"},
                                          {140, E::Look, 1, "grow"},
                                          {140, E::GrowFails, 1, "later"},
                                          {300, E::Look, 1, "grow"},
                                          {300, E::GrowFails, 1, "later"},
                                          {620, E::Look, 1, "grow"},
                                          {620, E::GrowFails, 1, "later"},
                                          {1219, E::Look, 1, "none"},
                                          {1220, E::Look, 1, "grow"},
                                          {1220, E::GrowFails, 1, "later"},
                                          {1819, E::Look, 1, "none"},
                                          {1820, E::Look, 1, "grow"}});
    row("a pause begins anew once all are there", {{0, E::LeftOut, 1, ""},
                                                   {20, E::Look, 1, "grow"},
                                                   {20, E::Regroup, 2, ""},
                                                   {21, E::Trains, 2, "silent"},
                                                   {30, E::LeftOut, 1, ""},
                                                   {50, E::Look, 1, "grow"}});
    row("no restarts for it", {{0, E::LeftOutNoRestarts, 1, ""}, {9999, E::Look, 1, "none"}});
    row("a wish goes before what was left out",
        {{0, E::LeftOut, 1, ""}, {1, E::Ask, 1, "asked"}, {2, E::Look, 1, "reached"}, {99, E::Look, 1, "none"}});
    row("asked for while a rank is replaced", {{0, E::Regroup, 2, ""},
                                               {1, E::Ask, 3, "asked"},
                                               {2, E::Look, 2, "none"},
                                               {3, E::Trains, 2, "silent"},
                                               {4, E::Look, 2, "grow"},
                                               {4, E::Regroup, 3, ""},
                                               {5, E::Trains, 3, "done"}});
    row("a restart goes on with what was asked for", {{0, E::Ask, 3, "asked"},
                                                      {1, E::Look, 2, "grow"},
                                                      {1, E::Regroup, 3, ""},
                                                      {2, E::Relaunch, 3, ""},
                                                      {3, E::Trains, 3, "trained"},
                                                      {4, E::Look, 3, "reached"}});
    row("a restart has all that was left out",
        {{0, E::LeftOut, 1, ""}, {1, E::Relaunch, 2, ""}, {99, E::Look, 2, "none"}});
}

void RecoveryPolicyTest::changesTheSize() {
    QFETCH(std::vector<SizeEvent>, events);
    GroupSize size({2, 1, 4, false});
    for (const auto& event : events)
        QCOMPARE(QString("%1: ").arg(event.at) + play(size, event), QString("%1: ").arg(event.at) + event.expected);
}

void RecoveryPolicyTest::triesALaunchAgainInTime() {
    LaunchRetries retries(100, 10);
    double now = 100;
    for (const double pause : {0.25, 0.5, 1.0, 2.0, 4.0}) {
        const auto next = retries.nextPause(now);
        QVERIFY(next);
        QCOMPARE(*next, pause);
        now += *next;
    }
    QVERIFY(!retries.nextPause(now)); // 5 s more would be too late
    QVERIFY(!LaunchRetries(100, 0).nextPause(100));
}

QTEST_GUILESS_MAIN(RecoveryPolicyTest)
#include "recovery_policy_test.moc"
