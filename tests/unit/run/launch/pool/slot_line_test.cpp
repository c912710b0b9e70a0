// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/pool/slot_line.h"

#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace trainyard::run;

class SlotLineTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTicketIsTakenOnce();
    void aRunThatWaitsIsBegunOrTakenBack_data();
    void aRunThatWaitsIsBegunOrTakenBack();
};

// Feature: the next trial waits at its slot, and is begun there or taken back, never both.
void SlotLineTest::aTicketIsTakenOnce() {
    auto ticket = SlotTicket::make();
    QVERIFY(ticket.ok());
    SlotTicket other{UniqueFd(::dup(ticket->fd()))};
    QVERIFY(other.take());
    QVERIFY(!ticket->take());
    QVERIFY(!other.take());
}

void SlotLineTest::aRunThatWaitsIsBegunOrTakenBack_data() {
    QTest::addColumn<bool>("takenBack");
    QTest::newRow("begun") << false;
    QTest::newRow("taken back") << true;
}

// Its folder stays locked from the sender's hands into those that have it then.
void SlotLineTest::aRunThatWaitsIsBegunOrTakenBack() {
    QFETCH(bool, takenBack);
    const QTemporaryDir folder;
    const std::filesystem::path run = folder.path().toStdString();
    auto line = SlotLine::make();
    auto ticket = SlotTicket::make();
    QVERIFY(line.ok() && ticket.ok());
    std::optional<store::RunLock> lock = *store::RunLock::acquire(run);
    QVERIFY(sendOrder(line->sweep.get(), run, {.reuse = false, .sharing = 12, .devices = {1, 10}, .place = 3}, *lock,
                      &*ticket)
                .ok());
    QVERIFY(!takenBack || ticket->take());
    auto order = receiveOrder(line->slot.get());
    QVERIFY(order.ok() && *order);
    QCOMPARE((*order)->folder, run);
    QVERIFY(!(*order)->terms.reuse);
    QCOMPARE((*order)->terms.sharing, 12);
    QCOMPARE((*order)->terms.devices, (CudaDevices{1, 10}));
    QCOMPARE((*order)->terms.place, 3);
    QCOMPARE((*order)->lock.has_value(), !takenBack);
    QCOMPARE(ticket->take(), false); // the other side has it
    QVERIFY(store::RunLock::isHeld(run));
    lock.reset();
    QCOMPARE(store::RunLock::isHeld(run), !takenBack);
    (*order)->lock.reset();
    QVERIFY(!store::RunLock::isHeld(run));
}

QTEST_GUILESS_MAIN(SlotLineTest)
#include "slot_line_test.moc"
