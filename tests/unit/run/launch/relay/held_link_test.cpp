// SPDX-License-Identifier: GPL-3.0-or-later
// Two ends of a link whose channel is cut and replaced: what comes out at each is what was sent, once and in order.
#include "engine/run/launch/private_socket.h"
#include "engine/run/launch/relay/held_link.h"
#include "engine/run/launch/relay/rank_holder.h"

#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <array>
#include <filesystem>
#include <random>

using namespace trainyard;
using namespace trainyard::run;

namespace {

// Both ends and what each has got; a channel gives up at the first error.
struct Pair {
    HeldLink left, right;
    std::string atLeft, atRight;
    bool broken = false;

    void pass(std::string_view bytes, HeldLink& to, std::string& got) {
        const auto fresh = to.input(bytes);
        if (fresh) got += *fresh;
        else broken = true;
    }
    // All that either has to say, until both are quiet.
    void settle() {
        for (bool moved = true; moved && !broken;) {
            const auto there = left.output(1 << 16), back = right.output(1 << 16);
            moved = !there.empty() || !back.empty();
            pass(there, right, atRight);
            pass(back, left, atLeft);
        }
    }
    void reconnect() {
        left.reconnected();
        right.reconnected();
    }
};

std::string record(char kind, unsigned char number, const std::string& bytes = {}) {
    std::string text(1, kind);
    text += static_cast<char>(number);
    text += std::string(7, '\0');
    text += static_cast<char>(bytes.size());
    text += std::string(3, '\0');
    return text + bytes;
}

std::string text(std::size_t size, unsigned seed) {
    std::mt19937 random(seed);
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(random());
    return bytes;
}

} // namespace

class HeldLinkTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingIsLostOrDoubledWhereverItIsCut();
    void manyCutsInBothDirections();
    void whatIsAcknowledgedIsNotKept();
    void itIsFullUntilTheOtherEndHasIt();
    void whatBreaksTheRulesIsRefused_data();
    void whatBreaksTheRulesIsRefused();
    void outputsAreFoundAgain();
    void whatIsNoOutputIsRefused();
    void aHostHoldsFor_data();
    void aHostHoldsFor();
    void aSocketThatNobodyServesIsNotWaitedFor();
};

void HeldLinkTest::nothingIsLostOrDoubledWhereverItIsCut() {
    const std::string first = text(100, 1), second = text(50, 2);
    for (std::size_t cut = 0;; ++cut) {
        Pair pair;
        pair.left.send(first);
        pair.settle();
        pair.left.send(second);
        pair.left.acknowledge();
        const auto bytes = pair.left.output(1 << 16);
        if (cut > bytes.size()) break;
        pair.pass(std::string_view(bytes).substr(0, cut), pair.right, pair.atRight);
        pair.reconnect();
        pair.settle();
        QVERIFY(!pair.broken);
        QVERIFY2(pair.atRight == first + second, qPrintable(QString::number(cut)));
    }
}

void HeldLinkTest::manyCutsInBothDirections() {
    std::mt19937 random(7);
    for (int round = 0; round < 50; ++round) {
        Pair pair;
        std::string toRight, toLeft;
        for (unsigned step = 0; step < 60; ++step) {
            const auto more = text(random() % 3000, step), back = text(random() % 300, step + 100);
            pair.left.send(more);
            pair.right.send(back);
            toRight += more;
            toLeft += back;
            if (random() % 3 == 0) (random() % 2 ? pair.left : pair.right).acknowledge();
            const auto there = pair.left.output(random() % 4000), here = pair.right.output(random() % 400);
            const bool cut = random() % 3 == 0;
            pair.pass(std::string_view(there).substr(0, cut ? random() % (there.size() + 1) : there.size()), pair.right,
                      pair.atRight);
            pair.pass(std::string_view(here).substr(0, cut ? random() % (here.size() + 1) : here.size()), pair.left,
                      pair.atLeft);
            if (cut) pair.reconnect();
            if (cut && random() % 4 == 0) pair.reconnect(); // and once more, before anything was said
        }
        pair.settle();
        QVERIFY(!pair.broken);
        QVERIFY(pair.atRight == toRight);
        QVERIFY(pair.atLeft == toLeft);
    }
}

