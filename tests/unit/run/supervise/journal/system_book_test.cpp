// SPDX-License-Identifier: GPL-3.0-or-later
// The series that a run records of its ranks and computers: their names, how often, and who waits for whom.
#include "engine/run/record/series/series_book.h"
#include "engine/run/record/series/system_series.h"
#include "engine/run/record/straggler.h"
#include "engine/run/supervise/journal/system_book.h"

#include <QTest>

#include <cmath>

using namespace trainyard;

namespace {

wire::SystemSample sampleOf(double compute, double comm) {
    wire::SystemSample sample;
    sample.seconds = 1;
    sample.cpuCores = 1.5;
    sample.residentBytes = 300'000'000;
    sample.computeShare = compute;
    sample.commShare = comm;
    return sample;
}

double valueOf(const wire::Metrics& metrics, const std::string& name) {
    for (const auto& series : metrics.series)
        if (series.series == name) return series.points.front().value;
    return std::nan("");
}

bool near(double value, double wanted) { return std::abs(value - wanted) < 1e-5; }

} // namespace

class SystemBookTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void namesAreRead_data();
    void namesAreRead();
    void pointsBecomeRarer_data();
    void pointsBecomeRarer();
    void theRankThatIsWaitedForIsNamed_data();
    void theRankThatIsWaitedForIsNamed();
    void meansAreWeightedByTime();
    void whatIsBeyondTheShortestIsWaiting();
    void othersWaitForASilentRank();
    void hostAndGpuAreRecordedWhereTheyAreKnown();
    void nothingIsDueBeforeTheFirstPoint();
    void oneStepMayHaveSeveralPoints();
};

void SystemBookTest::namesAreRead_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("system");
    QTest::addColumn<int>("rank"); // -1: not of a rank's time
    QTest::newRow("compute") << QByteArray("system/rank3/compute") << true << 3;
    QTest::newRow("wait") << QByteArray("system/rank12/wait") << true << 12;
    QTest::newRow("cpu") << QByteArray("system/rank0/cpu_percent") << true << -1;
    QTest::newRow("host") << QByteArray("system/host/rank1/data") << true << -1;
    QTest::newRow("no number") << QByteArray("system/rank/compute") << true << -1;
    QTest::newRow("negative") << QByteArray("system/rank-1/compute") << true << -1;
    QTest::newRow("too large") << QByteArray("system/rank99999999999/compute") << true << -1;
    QTest::newRow("no part") << QByteArray("system/rank1") << true << -1;
    QTest::newRow("a program's own") << QByteArray("systematic") << false << -1;
    QTest::newRow("a loss") << QByteArray("train/loss") << false << -1;
}

void SystemBookTest::namesAreRead() {
    QFETCH(QByteArray, name);
    QTEST(run::isSystemSeries(name.toStdString()), "system");
    const auto time = run::rankTimeOf(name.toStdString());
    QTEST(time ? time->rank : -1, "rank");
    QCOMPARE(run::rankTimeOf(run::rankSeries(7, run::kWait)), (run::RankTime{7, "wait"}));
}

void SystemBookTest::pointsBecomeRarer_data() {
    QTest::addColumn<double>("trained");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<double>("interval");
    QTest::newRow("begin") << 0.0 << 2 << 1.0;
    QTest::newRow("an hour") << 3600.0 << 2 << 1.0;
    QTest::newRow("ten hours") << 36000.0 << 2 << 10.0;
    QTest::newRow("many ranks") << 10.0 << 64 << 4.0;
    QTest::newRow("a week") << 604800.0 << 64 << 60.0;
}

void SystemBookTest::pointsBecomeRarer() {
    QFETCH(double, trained);
    QFETCH(int, ranks);
    QTEST(run::systemInterval(trained, static_cast<std::size_t>(ranks)), "interval");
}

void SystemBookTest::theRankThatIsWaitedForIsNamed_data() {
    QTest::addColumn<QList<double>>("waits");
    QTest::addColumn<int>("straggler");
    QTest::newRow("alone") << QList<double>{0.1} << -1;
    QTest::newRow("alike") << QList<double>{0.3, 0.35, 0.31} << -1;
    QTest::newRow("one is late") << QList<double>{0.6, 0.1, 0.6} << 1;
    QTest::newRow("one waits for the others") << QList<double>{0.1, 0.12, 0.6} << 0;
}

void SystemBookTest::theRankThatIsWaitedForIsNamed() {
    QFETCH(QList<double>, waits);
    std::vector<run::RankWait> ranks;
    for (const double wait : waits) ranks.push_back({static_cast<int>(ranks.size()), "", wait});
    const auto found = run::stragglerOf(ranks);
    QTEST(found ? found->rank : -1, "straggler");
}

void SystemBookTest::meansAreWeightedByTime() {
    run::SystemBook book;
    book.trained(10, 110);
    auto sample = sampleOf(1, 0);
    sample.seconds = 3;
    book.take(0, HostName(), sample, 110.5);
    book.take(0, HostName(), sampleOf(0, 0), 111);
    QCOMPARE(book.due(), 111.0);
    const auto metrics = book.points({40, 2.5}, 111);
    QVERIFY(near(valueOf(metrics, "system/rank0/compute"), 0.75));
    QVERIFY(near(valueOf(metrics, "system/rank0/cpu_percent"), 150));
    QVERIFY(near(valueOf(metrics, "system/rank0/memory_mb"), 300));
    const auto& point = metrics.series.front().points.front();
    QCOMPARE(point.step, 40);
    QCOMPARE(point.epoch, 2.5);
    QCOMPARE(point.seconds, 11.0); // the run's first step was at 100
    QVERIFY(std::isinf(book.due()));
    QVERIFY(book.points({41, 2.5}, 112).series.empty());
}

