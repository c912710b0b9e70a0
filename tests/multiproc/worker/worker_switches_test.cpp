// SPDX-License-Identifier: GPL-3.0-or-later
// Switches of the run file, by what they change and what they leave to the bit.
#include "tests/multiproc/lab/rank_group.h"
#include "tests/multiproc/lab/test_runs.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using trainyard::test::RankGroup;
using trainyard::test::RunJson;

Q_DECLARE_METATYPE(trainyard::test::RunJson)

namespace {

struct Outcome {
    std::string problem{}; // empty: every rank came to the end with the same weights
    std::string digest{};
    std::vector<double> losses{};
    std::string detail{}; // of the first step: how gradients are averaged, how a step is computed
};

Outcome outcomeOf(const RunJson& run) {
    RankGroup group({.ranks = run.ranks, .runJson = run.text()});
    if (!group.serve(60)) return {.problem = "has not ended: " + group.report()};
    Outcome outcome;
    for (int r = 0; r < run.ranks; ++r) {
        const auto& rank = group.rank(r);
        if (!rank.finished) return {.problem = group.report()};
        if (r == 0) outcome.digest = rank.finished->parameterDigest;
        else if (rank.finished->parameterDigest != outcome.digest) outcome.problem = "the ranks differ";
    }
    outcome.losses = group.values("train/loss");
    for (const auto& phase : group.rank(0).phases)
        if (phase.phase == trainyard::wire::Phase::FirstStep) outcome.detail = phase.detail;
    return outcome;
}

double furthest(const std::vector<double>& a, const std::vector<double>& b) {
    double most = a.size() == b.size() && !a.empty() ? 0 : HUGE_VAL;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

RunJson with(RunJson run, const std::string& scaling, const std::string& more = {}) {
    run.scaling = scaling;
    run.more = more;
    return run;
}

// Batch normalisation and nothing that draws numbers.
// Short and with small steps: where an input of a pooling nearly ties, another CPU's rounding sends the gradient
// another way, and one rank differs from itself by 1e-3 (OpenBLAS's kernels for Nehalem, Zen and SkylakeX).
RunJson normalised(int ranks) {
    RunJson run{.ranks = ranks, .epochs = 0, .steps = 4, .perRank = 16 / ranks, .lr = 0.001};
    run.model = R"("resnet18")";
    run.dataset = R"({"name": "glyphs", "params": {"samples": 100, "validation": 20}})";
    return run;
}

} // namespace

class WorkerSwitchesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: switches of a run file: compression, backend, deterministic, weight decay without biases.
    void switchesOfTheRunFile_data() {
        QTest::addColumn<RunJson>("plain");
        QTest::addColumn<RunJson>("switched");
        QTest::addColumn<bool>("same"); // to the bit, or not
        QTest::addColumn<QString>("says");
        const RunJson run{.epochs = 0, .steps = 30};
        QTest::newRow("gloo, named") << run << with(run, R"(, "backend": "gloo")") << true << "";

        RunJson buckets = run;
        buckets.averaging = "buckets";
        for (const char* type : {"bf16", "fp16"})
            QTest::newRow(type) << buckets << with(buckets, ", \"compression\": \"" + std::string(type) + "\"") << false
                                << QString("averaged as ") + type;
        RunJson wide = buckets;
        wide.model = R"({"name": "mlp", "params": {"hidden": [64, 64]}})";
        QTest::newRow("powersgd") << wide << with(wide, R"(, "compression": "powersgd", "compressionRank": 3)") << false
                                  << "averaged as powersgd of rank 3";
        QTest::newRow("nothing travels that could be compressed")
            << run << with(run, R"(, "compression": "fp16")") << true << "where there is nothing to compress";

        QTest::newRow("batch normalisation over all ranks")
            << normalised(2) << with(normalised(2), R"(, "syncBatchNorm": true)") << false << "";

        RunJson decay = run;
        decay.optimizer = "adamw";
        decay.optimizerParams = R"("weightDecay": 0.5)";
        RunJson spared = decay;
        spared.optimizerParams += R"(, "decayNorms": false)";
        RunJson apart = spared; // its update is not that of the shared memory
        apart.averaging = "buckets";
        QTest::newRow("biases not decayed") << decay << spared << false << "shared memory";
        QTest::newRow("biases not decayed, by buckets") << spared << apart << true << "during backward";

        RunJson open = run; // what is left to the program is what LibTorch does
        open.kernels = open.layout = "auto";
        QTest::newRow("deterministic, kernels and layout open")
            << run << with(open, "", R"("deterministic": true, )") << true << "";
    }
    void switchesOfTheRunFile() {
        QFETCH(RunJson, plain);
        QFETCH(RunJson, switched);
        QFETCH(bool, same);
        QFETCH(QString, says);
        const Outcome before = outcomeOf(plain), after = outcomeOf(switched);
        QVERIFY2(before.problem.empty(), before.problem.c_str());
        QVERIFY2(after.problem.empty(), after.problem.c_str());
        QVERIFY2(QString::fromStdString(after.detail).contains(says), after.detail.c_str());
        QCOMPARE(after.digest == before.digest, same);
        QCOMPARE(after.losses == before.losses, same);
        QVERIFY(furthest(after.losses, before.losses) < 0.5); // the same training all the same
    }

