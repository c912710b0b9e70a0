// SPDX-License-Identifier: GPL-3.0-or-later
// Whole trainings by real worker processes: frames, series, phases, checkpoints, equal models.
#include "engine/spec/run/known_series.h"
#include "tests/multiproc/lab/rank_group.h"
#include "tests/multiproc/lab/test_runs.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <filesystem>
#include <set>
#include <tuple>

using trainyard::test::RankGroup;
using trainyard::test::RunJson;
namespace wire = trainyard::wire;

class WorkerTrainTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: any number of ranks; every sample once in an epoch, its uneven end too. Also in torch_data_test.
    void trainsWithAnyNumberOfRanks_data() {
        QTest::addColumn<int>("ranks");
        for (int ranks = 1; ranks <= 4; ++ranks) QTest::addRow("%d", ranks) << ranks;
    }
    void trainsWithAnyNumberOfRanks() {
        QFETCH(int, ranks);
        const QTemporaryDir folder;
        RankGroup group({.ranks = ranks,
                         .runJson = RunJson{.ranks = ranks, .epochs = 2, .perRank = 24 / ranks}.text(),
                         .checkpointFolder = folder.path().toStdString()});
        QVERIFY2(group.serve(120), group.report().c_str());
        std::set<std::string> digests;
        for (int r = 0; r < ranks; ++r) {
            const auto& rank = group.rank(r);
            QVERIFY2(rank.finished, group.report().c_str());
            QCOMPARE(rank.exit->text(), std::string("exited with 0"));
            QVERIFY(!rank.badFrame && rank.hello && rank.ready);
            QCOMPARE(rank.hello->protocol, wire::kProtocolVersion);
            QCOMPARE(rank.finished->step, 80); // 960 training samples, 24 a step, 2 epochs
            QCOMPARE(rank.finished->epoch, 2.0);
            QVERIFY(!rank.finished->stopped);
            QVERIFY(!rank.beats.empty());
            digests.insert(rank.finished->parameterDigest);
        }
        QCOMPARE(digests.size(), 1u);
        checkRankZero(group);
    }

    void phasesComeInOrderWithTimes() {
        RankGroup group({.ranks = 2, .runJson = RunJson{.epochs = 1}.text()});
        QVERIFY2(group.serve(60), group.report().c_str());
        const auto& phases = group.rank(0).phases;
        QVERIFY(phases.size() >= 7);
        const std::vector<wire::Phase> first{wire::Phase::Start,    wire::Phase::Rendezvous, wire::Phase::LoadData,
                                             wire::Phase::LoadData, wire::Phase::FirstStep,  wire::Phase::FirstStep,
                                             wire::Phase::Train};
        for (std::size_t i = 0; i < first.size(); ++i) QVERIFY(phases[i].phase == first[i]);
        QCOMPARE(phases[3].detail, std::string("960 samples"));
        for (std::size_t i = 1; i < phases.size(); ++i) QVERIFY(phases[i].seconds >= phases[i - 1].seconds);
        QVERIFY(phases.front().seconds > 0 && phases.back().seconds < 60);
        QVERIFY(phases.back().phase == wire::Phase::Done);
    }

    void onlyRankZeroReportsSeries() {
        RankGroup group({.ranks = 2, .runJson = RunJson{.epochs = 1}.text()});
        QVERIFY2(group.serve(60), group.report().c_str());
        QVERIFY(!group.rank(0).series.empty());
        QVERIFY(group.rank(1).series.empty());
        // A sweep by a series of training or validation that is not among these is refused.
        using trainyard::spec::TaskKind;
        for (const auto& [name, points] : group.rank(0).series)
            QVERIFY2(trainyard::spec::checkRecorded(name, TaskKind::Classification, "scoreBy").ok(), name.c_str());
        for (const auto& name : trainyard::spec::seriesOf(TaskKind::Classification))
            QVERIFY2(name == "val/top5" || group.rank(0).series.contains(name), name.c_str());
    }

    // The weights hardly move, so every world size validates the same model.
    void validationIsExactForAnyWorldSize() {
        const std::vector<std::string> counted{"val/accuracy", "val/precision", "val/recall",          "val/f1",
                                               "val/kappa",    "val/mcc",       "val/balancedAccuracy"};
        // Of probabilities, whose last bits depend on the samples beside one.
        const std::vector<std::string> nearly{"val/auc", "val/prAuc", "val/brier", "val/ece"};
        std::vector<double> losses, ofOne;
        std::vector<std::vector<double>> metrics;
        for (const int ranks : {1, 2, 3}) {
            RankGroup group(
                {.ranks = ranks,
                 .runJson = RunJson{.ranks = ranks, .epochs = 1, .perRank = 24 / ranks, .lr = 1e-30}.text()});
            QVERIFY2(group.serve(60), group.report().c_str());
            QCOMPARE(group.values("val/loss").size(), 1u);
            losses.push_back(group.values("val/loss").front());
            metrics.emplace_back();
            for (const auto& series : counted) metrics.back().push_back(group.values(series).at(0));
            if (ranks == 1)
                for (const auto& series : nearly) ofOne.push_back(group.values(series).at(0));
            for (std::size_t i = 0; i < nearly.size(); ++i)
                QVERIFY2(std::abs(group.values(nearly[i]).at(0) - ofOne[i]) < 1e-3, nearly[i].c_str());
            QCOMPARE(group.rank(0).evaluations.size(), 1u);
            QVERIFY(group.rank(0).evaluations[0].json.find("\"confusion\":[[") != std::string::npos);
        }
        QCOMPARE(metrics[1], metrics[0]); // counts: exactly
        QCOMPARE(metrics[2], metrics[0]);
        QVERIFY(std::abs(losses[1] - losses[0]) < 1e-6);
        QVERIFY(std::abs(losses[2] - losses[0]) < 1e-6);
    }

    // The best checkpoint is here the one of the greatest loss: that of the first epoch, and a run of one epoch ends
    // with it.
    // Feature: the best and the last checkpoint on the test samples, once at the end; a run killed meanwhile takes the
    // test when it goes on; published sets keep their official test part for it, and a sweep keeps the share it was
    // started with. Also in run_real_test, torch_data_files_test, torch_data_test.
    void testsTheLastAndTheBestCheckpointOnTheTestSamples() {
        RunJson run{.ranks = 1, .epochs = 1, .perRank = 24};
        run.dataset = R"({"name": "spirals", "params": {"samples": 1200, "validation": 20, "test": 15}})";
        run.checkpoint = R"(, "scoreBy": "val/loss", "mode": "max")";
        std::vector<double> losses; // as series
        const auto tested = [&](const QString& folder) {
            RankGroup group({.ranks = run.ranks, .runJson = run.text(), .checkpointFolder = folder.toStdString()});
            const bool finished = group.serve(60) && group.rank(0).finished;
            losses = group.values("test/loss");
            return finished ? group.rank(0).tests : std::vector<wire::Tested>();
        };
        const auto metric = [](const wire::Tested& test, const char* name) {
            return QJsonDocument::fromJson(QByteArray::fromStdString(test.json))
                .object()[QLatin1String(name)]
                .toDouble();
        };
        const QTemporaryDir one, three;
        const auto brief = tested(one.path());
        QCOMPARE(brief.size(), 2u);
        QCOMPARE(brief[0].which, std::string("last"));
        QCOMPARE(brief[1].which, std::string("best"));
        QCOMPARE(brief[0].step, 33); // 780 samples in steps of 24
        QCOMPARE(brief[1].step, 33);
        QCOMPARE(metric(brief[0], "samples"), 180.0);
        QCOMPARE(brief[1].json, brief[0].json);
        QCOMPARE(losses, std::vector{metric(brief[0], "loss")});

        run.epochs = 3;
        const auto whole = tested(three.path());
        QCOMPARE(whole.size(), 2u);
        QCOMPARE(whole[0].step, 99);
        QCOMPARE(whole[0].epoch, 3.0);
        QCOMPARE(whole[1].step, 33);
        QCOMPARE(whole[1].epoch, 1.0);
        QCOMPARE(whole[1].json, brief[0].json); // to the last digit
        QCOMPARE(losses, std::vector{metric(whole[1], "loss")});
        QVERIFY(metric(whole[1], "loss") > metric(whole[0], "loss"));
    }

    void theTestIsExactForAnyWorldSize() {
        std::vector<double> accuracies;
        for (const int ranks : {1, 2, 3}) {
            RunJson run{.ranks = ranks, .epochs = 1, .perRank = 24 / ranks, .lr = 1e-30};
            run.dataset = R"({"name": "spirals", "params": {"samples": 1200, "validation": 20, "test": 15.1}})";
            RankGroup group({.ranks = ranks, .runJson = run.text()});
            QVERIFY2(group.serve(60), group.report().c_str());
            QCOMPARE(group.rank(0).tests.size(), 1u); // no checkpoint is kept, so there is no best one
            const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(group.rank(0).tests[0].json)).object();
            QCOMPARE(json["samples"].toDouble(), 181.0);
            QCOMPARE(group.values("test/accuracy"), std::vector{json["accuracy"].toDouble()});
            accuracies.push_back(json["accuracy"].toDouble());
            for (int rank = 1; rank < ranks; ++rank) QVERIFY(group.rank(rank).tests.empty());
        }
        QCOMPARE(accuracies[1], accuracies[0]);
        QCOMPARE(accuracies[2], accuracies[0]);
    }

    // 963 samples in steps of 24: three are left, of which two ranks make two each, and one of these appears twice.
    void everySampleIsTrainedOnUnlessTheRunFileDropsTheRest() {
        for (const bool dropLast : {false, true}) {
            RunJson run{.epochs = 2};
            run.dataset = R"({"name": "spirals", "params": {"samples": 1203, "validation": 20}})";
            run.dropLast = dropLast;
            RankGroup group({.ranks = 2, .runJson = run.text()});
            QVERIFY2(group.serve(60), group.report().c_str());
            QVERIFY2(group.rank(0).finished && group.rank(1).finished, group.report().c_str());
            QCOMPARE(group.rank(0).finished->step, dropLast ? 80 : 82);
            QCOMPARE(group.rank(0).finished->epoch, 2.0);
            QCOMPARE(group.rank(0).finished->parameterDigest, group.rank(1).finished->parameterDigest);
            QCOMPARE(group.values("val/loss").size(), 2u);
        }
    }

    // 960 samples in steps of 54: 42 are left. However they are dealt, each weighs the same.
    void theLastStepWeighsEverySampleAlike() {
        const auto losses = [](int ranks, int perRank, int accumulate) {
            RankGroup group(
                {.ranks = ranks,
                 .runJson = RunJson{.ranks = ranks, .epochs = 3, .perRank = perRank, .accumulate = accumulate}.text()});
            return group.serve(60) && group.rank(0).finished ? group.values("train/loss") : std::vector<double>();
        };
        const auto whole = losses(1, 54, 1);
        QCOMPARE(whole.size(), 54u); // three epochs of 17 full steps and one of 42 samples
        for (const auto& [ranks, perRank, accumulate] :
             {std::tuple(1, 9, 6), std::tuple(2, 27, 1), std::tuple(3, 6, 3)}) {
            const auto dealt = losses(ranks, perRank, accumulate);
            QCOMPARE(dealt.size(), whole.size());
            for (std::size_t i = 0; i < whole.size(); ++i) QVERIFY(std::abs(dealt[i] - whole[i]) < 1e-5);
        }
    }

    // One sample is left, and batch normalisation refuses to take the variance of one.
    void batchNormalisationGetsTwoSamplesAtLeast() {
        RunJson run{.ranks = 1, .epochs = 2, .perRank = 39, .model = R"({"name": "vgg11", "params": {"width": 2}})"};
        run.dataset = R"({"name": "glyphs", "params": {"samples": 50, "validation": 20}})";
        RankGroup group({.ranks = 1, .runJson = run.text()});
        QVERIFY2(group.serve(60), group.report().c_str());
        QVERIFY2(group.rank(0).finished, group.report().c_str());
        QCOMPARE(group.rank(0).finished->step, 4);
    }

    void averagersTrainToTheSameBitsOverAnUnevenEnd() {
        std::set<std::string> digests;
        for (const char* averaging : {"buckets", "reducer", "shared"}) {
            RankGroup group(
                {.ranks = 2, .runJson = RunJson{.epochs = 2, .perRank = 13, .averaging = averaging}.text()});
            QVERIFY2(group.serve(60), group.report().c_str());
            QVERIFY2(group.rank(0).finished, group.report().c_str());
            QCOMPARE(group.rank(0).finished->step, 74); // of 36 full steps and one of 24 samples
            digests.insert(group.rank(0).finished->parameterDigest);
        }
        QCOMPARE(digests.size(), 1u);
    }

    void averagersTrainToTheSameBits() {
        std::set<std::string> digests;
        for (const char* averaging : {"buckets", "reducer"}) {
            RankGroup group({.ranks = 2, .runJson = RunJson{.epochs = 1, .averaging = averaging}.text()});
            QVERIFY2(group.serve(60), group.report().c_str());
            QVERIFY2(group.rank(0).finished, group.report().c_str());
            digests.insert(group.rank(0).finished->parameterDigest);
        }
        QCOMPARE(digests.size(), 1u);
    }

    void bfloat16TrainsToo() {
        RankGroup group({.ranks = 2, .runJson = RunJson{.epochs = 4, .precision = "bf16"}.text()});
        QVERIFY2(group.serve(60), group.report().c_str());
        QVERIFY2(group.rank(0).finished, group.report().c_str());
        const auto loss = group.values("train/loss");
        QVERIFY(loss.back() < 0.9 * loss.front());
        QCOMPARE(group.rank(0).finished->parameterDigest, group.rank(1).finished->parameterDigest);
    }

    void runsCountedInStepsEndInMidEpoch() {
        RankGroup group({.ranks = 2, .runJson = RunJson{.epochs = 0, .steps = 57}.text()});
        QVERIFY2(group.serve(60), group.report().c_str());
        QVERIFY2(group.rank(0).finished, group.report().c_str());
        QCOMPARE(group.rank(0).finished->step, 57);
        QCOMPARE(group.values("train/loss").size(), 57u);
        QVERIFY(!group.values("val/loss").empty());
    }

