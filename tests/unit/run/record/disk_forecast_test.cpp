// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a disk has room for what a run will save: a row is a run at a moment.
#include "engine/run/record/disk_forecast.h"

#include <QTest>

using namespace trainyard;
using run::DiskForecast;
using Level = run::DiskForecast::Level;

namespace {

constexpr std::int64_t kMb = 1'000'000;

store::CheckpointRow checkpoint(std::int64_t step, std::int64_t megabytes, std::int64_t second, bool pinned = false) {
    store::CheckpointRow row;
    row.step = step;
    row.bytes = megabytes * kMb;
    row.wallMs = second * 1000;
    row.pinned = pinned;
    return row;
}

run::DiskFacts facts(std::vector<store::CheckpointRow> rows, std::int64_t freeMb, int keep = 2) {
    run::DiskFacts facts;
    facts.checkpoints = std::move(rows);
    facts.policy.keep = keep;
    facts.freeBytes = freeMb * kMb;
    facts.startedMs = 1000;
    return facts;
}

} // namespace

class DiskForecastTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void saysWhetherThereIsRoom_data();
    void saysWhetherThereIsRoom();
    void theBudgetLimitsWhatIsKept();
    void wordsNameTheFigures();
    void anUnreadableRunFileIsAnError();
    void theTimeLeftFollowsFromTheSteps();
};

// Feature: the disk while a run trains: what checkpoints take, and when it is full.
void DiskForecastTest::saysWhetherThereIsRoom_data() {
    QTest::addColumn<run::DiskFacts>("facts");
    QTest::addColumn<int>("level");
    QTest::addColumn<qlonglong>("mostMb");
    QTest::addColumn<int>("saves");
    QTest::addColumn<double>("seconds");
    const auto row = [](const char* name, run::DiskFacts of, Level level, qlonglong most, int saves, double seconds) {
        QTest::newRow(name) << std::move(of) << static_cast<int>(level) << most << saves << seconds;
    };
    row("no checkpoint yet", facts({}, 10), Level::Fine, 0, -1, -1);
    // keep 2 and the best, and one more while it is written: 4 of 100 MB.
    row("room for all", facts({checkpoint(1, 100, 11)}, 300), Level::Fine, 400, -1, -1);
    row("one megabyte too few", facts({checkpoint(1, 100, 11)}, 299), Level::Low, 400, 2, 20);
    row("by the time of two", facts({checkpoint(1, 100, 11), checkpoint(2, 100, 41)}, 150), Level::Low, 400, 1, 30);
    row("none fits", facts({checkpoint(1, 100, 11)}, 99), Level::Full, 400, 0, 0);
    row("nothing is free", facts({checkpoint(1, 100, 11)}, 0), Level::Full, 400, 0, 0);
    row("all are kept", facts({checkpoint(1, 100, 11)}, 5000, 10'000), Level::Low, 1'000'200, 50, 500);
    auto brief = facts({checkpoint(1, 100, 11)}, 5000, 10'000);
    brief.secondsLeft = 400;
    row("it ends before", brief, Level::Fine, 1'000'200, 50, 500);
    brief.secondsLeft = 600;
    row("it ends after", brief, Level::Low, 1'000'200, 50, 500);
    auto over = facts({checkpoint(1, 100, 11)}, 0);
    over.active = false;
    row("it saves no more", over, Level::Fine, 100, -1, -1);
    row("pinned ones stay", facts({checkpoint(1, 100, 5, true), checkpoint(2, 100, 11)}, 300), Level::Fine, 500, -1,
        -1);
    row("clocks say nothing", facts({checkpoint(1, 100, 0)}, 150), Level::Low, 400, 1, -1);
}

void DiskForecastTest::saysWhetherThereIsRoom() {
    QFETCH(run::DiskFacts, facts);
    const auto forecast = run::forecastDisk(facts);
    QTEST(static_cast<int>(forecast.level), "level");
    QTEST(qlonglong{forecast.mostBytes / kMb}, "mostMb");
    QTEST(forecast.savesToFull, "saves");
    QTEST(forecast.secondsToFull, "seconds");
    QCOMPARE(run::diskWarning(forecast).empty(), forecast.level == Level::Fine);
}

void DiskForecastTest::theBudgetLimitsWhatIsKept() {
    auto limited = facts({checkpoint(1, 100, 11)}, 250, 20);
    limited.policy.budgetMb = 250;
    QCOMPARE(run::forecastDisk(limited).mostBytes, 350 * kMb); // and the one being written
    QVERIFY(run::forecastDisk(limited).level == Level::Fine);
    limited.policy.budgetMb = 50; // two stay in any case
    QCOMPARE(run::forecastDisk(limited).mostBytes, 300 * kMb);
}

void DiskForecastTest::wordsNameTheFigures() {
    const auto low = run::forecastDisk(facts({checkpoint(1, 100, 11), checkpoint(2, 100, 41)}, 150));
    QCOMPARE(run::describe(low).text(), std::string("checkpoints take 200.0 MB, at most 400.0 MB; 150.0 MB are free"));
    QCOMPARE(run::diskWarning(low), std::string("the disk will be full after 1 more checkpoint, in 30 s: each takes "
                                                "100.0 MB, and 150.0 MB are free; prune checkpoints or delete archived "
                                                "runs"));
    const auto full = run::forecastDisk(facts({checkpoint(1, 100, 11)}, 20));
    QCOMPARE(run::diskWarning(full),
             std::string("the disk has no room for another checkpoint: it takes 100.0 MB, and 20.0 MB are free; prune "
                         "checkpoints or delete archived runs"));
}

void DiskForecastTest::anUnreadableRunFileIsAnError() {
    store::RunRow row;
    row.name = "odd";
    row.specJson = "{";
    const auto forecast = run::forecastDisk(row, {checkpoint(1, 100, 11)}, -1);
    QVERIFY(!forecast.ok());
    QCOMPARE(forecast.error().kind, ErrorKind::Input);
}

void DiskForecastTest::theTimeLeftFollowsFromTheSteps() {
    store::RunRow row;
    row.step = 25;
    row.totalSteps = 100;
    row.trainSeconds = 10;
    QCOMPARE(run::secondsLeft(row), 30.0);
    row.step = 0;
    QCOMPARE(run::secondsLeft(row), -1.0);
}

QTEST_APPLESS_MAIN(DiskForecastTest)
#include "disk_forecast_test.moc"
