// SPDX-License-Identifier: GPL-3.0-or-later
// The curve of a training against Python's PyTorch, from the same weights, data and order.
#include "tests/multiproc/lab/rank_group.h"
#include "tests/multiproc/lab/test_runs.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

using trainyard::test::RankGroup;
using trainyard::test::RunJson;

// A program that lives as long as the test and answers each line by one.
class Answering {
public:
    Answering(const QString& program, const QStringList& arguments) {
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("OMP_NUM_THREADS"), QStringLiteral("1"));
        environment.insert(QStringLiteral("GLOO_SOCKET_IFNAME"), QStringLiteral("lo"));
        m_process.setProcessEnvironment(environment);
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(program, arguments);
    }
    ~Answering() {
        m_process.closeWriteChannel();
        m_process.waitForFinished();
    }
    Answering(const Answering&) = delete;
    Answering& operator=(const Answering&) = delete;

    void ask(const QString& line) { m_process.write(line.toUtf8() + '\n'); }
    // Empty when it fails.
    QByteArray line() {
        while (!m_process.canReadLine())
            if (!m_process.waitForReadyRead(120'000)) return {};
        return m_process.readLine().trimmed();
    }

private:
    QProcess m_process;
};

// Python's side of all rows, which forks the ranks.
class PythonReference : Answering {
public:
    PythonReference()
        : Answering(QStringLiteral("/usr/bin/python3"),
                    {QStringLiteral("-Wignore"),
                     QStringLiteral(TRAINYARD_SOURCE_DIR "/tests/multiproc/python/ddp_curve.py")}),
          m_isThere(line() == "ready") {}
    bool isThere() const { return m_isThere; }

    // The losses of all steps; empty when Python fails.
    std::vector<double> curve(int ranks, int steps, double lr, double momentum, const QString& folder) {
        ask(QStringLiteral("%1 %2 %3 %4 %5").arg(ranks).arg(steps).arg(lr).arg(momentum).arg(folder));
        std::vector<double> losses;
        for (const auto& word : line().split(' ')) {
            bool number = false;
            losses.push_back(word.toDouble(&number));
            if (!number) return {};
        }
        return losses;
    }

private:
    bool m_isThere;
};

class DdpPythonTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_python = std::make_unique<PythonReference>();
        if (!m_python->isThere())
            QSKIP("/usr/bin/python3 has no torch (package python3-torch): nothing to compare with");
        m_dump = std::make_unique<Answering>(QStringLiteral(DUMP_RUN), QStringList());
    }
    // Feature: the curve of Python's DistributedDataParallel.
    void curveIsThatOfPython_data() {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<double>("lr");
        QTest::addColumn<double>("momentum");
        QTest::addColumn<QString>("averaging");
        QTest::addColumn<QString>("kernels");
        QTest::addColumn<int>("samples"); // one in ten validates
        QTest::newRow("1 rank, lr 0.1") << 1 << 0.1 << 0.0 << "auto" << "stock" << 6000;
        QTest::newRow("2 ranks, lr 0.1, buckets") << 2 << 0.1 << 0.0 << "buckets" << "stock" << 6000;
        QTest::newRow("2 ranks, lr 0.1, reducer, momentum") << 2 << 0.1 << 0.9 << "reducer" << "stock" << 6000;
        QTest::newRow("2 ranks, lr 0.001, shared, momentum") << 2 << 0.001 << 0.9 << "shared" << "stock" << 6000;
        QTest::newRow("2 ranks, lr 0.1, shared, momentum") << 2 << 0.1 << 0.9 << "shared" << "stock" << 6000;
        QTest::newRow("3 ranks, lr 0.001, shared") << 3 << 0.001 << 0.0 << "shared" << "stock" << 6000;
        QTest::newRow("3 ranks, lr 0.1, buckets, momentum") << 3 << 0.1 << 0.9 << "buckets" << "stock" << 6000;
        QTest::newRow("3 ranks, lr 0.1, reducer") << 3 << 0.1 << 0.0 << "reducer" << "stock" << 6000;
        QTest::newRow("4 ranks, lr 0.1, shared, momentum") << 4 << 0.1 << 0.9 << "shared" << "stock" << 6000;
        QTest::newRow("2 ranks, lr 0.001, kernels by timing") << 2 << 0.001 << 0.0 << "auto" << "auto" << 6000;
        QTest::newRow("2 ranks, lr 0.001, oneDNN") << 2 << 0.001 << 0.0 << "buckets" << "onednn" << 6000;
        // 1081 to train on: after sixteen steps of 64 there are 57, 29 for each rank and one of them twice.
        QTest::newRow("2 ranks, lr 0.1, buckets, 12 uneven ends") << 2 << 0.1 << 0.9 << "buckets" << "stock" << 1201;
        QTest::newRow("2 ranks, lr 0.1, shared, 12 uneven ends") << 2 << 0.1 << 0.9 << "shared" << "stock" << 1201;
    }
    void curveIsThatOfPython() {
        QFETCH(int, ranks);
        QFETCH(double, lr);
        QFETCH(double, momentum);
        QFETCH(QString, averaging);
        QFETCH(QString, kernels);
        QFETCH(int, samples);
        // Into the second epoch, of 85 steps; the twelve ends of the small dataset; what differs from step to step.
        const int steps = samples == 6000 && kernels == "stock" ? 100 : 200;
        RunJson run{.ranks = ranks, .steps = steps, .perRank = 64 / ranks, .lr = lr};
        run.model = R"({"name": "mlp", "params": {"hidden": [384, 256]}})";
        run.dataset = R"({"name": "glyphs", "params": {"validation": 10, "samples": )" + std::to_string(samples) + "}}";
        run.optimizerParams = "\"momentum\": " + std::to_string(momentum);
        run.averaging = averaging.toStdString();
        run.kernels = kernels.toStdString();

        auto& want =
            m_curves[{ranks, steps, samples, lr, momentum}]; // Python knows one way to average, and one of kernels
        if (want.empty()) {
            const QTemporaryDir folder;
            QFile file(folder.filePath(QStringLiteral("run.json")));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(run.text().c_str());
            file.close();
            m_dump->ask(file.fileName() + ' ' + folder.path());
            QCOMPARE(m_dump->line(), QByteArray("done"));
            want = m_python->curve(ranks, steps, lr, momentum, folder.path());
        }
        QCOMPARE(static_cast<int>(want.size()), steps);
        QVERIFY(std::all_of(want.begin(), want.end(), [](double loss) { return std::isfinite(loss); }));

        RankGroup group({.ranks = ranks, .runJson = run.text()});
        QVERIFY2(group.serve(120), group.report().c_str());
        const auto got = group.values("train/loss");
        QCOMPARE(static_cast<int>(got.size()), steps);
        double worst = 0;
        for (std::size_t i = 0; i < got.size(); ++i) worst = std::max(worst, std::abs(got[i] - want[i]));
        qInfo("largest difference over %d steps: %.3g; loss %.4f -> %.4f", steps, worst, got.front(), got.back());
        // LibTorch's own kernels give Python's bits: not one of a weight differs, and the rest is the mean of losses,
        // in double. oneDNN rounds in another order.
        QVERIFY(worst <= (kernels == "stock" ? 1e-12 : 3e-6));
        QVERIFY(lr < 0.01 || got.back() < 0.95 * got.front()); // it did train
    }
    void cleanupTestCase() {
        m_python.reset();
        m_dump.reset();
    }

private:
    std::unique_ptr<PythonReference> m_python;
    std::map<std::tuple<int, int, int, double, double>, std::vector<double>> m_curves; // ranks, steps, samples, rates
    std::unique_ptr<Answering> m_dump;
};

QTEST_GUILESS_MAIN(DdpPythonTest)
#include "ddp_python_test.moc"
