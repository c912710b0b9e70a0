// SPDX-License-Identifier: GPL-3.0-or-later
// What watchers see of a run and how often: what ranks tell, with times, and the state that follows.
#include "engine/run/supervise/journal/published_state.h"

#include <QTest>

#include <limits>

using namespace trainyard;
using run::PublishedState;
using wire::Phase;

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

struct PaceEvent {
    double at;
    enum { Change, Send } what;
    double due;         // afterwards
    bool store = false; // what Send gives
};

struct BeatEvent {
    double at;
    std::int64_t step;
    double eta; // expected
    bool paused = false;
};

} // namespace

Q_DECLARE_METATYPE(std::vector<PaceEvent>)
Q_DECLARE_METATYPE(std::vector<BeatEvent>)
Q_DECLARE_METATYPE(std::vector<wire::PhaseChange>)

class PublishedStateTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isSentInTime_data();
    void isSentInTime();
    void tellsTheTimeLeft_data();
    void tellsTheTimeLeft();
    void tellsWhatTheStartTook_data();
    void tellsWhatTheStartTook();
    void stepsGoBackOnlyWithTheRun();
    void aPauseHasNoSpeed();
};

void PublishedStateTest::isSentInTime_data() {
    using E = PaceEvent;
    QTest::addColumn<std::vector<PaceEvent>>("events");
    const auto row = [](const char* name, std::vector<PaceEvent> events) { QTest::newRow(name) << events; };
    row("nothing new", {{100, E::Send, kNever, true}});
    row("progress four times a second", {{100, E::Send, kNever, true},
                                         {100.1, E::Change, 100.25},
                                         {100.2, E::Change, 100.25},
                                         {100.25, E::Send, kNever, false},
                                         {100.3, E::Change, 100.5}});
    row("news after a while go at once", {{100, E::Send, kNever, true}, {105, E::Change, 100.25}});
    row("once a second into the store", {{100, E::Send, kNever, true},
                                         {100.5, E::Send, kNever, false},
                                         {100.99, E::Send, kNever, false},
                                         {101, E::Send, kNever, true},
                                         {101.5, E::Send, kNever, false},
                                         {102, E::Send, kNever, true}});
}

void PublishedStateTest::isSentInTime() {
    QFETCH(std::vector<PaceEvent>, events);
    PublishedState state;
    for (const auto& event : events) {
        if (event.what == PaceEvent::Change) state.change();
        else QCOMPARE(state.send(event.at), event.store);
        QCOMPARE(state.due(), event.due);
    }
}

// Of a run of 1000 steps.
void PublishedStateTest::tellsTheTimeLeft_data() {
    QTest::addColumn<std::vector<BeatEvent>>("beats");
    const auto row = [](const char* name, std::vector<BeatEvent> beats) { QTest::newRow(name) << beats; };
    row("nobody knows at first", {{0, 0, -1}});
    row("too short a time tells nothing", {{0, 0, -1}, {0.2, 10, -1}, {0.5, 50, 9.5}});
    row("ten steps a second", {{0, 0, -1}, {0.5, 5, 99.5}, {1, 10, 99}});
    row("no step is made", {{0, 100, -1}, {1, 100, -1}, {2, 100, -1}});
    row("of the last twenty seconds", {{0, 0, -1}, {20, 20, 980}, {40, 220, 78}, {60, 420, 58}});
    row("at the end", {{0, 900, -1}, {1, 1000, 0}});
    row("not while it is paused", {{0, 0, -1}, {1, 10, 99}, {2, 10, -1, true}, {3, 10, -1, true}});
    row("a pause does not count", {{0, 0, -1}, {1, 10, 99}, {100, 10, -1, true}, {101, 20, 98}});
}

