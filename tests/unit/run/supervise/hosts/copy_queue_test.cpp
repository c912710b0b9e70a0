// SPDX-License-Identifier: GPL-3.0-or-later
// Which checkpoints of hosts are copied, in which order, and which are given up on a slow link.
#include "engine/run/supervise/hosts/copy_queue.h"

#include <QTest>

using namespace trainyard;
using run::CheckpointBook;
using run::CopyQueue;

namespace {

// "300" or "300:0.9": a checkpoint of that step with that score.
wire::CheckpointSaved savedOf(const QString& word) {
    wire::CheckpointSaved saved{
        .path = {}, .step = word.section(':', 0, 0).toLongLong(), .epoch = 0, .bytes = 10'000'000, .metrics = {}};
    saved.path = "/there/step-" + std::to_string(saved.step);
    if (const QString score = word.section(':', 1); !score.isEmpty()) saved.metrics["val/accuracy"] = score.toDouble();
    return saved;
}

// What happens to a queue, a word each: a checkpoint is saved; ">": the next copy begins; "<": it has arrived; "x": it
// was cut short, and is to begin again.
struct Played {
    CopyQueue queue;
    CheckpointBook here;
    QStringList copied, dropped;

    void play(const QString& events, std::int64_t asked) {
        std::optional<CopyQueue::Copy> underWay;
        for (const QString& event : events.split(' ', Qt::SkipEmptyParts)) {
            if (event == ">") {
                const auto next = queue.begin();
                copied << (next ? QString::number(next->saved.step) : QStringLiteral("none"));
                if (next) underWay = next;
            } else if (event == "x") {
                queue.postpone();
            } else if (event == "<") {
                here.add(underWay->saved, underWay->saved.path, 0);
                here.prune();
                queue.end();
            } else {
                for (const auto& each : queue.add({HostName("h1"), savedOf(event)}, here,
                                                  [&](std::int64_t step) { return step == asked; }))
                    dropped << QString::number(each.saved.step);
            }
        }
        while (const auto rest = queue.begin()) {
            copied << QString::number(rest->saved.step);
            queue.end();
        }
    }
};

} // namespace

class CopyQueueTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void copiesWhatIsKept_data();
    void copiesWhatIsKept();
    void neverHoldsMoreThanIsKept();
    void othersWaitBehindALostHost();
    void thoseOfALostHostLeaveTogether();
};

void CopyQueueTest::copiesWhatIsKept_data() {
    QTest::addColumn<int>("keep");
    QTest::addColumn<int>("budgetMb");
    QTest::addColumn<QString>("events");
    QTest::addColumn<int>("asked");
    QTest::addColumn<QString>("copied");
    QTest::addColumn<QString>("dropped");
    const auto row = [](const char* name, int keep, const char* events, const char* copied, const char* dropped,
                        int asked = 0, int budgetMb = 0) {
        QTest::newRow(name) << keep << budgetMb << events << asked << copied << dropped;
    };
    row("a fast link", 2, "10 > < 20 > < 30 > <", "10 20 30", "");
    row("one at a time", 2, "10 > 20 > <", "10 none 20", "");
    row("the newest so many wait", 2, "10 > 20 30 40 50 <", "10 40 50", "20 30");
    row("with another to fall back to", 1, "10 > 20 30 40 <", "10 30 40", "20");
    row("the best is kept", 1, "10:.1 > 20:.9 30:.2 40:.3 50:.4 <", "10 20 50", "30 40");
    row("the best until a better one is saved", 1, "10:.1 > 20:.8 30:.2 40:.9 50:.4 <", "10 40 50", "20 30");
    row("a copy that is cut short", 2, "10 > x > < 20 >", "10 10 20", "");
    row("newer ones take its place", 1, "10 > x 20 30 > <", "10 20 30", "10");
    row("it is not in their way", 2, "10 > x 20 > <", "10 10 20", "");
    row("the best is here", 1, "10:.9 > < 20:.1 > 30:.2 40:.3 <", "10 20 40", "30");
    row("the one under way goes on", 1, "10:.1 > 20:.2 30:.3 40:.4 <", "10 30 40", "20");
    row("what a user waits for", 1, "10 > 20 30 40 50 <", "10 20 40 50", "30", 20);
    row("the newest, above the budget", 5, "10:.9 > < 20 > 30 40 <", "10 20 40", "30", 0, 20);
    row("the run has gone back", 5, "10 > 20 30 40 20 <", "10 20 20", "30 40");
    row("none is under way yet", 1, "10 20 30 40", "30 40", "10 20");
}

void CopyQueueTest::copiesWhatIsKept() {
    QFETCH(int, keep);
    QFETCH(int, budgetMb);
    QFETCH(QString, events);
    QFETCH(int, asked);
    spec::CheckpointPolicy policy;
    policy.keep = keep;
    policy.budgetMb = budgetMb;
    Played played{{}, CheckpointBook(policy), {}, {}};
    played.play(events, asked);
    QTEST(played.copied.join(' '), "copied");
    QTEST(played.dropped.join(' '), "dropped");
}

void CopyQueueTest::neverHoldsMoreThanIsKept() {
    for (const int keep : {1, 2, 5}) {
        spec::CheckpointPolicy policy;
        policy.keep = keep;
        const CheckpointBook here(policy);
        CopyQueue queue;
        std::size_t dropped = 0;
        for (int step = 1; step <= 200; ++step) {
            const auto score = QString::number((step * 37) % 100);
            dropped += queue.add({HostName("h1"), savedOf(QStringLiteral("%1:%2").arg(step).arg(score))}, here).size();
            if (step == 1) QVERIFY(queue.begin());
            QVERIFY2(queue.count() <= static_cast<std::size_t>(keep) + 2, qPrintable(QString::number(step)));
        }
        QCOMPARE(dropped + queue.count(), std::size_t{200});
    }
}

void CopyQueueTest::othersWaitBehindALostHost() {
    CopyQueue queue;
    CheckpointBook here({.keep = 4});
    queue.add({HostName("h1"), savedOf("10")}, here);
    queue.begin();
    queue.postpone();
    queue.add({HostName("h1"), savedOf("20")}, here);
    QVERIFY(!queue.isInTheWay());
    queue.add({HostName("h2"), savedOf("30")}, here);
    QVERIFY(queue.isInTheWay());
}

void CopyQueueTest::thoseOfALostHostLeaveTogether() {
    CopyQueue queue;
    CheckpointBook here({.keep = 4});
    for (const auto& [host, step] : {std::pair("h1", "10"), {"h1", "20"}, {"h2", "30"}, {"h1", "40"}})
        queue.add({HostName(host), savedOf(step)}, here);
    QVERIFY(queue.begin());
    const auto taken = queue.takeOf(HostName("h1")); // but for the one under way
    QCOMPARE(taken.size(), std::size_t{2});
    QCOMPARE(taken[0].saved.step, 20);
    QCOMPARE(taken[1].saved.step, 40);
    queue.end();
    const auto next = queue.begin();
    QVERIFY(next && next->saved.step == 30);
    QCOMPARE(queue.count(), std::size_t{1});
}

QTEST_GUILESS_MAIN(CopyQueueTest)
#include "copy_queue_test.moc"
