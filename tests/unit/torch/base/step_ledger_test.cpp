// SPDX-License-Identifier: GPL-3.0-or-later
// What a rank's time goes to, second by second, from the times of steps that are over and what it does now.
#include "engine/torch/base/step_ledger.h"

#include <QTest>

using trainyard::train::StepLedger;
using trainyard::train::StepPart;

class StepLedgerTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void shortStepsAreWhatTheyTell();
    void aLongStepIsWhatTheRankDoesMeanwhile();
    void aHangIsSeenWhileItLasts();
    void aWrongGuessDoesNotExceedTheTime();
    void whatIsNoStepIsLeftOut();
    void noTimeHasNoShares();
};

namespace {
bool isNear(double value, double wanted) { return std::abs(value - wanted) < 1e-9; }
} // namespace

void StepLedgerTest::shortStepsAreWhatTheyTell() {
    StepLedger ledger;
    const auto first = ledger.take({0.1, 0.6, 0.2}, StepPart::Compute, 1);
    QVERIFY(isNear(first.data, 0.1) && isNear(first.comm, 0.2) && isNear(first.wait, 0));
    QVERIFY(isNear(first.compute, 0.7)); // 0.1 of them of the step that is not over
    const auto second = ledger.take({0.2, 1.3, 0.4}, StepPart::Compute, 1);
    QVERIFY(isNear(second.data, 0.1) && isNear(second.comm, 0.2));
    QVERIFY(isNear(second.compute, 0.7)); // the 0.1 count once
}

void StepLedgerTest::aLongStepIsWhatTheRankDoesMeanwhile() {
    StepLedger ledger;
    QVERIFY(isNear(ledger.take({}, StepPart::Data, 1).data, 1));
    QVERIFY(isNear(ledger.take({}, StepPart::Compute, 1).compute, 1));
    QVERIFY(isNear(ledger.take({}, StepPart::Compute, 1).compute, 1));
    // 0.2 of data and 0.7 of computing came after the last guess.
    const auto ended = ledger.take({1.2, 2.7, 0}, StepPart::Compute, 1);
    QVERIFY(isNear(ended.data, 0.2));
    QVERIFY(isNear(ended.compute, 0.8));
}

void StepLedgerTest::aHangIsSeenWhileItLasts() {
    StepLedger ledger;
    ledger.take({0, 1, 0}, StepPart::Communication, 1);
    for (int second = 0; second < 5; ++second) {
        const auto shares = ledger.take({0, 1, 0}, StepPart::Communication, 1);
        QVERIFY(isNear(shares.comm, 1));
        QVERIFY(isNear(shares.data + shares.compute + shares.wait, 0));
    }
    QVERIFY(isNear(ledger.take({0, 1, 0}, StepPart::Wait, 1).wait, 1));
}

void StepLedgerTest::aWrongGuessDoesNotExceedTheTime() {
    StepLedger ledger;
    ledger.take({}, StepPart::Data, 1);
    const auto ended = ledger.take({0, 2, 0}, StepPart::Compute, 1); // all of it was computing
    QVERIFY(isNear(ended.data + ended.compute + ended.comm + ended.wait, 1));
    QVERIFY(isNear(ended.compute, 1));
}

void StepLedgerTest::whatIsNoStepIsLeftOut() {
    StepLedger ledger;
    const auto shares = ledger.take({0.1, 0.3, 0}, StepPart::None, 1);
    QVERIFY(isNear(shares.data + shares.compute + shares.comm + shares.wait, 0.4));
}

void StepLedgerTest::noTimeHasNoShares() {
    StepLedger ledger;
    const auto shares = ledger.take({1, 1, 1}, StepPart::Compute, 0);
    QVERIFY(isNear(shares.data + shares.compute + shares.comm + shares.wait, 0));
}

QTEST_APPLESS_MAIN(StepLedgerTest)
#include "step_ledger_test.moc"
