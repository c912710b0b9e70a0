// SPDX-License-Identifier: GPL-3.0-or-later
// PowerSGD's mathematics: which gradients travel as narrow matrices, and what comes out of them.
#include "engine/torch/averaging/low_rank.h"

#include <QTest>

using namespace trainyard;
using train::LowRankShape;

Q_DECLARE_METATYPE(torch::Tensor)

class LowRankTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void parametersAreMatrices_data();
    void parametersAreMatrices();
    void columnsBecomeOrthonormal_data();
    void columnsBecomeOrthonormal();
    void columnsKeepWhatTheySpan();
    void aBasisIsTheSameEverywhere();
    void aProductIsThatOfLibTorch();
    void aMatrixOfThatRankIsReproduced_data();
    void aMatrixOfThatRankIsReproduced();
    void theBasisTurnsToWhatIsLargest();
    void whatIsLeftOutComesLater();
};

namespace {

double furthest(const torch::Tensor& a, const torch::Tensor& b) { return (a - b).abs().max().item<double>(); }

double fromOrthonormal(const torch::Tensor& matrix) {
    const auto wide = matrix.to(torch::kDouble);
    return furthest(wide.t().mm(wide), torch::eye(matrix.size(1), torch::kDouble));
}

// What `matrix` is taken for, and the basis of the next step.
torch::Tensor sent(const torch::Tensor& matrix, torch::Tensor& basis) {
    auto left = matrix.mm(basis), into = torch::empty_like(matrix);
    train::orthonormalise(left);
    basis = matrix.t().mm(left);
    train::multiplyOut(left, basis, into);
    train::orthonormalise(basis);
    return into;
}

} // namespace