    // Of all that the two hidden layers' gradients have, two columns travel: the loss comes down as it does without.
    void matricesOfLowRankLearnAsWell() {
        RunJson run{.epochs = 0, .steps = 400, .perRank = 24, .averaging = "buckets"};
        run.model = R"({"name": "mlp", "params": {"hidden": [64, 64]}})";
        run.optimizer = "adam";
        run.optimizerParams = "";
        run.lr = 0.003;
        const Outcome plain = outcomeOf(run), sent = outcomeOf(with(run, R"(, "compression": "powersgd")"));
        for (const auto& outcome : {plain, sent}) QVERIFY2(outcome.problem.empty(), outcome.problem.c_str());
        const auto end = [](const Outcome& outcome) {
            return std::accumulate(outcome.losses.end() - 40, outcome.losses.end(), 0.0) / 40;
        };
        qInfo("the loss comes from %.3f down to %.4f, without compression to %.4f", sent.losses.front(), end(sent),
              end(plain));
        QVERIFY(end(plain) < 0.2 * plain.losses.front());
        QVERIFY(end(sent) < end(plain) + 0.05 * plain.losses.front());
    }

    // oneDNN's kernels round in another order, and a deterministic run does not take them though it is told to.
    void aDeterministicRunTakesLibTorchsOwnKernels() {
        RunJson stock{.epochs = 0, .steps = 30, .model = R"({"name": "mlp", "params": {"hidden": [128, 128]}})"};
        stock.dataset = R"({"name": "glyphs", "params": {"samples": 600, "validation": 20}})";
        RunJson oneDnn = stock;
        oneDnn.kernels = "onednn";
        const Outcome plain = outcomeOf(stock), other = outcomeOf(oneDnn);
        if (other.problem.find("has no oneDNN") != std::string::npos) QSKIP("the worker was built without oneDNN");
        const Outcome strict = outcomeOf(with(oneDnn, "", R"("deterministic": true, )"));
        for (const auto& outcome : {plain, other, strict}) QVERIFY2(outcome.problem.empty(), outcome.problem.c_str());
        QVERIFY(other.digest != plain.digest);
        QCOMPARE(strict.digest, plain.digest);
    }

    // Two ranks of eight samples compute what one computes of the sixteen, and without the switch they do not.
    void batchNormalisationOverRanksIsThatOfOne() {
        const Outcome one = outcomeOf(normalised(1)), apart = outcomeOf(normalised(2)),
                      together = outcomeOf(with(normalised(2), R"(, "syncBatchNorm": true)"));
        for (const auto& outcome : {one, apart, together}) QVERIFY2(outcome.problem.empty(), outcome.problem.c_str());
        qInfo("furthest from one rank: %.3g together, %.3g apart", furthest(together.losses, one.losses),
              furthest(apart.losses, one.losses));
        QVERIFY(std::abs(together.losses[0] - one.losses[0]) < 1e-5); // before any pooling has chosen
        QVERIFY(furthest(apart.losses, one.losses) > 1e-2);
        QVERIFY(furthest(together.losses, one.losses) < furthest(apart.losses, one.losses) / 100);
    }

