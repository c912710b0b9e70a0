// SPDX-License-Identifier: GPL-3.0-or-later
// Gradients averaged over real processes against what one process computes, with both averagers.
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <memory>
#include <vector>

namespace {

using Facts = std::map<QString, QStringList>; // key -> values, in order

struct Job {
    QString scenario, averager, model;
    int ranks = 2, accumulate = 1, bucketBytes = 25 << 20;
};

// Runs the ranks to their end; empty when one failed (the reason is printed).
std::vector<Facts> runRanks(const Job& job) {
    const QTemporaryDir folder;
    std::vector<std::unique_ptr<QProcess>> processes;
    for (int rank = 0; rank < job.ranks; ++rank) {
        auto process = std::make_unique<QProcess>();
        process->setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process->start(QStringLiteral(AVERAGING_RANK),
                       {QString::number(rank), QString::number(job.ranks), folder.path(), job.scenario, job.averager,
                        job.model, QString::number(job.accumulate), QString::number(job.bucketBytes)});
        processes.push_back(std::move(process));
    }
    std::vector<Facts> all;
    for (auto& process : processes) {
        if (!process->waitForFinished(100'000) || process->exitCode() != 0 ||
            process->exitStatus() != QProcess::NormalExit) {
            qWarning("a rank of %s/%s failed", qPrintable(job.scenario), qPrintable(job.model));
            return {};
        }
        Facts facts;
        const auto lines = QString::fromUtf8(process->readAllStandardOutput()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        for (const QString& line : lines)
            facts[line.section(QLatin1Char(' '), 0, 0)].append(line.section(QLatin1Char(' '), 1));
        all.push_back(facts);
    }
    return all;
}

} // namespace

class DdpAveragingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void gradientIsThatOfTheJoinedBatch_data() {
        QTest::addColumn<QString>("averager");
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("accumulate");
        QTest::addColumn<int>("bucketBytes");
        for (const char* averager : {"buckets", "reducer"}) {
            const auto name = [averager](const char* what) { return QByteArray(averager) + ": " + what; };
            const QString kind = QString::fromLatin1(averager);
            QTest::newRow(name("mlp, 2 ranks")) << kind << "mlp" << 2 << 1 << (25 << 20);
            QTest::newRow(name("mlp, 3 ranks, small buckets")) << kind << "mlp" << 3 << 1 << 4096;
            QTest::newRow(name("mlp, 2 ranks, 3 passes")) << kind << "mlp" << 2 << 3 << (1 << 20);
            QTest::newRow(name("resnet18, 2 ranks")) << kind << "resnet18" << 2 << 1 << (25 << 20);
            QTest::newRow(name("resnet18, 3 ranks, 2 passes")) << kind << "resnet18" << 3 << 2 << (4 << 20);
        }
    }
    void gradientIsThatOfTheJoinedBatch() {
        QFETCH(QString, averager);
        QFETCH(QString, model);
        QFETCH(int, ranks);
        QFETCH(int, accumulate);
        QFETCH(int, bucketBytes);
        const auto facts = runRanks({"gradient", averager, model, ranks, accumulate, bucketBytes});
        QCOMPARE(static_cast<int>(facts.size()), ranks);
        for (const auto& rank : facts) {
            QCOMPARE(rank.at("ranks"), QStringList({"equal", "equal"}));
            // Sums in another order differ in the last bits; a deep network spreads them.
            const double tolerance = model == "mlp" ? 1e-6 : 2e-4;
            QVERIFY2(rank.at("shards").first().toDouble() < tolerance, qPrintable(rank.at("shards").first()));
            QVERIFY2(rank.at("joined").first().toDouble() < tolerance, qPrintable(rank.at("joined").first()));
        }
    }

    void unusedParametersCountAsZero_data() {
        QTest::addColumn<QString>("averager");
        QTest::newRow("buckets") << "buckets";
        QTest::newRow("reducer") << "reducer";
    }
    void unusedParametersCountAsZero() {
        QFETCH(QString, averager);
        for (const int ranks : {2, 3}) {
            const auto facts = runRanks({"unused", averager, "branching", ranks, 2, 256});
            QCOMPARE(static_cast<int>(facts.size()), ranks);
            for (const auto& rank : facts) {
                QCOMPARE(rank.at("ranks"), QStringList({"equal"}));
                QVERIFY2(rank.at("shards").first().toDouble() < 1e-6, qPrintable(rank.at("shards").first()));
            }
        }
    }

    void averagersGiveTheSameBits_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("accumulate");
        QTest::addColumn<int>("bucketBytes");
        QTest::newRow("mlp, 2 ranks") << "mlp" << 2 << 1 << (25 << 20);
        QTest::newRow("mlp, 3 ranks, 2 passes, small buckets") << "mlp" << 3 << 2 << 65536;
        QTest::newRow("resnet18, 2 ranks") << "resnet18" << 2 << 1 << (8 << 20);
    }
    void averagersGiveTheSameBits() {
        QFETCH(QString, model);
        QFETCH(int, ranks);
        QFETCH(int, accumulate);
        QFETCH(int, bucketBytes);
        QStringList digests;
        for (const QString averager : {"buckets", "reducer"}) {
            const auto facts = runRanks({"steps", averager, model, ranks, accumulate, bucketBytes});
            QCOMPARE(static_cast<int>(facts.size()), ranks);
            for (const auto& rank : facts) digests += rank.at("parameters");
        }
        QCOMPARE(digests.size(), 2 * ranks);
        QCOMPARE(digests.count(digests.first()), 2 * ranks);
    }

    void autoSaysWhatItChose() {
        const auto facts = runRanks({"gradient", "auto", "mlp", 2, 1, 25 << 20});
        QCOMPARE(static_cast<int>(facts.size()), 2);
        QVERIFY(facts.front().at("description").first().contains("chosen by auto"));
    }
};

QTEST_GUILESS_MAIN(DdpAveragingTest)
#include "ddp_averaging_test.moc"