void LowRankTest::parametersAreMatrices_data() {
    QTest::addColumn<torch::Tensor>("parameter");
    QTest::addColumn<int>("rank");
    QTest::addColumn<QList<int>>("shape"); // rows, columns, rank; empty: it travels as it is
    const auto zeros = [](std::vector<std::int64_t> sizes) { return torch::zeros(sizes); };
    QTest::newRow("a layer's weights") << zeros({512, 784}) << 4 << QList<int>{512, 784, 4};
    QTest::newRow("its biases") << zeros({512}) << 4 << QList<int>{};
    QTest::newRow("a number") << zeros({}) << 4 << QList<int>{};
    QTest::newRow("a convolution") << zeros({64, 32, 3, 3}) << 2 << QList<int>{64, 288, 2};
    QTest::newRow("a convolution, channels last")
        << zeros({64, 32, 3, 3}).contiguous(torch::MemoryFormat::ChannelsLast) << 2 << QList<int>{64, 288, 2};
    QTest::newRow("transposed in memory") << zeros({40, 60}).t() << 1 << QList<int>{40, 60, 1};
    QTest::newRow("with gaps") << zeros({40, 60}).narrow(1, 0, 50) << 1 << QList<int>{};
    QTest::newRow("half is saved") << zeros({16, 16}) << 4 << QList<int>{16, 16, 4};
    QTest::newRow("less than half is saved") << zeros({16, 15}) << 4 << QList<int>{};
    QTest::newRow("one row") << zeros({1, 500}) << 1 << QList<int>{};
    QTest::newRow("a rank above its rows") << zeros({3, 5'000}) << 8 << QList<int>{};
    QTest::newRow("without elements") << zeros({0, 10}) << 1 << QList<int>{};
    QTest::newRow("of doubles") << torch::zeros({512, 784}, torch::kDouble) << 4 << QList<int>{};
}

void LowRankTest::parametersAreMatrices() {
    QFETCH(torch::Tensor, parameter);
    QFETCH(int, rank);
    QFETCH(QList<int>, shape);
    const auto found = train::lowRankShape(parameter, rank);
    QCOMPARE(found.has_value(), !shape.isEmpty());
    if (found) QCOMPARE(*found, (LowRankShape{shape[0], shape[1], shape[2]}));
}

// Feature: PowerSGD: its mathematics; what is left out comes later, a step that is not finite leaves no trace; a lost
// rank; resuming is bit-equal; learns as without. Also in ddp_averaging_test, regroup_test, resume_test,
// spec_validate_test, worker_switches_test.
void LowRankTest::columnsBecomeOrthonormal_data() {
    QTest::addColumn<torch::Tensor>("matrix");
    torch::manual_seed(3);
    const auto random = torch::randn({50, 4});
    const auto with = [&](int column, const torch::Tensor& values) {
        auto changed = random.clone();
        changed.select(1, column).copy_(values);
        return changed;
    };
    QTest::newRow("independent") << random.clone();
    QTest::newRow("a zero column") << with(1, torch::zeros({50}));
    QTest::newRow("the first column zero") << with(0, torch::zeros({50}));
    QTest::newRow("all zero") << torch::zeros({50, 4});
    QTest::newRow("a column twice") << with(2, random.select(1, 0));
    QTest::newRow("a sum of others") << with(3, random.select(1, 0) * 3 - random.select(1, 1));
    QTest::newRow("tiny and huge") << with(1, random.select(1, 1) * 1e-38).mul(torch::tensor({1e30, 1., 1e-20, 1.}));
    QTest::newRow("square") << torch::randn({4, 4});
    QTest::newRow("square, all zero") << torch::zeros({4, 4});
    QTest::newRow("of one row") << torch::zeros({1, 1});
}

void LowRankTest::columnsBecomeOrthonormal() {
    QFETCH(torch::Tensor, matrix);
    matrix = matrix.to(torch::kFloat);
    auto again = matrix.clone();
    train::orthonormalise(matrix);
    QVERIFY2(fromOrthonormal(matrix) < 1e-6, qPrintable(QString::number(fromOrthonormal(matrix))));
    train::orthonormalise(again);
    QVERIFY(torch::equal(again, matrix)); // also the columns that are chosen at random
}

void LowRankTest::columnsKeepWhatTheySpan() {
    torch::manual_seed(4);
    const auto before = torch::randn({30, 3});
    auto after = before.clone();
    train::orthonormalise(after);
    QVERIFY(furthest(after.mm(after.t().mm(before)), before) < 1e-5);
    QVERIFY(furthest(after.select(1, 0), before.select(1, 0) / before.select(1, 0).norm()) < 1e-6);
}

void LowRankTest::aBasisIsTheSameEverywhere() {
    const LowRankShape shape{20, 30, 4};
    torch::manual_seed(1);
    const auto basis = train::firstBasis(shape, 5);
    torch::manual_seed(2);
    QVERIFY(torch::equal(train::firstBasis(shape, 5), basis));
    QVERIFY(!torch::equal(train::firstBasis(shape, 6), basis));
    QVERIFY(fromOrthonormal(basis) < 1e-6);
}

void LowRankTest::aProductIsThatOfLibTorch() {
    torch::manual_seed(5);
    const auto left = torch::randn({33, 3}), right = torch::randn({21, 3});
    auto into = torch::full({33, 21}, 9.F);
    train::multiplyOut(left, right, into);
    QVERIFY(furthest(into, left.mm(right.t())) < 1e-5);
}

void LowRankTest::aMatrixOfThatRankIsReproduced_data() {
    QTest::addColumn<int>("own");
    QTest::addColumn<int>("rank");
    QTest::newRow("rank 1 by 1") << 1 << 1;
    QTest::newRow("rank 3 by 3") << 3 << 3;
    QTest::newRow("rank 1 by 4") << 1 << 4;
    QTest::newRow("zero by 2") << 0 << 2;
}

void LowRankTest::aMatrixOfThatRankIsReproduced() {
    QFETCH(int, own);
    QFETCH(int, rank);
    torch::manual_seed(6);
    const auto matrix = torch::randn({40, own}).mm(torch::randn({own, 60}));
    auto basis = train::firstBasis({40, 60, rank}, 1);
    for (int step = 0; step < 3; ++step) QVERIFY(furthest(sent(matrix, basis), matrix) < 1e-4);
    // A basis that was fitted to a poorer matrix still finds what a richer one has.
    const auto richer = torch::randn({40, rank}).mm(torch::randn({rank, 60}));
    QVERIFY(furthest(sent(richer, basis), richer) < 1e-3);
}

// What one step leaves out of a matrix that stays gets less, down to what the best matrix of that rank leaves out.
void LowRankTest::theBasisTurnsToWhatIsLargest() {
    torch::manual_seed(7);
    const auto matrix = torch::randn({30, 20}).mm(torch::diag(torch::linspace(0, 1, 20).pow(4)));
    const auto values = std::get<1>(torch::svd(matrix));
    const double best = values.slice(0, 2).norm().item<double>();
    auto basis = train::firstBasis({30, 20, 2}, 1);
    const double first = (matrix - sent(matrix, basis)).norm().item<double>();
    double last = first;
    for (int step = 0; step < 60; ++step) last = (matrix - sent(matrix, basis)).norm().item<double>();
    QVERIFY2(first > 1.02 * best && last < 1.001 * best, qPrintable(QString::number(last / best)));
}

// With what was left out added to the next gradient, all that was sent comes to the sum of the gradients.
void LowRankTest::whatIsLeftOutComesLater() {
    torch::manual_seed(8);
    auto leftOut = torch::zeros({30, 40}), truth = torch::zeros({30, 40}), came = torch::zeros({30, 40});
    auto basis = train::firstBasis({30, 40, 2}, 1);
    for (int step = 0; step < 50; ++step) {
        const auto gradient = torch::randn({30, 40}), whole = gradient + leftOut;
        const auto arrived = sent(whole, basis);
        leftOut = whole - arrived;
        truth += gradient;
        came += arrived;
        QVERIFY(furthest(came + leftOut, truth) < 1e-4);
    }
    const double fresh = leftOut.norm().item<double>();
    for (int step = 0; step < 40; ++step) { // nothing new: it all arrives
        const auto arrived = sent(leftOut, basis);
        leftOut = leftOut - arrived;
        came += arrived;
    }
    QVERIFY(leftOut.norm().item<double>() < 1e-3 * fresh);
    QVERIFY(furthest(came, truth) < 1e-2);
}

QTEST_GUILESS_MAIN(LowRankTest)
#include "low_rank_test.moc"