    // An average that hardly moves from the first weights: its metrics stay theirs, while the weights learn.
    void validationAndTestAreOfTheAverage() {
        RunJson run{.epochs = 2, .lr = 0.1};
        run.dataset = R"({"name": "spirals", "params": {"samples": 1200, "validation": 20, "test": 15}})";
        run.checkpoint = R"(, "scoreBy": "val/loss", "mode": "max")"; // the best is that of the first epoch
        RunJson still = run;
        still.lr = 1e-30;
        run.more = R"("ema": 0.99999, )";
        const QTemporaryDir folder;
        RankGroup averaged({.ranks = 2, .runJson = run.text(), .checkpointFolder = folder.path().toStdString()});
        QVERIFY2(averaged.serve(60) && averaged.rank(0).finished, averaged.report().c_str());
        RankGroup first({.ranks = 2, .runJson = still.text()});
        QVERIFY2(first.serve(60) && first.rank(0).finished, first.report().c_str());
        QVERIFY(averaged.values("train/loss").back() < 0.9 * averaged.values("train/loss").front());
        const double loss = first.values("val/loss").back();
        for (const double value : averaged.values("val/loss")) QVERIFY(std::abs(value - loss) < 5e-3);
        const auto& tests = averaged.rank(0).tests;
        QCOMPARE(tests.size(), 2u);
        QVERIFY(tests[0].which == "last" && tests[1].which == "best");
        QVERIFY(tests[1].step < tests[0].step); // so that it came from a file
        for (const auto& test : tests) QVERIFY(std::abs(lossOf(test) - lossOf(first.rank(0).tests.at(0))) < 5e-3);
    }

    // Feature: one seed, streams of their own for ranks and steps; resuming is bit-equal to never having stopped. Also
    // in resume_test, torch_data_test, torch_training_test.
    void theSeedDecidesTheBits() {
        RunJson run{
            .epochs = 0, .steps = 20, .model = R"({"name": "mlp", "params": {"hidden": [32], "dropout": 0.3}})"};
        const Outcome first = outcomeOf(run), again = outcomeOf(run);
        run.seed = 8;
        const Outcome other = outcomeOf(run);
        for (const auto& outcome : {first, again, other}) QVERIFY2(outcome.problem.empty(), outcome.problem.c_str());
        QCOMPARE(again.digest, first.digest);
        QCOMPARE(again.losses, first.losses);
        QVERIFY(other.digest != first.digest);
    }

    // On rows that are all alike two ranks have the mean loss of one, unless dropout takes other numbers away on each.
    void ranksDrawNumbersOfTheirOwn() {
        const QTemporaryDir folder;
        QFile table(folder.filePath("alike.csv"));
        QVERIFY(table.open(QIODevice::WriteOnly));
        table.write("a,b,wanted\n" + QByteArray("1,2,0.5\n").repeated(200));
        table.close();
        const auto losses = [&](int ranks, const char* dropout) {
            RunJson run{.ranks = ranks, .epochs = 0, .steps = 5, .lr = 1e-30, .loss = R"("mse")"};
            run.model = std::string(R"({"name": "mlp", "params": {"hidden": [32], "dropout": )") + dropout + "}}";
            run.dataset = "{\"name\": \"csv\", \"params\": {\"standardise\": false, \"file\": \"" +
                          table.fileName().toStdString() + "\"}}";
            run.task = "regression";
            const Outcome outcome = outcomeOf(run);
            if (!outcome.problem.empty()) qWarning("%s", outcome.problem.c_str());
            return outcome.losses;
        };
        const auto whole = losses(1, "0"), dropped = losses(1, "0.5");
        QCOMPARE(whole.size(), 5u);
        QVERIFY(furthest(losses(2, "0"), whole) < 1e-9);
        const auto dealt = losses(2, "0.5");
        QCOMPARE(dealt.size(), 5u);
        for (std::size_t i = 0; i < dealt.size(); ++i) QVERIFY(std::abs(dealt[i] - dropped[i]) > 1e-6);
    }

private:
    static double lossOf(const trainyard::wire::Tested& test) {
        return QJsonDocument::fromJson(QByteArray::fromStdString(test.json)).object()["loss"].toDouble();
    }
};

QTEST_GUILESS_MAIN(WorkerSwitchesTest)
#include "worker_switches_test.moc"
