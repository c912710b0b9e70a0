// SPDX-License-Identifier: GPL-3.0-or-later
// Stop frame, SIGTERM, SIGKILL: requests and looks with times, and what is to be done at each.
#include "engine/run/supervise/failures/stop_sequence.h"

#include <QTest>

using namespace trainyard;
using run::StopSequence;
using StopAction = StopSequence::Action;
using wire::Phase;
using wire::StopMode;

namespace {

struct Event {
    double at;
    std::optional<StopMode> request; // before the look
    Phase phase;                     // of rank 0
    StopAction expected;
    bool relaunched = false; // before the look
};

constexpr std::optional<StopMode> kNone;

} // namespace

Q_DECLARE_METATYPE(std::vector<Event>)
Q_DECLARE_METATYPE(std::optional<std::int64_t>)

class StopSequenceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void goesOn_data();
    void goesOn();
    void onlyAStrongerRequestCounts_data();
    void onlyAStrongerRequestCounts();
    void aCheckpointIsAwaited_data();
    void aCheckpointIsAwaited();
    void anAwaitedCheckpointIsNoStop();
};

void StopSequenceTest::goesOn_data() {
    QTest::addColumn<std::vector<Event>>("events");
    QTest::addColumn<bool>("forced");
    const auto row = [](const char* name, bool forced, std::vector<Event> events) {
        QTest::newRow(name) << events << forced;
    };
    const auto save = StopMode::SaveAndStop, now = StopMode::StopNow, kill = StopMode::Kill;
    const auto train = Phase::Train, write = Phase::Checkpoint, validate = Phase::Validate;
    row("asked, and they have time", false,
        {{0, save, train, StopAction::Ask}, {19.9, kNone, train, StopAction::Wait}});
    row("SIGTERM, then the end", true,
        {{0, save, train, StopAction::Ask},
         {20, kNone, train, StopAction::Terminate},
         {22.9, kNone, train, StopAction::Wait},
         {23, kNone, train, StopAction::End},
         {24, kNone, train, StopAction::End}});
    row("nothing to save before the first step", true,
        {{0, save, Phase::LoadData, StopAction::Ask},
         {4.9, kNone, Phase::LoadData, StopAction::Wait},
         {5, kNone, Phase::LoadData, StopAction::Terminate}});
    row("a checkpoint that is written may take minutes", true,
        {{0, save, train, StopAction::Ask},
         {20, kNone, write, StopAction::Wait},
         {299, kNone, write, StopAction::Wait},
         {300, kNone, write, StopAction::Terminate}});
    row("the validation before it too", true,
        {{0, save, validate, StopAction::Ask},
         {20, kNone, validate, StopAction::Wait},
         {200, kNone, write, StopAction::Wait},
         {300, kNone, validate, StopAction::Terminate}});
    row("no more once it is written", true,
        {{0, save, train, StopAction::Ask},
         {100, kNone, write, StopAction::Wait},
         {101, kNone, train, StopAction::Terminate}});
    row("at once", true,
        {{0, now, train, StopAction::Ask},
         {2.9, kNone, train, StopAction::Wait},
         {3, kNone, train, StopAction::Terminate},
         {6, kNone, train, StopAction::End}});
    row("at once: no checkpoint is waited for", true,
        {{0, now, write, StopAction::Ask}, {3, kNone, write, StopAction::Terminate}});
    row("at once, before the first step", true,
        {{0, now, Phase::Start, StopAction::Ask}, {3, kNone, Phase::Start, StopAction::Terminate}});
    row("killed", true, {{0, kill, train, StopAction::End}, {0, kNone, train, StopAction::End}});
    row("impatient: at once after all", true,
        {{0, save, train, StopAction::Ask},
         {10, now, train, StopAction::Ask},
         {12.9, kNone, train, StopAction::Wait},
         {13, kNone, train, StopAction::Terminate}});
    row("impatient after SIGTERM: asked anew, not terminated anew", true,
        {{0, save, train, StopAction::Ask},
         {20, kNone, train, StopAction::Terminate},
         {21, now, train, StopAction::Ask},
         {24, kNone, train, StopAction::End}});
    row("killed while they save", true, {{0, save, write, StopAction::Ask}, {1, kill, write, StopAction::End}});
    row("after SIGTERM no checkpoint is waited for", true,
        {{0, save, train, StopAction::Ask},
         {20, kNone, train, StopAction::Terminate},
         {23, kNone, write, StopAction::End}});
    row("other workers are asked as well", false,
        {{0, save, train, StopAction::Ask},
         {1, kNone, train, StopAction::Wait},
         {2, kNone, Phase::Start, StopAction::Ask, true},
         {6.9, kNone, Phase::Start, StopAction::Wait}});
}