void SystemBookTest::whatIsBeyondTheShortestIsWaiting() {
    run::SystemBook book;
    book.trained(0, 100);
    book.take(0, HostName(), sampleOf(0.3, 0.7), 101);
    book.take(1, HostName(), sampleOf(0.9, 0.1), 101);
    const auto metrics = book.points({1, 0}, 101);
    QVERIFY(near(valueOf(metrics, "system/rank0/communication"), 0.1));
    QVERIFY(near(valueOf(metrics, "system/rank0/wait"), 0.6));
    QVERIFY(near(valueOf(metrics, "system/rank1/communication"), 0.1));
    QVERIFY(near(valueOf(metrics, "system/rank1/wait"), 0));
}

void SystemBookTest::othersWaitForASilentRank() {
    run::SystemBook book;
    book.trained(0, 100);
    for (const int rank : {0, 1}) book.take(rank, HostName(), sampleOf(0.8, 0.2), 101);
    book.points({1, 0}, 101);
    book.take(0, HostName(), sampleOf(0, 1), 102);
    const auto soon = book.points({1, 0}, 102); // a sample may be late
    QVERIFY(near(valueOf(soon, "system/rank0/communication"), 1));
    QVERIFY(std::isnan(valueOf(soon, "system/rank1/compute")));
    book.take(0, HostName(), sampleOf(0, 1), 104);
    const auto later = book.points({1, 0}, 104);
    QVERIFY(near(valueOf(later, "system/rank0/wait"), 1));
    book.regrouped(); // the other one is gone
    book.take(0, HostName(), sampleOf(0.9, 0.1), 105);
    QVERIFY(near(valueOf(book.points({2, 0}, 105), "system/rank0/wait"), 0));
}

void SystemBookTest::hostAndGpuAreRecordedWhereTheyAreKnown() {
    run::SystemBook book;
    book.trained(0, 100);
    auto sample = sampleOf(1, 0);
    sample.hasHost = sample.hasGpu = true;
    sample.hostCpuShare = 0.25;
    sample.hostMemoryUsed = 8'000'000'000;
    sample.hostReceived = 2e6;
    sample.hostSent = 3e6;
    sample.gpuShare = 0.5;
    sample.gpuMemoryUsed = 4'000'000'000;
    book.take(1, HostName("node-a"), sample, 101);
    const auto metrics = book.points({1, 0}, 101);
    QVERIFY(near(valueOf(metrics, "system/host/node-a/cpu_percent"), 25));
    QVERIFY(near(valueOf(metrics, "system/host/node-a/memory_mb"), 8000));
    QVERIFY(near(valueOf(metrics, "system/host/node-a/network_in_mb_s"), 2));
    QVERIFY(near(valueOf(metrics, "system/host/node-a/network_out_mb_s"), 3));
    QVERIFY(near(valueOf(metrics, "system/rank1/gpu_percent"), 50));
    QVERIFY(near(valueOf(metrics, "system/rank1/gpu_memory_mb"), 4000));
    book.take(0, HostName(), sampleOf(1, 0), 102);
    const auto plain = book.points({1, 0}, 102);
    QVERIFY(std::isnan(valueOf(plain, "system/rank0/gpu_percent")));
    QVERIFY(std::isnan(valueOf(plain, "system/host/localhost/cpu_percent")));
}

void SystemBookTest::nothingIsDueBeforeTheFirstPoint() {
    run::SystemBook book;
    book.take(0, HostName(), sampleOf(1, 0), 100);
    QVERIFY(std::isinf(book.due()));
    book.trained(5, 101);
    QCOMPARE(book.due(), 102.0);
    book.relaunched();
    QVERIFY(std::isinf(book.due()));
}

// A hang is recorded although no step is made; a step's own series has one point.
void SystemBookTest::oneStepMayHaveSeveralPoints() {
    run::SeriesBook book;
    const auto accepted = [&](const char* series, std::int64_t step, double seconds) {
        return !book.accept({{{series, 0, {{step, 0, seconds, 1}}}}}).series.empty();
    };
    const char* const system = "system/rank0/wait";
    QVERIFY(accepted(system, 10, 5));
    QVERIFY(accepted(system, 10, 6));
    QVERIFY(!accepted(system, 10, 6)); // the same again
    QVERIFY(!accepted(system, 9, 7));
    QVERIFY(accepted("train/loss", 10, 5));
    QVERIFY(!accepted("train/loss", 10, 6));
    QCOMPARE(book.count(system), 2);
    QCOMPARE(book.secondsAt(10), 5.0); // the time of training, not of the hang
    book.rewind(9);
    QCOMPARE(book.count(system), 0);
}

QTEST_APPLESS_MAIN(SystemBookTest)
#include "system_book_test.moc"
