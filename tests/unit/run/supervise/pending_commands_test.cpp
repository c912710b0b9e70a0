// SPDX-License-Identifier: GPL-3.0-or-later
// What users ask of a run, what its ranks answer, and what is kept over a restart: sequences of events.
#include "engine/run/supervise/pending_commands.h"

#include <QTest>

#include <limits>

using namespace trainyard;
using run::PendingCommands;
using wire::CommandKind;

namespace {

// What happens, and in words what comes of it.
struct Event {
    enum { Ask, Done, NotDone, Taken, TakenAndRecorded, Saved, NotSaved, Repeat, Away } what;
    CommandKind kind = CommandKind::Pause;
    double value = 0; // of a learning rate
    std::int64_t step = 0;
    const char* id = "";
    QString expected;
};

QString answersText(const std::vector<wire::CommandDone>& answers) {
    QStringList texts;
    for (const auto& done : answers)
        texts << QString::fromStdString(
            done.id + (done.isDone() ? " saved" : ": " + done.error.text() + " (" + toString(done.error.code) + ")"));
    return texts.join(", ");
}

QString play(PendingCommands& commands, const Event& event) {
    const wire::CommandDone done{event.id, event.kind, event.value, event.step,
                                 event.what == Event::NotDone ? inputError("it was not possible") : Error{}};
    switch (event.what) {
    case Event::Ask: {
        const auto reply = commands.ask({event.id, event.kind, event.value});
        if (reply.verdict == PendingCommands::Verdict::Refuse) return QString::fromStdString(reply.why);
        return reply.verdict == PendingCommands::Verdict::Pass ? "pass" : "done";
    }
    case Event::Done:
    case Event::NotDone: commands.finish(done); return commands.isPaused() ? "paused" : "";
    case Event::Taken:
    case Event::TakenAndRecorded:
        commands.finish(done);
        return answersText(commands.finishSave(done, event.what == Event::TakenAndRecorded));
    case Event::Saved: return answersText(commands.settleSaves(event.step, {}));
    case Event::NotSaved:
        return answersText(commands.settleSaves(event.step, runError("disk full").withCode(ErrorCode::DiskFull)));
    case Event::Away: return answersText(commands.whileAway(HostName("h1"), event.step));
    case Event::Repeat: {
        QStringList texts;
        for (const auto& each : commands.toRepeat(event.step))
            texts << QString("%1%2").arg(wire::toString(each.kind)).arg(each.id.empty() ? "" : "*");
        return texts.join(", ");
    }
    }
    return {};
}

} // namespace

Q_DECLARE_METATYPE(std::vector<Event>)

class PendingCommandsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void goesOn_data();
    void goesOn();
    void whoAskedIsToldWhileTheLinkIsCut_data();
    void whoAskedIsToldWhileTheLinkIsCut() { goesOn(); }
    void takesNoMoreThanItCanHold();
    void repeatsTheNewestRate();
};

void PendingCommandsTest::goesOn_data() {
    using E = Event;
    QTest::addColumn<std::vector<Event>>("events");
    const auto row = [](const char* name, std::vector<Event> events) { QTest::newRow(name) << events; };
    const auto pause = CommandKind::Pause, unpause = CommandKind::Unpause, rate = CommandKind::SetLearningRate,
               save = CommandKind::Checkpoint;
    const QString pauseText = wire::toString(pause), unpauseText = wire::toString(unpause),
                  rateText = wire::toString(rate), saveText = wire::toString(save);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    row("pauses and goes on", {{E::Ask, pause, 0, 0, "a", "pass"},
                               {E::Done, pause, 0, 5, "a", "paused"},
                               {E::Ask, unpause, 0, 0, "b", "pass"},
                               {E::Done, unpause, 0, 5, "b", ""}});
    row("not paused", {{E::Ask, unpause, 0, 0, "a", "the run is not paused"}});
    row("goes on although the pause is still under way",
        {{E::Ask, pause, 0, 0, "a", "pass"}, {E::Ask, unpause, 0, 0, "b", "pass"}});
    row("paused already", {{E::Done, pause, 0, 5, "a", "paused"}, {E::Ask, pause, 0, 0, "b", "done"}});
    row("a pause that was not possible is none",
        {{E::Ask, pause, 0, 0, "a", "pass"}, {E::NotDone, pause, 0, 5, "a", ""}, {E::Repeat, pause, 0, 0, "", ""}});
    row("a learning rate of 0", {{E::Ask, rate, 0, 0, "a", "the learning rate must be greater than 0"}});
    row("a negative one", {{E::Ask, rate, -1, 0, "a", "the learning rate must be greater than 0"}});
    row("none", {{E::Ask, rate, nan, 0, "a", "the learning rate must be greater than 0"}});
    row("what is not done is repeated", {{E::Ask, pause, 0, 0, "a", "pass"},
                                         {E::Ask, save, 0, 0, "b", "pass"},
                                         {E::Repeat, pause, 0, 0, "", pauseText + "*, " + saveText + "*"}});
    row("what was answered is not",
        {{E::Ask, save, 0, 0, "b", "pass"}, {E::NotDone, save, 0, 5, "b", ""}, {E::Repeat, pause, 0, 0, "", ""}});
    row("an answer to nobody takes nothing", {{E::Ask, save, 0, 0, "b", "pass"},
                                              {E::Done, pause, 0, 5, "", "paused"},
                                              {E::Repeat, pause, 0, 0, "", pauseText + ", " + saveText + "*"}});
    row("a pause is kept over a restart",
        {{E::Done, pause, 0, 5, "a", "paused"}, {E::Repeat, pause, 0, 0, "", pauseText}});
    row("a rate is repeated to those who begin before it",
        {{E::Done, rate, 0.1, 50, "a", ""}, {E::Repeat, pause, 0, 40, "", rateText}});
    row("their state has it when they begin after it",
        {{E::Done, rate, 0.1, 50, "a", ""}, {E::Repeat, pause, 0, 50, "", ""}});
    row("rate, pause and what is open, in this order",
        {{E::Ask, save, 0, 0, "c", "pass"},
         {E::Done, rate, 0.1, 50, "a", ""},
         {E::Done, pause, 0, 60, "b", "paused"},
         {E::Repeat, pause, 0, 40, "", rateText + ", " + pauseText + ", " + saveText + "*"}});
    row("a checkpoint is answered when it is saved",
        {{E::Taken, save, 0, 50, "a", ""}, {E::Saved, save, 0, 50, "", "a saved"}, {E::Saved, save, 0, 50, "", ""}});
    row("an earlier one does not answer it",
        {{E::Taken, save, 0, 50, "a", ""}, {E::Saved, save, 0, 40, "", ""}, {E::Saved, save, 0, 50, "", "a saved"}});
    row("a later one does, whatever became of it",
        {{E::Taken, save, 0, 50, "a", ""}, {E::NotSaved, save, 0, 60, "", "a saved"}});
    row("not saved", {{E::Taken, save, 0, 50, "a", ""}, {E::NotSaved, save, 0, 50, "", "a: disk full (disk-full)"}});
    row("not saved, before the ranks have answered",
        {{E::NotSaved, save, 0, 50, "", ""}, {E::Taken, save, 0, 50, "a", "a: disk full (disk-full)"}});
    row("another step was not saved", {{E::NotSaved, save, 0, 40, "", ""}, {E::Taken, save, 0, 50, "a", ""}});
    row("it is in the list already", {{E::TakenAndRecorded, save, 0, 50, "a", "a saved"}});
    row("two at once", {{E::Taken, save, 0, 50, "a", ""},
                        {E::Taken, save, 0, 50, "b", ""},
                        {E::Saved, save, 0, 50, "", "a saved, b saved"}});
}

