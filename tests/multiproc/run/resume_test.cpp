// SPDX-License-Identifier: GPL-3.0-or-later
// A run that goes on from a checkpoint ends with the same bits as one that never stopped.
#include "tests/multiproc/lab/rank_group.h"
#include "tests/multiproc/lab/same_tensors.h"
#include "tests/multiproc/lab/test_runs.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <memory>
#include <numbers>
#include <numeric>

using trainyard::test::difference;
using trainyard::test::RankGroup;
using trainyard::test::RunJson;
namespace wire = trainyard::wire;

namespace {

std::string checkpointAt(const RankGroup& group, std::int64_t step) {
    for (const auto& saved : group.rank(0).saved)
        if (saved.step == step) return saved.path;
    return {};
}

} // namespace

class ResumeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Long because: a table, one row for each kind of state that a checkpoint carries.
    void resumedRunIsBitEqual_data() {
        resumedRunColumns();
        const std::string glyphs = R"({"name": "glyphs", "params": {"samples": 400, "validation": 20}})";
        RunJson mlp{.epochs = 0, .steps = 100, .everySteps = 10};
        RunJson convnet{.epochs = 0,
                        .steps = 30,
                        .model = R"({"name": "convnet", "params": {"width": 8}})",
                        .dataset = glyphs,
                        .optimizer = "adam",
                        .optimizerParams = "",
                        .lr = 0.002,
                        .everySteps = 5};
        RunJson dropout{.epochs = 0,
                        .steps = 60,
                        .accumulate = 2,
                        .model = R"({"name": "mlp", "params": {"hidden": [32], "dropout": 0.3}})",
                        .optimizer = "adamw",
                        .optimizerParams = "",
                        .lr = 0.002,
                        .schedule = R"({"name": "cosine"})",
                        .everySteps = 5};
        RunJson resnet{.epochs = 0,
                       .steps = 6,
                       .perRank = 4,
                       .model = R"({"name": "resnet18", "params": {"stem": "small"}})",
                       .dataset = glyphs,
                       .lr = 0.01,
                       .everySteps = 2};
        RunJson average{.epochs = 0,
                        .steps = 60,
                        .optimizer = "adamw",
                        .optimizerParams = "",
                        .lr = 0.01,
                        .schedule = R"({"name": "one-cycle"})",
                        .loss = R"({"name": "cross-entropy", "classWeights": [1, 2, 0.5]})",
                        .more = R"("ema": 0.9, "gradient": {"clipNorm": 0.5, "clipValue": 0.05}, )",
                        .everySteps = 5};
        // Lowered at nearly every validation: what the schedule remembers decides the weights.
        RunJson plateau{.epochs = 0,
                        .steps = 60,
                        .schedule = R"({"name": "plateau", "patience": 1, "threshold": 0.5, "factor": 0.7})",
                        .more = R"("earlyStop": {"metric": "val/loss", "patience": 50},
                                   "failure": {"nonFinite": "rollback"}, )",
                        .everySteps = 5};
        // 11 steps of 81 samples and one of 69, in passes of 7, 8 and 8.
        RunJson uneven{.epochs = 0, .steps = 60, .perRank = 9, .accumulate = 3, .everySteps = 5};
        RunJson changed = convnet; // images drawn anew for each batch
        changed.more = R"("augment": {"crop": 3, "flip": true, "erase": 0.5}, )";
        // 40 steps are one epoch of the points: 50 is in the middle of the second, whatever is skipped or repeated
        // shows.
        addRow("mlp, momentum, 2 ranks", mlp, 2, 100, 50);
        addRow("mlp, momentum, 1 rank", mlp, 1, 100, 50);
        addRow("convnet, adam, 2 ranks", convnet, 2, 30, 15);
        addRow("crop, flip and erase, 2 ranks", changed, 2, 30, 15);
        addRow("dropout, adamw, cosine, accumulation, 3 ranks", dropout, 3, 60, 25);
        addRow("uneven ends of epochs, accumulation, 3 ranks", uneven, 3, 60, 25);
        addRow("average of the weights, one cycle, clipping, class weights, 2 ranks", average, 2, 60, 25);
        addRow("plateau, early stop, rollback kept ready, 2 ranks", plateau, 2, 60, 30);
        addRow("resnet18, batch norm, 2 ranks", resnet, 2, 6, 4);
        addRow("powersgd, 2 ranks", lowRank(), 2, 60, 30);
        addRow("powersgd, 3 ranks", lowRank(), 3, 60, 30);
    }
    void resumedRunIsBitEqual() { compareResumed(); }
    // What the first rank of each host carries over is in the checkpoint too.
    void resumedRunOverHostsIsBitEqual_data() {
        resumedRunColumns();
        RunJson run = lowRank();
        run.averaging = "shared";
        addRow("powersgd, 3 ranks on 2 hosts", run, 3, 60, 30);
    }
    void resumedRunOverHostsIsBitEqual() {
        qputenv("TRAINYARD_HOST", "a,a,b");
        compareResumed();
    }
    void cleanup() { qunsetenv("TRAINYARD_HOST"); }

