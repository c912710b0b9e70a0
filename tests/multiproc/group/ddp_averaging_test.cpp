// SPDX-License-Identifier: GPL-3.0-or-later
// Gradients averaged over real processes against what one process computes, with every averager.
#include <QFile>
#include <QMap>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <vector>

namespace {

using Facts = std::map<QString, QStringList>; // key -> values, in order

struct Job {
    QString scenario, averager, model;
    int ranks = 2, accumulate = 1, bucketBytes = 25 << 20;
    QStringList more{}; // KEY=VALUE
};

QProcess& rankServer() {
    static QProcess process;
    return process;
}

// Runs the ranks to their end; empty when one failed (the reason is printed).
std::vector<Facts> runRanks(const Job& job) {
    auto& ranks = rankServer();
    if (ranks.state() == QProcess::NotRunning) {
        ranks.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        ranks.start(QStringLiteral(AVERAGING_RANK), QStringList());
    }
    const QTemporaryDir folder;
    const QStringList words = QStringList{QString::number(job.ranks),
                                          folder.path(),
                                          job.scenario,
                                          job.averager,
                                          job.model,
                                          QString::number(job.accumulate),
                                          QString::number(job.bucketBytes)} +
                              job.more;
    ranks.write((words.join(QLatin1Char(' ')) + QLatin1Char('\n')).toUtf8());
    while (!ranks.canReadLine())
        if (!ranks.waitForReadyRead(100'000)) break;
    if (ranks.readLine().trimmed() != "done") {
        qWarning("a rank of %s/%s failed", qPrintable(job.scenario), qPrintable(job.model));
        ranks.kill();
        ranks.waitForFinished();
        return {};
    }
    std::vector<Facts> all;
    for (int rank = 0; rank < job.ranks; ++rank) {
        QFile file(folder.filePath(QString::number(rank) + ".txt"));
        if (!file.open(QIODevice::ReadOnly)) return {};
        Facts facts;
        const auto lines = QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
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
    // Feature: the gradient of P ranks is that of one process; three averagers to the same bits; hosts in a hierarchy;
    // compression; buckets that travel during backward; unused, frozen, shared parameters.
    void gradientIsThatOfTheJoinedBatch_data() {
        QTest::addColumn<QString>("averager");
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("accumulate");
        QTest::addColumn<int>("bucketBytes");
        for (const char* averager : {"buckets", "reducer", "shared"}) {
            const auto name = [averager](const char* what) { return QByteArray(averager) + ": " + what; };
            const QString kind = QString::fromLatin1(averager);
            QTest::newRow(name("mlp, 3 ranks, small buckets")) << kind << "mlp" << 3 << 1 << 4096;
            QTest::newRow(name("mlp, 2 ranks, 3 passes")) << kind << "mlp" << 2 << 3 << (1 << 20);
            QTest::newRow(name("resnet18, 2 ranks, 2 passes")) << kind << "resnet18" << 2 << 2 << (4 << 20);
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
        QTest::newRow("shared") << "shared";
        QTest::newRow("two hosts") << "shared hosts=2";
    }
    void unusedParametersCountAsZero() {
        QFETCH(QString, averager);
        const QStringList more = averager.split(' ').mid(1);
        for (const int ranks : {2, 3}) {
            const auto facts = runRanks({"unused", averager.section(' ', 0, 0), "branching", ranks, 2, 256, more});
            QCOMPARE(static_cast<int>(facts.size()), ranks);
            for (const auto& rank : facts) {
                QCOMPARE(rank.at("ranks"), QStringList({"equal"}));
                QVERIFY2(rank.at("shards").first().toDouble() < 1e-6, qPrintable(rank.at("shards").first()));
            }
        }
    }

    // Feature: clipping, accumulation, average of the weights. Also in ctl_contract_test, resume_test,
    // torch_checkpoint_test, torch_predict_test, torch_training_test, worker_switches_test.
    void averagersGiveTheSameBits_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("accumulate");
        QTest::addColumn<int>("bucketBytes");
        QTest::addColumn<QStringList>("more");
        const QStringList none;
        QTest::newRow("mlp, 2 ranks") << "mlp" << 2 << 1 << (25 << 20) << none;
        QTest::newRow("mlp, 3 ranks, 2 passes, small buckets") << "mlp" << 3 << 2 << 65536 << none;
        QTest::newRow("mlp, 3 ranks, one bucket") << "mlp" << 3 << 1 << (25 << 20) << none;
        QTest::newRow("mlp, 4 ranks") << "mlp" << 4 << 1 << (1 << 20) << none;
        QTest::newRow("resnet18, 2 ranks") << "resnet18" << 2 << 1 << (8 << 20) << none;
        QTest::newRow("shared, frozen and unused weights") << "mixed" << 3 << 2 << 256 << none;
        QTest::newRow("clipped by norm") << "mlp" << 2 << 1 << (25 << 20) << QStringList{"clipNorm=0.5"};
        QTest::newRow("clipped, 3 ranks")
            << "mlp" << 3 << 1 << (25 << 20) << QStringList{"clipNorm=0.5", "clipValue=0.01"};
        // Of two numbers the sum is the same in any order, with what they lose on the way too.
        QTest::newRow("two hosts, small buckets") << "mlp" << 2 << 2 << 65536 << QStringList{"hosts=2"};
        for (const char* compression : {"fp16", "bf16"})
            QTest::newRow(compression) << "mlp" << 2 << 1 << 65536
                                       << QStringList{"hosts=2", QString("compression=%1").arg(compression)};
        QTest::newRow("a step that is not finite") << "mlp" << 2 << 1 << (25 << 20) << QStringList{"poison=7"};
        for (const char* optimizer : {"adam", "adamw", "lion", "rmsprop", "adagrad"})
            QTest::newRow(optimizer) << "mlp" << 2 << 1 << (25 << 20)
                                     << QStringList{QString("optimizer=%1").arg(optimizer)};
    }
    void averagersGiveTheSameBits() {
        QFETCH(QString, model);
        QFETCH(int, ranks);
        QFETCH(int, accumulate);
        QFETCH(int, bucketBytes);
        QFETCH(QStringList, more);
        std::map<QString, QStringList> seen;
        QStringList averagers{"buckets", "shared"};
        if (more.isEmpty()) averagers += "reducer"; // all else is common to buckets and reducer
        for (const QString& averager : averagers) {
            const auto facts = runRanks({"steps", averager, model, ranks, accumulate, bucketBytes, more});
            QCOMPARE(static_cast<int>(facts.size()), ranks);
            for (const auto& rank : facts) {
                for (const auto* key : {"parameters", "state", "norm", "skipped"}) seen[key] += rank.at(key);
                QCOMPARE(rank.at("kept"), QStringList{"yes"}); // when the averager is gone the weights are not
            }
        }
        for (const auto& [key, values] : seen) {
            QCOMPARE(values.size(), averagers.size() * ranks);
            QVERIFY2(values.count(values.first()) == values.size(), qPrintable(key + ": " + values.join(' ')));
        }
        const bool poisoned = more.contains("poison=7");
        QCOMPARE(seen["skipped"].first(), QString(poisoned ? "1" : "0"));
    }

    // The exact norm, against what one process makes of the joined batch: by the same rule in double, and by LibTorch's
    // clip_grad_norm_, which is further off by as much as its own norm in float is.
    void clippedGradientIsThatOfTheJoinedBatch_data() {
        QTest::addColumn<QString>("averager");
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("ranks");
        QTest::newRow("buckets") << "buckets" << "mlp" << 2;
        QTest::newRow("reducer, 3 ranks") << "reducer" << "mlp" << 3;
        QTest::newRow("shared, 3 ranks") << "shared" << "mlp" << 3;
    }
    void clippedGradientIsThatOfTheJoinedBatch() {
        QFETCH(QString, averager);
        QFETCH(QString, model);
        QFETCH(int, ranks);
        const auto facts = runRanks({"gradient", averager, model, ranks, 1, 1 << 20, {"clipNorm=0.05"}});
        QCOMPARE(static_cast<int>(facts.size()), ranks);
        for (const auto& rank : facts) {
            QCOMPARE(rank.at("ranks"), QStringList({"equal", "equal"}));
            for (const auto& norm : rank.at("norm")) QVERIFY2(norm.toDouble() > 0.1, qPrintable(norm)); // it does clip
            for (const char* against : {"shards", "joined"})
                QVERIFY2(rank.at(against).first().toDouble() < 1e-6, qPrintable(rank.at(against).first()));
            const double stockNorm = rank.at("stock-norm").first().toDouble();
            qInfo("to LibTorch's clipping %s, its norm in float is off by %.3g", qPrintable(rank.at("stock").first()),
                  stockNorm);
            QVERIFY2(rank.at("stock").first().toDouble() < 1e-6 + stockNorm, qPrintable(rank.at("stock").first()));
        }
    }

    // A run over hosts, here pretended: through memory inside each, and through the network between them.
    void hostsAddUp_data() {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("hosts");
        QTest::addColumn<int>("accumulate");
        QTest::addColumn<int>("bucketBytes");
        QTest::addColumn<QStringList>("more");
        QTest::newRow("2 hosts of 2") << 4 << 2 << 1 << (25 << 20) << QStringList{};
        QTest::newRow("2 hosts of 2, small buckets, 3 passes") << 4 << 2 << 3 << 4096 << QStringList{};
        QTest::newRow("2 hosts of 2 and 1, clipped") << 3 << 2 << 1 << (25 << 20) << QStringList{"clipNorm=0.05"};
        QTest::newRow("2 hosts of 1") << 2 << 2 << 1 << (25 << 20) << QStringList{};
        QTest::newRow("3 hosts of 2, 1 and 1, small buckets") << 4 << 3 << 1 << 4096 << QStringList{};
    }
    void hostsAddUp() {
        QFETCH(int, ranks);
        QFETCH(int, hosts);
        QFETCH(int, accumulate);
        QFETCH(int, bucketBytes);
        QFETCH(QStringList, more);
        const auto facts = runRanks({"gradient", "shared", "mlp", ranks, accumulate, bucketBytes,
                                     QStringList{QString("hosts=%1").arg(hosts)} + more});
        QCOMPARE(static_cast<int>(facts.size()), ranks);
        for (const auto& rank : facts) {
            QVERIFY(rank.at("description").first().contains(QString("between %1 hosts").arg(hosts)));
            if (!more.isEmpty()) QVERIFY2(rank.at("norm").last().toDouble() > 0.1, qPrintable(rank.at("norm").last()));
            QCOMPARE(rank.at("ranks"), QStringList({"equal", "equal"}));
            QVERIFY2(rank.at("joined").first().toDouble() < 1e-6, qPrintable(rank.at("joined").first()));
        }
    }

    // What travels has 8 or 11 bits of a number; the ranks agree to the last bit all the same.
    void compressedGradientsAreNear_data() {
        QTest::addColumn<QString>("averager");
        QTest::addColumn<QString>("compression");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("hosts");
        QTest::addColumn<int>("bucketBytes");
        QTest::addColumn<double>("tolerance");
        QTest::newRow("buckets, fp16") << "buckets" << "fp16" << 2 << 2 << (25 << 20) << 1e-3;
        QTest::newRow("buckets, bf16, 3 ranks") << "buckets" << "bf16" << 3 << 3 << (25 << 20) << 8e-3;
        QTest::newRow("small buckets, fp16, 3 ranks") << "buckets" << "fp16" << 3 << 3 << 4096 << 1e-3;
        QTest::newRow("between 2 hosts, bf16") << "shared" << "bf16" << 3 << 2 << (25 << 20) << 8e-3;
        QTest::newRow("between 3 hosts, small buckets, fp16") << "shared" << "fp16" << 4 << 3 << 4096 << 1e-3;
        // The gradient of a layer has no higher rank than there are samples: four a rank.
        QTest::newRow("buckets, powersgd") << "buckets" << "powersgd rank=8 from=10" << 2 << 2 << (25 << 20) << 1e-4;
        QTest::newRow("small buckets, powersgd, 3 ranks")
            << "buckets" << "powersgd rank=12 from=10" << 3 << 3 << 4096 << 1e-4;
        QTest::newRow("between 2 hosts, powersgd")
            << "shared" << "powersgd rank=16 from=10" << 4 << 2 << (25 << 20) << 1e-4;
    }
    void compressedGradientsAreNear() {
        QFETCH(QString, averager);
        QFETCH(QString, compression);
        QFETCH(int, ranks);
        QFETCH(int, hosts);
        QFETCH(int, bucketBytes);
        QFETCH(double, tolerance);
        const auto facts = runRanks({"gradient", averager, "mlp", ranks, 1, bucketBytes,
                                     ("compression=" + compression + " hosts=%1").arg(hosts).split(' ')});
        QCOMPARE(static_cast<int>(facts.size()), ranks);
        for (const auto& rank : facts) {
            QCOMPARE(rank.at("ranks"), QStringList({"equal", "equal"}));
            const double joined = rank.at("joined").first().toDouble();
            QVERIFY2(joined < tolerance && joined > 1e-7, qPrintable(rank.at("joined").first()));
        }
    }

    // Matrices of low rank leave much out of a gradient, and nothing is lost: it comes with later ones. A step that is
    // not finite leaves no trace in what is carried over.
    void whatMatricesLeaveOutComesLater_data() {
        QTest::addColumn<QString>("averager");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("hosts");
        QTest::addColumn<int>("accumulate");
        QTest::addColumn<QString>("more");
        QTest::newRow("buckets") << "buckets" << 2 << 2 << 1 << "rank=1 from=10";
        QTest::newRow("buckets, 3 ranks, 2 passes") << "buckets" << 3 << 3 << 2 << "rank=2 from=10";
        QTest::newRow("between 2 hosts of 2") << "shared" << 4 << 2 << 1 << "rank=1 from=10";
        QTest::newRow("a step that is not finite") << "buckets" << 3 << 3 << 1 << "rank=2 from=10 poison=3";
        QTest::newRow("between hosts, not finite") << "shared" << 3 << 2 << 1 << "rank=1 from=10 poison=3";
        QTest::newRow("the first steps go as they are") << "buckets" << 2 << 2 << 1 << "rank=1 from=7";
    }
    void whatMatricesLeaveOutComesLater() {
        QFETCH(QString, averager);
        QFETCH(int, ranks);
        QFETCH(int, hosts);
        QFETCH(int, accumulate);
        QFETCH(QString, more);
        const QStringList words = (more + " compression=powersgd hosts=%1").arg(hosts).split(' ');
        const auto facts = runRanks({"left-out", averager, "mlp", ranks, accumulate, 65536, words});
        QCOMPARE(static_cast<int>(facts.size()), ranks);
        for (const auto& rank : facts) {
            QCOMPARE(rank.at("ranks"), QStringList{"equal"});
            QCOMPARE(rank.count("surprise"), 0u);
            QVERIFY2(rank.at("early").first().toDouble() > 1e-2, qPrintable(rank.at("early").first()));
        }
        const QString joined = facts.front().at("joined").first();
        QVERIFY2(joined.toDouble() < 1e-5, qPrintable(joined));
    }

    // Which ranks' numbers come when depends on the moment; the weights do not.
    void compressedStepsAreReproducible_data() {
        QTest::addColumn<QString>("averager");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<QString>("compression");
        QTest::newRow("3 ranks") << "buckets" << 3 << "fp16";
        QTest::newRow("3 hosts of 2, 1 and 1") << "shared" << 4 << "fp16";
        QTest::newRow("3 ranks, powersgd") << "buckets" << 3 << "powersgd";
        QTest::newRow("3 hosts of 2, 1 and 1, powersgd") << "shared" << 4 << "powersgd";
    }
    void compressedStepsAreReproducible() {
        QFETCH(QString, averager);
        QFETCH(int, ranks);
        QFETCH(QString, compression);
        QStringList seen;
        for (int round = 0; round < 2; ++round) {
            const auto facts = runRanks(
                {"steps", averager, "mlp", ranks, 1, 65536, {"compression=" + compression, "hosts=3", "from=5"}});
            QCOMPARE(static_cast<int>(facts.size()), ranks);
            for (const auto& rank : facts) seen += rank.at("parameters");
        }
        QVERIFY2(seen.count(seen.first()) == seen.size(), qPrintable(seen.join(' ')));
    }

    // The first bucket is on its way before backward is over, whatever takes it there.
    void bucketsTravelDuringBackward_data() {
        QTest::addColumn<QString>("averager");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<QString>("compression");
        QTest::newRow("buckets") << "buckets" << 2 << "none";
        QTest::newRow("buckets, fp16") << "buckets" << 2 << "fp16";
        QTest::newRow("buckets, bf16, 3 ranks") << "buckets" << 3 << "bf16";
        QTest::newRow("hosts") << "shared" << 2 << "none";
        QTest::newRow("hosts, fp16") << "shared" << 2 << "fp16";
        QTest::newRow("3 hosts, fp16") << "shared" << 3 << "fp16";
    }
    void bucketsTravelDuringBackward() {
        QFETCH(QString, averager);
        QFETCH(int, ranks);
        QFETCH(QString, compression);
        const auto facts = runRanks({"during",
                                     averager,
                                     "halves",
                                     ranks,
                                     1,
                                     4096,
                                     {"compression=" + compression, QString("hosts=%1").arg(ranks)}});
        QCOMPARE(static_cast<int>(facts.size()), ranks);
        for (const auto& rank : facts) {
            QCOMPARE(rank.at("ranks"), QStringList{"equal"});
            QCOMPARE(rank.at("during"), QStringList{"yes"});
        }
    }

    // Feature: batch normalisation over all ranks. Also in worker_switches_test.
    void batchNormOverAllRanksIsThatOfTheJoinedBatch_data() {
        QTest::addColumn<int>("ranks");
        QTest::newRow("2 ranks") << 2;
        QTest::newRow("3 ranks") << 3;
    }
    void batchNormOverAllRanksIsThatOfTheJoinedBatch() {
        QFETCH(int, ranks);
        const auto facts = runRanks({"sync-norm", "shared", "resnet18", ranks});
        QCOMPARE(static_cast<int>(facts.size()), ranks);
        for (const auto& rank : facts) {
            QCOMPARE(rank.at("ranks"), QStringList{"equal"});
            QVERIFY2(rank.at("joined").first().toDouble() < 5e-4, qPrintable(rank.at("joined").first()));
            QVERIFY2(rank.at("statistics").first().toDouble() < 1e-5, qPrintable(rank.at("statistics").first()));
        }
    }

    // Ranks killed at random instants of a step: what the others hold is a whole step, to the bit.
    void survivorsHoldAWholeStep_data() {
        QTest::addColumn<QString>("optimizer");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("rounds");
        QTest::newRow("sgd, 2 ranks") << "sgd" << 2 << 30;
        QTest::newRow("adamw, 3 ranks") << "adamw" << 3 << 25;
    }
    void survivorsHoldAWholeStep() {
        QFETCH(QString, optimizer);
        QFETCH(int, ranks);
        QFETCH(int, rounds);
        QProcess process;
        process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process.start(QStringLiteral(AVERAGING_RANK),
                      {"survive", QString::number(rounds), QString::number(ranks), optimizer});
        QVERIFY(process.waitForFinished(200'000));
        QMap<QString, QString> reference;
        QList<QStringList> held;
        int killed = 0;
        for (const QString& line : QString::fromUtf8(process.readAllStandardOutput()).split('\n', Qt::SkipEmptyParts)) {
            const QStringList words = line.split(' ');
            QVERIFY2(words.first() != "error" && words.first() != "error:", qPrintable(line));
            if (words.first() == "round") held += words;
            else if (words.first() == "reference") reference[words[1]] = words[2];
            else if (words.first() == "killed") killed = words[1].toInt();
        }
        QCOMPARE(killed, rounds);
        QCOMPARE(held.size(), rounds * (ranks - 1));
        int steps = 0;
        for (const QStringList& words : held) {
            QVERIFY2(reference.contains(words[1]), qPrintable(words.join(' ')));
            QVERIFY2(reference[words[1]] == words[2], qPrintable(words.join(' ')));
            steps = std::max(steps, words[1].toInt());
        }
        QVERIFY(steps > 10); // they were killed while they worked
    }

    void autoSaysWhatItChose() {
        const auto facts = runRanks({"gradient", "auto", "mlp", 2, 1, 25 << 20});
        QCOMPARE(static_cast<int>(facts.size()), 2);
        QVERIFY(facts.front().at("description").first().contains("shared memory (chosen by auto)"));
        const auto apart = runRanks({"gradient", "auto", "mlp", 2, 1, 25 << 20, {"hosts=2"}});
        QCOMPARE(static_cast<int>(apart.size()), 2);
        QVERIFY(apart.front().at("description").first().contains("during backward (chosen by auto"));
    }

    void cleanupTestCase() {
        rankServer().closeWriteChannel();
        if (rankServer().state() != QProcess::NotRunning) QVERIFY(rankServer().waitForFinished());
    }
};

QTEST_GUILESS_MAIN(DdpAveragingTest)
#include "ddp_averaging_test.moc"