void PublishedStateTest::tellsTheTimeLeft() {
    QFETCH(std::vector<BeatEvent>, beats);
    PublishedState state;
    for (const auto& each : beats) {
        wire::Heartbeat beat;
        beat.step = each.step;
        beat.totalSteps = 1000;
        state.applyBeat(beat, 0, each.paused, each.at);
        QCOMPARE(state.etaSeconds, each.eta);
    }
}

void PublishedStateTest::tellsWhatTheStartTook_data() {
    using Changes = std::vector<wire::PhaseChange>;
    QTest::addColumn<Changes>("changes");
    QTest::addColumn<QString>("checklist");
    QTest::addColumn<int>("begins"); // how often it begins to train
    const auto row = [](const char* name, Changes changes, const QString& checklist, int begins) {
        QTest::newRow(name) << changes << checklist << begins;
    };
    const auto at = [](Phase phase, double seconds) { return wire::PhaseChange{phase, seconds, {}}; };
    const auto name = [](Phase phase) { return QString(wire::toString(phase)); };
    row("starting", {at(Phase::Rendezvous, 1), at(Phase::LoadData, 3)},
        name(Phase::Rendezvous) + " 2, " + name(Phase::Start) + " 1", 0);
    row("the whole start, once",
        {at(Phase::Rendezvous, 1), at(Phase::LoadData, 3), at(Phase::LoadData, 5), at(Phase::FirstStep, 6),
         at(Phase::FirstStep, 7), at(Phase::Train, 10), at(Phase::Validate, 20), at(Phase::Train, 25),
         at(Phase::Checkpoint, 30), at(Phase::Train, 31)},
        name(Phase::FirstStep) + " 4, " + name(Phase::LoadData) + " 3, " + name(Phase::Rendezvous) + " 2, " +
            name(Phase::Start) + " 1",
        1);
}

void PublishedStateTest::tellsWhatTheStartTook() {
    QFETCH(std::vector<wire::PhaseChange>, changes);
    PublishedState state;
    int begins = 0;
    for (const auto& change : changes) begins += state.applyPhase(change) ? 1 : 0;
    QStringList texts;
    for (const auto& [phase, seconds] : state.checklist) texts << QString("%1 %2").arg(phase.c_str()).arg(seconds);
    texts.sort();
    QFETCH(QString, checklist);
    auto expected = checklist.split(", ");
    expected.sort();
    QCOMPARE(texts, expected);
    QTEST(begins, "begins");
}

void PublishedStateTest::stepsGoBackOnlyWithTheRun() {
    PublishedState state;
    state.applyPoints({{"train/loss", 0, {{10, 0, 1.5, 0.7}, {20, 0, 3, 0.6}}}, {"lr", 0, {{15, 0, 2, 0.1}}}});
    QCOMPARE(state.step, 20);
    QCOMPARE(state.newestPoint(), 20);
    QCOMPARE(state.trainSeconds, 3.0);
    wire::Heartbeat beat;
    beat.step = 18; // older than the points
    state.applyBeat(beat, 100, false, 1);
    QCOMPARE(state.step, 20);
    state.rewind(12);
    QCOMPARE(state.step, 12);
    QCOMPARE(state.newestPoint(), 12);
    state.rewind(-1);
    QCOMPARE(state.step, 0);
    QCOMPARE(state.trainSeconds, 3.0);
}

void PublishedStateTest::aPauseHasNoSpeed() {
    PublishedState state;
    wire::Heartbeat beat;
    beat.totalSteps = 100;
    state.applyBeat(beat, 640, false, 0);
    beat.step = 10;
    state.applyBeat(beat, 640, false, 1);
    QCOMPARE(state.samplesPerSecond, 640.0);
    QCOMPARE(state.etaSeconds, 9.0);
    state.applyPause(true, 11);
    QCOMPARE(state.samplesPerSecond, 0.0);
    QCOMPARE(state.etaSeconds, -1.0);
    QCOMPARE(state.step, 11);
}

QTEST_GUILESS_MAIN(PublishedStateTest)
#include "published_state_test.moc"