void HeldLinkTest::whatIsAcknowledgedIsNotKept() {
    Pair pair;
    pair.left.send(text(3 << 20, 1));
    pair.settle();
    QVERIFY(pair.left.keptBytes() < 300'000); // at the latest every 256 KiB it hears what has come
    pair.right.acknowledge();
    pair.settle();
    QCOMPARE(pair.left.keptBytes(), std::size_t{0});
    pair.left.send("more");
    pair.reconnect();
    pair.settle();
    QVERIFY(pair.atRight.ends_with("more"));
    QCOMPARE(pair.atRight.size(), std::size_t{(3 << 20) + 4});
}

void HeldLinkTest::itIsFullUntilTheOtherEndHasIt() {
    Pair pair;
    const std::string piece = text(1 << 20, 3);
    std::size_t sent = 0;
    for (; !pair.left.isFull(); ++sent) pair.left.send(piece);
    QCOMPARE(sent, kMostHeld / piece.size());
    pair.settle();
    QVERIFY(!pair.left.isFull());
    QCOMPARE(pair.atRight.size(), kMostHeld);
}

void HeldLinkTest::whatBreaksTheRulesIsRefused_data() {
    QTest::addColumn<QByteArray>("bytes"); // to an end that has sent 5 bytes, of which the other has 3
    QTest::addColumn<bool>("good");
    const auto row = [](const char* name, const std::string& bytes, bool good) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << good;
    };
    row("a greeting", record('H', 3), true);
    row("a greeting that has all", record('H', 5), true);
    row("a greeting that has more than was sent", record('H', 6), false);
    row("a greeting that has less than before", record('H', 2), false);
    row("two greetings", record('H', 3) + record('H', 3), false);
    row("no greeting", record('D', 0, "abc"), false);
    row("acknowledged", record('H', 3) + record('A', 5), true);
    row("acknowledged once more, and late", record('H', 5) + record('A', 5) + record('A', 4), true);
    row("acknowledged beyond what was sent", record('H', 3) + record('A', 6), false);
    row("bytes", record('H', 3) + record('D', 0, "abc"), true);
    row("bytes twice", record('H', 3) + record('D', 0, "abc") + record('D', 1, "bc"), true);
    row("bytes are missing", record('H', 3) + record('D', 1, "bc"), false);
    row("an unknown record", record('H', 3) + record('X', 0), false);
    row("a greeting with bytes", record('H', 3, "abc"), false);
    std::string huge = record('D', 0);
    huge[12] = 1;
    row("a huge record", record('H', 3) + huge, false);
}

void HeldLinkTest::whatBreaksTheRulesIsRefused() {
    QFETCH(QByteArray, bytes);
    QFETCH(bool, good);
    HeldLink link;
    link.send("12345");
    QVERIFY(link.input(record('H', 0)).ok());
    QVERIFY(!link.output(100).empty());
    QVERIFY(link.input(record('A', 3)).ok());
    link.reconnected();
    const auto input = link.input(bytes.toStdString());
    QCOMPARE(input.ok(), good);
    if (good && bytes.contains("abc")) QCOMPARE(*input, std::string("abc"));
    if (good) QVERIFY(!link.output(100).empty()); // a greeting at least
}