private:
    static void resumedRunColumns() {
        QTest::addColumn<QString>("run");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("steps");
        QTest::addColumn<int>("from");
    }
    void compareResumed() {
        QFETCH(QString, run);
        QFETCH(int, ranks);
        QFETCH(int, steps);
        QFETCH(int, from);
        const QTemporaryDir whole, resumed;
        RankGroup undisturbed(
            {.ranks = ranks, .runJson = run.toStdString(), .checkpointFolder = whole.path().toStdString()});
        QVERIFY2(undisturbed.serve(200) && undisturbed.rank(0).finished, undisturbed.report().c_str());
        const auto checkpoint = checkpointAt(undisturbed, from);
        QVERIFY(!checkpoint.empty());

        RankGroup second({.ranks = ranks,
                          .runJson = run.toStdString(),
                          .checkpointFolder = resumed.path().toStdString(),
                          .resumeFrom = checkpoint});
        QVERIFY2(second.serve(200) && second.rank(0).finished, second.report().c_str());
        const auto wrong = difference(checkpointAt(undisturbed, steps), checkpointAt(second, steps));
        QVERIFY2(wrong.empty(), wrong.c_str());
        QCOMPARE(second.rank(0).finished->parameterDigest, undisturbed.rank(0).finished->parameterDigest);
        // The curve goes on where it was, with the same values.
        const auto all = undisturbed.values("train/loss"), rest = second.values("train/loss");
        QCOMPARE(rest, std::vector<double>(all.begin() + from, all.end()));
        QCOMPARE(second.rank(0).series.at("train/loss").front().step, static_cast<std::int64_t>(from) + 1);
    }

