// SPDX-License-Identifier: GPL-3.0-or-later
// Which events a run's charts mark, as its supervisor meets them.
#include "engine/run/record/series/event_book.h"

#include <QTest>

#include <cmath>

using namespace trainyard;
using run::EventBook;
using run::RunMoment;
using store::RunEventKind;
using store::RunEventRow;

class EventBookTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void marksALaunchOnceItTrains();
    void marksWorkersOnlyWhereTheirNumberChanges();
    void aRewindTakesBackWhatItRepeats();
    void aResumedRunWithOtherWorkersSaysSo();
    void knowsNoWorkersOfARunOfAnOlderVersion();
    void saysEachEventInALine_data();
    void saysEachEventInALine();
    void readsItsOwnWords();
};

// Feature: what changed a curve is kept with the run: another learning rate, more or fewer workers, one replaced, a
// restart, a resume; in the terminal, too. Also in ctl_contract_test, live_control_test, regroup_test,
// store_schema_test.
void EventBookTest::marksALaunchOnceItTrains() {
    EventBook book;
    book.launched(RunEventKind::Started, {}, {});
    const auto rows = book.training(2, 1000);
    QCOMPARE(rows.size(), std::size_t{1});
    QCOMPARE(rows[0].kind, RunEventKind::Started);
    QCOMPARE(rows[0].after, 2.0);
    QCOMPARE(rows[0].wallMs, 1000);
    QVERIFY(!store::isMarked(rows[0]));
    QVERIFY(book.training(2, 2000).empty()); // a regrouped one trains, too, and was not launched
}

void EventBookTest::marksWorkersOnlyWhereTheirNumberChanges() {
    EventBook book;
    book.launched(RunEventKind::Started, {}, {});
    (void)book.training(2, 0);
    QVERIFY(!book.workers(2, {}, {10, 1, 0}));
    const auto more = book.workers(3, {}, {20, 2, 0});
    QVERIFY(more.has_value());
    QCOMPARE(more->before, 2.0);
    QCOMPARE(more->after, 3.0);
    QCOMPARE(more->step, 20);
    QVERIFY(!book.workers(3, {}, {30, 3, 0}));
    QCOMPARE(book.workers(2, "rank 1 was killed by SIGKILL", {40, 4, 0})->reason,
             std::string("rank 1 was killed by SIGKILL"));
}

void EventBookTest::aRewindTakesBackWhatItRepeats() {
    EventBook book;
    book.launched(RunEventKind::Started, {}, {});
    (void)book.training(2, 0);
    (void)book.workers(3, {}, {60, 6, 0});
    book.rewind(50); // the points from step 51 on will be those of three workers from the start
    book.launched(RunEventKind::Restarted, "the workers were lost", {50, 5, 0});
    const auto rows = book.training(3, 9000);
    QCOMPARE(rows.size(), std::size_t{2});
    QCOMPARE(rows[0].kind, RunEventKind::Restarted);
    QCOMPARE(rows[0].reason, std::string("the workers were lost"));
    QCOMPARE(rows[1].kind, RunEventKind::Workers);
    QCOMPARE(rows[1].before, 2.0);
    QCOMPARE(rows[1].step, 50);
    QCOMPARE(rows[1].wallMs, 9000);
    book.rewind(-1); // to the beginning: no checkpoint was left
    book.launched(RunEventKind::Restarted, {}, {});
    QCOMPARE(book.training(2, 0).size(), std::size_t{1}); // as it started
}

void EventBookTest::aResumedRunWithOtherWorkersSaysSo() {
    EventBook book;
    RunEventRow started;
    started.kind = RunEventKind::Started;
    started.after = 4;
    book.load({started});
    book.launched(RunEventKind::Resumed, {}, {100, 10, 0});
    const auto rows = book.training(2, 0);
    QCOMPARE(rows.size(), std::size_t{2});
    QCOMPARE(rows[0].kind, RunEventKind::Resumed);
    QCOMPARE(rows[1].before, 4.0);
}

void EventBookTest::knowsNoWorkersOfARunOfAnOlderVersion() {
    EventBook book;
    book.launched(RunEventKind::Resumed, {}, {100, 10, 0});
    QCOMPARE(book.training(2, 0).size(), std::size_t{1});
    QVERIFY(!book.workers(2, {}, {110, 11, 0}));
    QVERIFY(book.workers(1, {}, {120, 12, 0}).has_value());
}

void EventBookTest::saysEachEventInALine_data() {
    QTest::addColumn<RunEventRow>("row");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* name, RunEventRow event, const char* text) {
        QTest::newRow(name) << event << QString::fromUtf8(text);
    };
    EventBook book;
    const RunMoment now{50, 5, 0};
    row("rate", book.learningRate(0.1, 0.05, now), "learning rate 0.1 → 0.05");
    row("rate before any point", book.learningRate(RunEventRow::kNone, 0.05, now), "learning rate set to 0.05");
    row("replaced", book.replaced(1, "was killed by SIGKILL", now), "rank 1 was killed by SIGKILL; replaced");
    row("replaced along with another", book.replaced(2, {}, now), "rank 2 replaced");
    row("rolled back", book.rolledBack("the loss was not finite", now),
        "rolled back to step 50: the loss was not finite");
    book.launched(RunEventKind::Started, {}, {});
    row("started", book.training(1, 0).front(), "started with 1 worker");
    row("workers", *book.workers(3, {}, now), "workers 1 → 3");
    book.launched(RunEventKind::Resumed, {}, now);
    row("resumed", book.training(3, 0).front(), "resumed from step 50");
    book.launched(RunEventKind::Restarted, "rank 1 was lost", now);
    row("restarted", book.training(3, 0).front(), "restarted from step 50: rank 1 was lost");
    row("of a newer version", {}, "event of a newer version");
}

void EventBookTest::saysEachEventInALine() {
    QFETCH(RunEventRow, row);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(store::describe(row).text()), text);
}

void EventBookTest::readsItsOwnWords() {
    for (int i = 0; i < static_cast<int>(RunEventKind::Unknown); ++i) {
        const auto kind = static_cast<RunEventKind>(i);
        QCOMPARE(store::runEventKindFromString(store::toString(kind)), kind);
    }
    QCOMPARE(store::runEventKindFromString("teleported"), RunEventKind::Unknown);
    QCOMPARE(store::runEventKindFromString("unknown"), RunEventKind::Unknown);
}

QTEST_GUILESS_MAIN(EventBookTest)
#include "event_book_test.moc"