void HeldLinkTest::outputsAreFoundAgain() {
    const std::string stream = encodeOutput(RankOutput::Kind::Frames, "frames") +
                               encodeOutput(RankOutput::Kind::Log, std::string(70'000, 'x')) +
                               encodeOutput(RankOutput::Kind::Frames, "") + encodeEnd({true, 9}) +
                               encodeEnd({false, -1});
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, stream.size()}) {
        RankOutputReader reader;
        std::vector<RankOutput> found;
        for (std::size_t at = 0; at < stream.size(); at += piece) {
            reader.feed(std::string_view(stream).substr(at, piece));
            for (auto one = reader.next(); one && *one; one = reader.next()) found.push_back(std::move(**one));
        }
        QCOMPARE(found.size(), std::size_t{5});
        QCOMPARE(found[0].bytes, std::string("frames"));
        QCOMPARE(found[1].bytes.size(), std::size_t{70'000});
        QVERIFY(found[1].kind == RankOutput::Kind::Log && found[2].bytes.empty());
        QCOMPARE(decodeEnd(found[3].bytes)->text(), std::string("was killed by SIGKILL"));
        QCOMPARE(decodeEnd(found[4].bytes)->code, -1);
    }
}

void HeldLinkTest::whatIsNoOutputIsRefused() {
    for (const auto& bytes : {std::string("X\0\0\0\0", 5), std::string("F\xff\xff\xff\xff", 5)}) {
        RankOutputReader reader;
        reader.feed(bytes);
        QVERIFY(!reader.next());
    }
    QVERIFY(!decodeEnd("short"));
    QVERIFY(!decodeEnd(std::string(4, '\0')));
}

void HeldLinkTest::aHostHoldsFor_data() {
    QTest::addColumn<double>("linkSeconds");
    QTest::addColumn<double>("heard");
    QTest::addColumn<double>("ended"); // the channel; -1: it is there
    QTest::addColumn<double>("over");  // -1: while it is there, the rank finds out by itself
    QTest::addColumn<double>("until");
    QTest::newRow("silence") << 300.0 << 100.0 << -1.0 << -1.0 << 400.0;
    QTest::newRow("the supervisor has ended, or the channel was reset") << 300.0 << 100.0 << 100.5 << 105.5 << 105.5;
    QTest::newRow("the same, where ranks wait less") << 4.0 << 100.0 << 100.5 << 104.5 << 104.5;
    QTest::newRow("the channel ends in silence: the link was cut") << 300.0 << 100.0 << 150.0 << 400.0 << 400.0;
    QTest::newRow("it ends late: there is time to come back") << 300.0 << 100.0 << 395.0 << 400.0 << 400.0;
}

void HeldLinkTest::aHostHoldsFor() {
    QFETCH(double, linkSeconds);
    QFETCH(double, heard);
    QFETCH(double, ended);
    QFETCH(double, over);
    QFETCH(double, until);
    HoldWatch watch(linkSeconds, 0);
    watch.heard(heard);
    if (ended >= 0) watch.ended(ended);
    QCOMPARE(watch.until(), until);
    QVERIFY(!watch.isOver((over < 0 ? until : over) - 0.1));
    QCOMPARE(watch.isOver(until), over >= 0);
    watch.attached(until);
    QVERIFY(!watch.isOver(until + linkSeconds - 0.1));
}

// A holder that is stopped takes nobody: its queue is full, and whoever waits for it waits for good.
// Fault: A stopped relay, while others start beside it. They do not wait for it, and remove what killed ones have left.
void HeldLinkTest::aSocketThatNobodyServesIsNotWaitedFor() {
    const QTemporaryDir folder;
    const auto at = [&](const char* name) { return std::filesystem::path(folder.filePath(name).toStdString()); };
    const auto stopped = listenAt(at("held-stopped.sock"));
    QVERIFY(stopped);
    std::vector<UniqueFd> waiting;
    for (int i = 0; i < 100; ++i) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        at("held-stopped.sock").string().copy(address.sun_path, sizeof address.sun_path - 1);
        UniqueFd fd(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) break;
        waiting.push_back(std::move(fd));
    }
    QVERIFY(!waiting.empty() && waiting.size() < 100);
    QVERIFY(listenAt(at("held-dead.sock")));
    const std::array<timespec, 2> longAgo{{{1'000'000, 0}, {1'000'000, 0}}};
    for (const char* name : {"held-stopped.sock", "held-dead.sock"})
        QCOMPARE(::utimensat(AT_FDCWD, at(name).c_str(), longAgo.data(), 0), 0);
    const RankHolder holder({}, {}, {}, at("held-new.sock"), 300);
    QVERIFY(std::filesystem::exists(at("held-stopped.sock")));
    QVERIFY(!std::filesystem::exists(at("held-dead.sock")));
    QVERIFY(std::filesystem::exists(at("held-new.sock")));
}

QTEST_APPLESS_MAIN(HeldLinkTest)
#include "held_link_test.moc"
