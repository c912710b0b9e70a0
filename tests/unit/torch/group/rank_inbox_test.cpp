// SPDX-License-Identifier: GPL-3.0-or-later
// Threads of a rank that wait for what its supervisor sends: what ends each wait, and with what.
#include "engine/torch/group/rank_inbox.h"

#include <QTest>

#include <thread>

using namespace trainyard;
using namespace std::chrono_literals;
using train::RankInbox;

namespace {

constexpr auto kLong = 60s; // no wait of this test lasts so long

wire::Regroup regroup(int generation, int localRank) {
    wire::Regroup message;
    message.generation = generation;
    message.localRank = localRank;
    return message;
}

bool never() { return false; }

} // namespace

class RankInboxTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aRequestGetsItsReply();
    void anotherGroupEndsARequest();
    void aRequestGivesUp();
    void onlyANewerGroupIsWaitedFor();
    void commandsAreTakenOnce();
    void theNewestGroupTellsTheLocalRank();
    void theEndEndsTheWaitForStart();
};

void RankInboxTest::aRequestGetsItsReply() {
    RankInbox inbox;
    for (int i = 0; i < 2; ++i) {
        std::thread other;
        const auto send = [&](std::int64_t number) {
            other = std::thread([&inbox, number] {
                inbox.put(wire::StoreReply{number + 1, "another's", 1});
                inbox.put(wire::StoreReply{number, "its own", 1});
            });
        };
        const auto reply = inbox.ask(send, kLong, never);
        other.join();
        QVERIFY(reply.ok());
        QCOMPARE(reply->value, std::string("its own"));
    }
}

void RankInboxTest::anotherGroupEndsARequest() {
    RankInbox inbox;
    std::thread other;
    const auto reply =
        inbox.ask([&](std::int64_t) { other = std::thread([&] { inbox.put(regroup(1, 0)); }); }, kLong, never);
    other.join();
    QVERIFY(!reply.ok());
    QCOMPARE(reply.error().code, ErrorCode::PeerLost);
}

void RankInboxTest::aRequestGivesUp() {
    RankInbox inbox;
    std::atomic<bool> gone{false};
    std::thread other;
    const auto leave = [&](std::int64_t) {
        other = std::thread([&] {
            gone = true;
            inbox.wake();
        });
    };
    QVERIFY(!inbox.ask(leave, kLong, [&] { return gone.load(); }).ok());
    other.join();
    QVERIFY(!inbox.ask([](std::int64_t) {}, 1ms, never).ok()); // in time
}

void RankInboxTest::onlyANewerGroupIsWaitedFor() {
    RankInbox inbox;
    QCOMPARE(inbox.newestGeneration(), -1);
    inbox.put(regroup(3, 0));
    QCOMPARE(inbox.newestGeneration(), 3);
    const auto known = inbox.waitForRegroup(2, kLong, never);
    QVERIFY(known.ok());
    QCOMPARE(known->generation, 3);
    QVERIFY(!inbox.waitForRegroup(3, 1ms, never).ok());
    std::thread other([&] { inbox.put(regroup(4, 1)); });
    const auto next = inbox.waitForRegroup(3, kLong, never);
    other.join();
    QVERIFY(next.ok());
    QCOMPARE(next->localRank, 1);
}

void RankInboxTest::commandsAreTakenOnce() {
    RankInbox inbox;
    QVERIFY(!inbox.commandWaits());
    inbox.put(wire::Command{"a", wire::CommandKind::Pause, 0});
    inbox.put(wire::Command{"b", wire::CommandKind::Unpause, 0});
    QVERIFY(inbox.commandWaits());
    const auto commands = inbox.takeCommands();
    QCOMPARE(commands.size(), std::size_t{2});
    QCOMPARE(commands.back().id, std::string("b"));
    QVERIFY(!inbox.commandWaits());
    QVERIFY(inbox.takeCommands().empty());
}

void RankInboxTest::theNewestGroupTellsTheLocalRank() {
    RankInbox inbox;
    QCOMPARE(inbox.localRank(), -1);
    wire::Start start;
    start.localRank = 2;
    inbox.put(start);
    QCOMPARE(inbox.localRank(), 2);
    QCOMPARE(inbox.waitForStart().localRank, 2);
    inbox.put(regroup(1, 0));
    QCOMPARE(inbox.localRank(), 0);
}

void RankInboxTest::theEndEndsTheWaitForStart() {
    RankInbox inbox;
    std::thread other([&] { inbox.end(); });
    QVERIFY(inbox.waitForStart().runJson.empty());
    other.join();
    QVERIFY(!inbox.waitForRegroup(-1, kLong, never).ok());
}

QTEST_GUILESS_MAIN(RankInboxTest)
#include "rank_inbox_test.moc"
