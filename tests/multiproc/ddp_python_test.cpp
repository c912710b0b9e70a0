// SPDX-License-Identifier: GPL-3.0-or-later
// The curve of a training against Python's PyTorch, from the same weights, data and order.
#include "tests/multiproc/rank_group.h"
#include "tests/multiproc/test_runs.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

using trainyard::test::RankGroup;
using trainyard::test::RunJson;

namespace {

const QString kPython = QStringLiteral("/usr/bin/python3");

bool pythonHasTorch() {
    return QProcess::execute(kPython, {QStringLiteral("-c"), QStringLiteral("import torch, numpy")}) == 0;
}

// The losses that Python computes; empty when it fails.
std::vector<double> pythonCurve(const QString& folder, int ranks, const QStringList& arguments) {
    std::vector<std::unique_ptr<QProcess>> processes;
    for (int rank = 0; rank < ranks; ++rank) {
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("RANK"), QString::number(rank));
        environment.insert(QStringLiteral("WORLD_SIZE"), QString::number(ranks));
        environment.insert(QStringLiteral("OMP_NUM_THREADS"), QStringLiteral("1"));
        environment.insert(QStringLiteral("GLOO_SOCKET_IFNAME"), QStringLiteral("lo"));
        auto process = std::make_unique<QProcess>();
        process->setProcessEnvironment(environment);
        process->setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process->start(kPython, QStringList{QStringLiteral("-Wignore"), QStringLiteral(TRAINYARD_SOURCE_DIR
                                            "/tests/multiproc/python/ddp_curve.py"), folder} + arguments);
        processes.push_back(std::move(process));
    }
    std::vector<double> curve;
    for (auto& process : processes) {
        if (!process->waitForFinished(120'000) || process->exitCode() != 0) return {};
        for (const auto& line : process->readAllStandardOutput().split('\n'))
            if (!line.isEmpty()) curve.push_back(line.toDouble());
    }
    return curve;
}

} // namespace

class DdpPythonTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void curveIsThatOfPython_data() {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<double>("lr");
        QTest::addColumn<double>("momentum");
        QTest::addColumn<QString>("averaging");
        QTest::addColumn<QString>("kernels");
        QTest::addColumn<int>("samples"); // one in ten validates
        QTest::newRow("1 rank, lr 0.1") << 1 << 0.1 << 0.0 << "auto" << "stock" << 12000;
        QTest::newRow("2 ranks, lr 0.1, buckets") << 2 << 0.1 << 0.0 << "buckets" << "stock" << 12000;
        QTest::newRow("2 ranks, lr 0.1, reducer, momentum") << 2 << 0.1 << 0.9 << "reducer" << "stock" << 12000;
        QTest::newRow("2 ranks, lr 0.001, shared, momentum") << 2 << 0.001 << 0.9 << "shared" << "stock" << 12000;
        QTest::newRow("2 ranks, lr 0.1, shared, momentum") << 2 << 0.1 << 0.9 << "shared" << "stock" << 12000;
        QTest::newRow("3 ranks, lr 0.001, shared") << 3 << 0.001 << 0.0 << "shared" << "stock" << 12000;
        QTest::newRow("3 ranks, lr 0.1, buckets, momentum") << 3 << 0.1 << 0.9 << "buckets" << "stock" << 12000;
        QTest::newRow("3 ranks, lr 0.1, reducer") << 3 << 0.1 << 0.0 << "reducer" << "stock" << 12000;
        QTest::newRow("4 ranks, lr 0.1, shared, momentum") << 4 << 0.1 << 0.9 << "shared" << "stock" << 12000;
        QTest::newRow("2 ranks, lr 0.001, kernels by timing") << 2 << 0.001 << 0.0 << "auto" << "auto" << 12000;
        QTest::newRow("2 ranks, lr 0.001, oneDNN") << 2 << 0.001 << 0.0 << "buckets" << "onednn" << 12000;
        // 1081 to train on: after sixteen steps of 64 there are 57, 29 for each rank and one of them twice.
        QTest::newRow("2 ranks, lr 0.1, buckets, 12 uneven ends") << 2 << 0.1 << 0.9 << "buckets" << "stock" << 1201;
        QTest::newRow("2 ranks, lr 0.1, shared, 12 uneven ends") << 2 << 0.1 << 0.9 << "shared" << "stock" << 1201;
    }
    void curveIsThatOfPython() {
        if (!pythonHasTorch()) QSKIP("/usr/bin/python3 has no torch (package python3-torch): nothing to compare with");
        QFETCH(int, ranks);
        QFETCH(double, lr);
        QFETCH(double, momentum);
        QFETCH(QString, averaging);
        QFETCH(QString, kernels);
        QFETCH(int, samples);
        constexpr int kSteps = 200;
        RunJson run{.ranks = ranks, .steps = kSteps, .perRank = 64 / ranks, .lr = lr};
        run.model = R"({"name": "mlp", "params": {"hidden": [512, 512]}})";
        run.dataset = R"({"name": "glyphs", "params": {"validation": 10, "samples": )" + std::to_string(samples) + "}}";
        run.optimizerParams = "\"momentum\": " + std::to_string(momentum);
        run.averaging = averaging.toStdString();
        run.kernels = kernels.toStdString();

        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("run.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(run.text().c_str());
        file.close();
        QCOMPARE(QProcess::execute(QStringLiteral(DUMP_RUN), {file.fileName(), folder.path()}), 0);
        const auto want = pythonCurve(folder.path(), ranks, {QString::number(kSteps), QString::number(lr),
                                                             QString::number(momentum)});
        QCOMPARE(static_cast<int>(want.size()), kSteps);
        QVERIFY(std::all_of(want.begin(), want.end(), [](double loss) { return std::isfinite(loss); }));

        RankGroup group({.ranks = ranks, .runJson = run.text()});
        QVERIFY2(group.serve(120), group.report().c_str());
        const auto got = group.values("train/loss");
        QCOMPARE(static_cast<int>(got.size()), kSteps);
        double worst = 0;
        for (std::size_t i = 0; i < got.size(); ++i) worst = std::max(worst, std::abs(got[i] - want[i]));
        qInfo("largest difference over %d steps: %.3g; loss %.4f -> %.4f", kSteps, worst, got.front(), got.back());
        // LibTorch's own kernels give Python's bits: not one of a weight differs, and the rest is the mean of losses, in
        // double. oneDNN rounds in another order.
        QVERIFY(worst <= (kernels == "stock" ? 1e-12 : 3e-6));
        QVERIFY(lr < 0.01 || got.back() < 0.95 * got.front()); // it did train
    }
};

QTEST_GUILESS_MAIN(DdpPythonTest)
#include "ddp_python_test.moc"
