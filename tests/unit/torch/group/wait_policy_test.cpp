// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/group/wait_policy.h"

#include <QTest>

using trainyard::train::WaitPolicy;

// Whether a waiting rank keeps its core, by what it loses to other programs.
class WaitPolicyTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sleepsBesideAProgramOfTheSamePriority_data();
    void sleepsBesideAProgramOfTheSamePriority();
    void triesAgainAndSleepsLongerEachTime();
    void forgetsWhatIsLongAgo();
    void doesNotCountWhatIsLostWhileRanksSleep();
    void isToldTenTimesASecond();
    void looksOnWhereThatPays_data();
    void looksOnWhereThatPays();
};

namespace {

// A rank that waits every 5 ms, ready and without a core for `share` of the time; ranks sleep when the policy wants it.
struct Rank {
    WaitPolicy policy;
    double now = 5, delay = 0;

    bool keepsCore() const { return now >= policy.sleepUntil(); }
    void train(double seconds, double share) {
        for (const double end = now + seconds; now < end;) {
            now += 0.005;
            delay += 0.005 * share;
            if (!keepsCore()) policy.slept();
            else if (policy.isDue(now)) policy.sawDelay(now, delay);
        }
    }
    // How long it sleeps the next time, losing `share` while it does not.
    double nextSleep(double share) {
        while (!keepsCore()) train(0.005, share);
        const double begin = now;
        while (keepsCore() && now < begin + 20) train(0.005, share);
        return policy.sleepUntil() - now;
    }
};

} // namespace

void WaitPolicyTest::sleepsBesideAProgramOfTheSamePriority_data() {
    QTest::addColumn<double>("share");
    QTest::addColumn<bool>("sleeps");
    QTest::newRow("a quiet computer") << 0.001 << false;
    QTest::newRow("a program at nice 10, beside this rank all the time") << 0.1 << false;
    QTest::newRow("one at the same priority, beside each rank in turn") << 0.33 << true;
    QTest::newRow("one at the same priority, beside this rank all the time") << 0.5 << true;
    QTest::newRow("one at nice -5") << 0.75 << true;
}

void WaitPolicyTest::sleepsBesideAProgramOfTheSamePriority() {
    QFETCH(double, share);
    Rank rank;
    rank.train(5, share);
    QTEST(rank.policy.sleepUntil() > 0, "sleeps");
}

void WaitPolicyTest::triesAgainAndSleepsLongerEachTime() {
    Rank rank;
    for (const double sleep : {0.4, 0.8, 1.6, 3.2, 6.4, 6.4}) QVERIFY(std::abs(rank.nextSleep(0.4) - sleep) < 0.02);
}

void WaitPolicyTest::forgetsWhatIsLongAgo() {
    Rank rank;
    rank.nextSleep(0.4);
    QVERIFY(rank.nextSleep(0.4) > 0.7);
    rank.train(10, 0); // the other program has ended, and begins anew
    QVERIFY(rank.keepsCore());
    QVERIFY(std::abs(rank.nextSleep(0.4) - 0.4) < 0.02);
}

// A sleeper loses time beside a program of lower priority too: only a window in which it kept its core counts.
void WaitPolicyTest::doesNotCountWhatIsLostWhileRanksSleep() {
    Rank rank;
    rank.nextSleep(0.4);
    while (!rank.keepsCore()) rank.train(0.005, 0.9);
    const double before = rank.policy.sleepUntil();
    rank.train(2, 0.1);
    QCOMPARE(rank.policy.sleepUntil(), before);
}

void WaitPolicyTest::isToldTenTimesASecond() {
    WaitPolicy policy;
    int told = 0;
    for (int ms = 1; ms <= 1000; ++ms)
        if (policy.isDue(0.001 * ms)) {
            policy.sawDelay(0.001 * ms, 0);
            ++told;
        }
    QVERIFY2(told >= 9 && told <= 11, qPrintable(QString::number(told)));
}

// What a wait does that has not ended at once: it Looks on, or Sleeps. Of the looks, `paid` says which find the other
// rank.
void WaitPolicyTest::looksOnWhereThatPays_data() {
    QTest::addColumn<QByteArray>("paid"); // a letter a look: Yes or No; the last one holds for all that follow
    QTest::addColumn<QByteArray>("waits");
    QTest::newRow("ranks of equal speed") << QByteArray("Y") << QByteArray("LLLLLLLL");
    QTest::newRow("a rank that is slower all the time")
        << QByteArray("N")
        << QByteArray("LSLSSSLSSSSSSSLSSSSSSSSSSSSSSSL" + QByteArray(31, 'S') + "L" + QByteArray(31, 'S') + "L");
    QTest::newRow("one long wait, as for a validation") << QByteArray("NY") << QByteArray("LSLLLLLL");
    QTest::newRow("several, and then none") << QByteArray("NNNY") << QByteArray("LSLSSSLSSSSSSSLLLL");
    QTest::newRow("every other one") << QByteArray("NYNYNY") << QByteArray("LSLLSLLSLLL");
}

void WaitPolicyTest::looksOnWhereThatPays() {
    QFETCH(QByteArray, paid);
    QFETCH(QByteArray, waits);
    WaitPolicy policy;
    QByteArray seen;
    for (qsizetype look = 0; seen.size() < waits.size();) {
        seen += policy.looksOn() ? 'L' : 'S';
        if (seen.back() == 'L') policy.lookedOn(paid[std::min(look++, paid.size() - 1)] == 'Y');
    }
    QCOMPARE(seen, waits);
}

QTEST_APPLESS_MAIN(WaitPolicyTest)
#include "wait_policy_test.moc"
