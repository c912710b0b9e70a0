// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/group/wait_policy.h"

#include <QTest>

using trainyard::train::WaitPolicy;

// Whether a waiting rank keeps its core, by what its waits have cost it.
class WaitPolicyTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keepsTheCoreWhileWaitsAreRare_data();
    void keepsTheCoreWhileWaitsAreRare();
    void triesAgainAndSleepsLongerEachTime();
    void forgetsWhatIsLongAgo();
};

namespace {

bool keepsCore(const WaitPolicy& policy, double now) { return now >= policy.sleepUntil(); }

// Waits of `wait` seconds, each after `between` seconds of work, for `seconds`; the end.
double waitOften(WaitPolicy& policy, double from, double wait, double between, double seconds) {
    double now = from;
    while (now < from + seconds) {
        now += between;
        policy.keptCore(now, now + wait);
        now += wait;
    }
    return now;
}

// How long it sleeps from `now` on.
double sleepsFor(const WaitPolicy& policy, double now) {
    double until = now;
    while (!keepsCore(policy, until)) until += 0.01;
    return until - now;
}

} // namespace

void WaitPolicyTest::keepsTheCoreWhileWaitsAreRare_data() {
    QTest::addColumn<double>("wait");
    QTest::addColumn<double>("between");
    QTest::addColumn<bool>("keeps");
    QTest::newRow("steps of a quiet computer") << 0.0002 << 0.0015 << true;
    QTest::newRow("a slice of 3 ms lost in 30, to a program at nice 10") << 0.003 << 0.027 << true;
    QTest::newRow("two thirds lost, to one at the same priority") << 0.003 << 0.0015 << false;
    QTest::newRow("a rank that has half the work: it looks for 10 ms, then sleeps") << 0.5 << 0.5 << true;
    QTest::newRow("a validation that one rank ends late, each second") << 0.1 << 1.0 << true;
}

void WaitPolicyTest::keepsTheCoreWhileWaitsAreRare() {
    QFETCH(double, wait);
    QFETCH(double, between);
    QFETCH(bool, keeps);
    WaitPolicy policy;
    double now = 5;
    bool kept = true;
    for (int i = 0; i < 200; ++i) {
        now = waitOften(policy, now, wait, between, between);
        kept = kept && keepsCore(policy, now);
    }
    QCOMPARE(kept, keeps);
}

void WaitPolicyTest::triesAgainAndSleepsLongerEachTime() {
    WaitPolicy policy;
    double now = 1, before = 1;
    for (const double sleep : {0.4, 0.8, 1.6, 3.2, 3.2}) {
        while (keepsCore(policy, now)) { // tries
            policy.keptCore(now + 0.001, now + 0.004);
            now += 0.004;
            QVERIFY2(now < before + 20, "it never sleeps");
        }
        QVERIFY(std::abs(sleepsFor(policy, now) - sleep) < 0.02);
        before = now;
        now += sleepsFor(policy, now);
    }
}

void WaitPolicyTest::forgetsWhatIsLongAgo() {
    WaitPolicy policy;
    double now = waitOften(policy, 1, 0.003, 0.001, 0.2);
    QVERIFY(!keepsCore(policy, now));
    now += 10; // the other program has ended, and begins anew
    QVERIFY(keepsCore(policy, now));
    while (keepsCore(policy, now)) now = waitOften(policy, now, 0.003, 0.001, 0.001);
    QVERIFY(std::abs(sleepsFor(policy, now) - 0.4) < 0.02);
}

QTEST_APPLESS_MAIN(WaitPolicyTest)
#include "wait_policy_test.moc"