private:
    static void checkRankZero(const RankGroup& group) {
        const auto& rank = group.rank(0);
        for (const char* series :
             {"train/loss", "train/accuracy", "val/loss", "val/accuracy", "lr", "samples_per_s", "grad_norm",
              "time/step", "time/data", "time/comm", "time/forward", "time/backward", "time/optimizer"})
            QVERIFY2(rank.series.contains(series), series);
        const auto& loss = rank.series.at("train/loss");
        QCOMPARE(loss.size(), 80u); // every step, each once, in order
        for (std::size_t i = 0; i < loss.size(); ++i) {
            QCOMPARE(loss[i].step, static_cast<std::int64_t>(i) + 1);
            QVERIFY(std::abs(loss[i].epoch - static_cast<double>(i + 1) / 40.0) < 1e-9);
            QVERIFY(std::isfinite(loss[i].value));
        }
        QVERIFY(loss.back().value < loss.front().value);
        QCOMPARE(rank.series.at("val/accuracy").size(), 2u);
        QCOMPARE(rank.saved.size(), 2u);
        QVERIFY(rank.saved.back().metrics.contains("val/accuracy"));
        QVERIFY(std::filesystem::exists(rank.saved.back().path));
        QCOMPARE(static_cast<std::int64_t>(std::filesystem::file_size(rank.saved.back().path)),
                 rank.saved.back().bytes);
    }
};

QTEST_GUILESS_MAIN(WorkerTrainTest)
#include "worker_train_test.moc"