void StopSequenceTest::goesOn() {
    QFETCH(std::vector<Event>, events);
    QFETCH(bool, forced);
    StopSequence stop;
    QVERIFY(!stop);
    for (const auto& event : events) {
        if (event.request) QVERIFY(stop.request(*event.request));
        if (event.relaunched) stop.relaunched();
        const auto action = stop.next(event.at, {event.phase >= Phase::Train, event.phase});
        QVERIFY2(action == event.expected,
                 qPrintable(QString("at %1: %2").arg(event.at).arg(static_cast<int>(action))));
    }
    QVERIFY(bool(stop));
    QCOMPARE(stop.isForced(), forced);
}

void StopSequenceTest::onlyAStrongerRequestCounts_data() {
    QTest::addColumn<StopMode>("first");
    QTest::addColumn<StopMode>("second");
    QTest::addColumn<bool>("counts");
    const std::array modes{StopMode::SaveAndStop, StopMode::StopNow, StopMode::Kill};
    for (const auto first : modes)
        for (const auto second : modes)
            QTest::addRow("%s, then %s", wire::toString(first), wire::toString(second))
                << first << second << (second > first);
}

void StopSequenceTest::onlyAStrongerRequestCounts() {
    QFETCH(StopMode, first);
    QFETCH(StopMode, second);
    QFETCH(bool, counts);
    StopSequence stop;
    QVERIFY(stop.request(first));
    QCOMPARE(stop.request(second), counts);
    QCOMPARE(stop.mode(), counts ? second : first);
}

void StopSequenceTest::aCheckpointIsAwaited_data() {
    QTest::addColumn<qint64>("step");
    QTest::addColumn<std::optional<std::int64_t>>("changedMs");
    QTest::addColumn<qint64>("nowMs");
    QTest::addColumn<bool>("ends");
    const std::optional<std::int64_t> unknown;
    QTest::newRow("written after the request") << 101ll << std::optional<std::int64_t>(5001) << 6000ll << true;
    QTest::newRow("saved at the request's own step") << 100ll << std::optional<std::int64_t>(5000) << 6000ll << true;
    QTest::newRow("written before it, and found later")
        << 100ll << std::optional<std::int64_t>(4999) << 6000ll << false;
    QTest::newRow("of another host, of a later step") << 101ll << unknown << 6000ll << true;
    QTest::newRow("of another host, of the same step") << 100ll << unknown << 6000ll << false;
    QTest::newRow("the clock was set back since, a later step")
        << 101ll << std::optional<std::int64_t>(4000) << 4010ll << true;
    QTest::newRow("the same, of the same step") << 100ll << std::optional<std::int64_t>(4000) << 4010ll << false;
}

// Feature: a program stops at its next checkpoint, and loses no step.
void StopSequenceTest::aCheckpointIsAwaited() {
    QFETCH(qint64, step);
    QFETCH(std::optional<std::int64_t>, changedMs);
    QFETCH(qint64, nowMs);
    QFETCH(bool, ends);
    StopSequence stop;
    QVERIFY(!stop.isAwaited(step, changedMs, nowMs));
    QVERIFY(stop.awaitCheckpoint({100, 5000}));
    QCOMPARE(stop.isAwaited(step, changedMs, nowMs), ends);
}

void StopSequenceTest::anAwaitedCheckpointIsNoStop() {
    StopSequence stop;
    QVERIFY(stop.awaitCheckpoint({100, 5000}));
    QVERIFY(stop.awaitsCheckpoint() && !stop);
    QVERIFY(!stop.awaitCheckpoint({200, 6000})); // the first counts
    QVERIFY(stop.isAwaited(150, {}, 7000));
    QVERIFY(stop.request(StopMode::SaveAndStop));
    QVERIFY(bool(stop) && !stop.awaitsCheckpoint());
    QVERIFY(!stop.isAwaited(300, 9000, 9001));
    QVERIFY(!stop.awaitCheckpoint({300, 9000}));
    QVERIFY(stop.next(0, {true, Phase::Train}) == StopAction::Ask);
}

QTEST_GUILESS_MAIN(StopSequenceTest)
#include "stop_sequence_test.moc"
