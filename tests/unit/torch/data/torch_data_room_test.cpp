// SPDX-License-Identifier: GPL-3.0-or-later
// What data asks of the memory: orders that take none, and the check before it is loaded.
#include "engine/torch/base/out_of_memory.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/data/epoch_order.h"
#include "engine/torch/data/sampler.h"
#include "tests/texts.h"
#include "tests/unit/file_bytes.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

using namespace trainyard;
using namespace trainyard::tests;
using trainyard::test::compareText;
namespace fs = std::filesystem;

class TorchDataRoomTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ordersArePermutations_data();
    void ordersArePermutations();
    void ordersKeepTheirBits_data();
    void ordersKeepTheirBits();
    void blocksAreToldAWindowAhead();
    void ordersMixTheClasses();
    void controlGroupsLimitMemory_data();
    void controlGroupsLimitMemory();
    void ranksOfAHostShareItsMemory();
};

void TorchDataRoomTest::ordersArePermutations_data() {
    QTest::addColumn<qint64>("samples");
    for (const qint64 n : {1, 2, 3, 63, 64, 65, 1000, 65536, 65537, 100'003}) QTest::addRow("%lld", n) << n;
}

// Feature: orders of any number of samples that need no memory.
void TorchDataRoomTest::ordersArePermutations() {
    QFETCH(qint64, samples);
    const data::KeyedPermutation keyed(samples, 7, 1), other(samples, 7, 2);
    const data::BlockOrder blocks(samples, {.seed = 7, .epoch = 1});
    std::vector<int> seen(static_cast<std::size_t>(samples)), inBlocks = seen;
    std::int64_t same = 0;
    for (std::int64_t place = 0; place < samples; ++place) {
        ++seen[static_cast<std::size_t>(keyed.at(place))];
        ++inBlocks[static_cast<std::size_t>(blocks.at(place))];
        same += keyed.at(place) == other.at(place);
    }
    QVERIFY(std::ranges::all_of(seen, [](int count) { return count == 1; }));
    QVERIFY(std::ranges::all_of(inBlocks, [](int count) { return count == 1; }));
    QVERIFY(samples < 1000 || same < 20);
}

void TorchDataRoomTest::ordersKeepTheirBits_data() {
    QTest::addColumn<qint64>("samples");
    QTest::addColumn<QList<qint64>>("keyed"); // at the first two places, in the middle and at the last
    QTest::addColumn<QList<qint64>>("blocks");
    QTest::newRow("a window") << qint64{65536} << QList<qint64>{26661, 11433, 8006, 29132}
                              << QList<qint64>{21068, 60745, 44881, 20629};
    QTest::newRow("with a short block") << qint64{100'003} << QList<qint64>{61516, 5028, 95323, 31125}
                                        << QList<qint64>{52940, 32969, 88060, 73114};
    QTest::newRow("past 2^32") << qint64{5'000'000'000} << QList<qint64>{4051352863, 546696838, 1655314439, 2718017692}
                               << QList<qint64>{58555084, 3054434569, 73288906, 1475565123};
}

// The formulas in Python gave the numbers: a run goes on in the order in which another program has begun it.
void TorchDataRoomTest::ordersKeepTheirBits() {
    QFETCH(qint64, samples);
    QFETCH(QList<qint64>, keyed);
    QFETCH(QList<qint64>, blocks);
    const data::KeyedPermutation permutation(samples, 7, 1);
    const data::BlockOrder order(samples, {.seed = 7, .epoch = 1});
    const std::array<std::int64_t, 4> places{0, 1, samples / 2, samples - 1};
    for (std::size_t i = 0; i < places.size(); ++i) {
        QCOMPARE(qint64{permutation.at(places[i])}, keyed[static_cast<qsizetype>(i)]);
        QCOMPARE(qint64{order.at(places[i])}, blocks[static_cast<qsizetype>(i)]);
    }
}

// Wherever training begins, every block is told before a batch has a sample of it.
void TorchDataRoomTest::blocksAreToldAWindowAhead() {
    constexpr std::int64_t kSamples = 64 * 5000, kBlock = data::BlockOrder::kBlock;
    for (const std::int64_t first : {0, 700}) {
        data::ShardedSampler sampler({.samples = kSamples, .batchPerRank = 100, .worldSize = 2, .blocks = true});
        std::set<std::int64_t> told;
        for (std::int64_t batch = first; batch < first + 800; ++batch) {
            const auto soon = sampler.soonRead(batch, batch == first);
            QVERIFY(batch == first || soon.size() <= 4); // a few at a time
            for (const std::int64_t block : soon) QVERIFY2(told.insert(block).second, "told twice");
            const auto samples = sampler.indices(batch);
            const auto* const sample = samples.data_ptr<std::int64_t>();
            QVERIFY(std::all_of(sample, sample + samples.size(0),
                                [&](std::int64_t each) { return told.contains(each / kBlock * kBlock); }));
        }
    }
    const data::ShardedSampler shuffled({.samples = kSamples, .batchPerRank = 100});
    QVERIFY(!shuffled.inBlocks() && shuffled.soonRead(0, true).empty());
}

// 2,000,000 samples sorted by 16 classes, in batches of 256: a batch has a chi-square of 15 on average where each place
// is drawn alone. A mixed window of blocks has some more.
void TorchDataRoomTest::ordersMixTheClasses() {
    constexpr std::int64_t kSamples = 2'000'000, kBatch = 256, kBatches = 1500, kClasses = 16;
    for (const bool blocks : {false, true}) {
        data::ShardedSampler sampler({.samples = kSamples, .batchPerRank = kBatch, .seed = 3, .blocks = blocks});
        sampler.setEpoch(4);
        double sum = 0;
        for (std::int64_t batch = 0; batch < kBatches; ++batch) {
            const auto classes =
                torch::bincount((sampler.indices(batch) * kClasses).div(kSamples, "floor"), {}, kClasses);
            const auto apart = classes.to(torch::kFloat64) - double(kBatch) / kClasses;
            sum += (apart * apart).sum().item<double>() / (double(kBatch) / kClasses);
        }
        const double mean = sum / kBatches; // standard deviation: 5.5 / sqrt(1500) = 0.14
        QVERIFY2(blocks ? mean > 15 && mean < 21 : std::abs(mean - 15) < 0.6, qPrintable(QString::number(mean)));
    }
}

void TorchDataRoomTest::controlGroupsLimitMemory_data() {
    QTest::addColumn<QString>("listing");
    QTest::addColumn<QString>("files"); // "path=text", with ";" between them
    QTest::addColumn<double>("left");
    const double none = std::numeric_limits<double>::infinity();
    QTest::newRow("version 2") << "0::/a/b\n" << "a/b/memory.max=1000;a/b/memory.current=400" << 600.0;
    QTest::newRow("the one around it") << "0::/a/b\n"
                                       << "a/memory.max=500;a/memory.current=450;a/b/memory.max=max;"
                                          "a/b/memory.current=400"
                                       << 50.0;
    QTest::newRow("files that can be given up") << "0::/a\n"
                                                << "a/memory.max=1000;a/memory.current=900;"
                                                   "a/memory.stat=anon 100\ninactive_file 700\n"
                                                << 800.0;
    QTest::newRow("a container") << "0::/host/path\n" << "memory.max=1000;memory.current=100" << 900.0;
    QTest::newRow("version 1") << "5:cpu,cpuacct:/x\n3:memory:/job\n"
                               << "memory/job/memory.limit_in_bytes=2000;memory/job/memory.usage_in_bytes=500"
                               << 1500.0;
    QTest::newRow("version 1 without a limit") << "3:memory:/job\n"
                                               << "memory/job/memory.limit_in_bytes=9223372036854771712;"
                                                  "memory/job/memory.usage_in_bytes=500"
                                               << none;
    QTest::newRow("both") << "3:memory:/job\n0::/a\n"
                          << "memory/job/memory.limit_in_bytes=2000;memory/job/memory.usage_in_bytes=1900;"
                             "a/memory.max=1000;a/memory.current=100"
                          << 100.0;
    QTest::newRow("used up") << "0::/a\n" << "a/memory.max=1000;a/memory.current=1400" << 0.0;
    QTest::newRow("nothing known") << "nonsense\n" << "" << none;
}

void TorchDataRoomTest::controlGroupsLimitMemory() {
    QFETCH(QString, listing);
    QFETCH(QString, files);
    QFETCH(double, left);
    const QTemporaryDir folder;
    for (const QString& file : files.split(';', Qt::SkipEmptyParts)) {
        const fs::path path = fs::path(folder.path().toStdString()) / file.section('=', 0, 0).toStdString();
        fs::create_directories(path.parent_path());
        writeBytes(path, file.section('=', 1).toUtf8());
    }
    QCOMPARE(train::leftOfControlGroups(listing.toStdString(), folder.path().toStdString()), left);
}

// Feature: the memory check counts all ranks of a host; pictures that they share count once.
void TorchDataRoomTest::ranksOfAHostShareItsMemory() {
    const std::string mine = "boot a\n1e9", later = "boot a\n9e8", elsewhere = "boot b\n5e9";
    const auto ranks = train::ranksBeside({mine, elsewhere, later}, mine);
    QVERIFY(ranks.count == 2 && ranks.available == 9e8 && ranks.leastOfRun == 9e8);
    QCOMPARE(train::ranksBeside({mine, elsewhere}, mine).count, 1);
    train::setRanksOfHost(ranks);
    QVERIFY(data::checkMemoryFor(4e8, "a set").ok());
    const auto refused = data::checkMemoryFor(5e8, "a set");
    QVERIFY(!refused.ok() && refused.error().code == ErrorCode::OutOfMemory);
    compareText(QString::fromStdString(refused.error().text()), "0.5 GB of memory in each of the 2 workers here");
    QVERIFY(data::checkMemoryFor(5e8, "a set", data::Copies::OnePerHost).ok());
    train::setRanksOfHost({});
    QCOMPARE(train::ranksOfHost().count, 1);
}

QTEST_GUILESS_MAIN(TorchDataRoomTest)
#include "torch_data_room_test.moc"
