// SPDX-License-Identifier: GPL-3.0-or-later
// What ranks decide together while they train: what to do about numbers that are not finite, when to end, what to try
// out on few samples.
#include "tests/multiproc/lab/rank_group.h"
#include "tests/multiproc/lab/test_runs.h"
#include "tests/texts.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <fstream>

using trainyard::test::contains;
using trainyard::test::RankGroup;
using trainyard::test::RunJson;

namespace {

// The number behind the word: the step or the rank that a text names; -1 when it names none.
std::int64_t numberAfter(const char* word, const std::string& text) {
    const auto found = QRegularExpression(QString("%1 ([0-9]+)").arg(word)).match(QString::fromStdString(text));
    return found.hasMatch() ? found.captured(1).toLongLong() : -1;
}

// 0 without a point.
std::int64_t lastStepOf(const RankGroup& group, const char* series) {
    const auto found = group.rank(0).series.find(series);
    return found == group.rank(0).series.end() ? 0 : found->second.back().step;
}

// A table of 480 rows in which every feature of two rows is `outlier`; the last column is the class, or the target.
RunJson outliers(const QTemporaryDir& folder, const char* outlier) {
    const auto file = folder.filePath("table.csv").toStdString();
    std::ofstream table(file);
    table << "a,b,c,d,e,f,g,h,y\n";
    for (int row = 0; row < 480; ++row) {
        for (int column = 0; column < 8; ++column)
            if (row == 100 || row == 300) table << outlier << ',';
            else table << (row * 37 + column * 11) % 100 / 100.0 << ',';
        table << row % 3 << '\n';
    }
    RunJson run{.epochs = 2, .perRank = 3};
    run.dataset = R"({"name": "csv", "params": {"standardise": false, "file": ")" + file + "\"}}";
    return run;
}

// A batch whose samples all have class 2 has no weight: its mean loss is 0 / 0. With 3 samples a rank, one in 27.
RunJson poisoned(const char* policy) {
    RunJson run{
        .epochs = 0, .steps = 100, .perRank = 3, .loss = R"({"name": "cross-entropy", "classWeights": [1, 1, 0]})"};
    run.more = std::string(R"("failure": {"nonFinite": ")") + policy + R"("}, )";
    return run;
}

} // namespace

class WorkerPolicyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Fault: A batch whose loss is not finite, or sums that overflow. Step, rank and the first layer with a non-finite
    // output are named; the curve ends at the step before. Also in torch_diagnosis_test.
    void aBadBatchEndsAllRanksAlikeByDefault() {
        RankGroup group({.ranks = 2, .runJson = poisoned("stop").text()});
        QVERIFY2(group.serve(60), group.report().c_str());
        for (int r = 0; r < 2; ++r) {
            QVERIFY2(group.rank(r).failed, group.report().c_str());
            QVERIFY2(contains(group.rank(r).failed->error.message, "the loss is not a finite number at step "),
                     group.report().c_str());
            QVERIFY2(contains(group.rank(r).failed->error.message, "the loss itself"), group.report().c_str());
        }
        QCOMPARE(group.rank(1).failed->error.message,
                 group.rank(0).failed->error.message); // rank and step named, the same by both
        const auto named = QRegularExpression("at step (\\d+) on rank (\\d)")
                               .match(QString::fromStdString(group.rank(0).failed->error.message));
        QVERIFY2(named.hasMatch(), group.report().c_str());
        for (int r = 0; r < 2; ++r) { // and whoever tells it, the place is that
            QCOMPARE(QString::fromStdString(group.rank(r).failed->error.where),
                     "rank " + named.captured(2) + ", step " + named.captured(1));
            QCOMPARE(group.rank(r).failed->step, named.captured(1).toLongLong());
            QVERIFY2(contains(group.rank(r).failed->error.remedy, "lower optimizer.lr, to "), group.report().c_str());
        }
        expectFirstBadStep(group, poisoned("skip"));
    }

    void theLayerThatOverflowsIsNamed() {
        const QTemporaryDir folder;
        auto run = outliers(folder, "3e38");
        run.model = R"({"name": "mlp", "params": {"hidden": [128, 16]}})"; // the sums of one unit at least overflow
        RankGroup group({.ranks = 2, .runJson = run.text()});
        QVERIFY2(group.serve(60), group.report().c_str());
        QVERIFY2(group.rank(0).failed, group.report().c_str());
        QVERIFY2(contains(group.rank(0).failed->error.message, "the first output that is not finite came from layer "
                                                               "\"layers.0\""),
                 group.report().c_str());
        run.more = R"("failure": {"nonFinite": "skip"}, )";
        expectFirstBadStep(group, run);
    }

    // Fault: A batch whose gradient is far larger than usual. One notice, with its norm and step.
    void aJumpOfTheGradientIsToldWithItsStep() {
        const QTemporaryDir folder;
        auto run = outliers(folder, "1000");
        run.model = R"({"name": "mlp", "params": {"hidden": [8]}})";
        run.loss = R"({"name": "mse"})";
        run.lr = 1e-12;     // so that the weights stay, and the jump is that of the batch
        run.everySteps = 1; // so that each step's norm is looked at
        auto text = run.text();
        const std::string task = "\"classification\"";
        text.replace(text.find(task), task.size(), "\"regression\"");
        RankGroup group({.ranks = 2, .runJson = text});
        QVERIFY2(group.serve(120), group.report().c_str());
        QVERIFY2(group.rank(0).finished, group.report().c_str());
        QVERIFY2(!group.rank(0).notices.empty(), group.report().c_str());
        const auto& notice = group.rank(0).notices[0];
        QVERIFY2(contains(notice.message, "the gradient's norm jumped to "), notice.message.c_str());
        const auto step = numberAfter("at step", notice.message);
        QCOMPARE(notice.step, step);
        const auto valueAt = [&](const char* series) {
            for (const auto& point : group.rank(0).series.at(series))
                if (point.step == step) return point.value;
            return 0.0;
        };
        const double loss = valueAt("train/loss"), norm = valueAt("grad_norm");
        const auto losses = group.values("train/loss");
        QVERIFY2(loss > 100 * *std::min_element(losses.begin(), losses.end()), group.report().c_str()); // the outlier
        QVERIFY2(contains(notice.message, QByteArray::number(norm, 'g', 3)), notice.message.c_str());
    }

    void aBadBatchIsSkippedByAllRanks() {
        const QTemporaryDir folder;
        RankGroup group(
            {.ranks = 2, .runJson = poisoned("skip").text(), .checkpointFolder = folder.path().toStdString()});
        QVERIFY2(group.serve(60), group.report().c_str());
        QVERIFY2(group.rank(0).finished && group.rank(1).finished, group.report().c_str());
        QCOMPARE(group.rank(0).finished->step, 100);
        QCOMPARE(group.rank(0).finished->parameterDigest, group.rank(1).finished->parameterDigest);
        const auto& notices = group.rank(0).notices;
        QVERIFY2(!notices.empty() && contains(notices[0].message, "was skipped: the loss of rank "),
                 group.report().c_str());
        QVERIFY(group.rank(1).notices.empty());
        QCOMPARE(group.rank(0).saved.size(), 1u); // which is refused when a weight is not finite
        for (const double loss : group.values("train/loss")) QVERIFY(std::isfinite(loss));
        QCOMPARE(group.values("train/loss").size(), 100u - notices.size());
    }

    void aRateThatIsTooHighIsRolledBackAndLowered() {
        RunJson run{.epochs = 0, .steps = 120, .lr = 100};
        run.model = R"({"name": "mlp", "params": {"hidden": [64, 64, 64, 64, 64]}})";
        run.more = R"("failure": {"nonFinite": "rollback", "rollbackLrFactor": 1e-4}, )";
        RankGroup group({.ranks = 2, .runJson = run.text()});
        QVERIFY2(group.serve(60), group.report().c_str());
        QVERIFY2(group.rank(0).finished && group.rank(1).finished, group.report().c_str());
        QCOMPARE(group.rank(0).finished->parameterDigest, group.rank(1).finished->parameterDigest);
        QCOMPARE(group.rank(0).rolledBack.size(), 1u);
        QCOMPARE(group.rank(0).rolledBack[0].toStep, 0);
        QVERIFY2(contains(group.rank(0).rolledBack[0].message, "came from layer \"layers."),
                 group.rank(0).rolledBack[0].message.c_str());
        QVERIFY(std::abs(group.values("lr").back() - 0.01) < 1e-12);
        QCOMPARE(group.rank(0).series.at("train/loss").back().step, 120);
    }

    void rollbacksThatLeadNowhereEndTheRun() {
        RankGroup group({.ranks = 2, .runJson = poisoned("rollback").text()});
        QVERIFY2(group.serve(60), group.report().c_str());
        QVERIFY2(group.rank(0).failed && group.rank(1).failed, group.report().c_str());
        QVERIFY2(contains(group.rank(0).failed->error.message, "went back to step 0 3 times"), group.report().c_str());
        QCOMPARE(group.rank(0).rolledBack.size(), 3u);
    }

    void aRunThatNoLongerGetsBetterEndsEarly() {
        const QTemporaryDir folder;
        RunJson run{.epochs = 50, .lr = 1e-30};
        run.more = R"("earlyStop": {"metric": "val/loss", "patience": 3}, )";
        RankGroup group({.ranks = 2, .runJson = run.text(), .checkpointFolder = folder.path().toStdString()});
        QVERIFY2(group.serve(60), group.report().c_str());
        for (int r = 0; r < 2; ++r) {
            QVERIFY2(group.rank(r).finished, group.report().c_str());
            QCOMPARE(group.rank(r).finished->step, 4 * 40); // the first is the best, and three more
            QVERIFY(!group.rank(r).finished->stopped);
        }
        QVERIFY2(contains(group.rank(0).notices.at(0).message, "stopped early: val/loss"), group.report().c_str());
        QCOMPARE(group.rank(0).saved.back().step, 160);
    }

    void aPlateauLowersTheRate() {
        RunJson run{.epochs = 4, .lr = 1e-20};
        run.schedule = R"({"name": "plateau", "patience": 1, "factor": 0.5})";
        RankGroup group({.ranks = 2, .runJson = run.text()});
        QVERIFY2(group.serve(60), group.report().c_str());
        QVERIFY2(group.rank(0).finished, group.report().c_str());
        QCOMPARE(group.values("lr").back(), 0.5e-20);
        QVERIFY(contains(group.rank(0).notices.at(0).message, "learning rate"));
    }

    void overfittingFewBatchesBringsTheLossDown() {
        RunJson run{.epochs = 120, .optimizer = "adam", .optimizerParams = "", .lr = 0.02};
        run.more = R"("debug": {"overfitBatches": 2}, )";
        RankGroup group({.ranks = 2, .runJson = run.text()});
        QVERIFY2(group.serve(60), group.report().c_str());
        QVERIFY2(group.rank(0).finished, group.report().c_str());
        QCOMPARE(group.rank(0).finished->step, 240);
        QVERIFY2(group.values("train/loss").back() < 0.1, group.report().c_str());
        QVERIFY(group.values("val/accuracy").back() > 0.95); // of the same samples
    }

    void aFastDevRunDoesOneOfEach() {
        const QTemporaryDir folder;
        RunJson run{.epochs = 50};
        run.more = R"("debug": {"fastDevRun": true}, )";
        RankGroup group({.ranks = 2, .runJson = run.text(), .checkpointFolder = folder.path().toStdString()});
        QVERIFY2(group.serve(60), group.report().c_str());
        QVERIFY2(group.rank(0).finished, group.report().c_str());
        QCOMPARE(group.rank(0).finished->step, 1);
        QCOMPARE(group.values("train/loss").size(), 1u);
        QCOMPARE(group.values("val/loss").size(), 1u);
        QCOMPARE(group.rank(0).saved.size(), 1u);
        QVERIFY2(contains(group.rank(0).evaluations.at(0).json, "\"samples\":24.0"),
                 group.rank(0).evaluations[0].json.c_str());
    }

    void theRateGrowsWithTheRanksWhereAsked() {
        RunJson run{.ranks = 2, .epochs = 0, .steps = 3};
        run.more = "";
        auto text = run.text();
        text.replace(text.find("\"device\""), 0, R"("lrRule": "linear", )");
        RankGroup group({.ranks = 2, .runJson = text});
        QVERIFY2(group.serve(60), group.report().c_str());
        QVERIFY2(group.rank(0).finished, group.report().c_str());
        QCOMPARE(group.values("lr").back(), 0.1);
        bool shown = false;
        for (const auto& phase : group.rank(0).phases)
            shown = shown || contains(phase.detail, "learning rate 0.1 = 0.05 x 2 workers");
        QVERIFY(shown);
    }

    void whatCannotBeIsRefusedClearly_data() {
        QTest::addColumn<QString>("run");
        QTest::addColumn<QString>("message");
        QTest::newRow("fp16 on a CPU") << text({.precision = "fp16"}) << "fp16 needs a CUDA device";
        QTest::newRow("weights for other classes")
            << text({.loss = R"({"name": "cross-entropy", "classWeights": [1, 2]})"})
            << "2 weights do not fit 3 classes";
        QTest::newRow("loss of another task")
            << text({.loss = R"("mse")"}) << "loss mse serves regression, and the run's task is classification";
        QTest::newRow("a metric that never comes")
            << text({.more = R"("earlyStop": {"metric": "val/rmse"}, )"}) << "\"val/rmse\" is not a validation metric";
        QTest::newRow("milestones that do not grow")
            << text({.schedule = R"({"name": "multi-step", "milestones": [3, 2]})"}) << "epoch 2 does not come after";
    }
    void whatCannotBeIsRefusedClearly() {
        QFETCH(QString, run);
        QFETCH(QString, message);
        RankGroup group({.ranks = 1, .runJson = run.toStdString()});
        QVERIFY2(group.serve(60), group.report().c_str());
        QVERIFY2(group.rank(0).failed, group.report().c_str());
        QVERIFY2(contains(group.rank(0).failed->error.message, qPrintable(message)),
                 group.rank(0).failed->error.message.c_str());
        QVERIFY(group.rank(0).failed->error.kind != trainyard::ErrorKind::Run);
    }

