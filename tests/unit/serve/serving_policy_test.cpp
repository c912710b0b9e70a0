// SPDX-License-Identifier: GPL-3.0-or-later
// What a service's server decides: batches, retries, replicas, versions, and the figures that it tells.
#include "engine/base/files/atomic_file.h"
#include "engine/serve/control/figure_log.h"
#include "engine/serve/values/latency_figures.h"
#include "engine/serve/values/rate_limit.h"
#include "engine/serve/values/serving_policy.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <filesystem>

using namespace trainyard;
using namespace trainyard::serve;

namespace {

// As measured of an MLP on two cores: eight rows at once cost more than four times two.
const BatchTable kMlp({{1, 50}, {2, 50}, {4, 210}, {8, 260}, {16, 400}, {32, 700}});
const BatchTable kEven({{1, 100}, {2, 110}, {4, 130}});

struct Look {
    double at;
    int waiting;
    double busy;
    int wanted;
};

} // namespace

class ServingPolicyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: batches are cut by how long each size was measured to take, since larger is not always cheaper.
    void batchesAreCutByTheTable_data() {
        QTest::addColumn<BatchTable>("table");
        QTest::addColumn<int>("waiting");
        QTest::addColumn<int>("rows");
        QTest::newRow("one") << kMlp << 1 << 1;
        QTest::newRow("two cost what one costs") << kMlp << 2 << 2;
        QTest::newRow("four cost more than twice two") << kMlp << 4 << 2;
        QTest::newRow("all of a full batch") << kMlp << 32 << 32;
        QTest::newRow("no more than was measured") << kMlp << 500 << 32;
        QTest::newRow("the more the cheaper") << kEven << 3 << 3;
        QTest::newRow("nothing measured") << BatchTable() << 9 << 1;
        QTest::newRow("nothing waits") << kEven << 0 << 1;
    }
    void batchesAreCutByTheTable() {
        QFETCH(BatchTable, table);
        QFETCH(int, waiting);
        QTEST(table.cut(waiting), "rows");
    }

    void timesBetweenMeasuredSizesAreOnALine() {
        QCOMPARE(kEven.expectedUs(3), 120.0);
        QCOMPARE(kEven.expectedUs(8), 260.0); // beyond it by the row
        QCOMPARE(kEven.rowsPerSecond(), 4e6 / 130);
        QCOMPARE(BatchTable({{1, 5}, {1, 6}, {4, -1}}).rows().size(), std::size_t{2});
    }

    // Feature: a request whose replica dies is computed again with others, then alone, and fails only then.
    void aRequestThatKillsIsFoundOut() {
        QCOMPARE(afterDeath(1), AfterDeath::Again);
        QCOMPARE(afterDeath(2), AfterDeath::Alone);
        QCOMPARE(afterDeath(3), AfterDeath::Fail);
        QCOMPARE(patienceSeconds(kMlp, 1, 0, 0), 2.0);
        QCOMPARE(patienceSeconds(BatchTable({{1, 1e6}}), 1, 0, 0), 20.0);
        QVERIFY(patienceSeconds(kMlp, 1, 2, 0) > patienceSeconds(kMlp, 1, 0, 0));
        QVERIFY(patienceSeconds(kMlp, 1, 0, 100) > 10);
    }

    // Feature: replicas follow the load: one more after 0.3 s of too long a wait, one fewer after 30 s below half load.
    void replicasFollowTheLoad_data() {
        QTest::addColumn<int>("least");
        QTest::addColumn<int>("replicas");
        QTest::addColumn<QList<Look>>("looks");
        QTest::newRow("a short peak adds none")
            << 1 << 1 << QList<Look>{{0, 90000, 1, 1}, {0.2, 90000, 1, 1}, {0.25, 0, 1, 1}};
        QTest::newRow("a long wait adds one")
            << 1 << 1 << QList<Look>{{0, 90000, 1, 1}, {0.31, 90000, 1, 2}, {0.4, 90000, 1, 1}};
        QTest::newRow("no more than the most") << 1 << 4 << QList<Look>{{0, 900000, 1, 4}, {1, 900000, 1, 4}};
        QTest::newRow("one that is asked while there is none") << 0 << 0 << QList<Look>{{0, 1, 0, 1}};
        QTest::newRow("half idle for long loses one")
            << 1 << 3 << QList<Look>{{0, 0, 0.1, 3}, {29, 0, 0.1, 3}, {30.5, 0, 0.1, 2}};
        QTest::newRow("busy in between keeps it")
            << 1 << 3 << QList<Look>{{0, 0, 0.1, 3}, {20, 0, 0.9, 3}, {31, 0, 0.1, 3}};
        QTest::newRow("to none only without any request")
            << 0 << 1 << QList<Look>{{0, 0, 0.01, 1}, {31, 0, 0, 1}, {62, 0, 0, 0}};
        QTest::newRow("never below the least") << 1 << 1 << QList<Look>{{0, 0, 0, 1}, {100, 0, 0, 1}};
    }
    void replicasFollowTheLoad() {
        QFETCH(int, least);
        QFETCH(int, replicas);
        QFETCH(QList<Look>, looks);
        ScalePolicy policy(least, 4, 50);
        for (const Look& look : looks)
            QCOMPARE(policy.wanted(look.at, loadOf(look.waiting, replicas, look.busy, kMlp)), look.wanted);
    }

    // Feature: a canary gets its share of the requests, the same id always the same version.
    void aCanaryGetsItsShare() {
        int canary = 0;
        constexpr int kIds = 20000;
        for (int i = 0; i < kIds; ++i) {
            const std::string id = "request-" + std::to_string(i);
            const auto version = versionFor(id, {{"b", 0.1}});
            QCOMPARE(version, versionFor(id, {{"b", 0.1}}));
            canary += version ? 1 : 0;
        }
        QVERIFY2(std::abs(canary - kIds / 10) < 200, qPrintable(QString::number(canary)));
        QVERIFY(!versionFor("x", {}));
        QVERIFY(!versionFor("x", {{"b", 0}}));
        QCOMPARE(versionFor("x", {{"b", 1}}), std::optional<std::size_t>(0));
    }

    // Feature: a token has its rate: as many at once as a second has, then one after another.
    void aRateIsKept() {
        RateLimit none(0);
        for (int i = 0; i < 100; ++i) QVERIFY(none.take(5));
        RateLimit limit(4);
        for (int i = 0; i < 4; ++i) QVERIFY(limit.take(100));
        QVERIFY(!limit.take(100));
        QCOMPARE(limit.retryAfter(100), 1);
        QVERIFY(!limit.take(100.2));
        QVERIFY(limit.take(100.25));
        QVERIFY(!limit.take(100.25));
        for (int i = 0; i < 4; ++i) QVERIFY(limit.take(1000)); // what was not used for long is not saved up
        QVERIFY(!limit.take(1000));
        RateLimit seldom(0.1);
        QVERIFY(seldom.take(50));
        QVERIFY(!seldom.take(51));
        QCOMPARE(seldom.retryAfter(51), 9);
    }

    void latenciesOfTheLastTenSeconds() {
        LatencyFigures figures;
        for (int i = 0; i < 99; ++i) figures.add(100.5, 1);
        figures.add(100.6, 1000);
        QVERIFY(figures.quantileMs(101, 0.5) >= 1 && figures.quantileMs(101, 0.5) < 1.3);
        QVERIFY(figures.quantileMs(101, 0.999) >= 1000 && figures.quantileMs(101, 0.999) < 1300);
        QCOMPARE(figures.perSecond(101), 100.0);
        QCOMPARE(figures.quantileMs(120, 0.5), 0.0); // long ago
        QCOMPARE(figures.total(), 100);
        const LatencyCounts counts = figures.counts();
        QCOMPARE(counts.counts.size(), counts.boundsMs.size() + 1);
        figures.add(121, 1e9);
        figures.add(121, 0);
        QCOMPARE(figures.counts().counts.back(), 1);
        QCOMPARE(figures.counts().counts.front(), 1);
    }

    // Feature: the figures of a service are kept for 30 days in a file of one size, over all its servers.
    // Bad inputs: a file of figures that is short, of other bytes, or of a clock that was set back.
    void figuresAreKeptInOneSize() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("figures").toStdString();
        constexpr std::int64_t kBegin = 1'800'000'000'000, kSpan = FigureLog::kSpanMs;
        ServiceStatus status;
        status.replicas.resize(2);
        status.replicas[0].pid = 7;
        status.p99Ms = 9;
        std::int64_t now = kBegin;
        const auto serveFor = [&](FigureLog& log, int spans, std::int64_t each) {
            for (int i = 0; i < spans; ++i, now += kSpan) {
                log.add(status, now);
                log.add(status, now + 1000); // more often than there are points
                status.answered += each;
                status.codes = {{200, status.answered - status.answered / 10}, {503, status.answered / 10}};
            }
            log.add(status, now);
        };
        {
            FigureLog log(file);
            serveFor(log, 2 * 8640, 100); // two days
        }
        const auto size = std::filesystem::file_size(file);
        auto points = readFigures(file);
        QVERIFY(points.ok());
        QCOMPARE(points->back().spanMs, FigureLog::kSpanMs);
        QCOMPARE(points->back().qps, 10.0f);
        QCOMPARE(points->back().errors, 1.0f);
        QCOMPARE(points->back().replicas, 1.0f);
        QCOMPARE(points->back().p99Ms, 9.0f);
        QCOMPARE(points->front().spanMs, 600'000);
        QVERIFY(points->front().atMs <= kBegin + kSpan && points->size() > 360 + 1300);
        std::int64_t end = 0;
        for (const auto& each : *points) { // each time once
            QVERIFY2(each.atMs >= end, qPrintable(QString::number(each.atMs - end)));
            QVERIFY(std::abs(each.qps - 10) < 0.1);
            end = each.atMs + each.spanMs;
        }
        now += 3'600'000;
        status = {};
        FigureLog second(file); // another server
        serveFor(second, 12, 50);
        second.add(status, now - 3'600'000); // the clock is set back
        points = readFigures(file);
        QCOMPARE(points->back().qps, 5.0f);
        QVERIFY(points->front().atMs <= kBegin + kSpan);
        QVERIFY(std::filesystem::file_size(file) <= 195'840 && size <= 195'840);
        const std::string bytes = readFile(file).value();
        QVERIFY(figuresIn(std::string_view(bytes).substr(0, bytes.size() / 2)).size() < points->size());
        QVERIFY(figuresIn(std::string(200'000, '\xff')).empty() && figuresIn("").empty());
        QVERIFY(figuresIn(bytes.substr(8)).empty()); // nothing is where its time says
    }
};

QTEST_GUILESS_MAIN(ServingPolicyTest)
#include "serving_policy_test.moc"