private Q_SLOTS:
    void theCheckpointWrittenAtAStopServesToo() {
        const QTemporaryDir whole, stopped, resumed;
        const auto run = RunJson{.epochs = 3}.text();
        RankGroup undisturbed({.ranks = 2, .runJson = run, .checkpointFolder = whole.path().toStdString()});
        QVERIFY2(undisturbed.serve(60) && undisturbed.rank(0).finished, undisturbed.report().c_str());

        RankGroup first({.ranks = 2, .runJson = run, .checkpointFolder = stopped.path().toStdString()});
        QVERIFY(first.serve(60, [&] { return !first.rank(0).series.empty(); }));
        first.send(0, wire::Stop{wire::StopMode::SaveAndStop});
        QVERIFY2(first.serve(60) && first.rank(0).finished, first.report().c_str());
        if (!first.rank(0).finished->stopped) QSKIP("the run was over before the stop arrived");
        QVERIFY(!first.rank(0).saved.empty());

        RankGroup second({.ranks = 2,
                          .runJson = run,
                          .checkpointFolder = resumed.path().toStdString(),
                          .resumeFrom = first.rank(0).saved.back().path});
        QVERIFY2(second.serve(60) && second.rank(0).finished, second.report().c_str());
        const auto wrong = difference(checkpointAt(undisturbed, 120), checkpointAt(second, 120));
        QVERIFY2(wrong.empty(), wrong.c_str());
    }

    void aFinishedRunResumedEndsAtOnceWithTheSameModel() {
        const QTemporaryDir folder;
        const auto run = RunJson{.epochs = 1}.text();
        RankGroup first({.ranks = 2, .runJson = run, .checkpointFolder = folder.path().toStdString()});
        QVERIFY2(first.serve(60) && first.rank(0).finished, first.report().c_str());
        RankGroup again({.ranks = 2,
                         .runJson = run,
                         .checkpointFolder = folder.path().toStdString(),
                         .resumeFrom = first.rank(0).saved.back().path});
        QVERIFY2(again.serve(60) && again.rank(0).finished, again.report().c_str());
        QCOMPARE(again.rank(0).finished->step, 40);
        QCOMPARE(again.rank(0).finished->parameterDigest, first.rank(0).finished->parameterDigest);
    }

    // Two epochs and then two more are four, where the rate does not follow from the length of the run.
    void continuingIsBitEqual_data() {
        QTest::addColumn<QString>("schedule");
        QTest::newRow("constant") << R"({"name": "constant"})";
        QTest::newRow("step") << R"({"name": "step", "everyEpochs": 1, "gamma": 0.5})";
        QTest::newRow("plateau") << R"({"name": "plateau", "patience": 0, "threshold": 0.5, "factor": 0.7})";
    }
    void continuingIsBitEqual() {
        QFETCH(QString, schedule);
        const QTemporaryDir whole, parts;
        RunJson run{.epochs = 4, .schedule = schedule.toStdString()};
        RankGroup four({.ranks = 2, .runJson = run.text(), .checkpointFolder = whole.path().toStdString()});
        QVERIFY2(four.serve(60) && four.rank(0).finished, four.report().c_str());
        run.epochs = 2;
        RankGroup two({.ranks = 2, .runJson = run.text(), .checkpointFolder = parts.path().toStdString()});
        QVERIFY2(two.serve(60) && two.rank(0).finished, two.report().c_str());
        run.epochs = 4;
        RankGroup more({.ranks = 2,
                        .runJson = run.text(),
                        .checkpointFolder = parts.path().toStdString(),
                        .resumeFrom = checkpointAt(two, 80)});
        QVERIFY2(more.serve(60) && more.rank(0).finished, more.report().c_str());
        const auto wrong = difference(checkpointAt(four, 160), checkpointAt(more, 160));
        QVERIFY2(wrong.empty(), wrong.c_str());
        for (const char* series : {"train/loss", "val/loss"}) {
            auto all = two.values(series);
            for (const double value : more.values(series)) all.push_back(value);
            QCOMPARE(all, four.values(series));
        }
    }

    void aCosineGoesOnOverTheNewLength() {
        const QTemporaryDir folder;
        RunJson run{.epochs = 2, .schedule = R"({"name": "cosine"})"};
        const auto wanted = [&run](std::int64_t step, double steps) {
            return run.lr / 2 * (1 + std::cos(std::numbers::pi * static_cast<double>(step - 1) / steps));
        };
        RankGroup two({.ranks = 2, .runJson = run.text(), .checkpointFolder = folder.path().toStdString()});
        QVERIFY2(two.serve(60) && two.rank(0).finished, two.report().c_str());
        QVERIFY(std::abs(two.values("lr").back() - wanted(80, 80)) < 1e-12);
        run.epochs = 4;
        RankGroup more({.ranks = 2,
                        .runJson = run.text(),
                        .checkpointFolder = folder.path().toStdString(),
                        .resumeFrom = checkpointAt(two, 80)});
        QVERIFY2(more.serve(60) && more.rank(0).finished, more.report().c_str());
        const auto& rates = more.rank(0).series.at("lr");
        QCOMPARE(rates.size(), 80u);
        QCOMPARE(rates.front().step, 81);
        for (const auto& rate : rates) QVERIFY(std::abs(rate.value - wanted(rate.step, 160)) < 1e-12);
    }

    // From the middle of the second epoch.
    void aForkGoesOnFromItsCheckpoint() {
        const QTemporaryDir folder;
        const RunJson run{.epochs = 2, .everySteps = 10};
        RankGroup first({.ranks = 2, .runJson = run.text(), .checkpointFolder = folder.path().toStdString()});
        QVERIFY2(first.serve(60) && first.rank(0).finished, first.report().c_str());
        const auto from = checkpointAt(first, 50);
        const auto fork = [&from](const RunJson& other) {
            auto group = std::make_unique<RankGroup>(
                RankGroup::Options{.ranks = other.ranks, .runJson = other.text(), .resumeFrom = from});
            if (!group->serve(60)) qWarning("%s", group->report().c_str());
            return group;
        };
        const auto losses = first.values("train/loss");

        RunJson slower = run; // the same sample and weights, and then another step
        slower.lr = 0.01;
        const auto another = fork(slower);
        QVERIFY2(another->rank(0).finished, another->report().c_str());
        QCOMPARE(another->values("train/loss").size(), 30u);
        QCOMPARE(another->values("train/loss")[0], losses[50]);
        QVERIFY(another->values("train/loss")[1] != losses[51]);
        for (const double rate : another->values("lr")) QCOMPARE(rate, 0.01);

        // Nothing is learned any more: what is left of the epoch has the same mean loss, however it is dealt.
        RunJson still = run, wider = run, three = run;
        still.lr = wider.lr = three.lr = 1e-30;
        wider.perRank = 24;
        three.ranks = 3;
        three.perRank = 8;
        const auto same = fork(still), wide = fork(wider), dealt = fork(three);
        for (const auto* group : {same.get(), wide.get(), dealt.get()})
            QVERIFY2(group->rank(0).finished, group->report().c_str());
        QCOMPARE(wide->rank(0).finished->step, 65); // 15 steps of 48 samples, and not 30 of 24
        QCOMPARE(wide->rank(0).finished->epoch, 2.0);
        QVERIFY(std::abs(wide->rank(0).series.at("train/loss").front().epoch - 1.3) < 1e-9);
        const auto meanLoss = [](const RankGroup& group) {
            const auto values = group.values("train/loss");
            return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
        };
        QVERIFY(std::abs(meanLoss(*wide) - meanLoss(*same)) < 1e-6);
        QCOMPARE(dealt->values("train/loss").size(), 30u);
        QVERIFY(std::abs(meanLoss(*dealt) - meanLoss(*same)) < 1e-6);
    }

    void aForkWithAnotherOptimizerIsRefused() {
        const QTemporaryDir folder;
        RunJson run{.ranks = 1};
        RankGroup first({.ranks = 1, .runJson = run.text(), .checkpointFolder = folder.path().toStdString()});
        QVERIFY2(first.serve(60) && first.rank(0).finished, first.report().c_str());
        run.epochs = 2;
        run.optimizer = "adam";
        run.optimizerParams = "";
        RankGroup second({.ranks = 1, .runJson = run.text(), .resumeFrom = checkpointAt(first, 80)});
        QVERIFY2(second.serve(60) && second.rank(0).failed, second.report().c_str());
        QCOMPARE(second.rank(0).failed->error.kind, trainyard::ErrorKind::Input);
        QCOMPARE(second.rank(0).failed->error.message, std::string("the state is that of sgd, and the run uses adam"));
        QCOMPARE(second.rank(0).failed->error.remedy, std::string("set it to \"sgd\", or begin without a checkpoint"));
    }

    void aCheckpointOfAnotherModelIsRefused() {
        const QTemporaryDir folder;
        RankGroup first(
            {.ranks = 1, .runJson = RunJson{.ranks = 1}.text(), .checkpointFolder = folder.path().toStdString()});
        QVERIFY2(first.serve(60) && first.rank(0).finished, first.report().c_str());
        RunJson other{.ranks = 1};
        other.model = R"({"name": "mlp", "params": {"hidden": [64]}})";
        RankGroup second({.ranks = 1,
                          .runJson = other.text(),
                          .checkpointFolder = folder.path().toStdString(),
                          .resumeFrom = first.rank(0).saved.back().path});
        QVERIFY(second.serve(60));
        QVERIFY(second.rank(0).failed);
        QCOMPARE(second.rank(0).failed->error.kind, trainyard::ErrorKind::Input);
        QCOMPARE(second.rank(0).exit->text(), std::string("exited with 2"));
        QVERIFY2(second.rank(0).failed->error.message.find("layers.0.weight") != std::string::npos,
                 second.rank(0).failed->error.message.c_str());
    }

private:
    static RunJson lowRank() {
        RunJson run{.epochs = 0,
                    .steps = 60,
                    .accumulate = 2,
                    .model = R"({"name": "mlp", "params": {"hidden": [64, 64]}})",
                    .more = R"("failure": {"nonFinite": "rollback"}, )",
                    .averaging = "buckets",
                    .everySteps = 5};
        run.scaling = R"(, "compression": "powersgd", "compressionRank": 2)";
        return run;
    }
    static void addRow(const char* name, RunJson run, int ranks, int steps, int from) {
        run.ranks = ranks;
        QTest::newRow(name) << QString::fromStdString(run.text()) << ranks << steps << from;
    }
};

QTEST_GUILESS_MAIN(ResumeTest)
#include "resume_test.moc"