private:
    // The run has ended at the step that the same run skips first, and has told of every step before it.
    static void expectFirstBadStep(const RankGroup& ended, const RunJson& skipping) {
        const auto& message = ended.rank(0).failed->error.message;
        const auto step = numberAfter("at step", message);
        QVERIFY2(step > 1, message.c_str());
        QCOMPARE(QString::fromStdString(message).count(QStringLiteral("not a finite number")), 1);
        QVERIFY2(ended.rank(0).failed->error.where.ends_with(", step " + std::to_string(step)),
                 ended.rank(0).failed->error.where.c_str());
        QCOMPARE(lastStepOf(ended, "train/loss"), step - 1);
        RankGroup other({.ranks = 2, .runJson = skipping.text()});
        QVERIFY2(other.serve(60), other.report().c_str());
        QVERIFY2(!other.rank(0).notices.empty(), other.report().c_str());
        const auto& notice = other.rank(0).notices[0].message;
        QCOMPARE(numberAfter("step", notice), step);
        QCOMPARE(numberAfter("the loss of rank", notice), numberAfter("on rank", message));
        for (const auto& point : other.rank(0).series.at("train/loss")) QVERIFY(point.step != step);
    }
    static QString text(RunJson run) {
        run.ranks = 1;
        return QString::fromStdString(run.text());
    }
};

QTEST_GUILESS_MAIN(WorkerPolicyTest)
#include "worker_policy_test.moc"
