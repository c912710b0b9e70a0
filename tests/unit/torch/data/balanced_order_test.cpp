// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/balanced_order.h"
#include "engine/torch/data/sampler.h"

#include <QTest>

#include <algorithm>
#include <numeric>
#include <vector>

using namespace trainyard;

namespace {

// As many samples of each class as given, in a row.
torch::Tensor classesOf(const std::vector<std::int64_t>& counts) {
    std::vector<std::int64_t> classes;
    for (std::size_t c = 0; c < counts.size(); ++c)
        classes.insert(classes.end(), static_cast<std::size_t>(counts[c]), static_cast<std::int64_t>(c));
    return torch::tensor(classes, torch::kInt64);
}

QString textOf(const std::vector<std::int64_t>& numbers) {
    QStringList words;
    for (const std::int64_t number : numbers) words << QString::number(number);
    return words.join(QLatin1Char(' '));
}

} // namespace

class BalancedOrderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void classesAreDrawnByTheirShare_data();
    void classesAreDrawnByTheirShare();
    void everySampleOfAClassIsDrawnAsOften();
    void theOrderIsThatOfSeedAndEpoch();
    void ranksShareOneOrderFromAnyPlace();
    void refusesWhatHasNoClasses_data();
    void refusesWhatHasNoClasses();
};

void BalancedOrderTest::classesAreDrawnByTheirShare_data() {
    QTest::addColumn<QList<int>>("samples");
    QTest::addColumn<double>("balance");
    QTest::addColumn<QString>("drawn");
    QTest::newRow("all alike") << QList<int>{900, 90, 10} << 1.0 << QStringLiteral("334 333 333");
    QTest::newRow("by the root") << QList<int>{900, 100, 0, 25} << 0.5 << QStringLiteral("683 228 0 114");
    QTest::newRow("hardly") << QList<int>{6, 3} << 1e-9 << QStringLiteral("6 3");
    QTest::newRow("one class") << QList<int>{5} << 1.0 << QStringLiteral("5");
    QTest::newRow("one sample of one class") << QList<int>{99, 1} << 1.0 << QStringLiteral("50 50");
    QTest::newRow("as many classes as samples") << QList<int>{1, 1, 1} << 0.3 << QStringLiteral("1 1 1");
    QTest::newRow("nothing") << QList<int>{} << 1.0 << QString();
}

void BalancedOrderTest::classesAreDrawnByTheirShare() {
    QFETCH(QList<int>, samples);
    QFETCH(double, balance);
    QFETCH(QString, drawn);
    const auto classes = classesOf({samples.begin(), samples.end()});
    const data::BalancedOrder order(classes, balance, 3);
    QCOMPARE(textOf(order.counts()), drawn);
    for (const std::int64_t epoch : {0, 1, 12345}) {
        const auto samplesOf = order.ofEpoch(epoch);
        QCOMPARE(samplesOf.size(0), classes.size(0));
        const auto found = torch::bincount(classes.index_select(0, samplesOf), {}, samples.size());
        for (qsizetype c = 0; c < samples.size(); ++c)
            QCOMPARE(found[c].item<std::int64_t>(), order.counts()[static_cast<std::size_t>(c)]);
    }
}

// Feature: data.balance: rare classes drawn as often as common ones, the same for any number of ranks and after a
// resume.
void BalancedOrderTest::everySampleOfAClassIsDrawnAsOften() {
    const auto classes = classesOf({70, 20, 7});
    const data::BalancedOrder order(classes, 0.8, 5);
    torch::Tensor times = torch::zeros({classes.size(0)}, torch::kInt64);
    for (std::int64_t epoch = 0; epoch < 40; ++epoch) {
        times += torch::bincount(order.ofEpoch(epoch), {}, classes.size(0));
        for (std::int64_t c = 0; c < 3; ++c) {
            const auto ofClass = times.masked_select(classes.eq(c));
            QVERIFY(ofClass.max().item<std::int64_t>() - ofClass.min().item<std::int64_t>() <= 1);
        }
    }
    QVERIFY(times.masked_select(classes.eq(2)).min().item<std::int64_t>() >
            2 * times.masked_select(classes.eq(0)).max().item<std::int64_t>());
}

void BalancedOrderTest::theOrderIsThatOfSeedAndEpoch() {
    const auto classes = classesOf({50, 10});
    const data::BalancedOrder one(classes, 1, 5), again(classes, 1, 5), other(classes, 1, 6);
    QVERIFY(one.ofEpoch(9).equal(again.ofEpoch(9))); // none before it
    QVERIFY(!one.ofEpoch(9).equal(one.ofEpoch(10)) && !one.ofEpoch(9).equal(other.ofEpoch(9)));
    // Classes are mixed: no half of the epoch is without one.
    const auto half = classes.index_select(0, one.ofEpoch(3)).narrow(0, 0, 30).sum().item<std::int64_t>();
    QVERIFY(half > 5 && half < 25);
}

void BalancedOrderTest::ranksShareOneOrderFromAnyPlace() {
    const auto classes = classesOf({40, 8});
    const auto order = std::make_shared<data::BalancedOrder>(classes, 1, 2);
    const auto sampler = [&](int rank, int world) {
        return data::ShardedSampler({.samples = 48,
                                     .batchPerRank = 24 / world,
                                     .rank = rank,
                                     .worldSize = world,
                                     .seed = 2,
                                     .orderOf = [order](std::int64_t epoch) { return order->ofEpoch(epoch); }});
    };
    for (const int world : {1, 2, 4})
        for (const std::int64_t epoch : {4, 1}) { // also back to an earlier one
            std::vector<torch::Tensor> parts;
            for (std::int64_t batch = 0; batch < 2; ++batch)
                for (int rank = 0; rank < world; ++rank) {
                    auto own = sampler(rank, world); // as a rank that has just come
                    own.setEpoch(epoch);
                    parts.push_back(own.indices(batch));
                }
            QVERIFY(torch::cat(parts).equal(order->ofEpoch(epoch)));
        }
}

void BalancedOrderTest::refusesWhatHasNoClasses_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("error");
    QTest::newRow("classes") << 0 << QString();
    QTest::newRow("numbers") << 1
                             << QStringLiteral("data.balance: draws by classes, and the run's task is regression (set "
                                               "it to 0)");
    QTest::newRow("the first batches") << 2
                                       << QStringLiteral("data.balance: draws samples, and debug.overfitBatches takes "
                                                         "the first ones as they are (set one of the two to 0)");
    QTest::newRow("neighbours") << 3
                                << QStringLiteral("data.balance: draws each class from all samples, and data.order "
                                                  "\"blocks\" takes neighbours together (set it to 0, or data.order to "
                                                  "\"auto\")");
    QTest::newRow("off") << 4 << QString();
}

void BalancedOrderTest::refusesWhatHasNoClasses() {
    QFETCH(int, which);
    QFETCH(QString, error);
    spec::RunSpec spec;
    spec.data.balance = which == 4 ? 0 : 0.5;
    data::Dataset dataset;
    if (which == 1 || which == 4) dataset.task = train::TaskKind::Regression;
    if (which == 2) spec.debug.overfitBatches = 1;
    if (which == 3) spec.data.order = "blocks";
    const auto checked = data::checkBalance(spec, dataset);
    QCOMPARE(QString::fromStdString(checked ? "" : checked.error().text()), error);
}

QTEST_GUILESS_MAIN(BalancedOrderTest)
#include "balanced_order_test.moc"
