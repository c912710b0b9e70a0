// SPDX-License-Identifier: GPL-3.0-or-later
// Frozen, thawed and grouped weights over real ranks.
#include "engine/store/files/safetensors.h"
#include "tests/multiproc/lab/rank_group.h"
#include "tests/multiproc/lab/test_runs.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

using namespace trainyard;
using trainyard::test::RankGroup;
using trainyard::test::RunJson;

namespace {

// Its first half is frozen for an epoch, its last layer learns faster.
const std::string kThawing = R"("finetune": {"freeze": ["layers.0", "layers.1.bias"], "thawAtEpoch": 1,
    "groups": {"head": 2, "layers.1.*": 0.5}, "layerDecay": 0.9}, )";

std::string digestOf(const RankGroup& group) {
    return group.rank(0).finished ? group.rank(0).finished->parameterDigest : "unfinished: " + group.report();
}

// Whether a tensor has the same bytes in two checkpoints.
bool isSame(const std::string& one, const std::string& other, const std::string& tensor) {
    const auto a = store::SafetensorsFile::open(one), b = store::SafetensorsFile::open(other);
    const auto *in = a ? a->find(tensor) : nullptr, *at = b ? b->find(tensor) : nullptr;
    return in && at && std::ranges::equal(a->bytes(*in), b->bytes(*at));
}

bool hasTensor(const std::string& file, const std::string& beginning) {
    const auto opened = store::SafetensorsFile::open(file);
    return opened &&
           std::ranges::any_of(opened->tensors(), [&](const auto& t) { return t.name.starts_with(beginning); });
}

} // namespace

class WorkerFinetuneTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: frozen, thawed and grouped weights give the same bits whatever averages the gradients.
    void averagersAgree() {
        std::vector<std::string> digests;
        for (const char* averaging : {"auto", "buckets", "reducer"}) {
            RunJson run{.epochs = 2, .more = kThawing, .averaging = averaging};
            RankGroup group({.ranks = 2, .runJson = run.text()});
            QVERIFY2(group.serve(60), group.report().c_str());
            digests.push_back(digestOf(group));
            QCOMPARE(group.rank(1).finished->parameterDigest, digests.front());
        }
        QCOMPARE(digests[1], digests[0]);
        QCOMPARE(digests[2], digests[0]);
    }

    // Feature: two ranks train what one trains.
    void oneRankTrainsTheSame() {
        std::vector<double> losses;
        for (const int ranks : {1, 2}) {
            RunJson run{.ranks = ranks, .epochs = 2, .perRank = 24 / ranks, .more = kThawing};
            RankGroup group({.ranks = ranks, .runJson = run.text()});
            QVERIFY2(group.serve(60), group.report().c_str());
            QCOMPARE(group.values("val/loss").size(), 2u);
            losses.push_back(group.values("val/loss").back());
        }
        QVERIFY2(std::abs(losses[0] - losses[1]) < 1e-5, std::to_string(losses[0] - losses[1]).c_str());
    }

    // Feature: a run resumes to the same bits before its weights are thawed, at that moment, and after it.
    void resumesToTheSameBits() {
        const QTemporaryDir folder;
        RunJson run{.epochs = 2, .more = kThawing, .everySteps = 20, .checkpoint = R"(, "keep": 100)"};
        RankGroup whole({.ranks = 2, .runJson = run.text(), .checkpointFolder = folder.path().toStdString()});
        QVERIFY2(whole.serve(60), whole.report().c_str());
        const auto& saved = whole.rank(0).saved; // steps 20, 40 (the end of the epoch), 60, 80
        QCOMPARE(saved.size(), 4u);
        const auto fileOf = [&](std::size_t i) {
            return (std::filesystem::path(folder.path().toStdString()) /
                    std::filesystem::path(saved[i].path).filename())
                .string();
        };
        // Frozen weights are as they were, and have nothing in the optimizer.
        QVERIFY(isSame(fileOf(0), fileOf(1), "model.layers.0.weight"));
        QVERIFY(!isSame(fileOf(1), fileOf(2), "model.layers.0.weight"));
        QVERIFY(!isSame(fileOf(0), fileOf(1), "model.layers.2.weight"));
        QVERIFY(!hasTensor(fileOf(1), "optimizer.layers.0.") && hasTensor(fileOf(1), "optimizer.layers.2."));
        QVERIFY(hasTensor(fileOf(2), "optimizer.layers.0."));
        for (const std::size_t from : {0, 1, 2}) {
            RankGroup resumed({.ranks = 2, .runJson = run.text(), .resumeFrom = fileOf(from)});
            QVERIFY2(resumed.serve(60), resumed.report().c_str());
            QCOMPARE(digestOf(resumed), digestOf(whole));
        }
    }

    // Feature: a head trained on cached features is the one that is trained on a frozen body.
    void cachedFeaturesTrainTheSameHead() {
        std::vector<double> losses;
        for (const auto& [ranks, features] : {std::pair{1, "off"}, {1, "cache"}, {2, "cache"}}) {
            const QTemporaryDir folder;
            RunJson run{.ranks = ranks,
                        .epochs = 2,
                        .perRank = 24 / ranks,
                        .more = std::string("\"finetune\": {\"freeze\": [\"body\"], \"features\": \"") + features +
                                "\"}, "};
            RankGroup group({.ranks = ranks, .runJson = run.text(), .checkpointFolder = folder.path().toStdString()});
            QVERIFY2(group.serve(60), group.report().c_str());
            QCOMPARE(group.values("val/loss").size(), 2u);
            losses.push_back(group.values("val/loss").back());
            QVERIFY(hasTensor(group.rank(0).saved.back().path, "model.layers.0.weight")); // the whole model
        }
        QVERIFY2(std::abs(losses[0] - losses[1]) < 1e-5, std::to_string(losses[0] - losses[1]).c_str());
        QVERIFY2(std::abs(losses[0] - losses[2]) < 1e-5, std::to_string(losses[0] - losses[2]).c_str());
    }
};

QTEST_GUILESS_MAIN(WorkerFinetuneTest)
#include "worker_finetune_test.moc"