void PendingCommandsTest::whoAskedIsToldWhileTheLinkIsCut_data() {
    using E = Event;
    QTest::addColumn<std::vector<Event>>("events");
    const auto row = [](const char* name, std::vector<Event> events) { QTest::newRow(name) << events; };
    const auto pause = CommandKind::Pause, save = CommandKind::Checkpoint;
    const QString saveText = wire::toString(save);
    const QString away = "there is no link to h1 now; ",
                  saveAway = away + "the checkpoint is saved once it is back (connection-lost)";
    row("nobody asked", {{E::Away, save, 0, 9, "", ""}});
    row("the first rank is not heard: told once, and done when it is", {{E::Ask, save, 0, 0, "a", "pass"},
                                                                        {E::Away, save, 0, 9, "", "a: " + saveAway},
                                                                        {E::Away, save, 0, 9, "", ""},
                                                                        {E::Repeat, pause, 0, 0, "", saveText + "*"},
                                                                        {E::Taken, save, 0, 50, "a", ""},
                                                                        {E::Away, save, 0, 9, "", ""},
                                                                        {E::Saved, save, 0, 50, "", "a saved"}});
    row("it is not heard while the checkpoint is copied",
        {{E::Taken, save, 0, 50, "a", ""}, {E::Away, save, 0, 50, "", "a: " + saveAway}});
    row("what was asked later is told, too",
        {{E::Ask, save, 0, 0, "a", "pass"},
         {E::Away, save, 0, 9, "", "a: " + saveAway},
         {E::Ask, pause, 0, 0, "b", "pass"},
         {E::Away, save, 0, 9, "", "b: " + away + "it is done once it is back (connection-lost)"}});
}

void PendingCommandsTest::goesOn() {
    QFETCH(std::vector<Event>, events);
    PendingCommands commands;
    for (std::size_t i = 0; i < events.size(); ++i)
        QCOMPARE(QString("%1: ").arg(i) + play(commands, events[i]), QString("%1: ").arg(i) + events[i].expected);
}

void PendingCommandsTest::takesNoMoreThanItCanHold() {
    PendingCommands commands;
    for (int i = 0; i < 100; ++i)
        QVERIFY(commands.ask({std::to_string(i), CommandKind::Checkpoint, 0}).verdict ==
                PendingCommands::Verdict::Pass);
    QCOMPARE(commands.ask({"100", CommandKind::Checkpoint, 0}).why, std::string("too many pending requests"));
    commands.finish({"7", CommandKind::Checkpoint, 0, 5, {}});
    QVERIFY(commands.ask({"101", CommandKind::Checkpoint, 0}).verdict == PendingCommands::Verdict::Pass);
}

void PendingCommandsTest::repeatsTheNewestRate() {
    PendingCommands commands;
    commands.finish({"a", CommandKind::SetLearningRate, 0.1, 50, {}});
    commands.finish({"b", CommandKind::SetLearningRate, 0.2, 60, {}});
    commands.finish({"c", CommandKind::SetLearningRate, 0.3, 70, inputError("it was not possible")});
    const auto repeated = commands.toRepeat(0);
    QCOMPARE(repeated.size(), std::size_t{1});
    QCOMPARE(repeated[0].value, 0.2);
}

QTEST_GUILESS_MAIN(PendingCommandsTest)
#include "pending_commands_test.moc"
