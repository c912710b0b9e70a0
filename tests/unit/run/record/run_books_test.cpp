// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a supervisor that need no process: series, checkpoints, rendezvous, the chart of the curves.
// Long because: each of them has a few rows alone.
#include "engine/base/clock.h"
#include "engine/base/files/atomic_file.h"
#include "engine/run/launch/launcher.h"
#include "engine/run/launch/socket_path.h"
#include "engine/run/record/checkpoint_book.h"
#include "engine/run/record/evaluation_file.h"
#include "engine/run/record/kernel_choices.h"
#include "engine/run/record/run_folder.h"
#include "engine/run/record/series/curves_svg.h"
#include "engine/run/record/series/series_book.h"
#include "engine/run/record/unsaved_checkpoints.h"
#include "engine/run/start/lr_find.h"
#include "engine/run/start/probe_run.h"
#include "engine/run/start/run_start.h"
#include "engine/run/supervise/rendezvous_store.h"
#include "engine/store/files/safetensors.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

#include <cmath>
#include <fstream>
#include <map>

using namespace trainyard;

class RunBooksTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numbersPointsAndLeavesRepeatsOut();
    void rewindsToAStep();
    void aStepHasOneTimeThatNeverGoesBack();
    void answersGetsWhenTheKeyComes();
    void marksTheBestCheckpoint_data();
    void marksTheBestCheckpoint();
    void prunesAllButTheBestAndTheNewest();
    void keepsToItsBudget();
    void saysWhatAMissingCheckpointMakesOfTheEnd_data();
    void saysWhatAMissingCheckpointMakesOfTheEnd();
    void adoptsWhatTheStoreLeadsUpTo_data();
    void adoptsWhatTheStoreLeadsUpTo();
    void takesThePointsThatACheckpointBrings();
    void suggestsTheRateOfTheSteepestFall();
    void saysWhatBindsMoreWorkers_data();
    void saysWhatBindsMoreWorkers();
    void namesTheRankThatOthersWaitFor();
    void saysHowAProcessEnded();
    void drawsNoNonsense();
    void refusesASocketFolderThatOthersMayEnter();
    void writesTheNewestEvaluationOnce();
    void aRunsFolderIsNew();
    void theFirstChoiceOfKernelsIsKept();
    void aLineThatIsCutShortIsPassedOver();
    void jobsShareTheChoicesOfTheirWorkspace_data();
    void jobsShareTheChoicesOfTheirWorkspace();
};

namespace {

wire::Metrics losses(std::int64_t from, std::int64_t to) {
    wire::SeriesPoints points{"train/loss", 0, {}};
    for (auto step = from; step <= to; ++step)
        points.points.push_back({step, 0, static_cast<double>(step) / 10, 1.0 / static_cast<double>(step)});
    return {{points}};
}

} // namespace

void RunBooksTest::numbersPointsAndLeavesRepeatsOut() {
    run::SeriesBook book;
    QCOMPARE(book.accept(losses(1, 5)).series[0].firstIndex, 0);
    const auto next = book.accept(losses(4, 8));
    QCOMPARE(next.series[0].firstIndex, 5);
    QCOMPARE(next.series[0].points.front().step, 6);
    QVERIFY(book.accept(losses(1, 8)).series.empty());
}

void RunBooksTest::rewindsToAStep() {
    run::SeriesBook book;
    (void)book.accept(losses(1, 10));
    QCOMPARE(book.secondsAt(7), 0.7);
    book.rewind(6);
    QCOMPARE(book.count("train/loss"), 6);
    QCOMPARE(book.accept(losses(7, 7)).series[0].firstIndex, 6);
    book.rewind(-1);
    QCOMPARE(book.count("train/loss"), 0);
    QCOMPARE(book.secondsAt(7), 0.0);
}

// As ranks tell them: each series at its own moment, and steps that were held back after one that was told at once.
void RunBooksTest::aStepHasOneTimeThatNeverGoesBack() {
    run::SeriesBook book;
    const auto told = [&book](const std::string& series, std::vector<wire::Point> points) {
        const auto delta = book.accept({{{series, 0, std::move(points)}}});
        std::vector<double> seconds;
        for (const auto& each : delta.series)
            for (const auto& point : each.points) seconds.push_back(point.seconds);
        return seconds;
    };
    using Seconds = std::vector<double>;
    QCOMPARE(told("train/loss", {{1, 0, 1.0, 9}, {2, 0, 2.0, 8}}), (Seconds{1, 2}));
    QCOMPARE(told("lr", {{5, 0, 4.5, 0.1}}), Seconds{4.5});
    QCOMPARE(told("train/loss", {{3, 0, 1.9987, 7}, {4, 0, 4.6, 6}, {5, 0, 4.4, 5}}), (Seconds{2, 4.5, 4.5}));
    QCOMPARE(told("val/accuracy", {{5, 0, 7.0, 0.5}}), Seconds{4.5});
    QCOMPARE(told("system/rank0/cpu_percent", {{5, 0, 7.0, 50}, {5, 0, 8.0, 60}}), (Seconds{7, 8})); // by the clock
    book.rewind(2);
    QCOMPARE(told("train/loss", {{3, 0, 10.0, 7}, {4, 0, 10.5, 6}}), (Seconds{10, 10.5}));
    QCOMPARE(book.secondsAt(3), 10.0);
    run::SeriesBook later;
    later.load("train/loss", {{1, 0, 1.0, 9}, {2, 0, 2.0, 8}});
    QCOMPARE(later.accept({{{"train/loss", 0, {{3, 0, 1.5, 7}}}}}).series[0].points[0].seconds, 2.0);
}

void RunBooksTest::answersGetsWhenTheKeyComes() {
    run::RendezvousStore store;
    QVERIFY(store.get(1, {.request = 7, .key = "a"}).empty());
    QVERIFY(store.get(2, {.request = 3, .key = "a"}).empty());
    QCOMPARE(store.check(0, {.request = 1, .keys = {"a"}})[0].message.number, 0);
    const std::string binary("\0\xff\x01", 3);
    const auto replies = store.set({.key = "a", .value = binary});
    QCOMPARE(replies.size(), std::size_t{2});
    QCOMPARE(replies[0].rank, 1);
    QCOMPARE(replies[0].message.request, 7);
    QCOMPARE(replies[1].message.value, binary);
    QCOMPARE(store.check(0, {.request = 1, .keys = {"a"}})[0].message.number, 1);
    QCOMPARE(store.add(0, {.request = 9, .key = "n", .amount = 2})[0].message.number, 2);
    QCOMPARE(store.add(0, {.request = 9, .key = "n", .amount = 3})[0].message.value, std::string("5"));
    store.clear();
    QVERIFY(store.get(1, {.request = 8, .key = "a"}).empty());
}

void RunBooksTest::marksTheBestCheckpoint_data() {
    QTest::addColumn<QString>("mode");
    QTest::addColumn<QList<double>>("scores");
    QTest::addColumn<int>("best");
    QTest::newRow("greatest") << "max" << QList<double>{0.5, 0.9, 0.7} << 1;
    QTest::newRow("least") << "min" << QList<double>{0.5, 0.9, 0.7} << 0;
    QTest::newRow("the first of equals") << "max" << QList<double>{0.5, 0.9, 0.9} << 1;
    QTest::newRow("not a number is never the best") << "max" << QList<double>{NAN, 0.1, INFINITY} << 1;
    QTest::newRow("none") << "max" << QList<double>{NAN, NAN, NAN} << -1;
}

void RunBooksTest::marksTheBestCheckpoint() {
    QFETCH(QString, mode);
    QFETCH(QList<double>, scores);
    QFETCH(int, best);
    spec::CheckpointPolicy policy;
    policy.mode = mode.toStdString();
    run::CheckpointBook book(policy);
    std::int64_t step = 0;
    for (const double score : scores)
        book.add({.path = {}, .step = ++step, .epoch = 0, .bytes = 1, .metrics = {{"val/accuracy", score}}}, "x", 0);
    for (int index = 0; index < static_cast<int>(scores.size()); ++index) {
        QCOMPARE(book.rows()[static_cast<std::size_t>(index)].best, index == best);
        QCOMPARE(book.rows()[static_cast<std::size_t>(index)].last, index == scores.size() - 1);
    }
}

// Fault: The newest checkpoint is the best, and all together exceed checkpoint.budgetMb. Two files stay, so that a
// damaged one has another to fall back to.
void RunBooksTest::keepsToItsBudget() {
    spec::CheckpointPolicy policy;
    policy.keep = 10;
    policy.budgetMb = 3;
    run::CheckpointBook book(policy);
    for (std::int64_t step = 1; step <= 5; ++step)
        book.add({.path = {},
                  .step = step,
                  .epoch = 0,
                  .bytes = 1'000'000,
                  .metrics = {{"val/accuracy", step == 1 ? 0.9 : 0.5}}},
                 "step-" + std::to_string(step), 0);
    QCOMPARE(book.prune(), (std::vector<std::filesystem::path>{"step-2", "step-3"})); // the best and the newest stay
    book.add({.path = {}, .step = 6, .epoch = 0, .bytes = 9'000'000, .metrics = {}}, "step-6", 0);
    QCOMPARE(book.prune(), (std::vector<std::filesystem::path>{"step-4", "step-5"}));
    QCOMPARE(book.rows().size(), std::size_t{2}); // above it, and nothing more can go
    book.add({.path = {}, .step = 7, .epoch = 0, .bytes = 9'000'000, .metrics = {{"val/accuracy", 0.95}}}, "step-7", 0);
    QCOMPARE(book.prune(), (std::vector<std::filesystem::path>{"step-1"}));
    QCOMPARE(book.rows().size(), std::size_t{2}); // the newest is the best, and has another behind it
    QVERIFY(book.rows().back().best && book.rows().back().last);
    QCOMPARE(book.rows().front().step, 6);
    QVERIFY(book.prune().empty());
}

void RunBooksTest::saysWhatAMissingCheckpointMakesOfTheEnd_data() {
    QTest::addColumn<QList<int>>("saves"); // steps, in their order; negative: that could not be saved
    QTest::addColumn<QString>("error");
    QTest::addColumn<QString>("notice");
    using Saves = QList<int>;
    QTest::newRow("all saved") << Saves{5, 10} << "" << "";
    QTest::newRow("none was due") << Saves{} << "" << "";
    QTest::newRow("the last one") << Saves{5, -10}
                                  << "trained to step 10, but its last checkpoint could not be saved: the disk is "
                                     "full; the newest saved one is from step 5"
                                  << "";
    QTest::newRow("all")
        << Saves{-5, -10}
        << "trained to step 10, but its last checkpoint could not be saved: the disk is full; no other "
           "one is saved"
        << "";
    QTest::newRow("one before the last") << Saves{-5, 10} << ""
                                         << "the checkpoint of step 5 could not be saved: the disk is full; the run's "
                                            "last one is saved";
    QTest::newRow("several") << Saves{-3, -5, 7, -8, 10} << ""
                             << "3 checkpoints could not be saved, the last of them that of step 8: the disk is full; "
                                "the run's last one is saved";
}

void RunBooksTest::saysWhatAMissingCheckpointMakesOfTheEnd() {
    QFETCH(QList<int>, saves);
    run::UnsavedCheckpoints unsaved;
    std::optional<std::int64_t> newest;
    for (const int step : saves) {
        if (step < 0) {
            unsaved.failed(-step, environmentError("the disk is full", "rank 0", "free some space"));
            QCOMPARE(unsaved.why(-step), "the checkpoint of step " + std::to_string(-step) +
                                             " was not saved: the disk is full (free some space)");
            QVERIFY(unsaved.why(1 - step).empty());
        } else {
            unsaved.saved();
            newest = step;
            QVERIFY(unsaved.why(step).empty());
        }
    }
    const auto error = unsaved.atTheEnd("trained", 10, newest);
    QTEST(QString::fromStdString(error ? error->message : ""), "error");
    QTEST(QString::fromStdString(unsaved.notice()), "notice");
    if (!error) return;
    QCOMPARE(error->kind, ErrorKind::Environment);
    QCOMPARE(error->where, std::string("rank 0"));
    QCOMPARE(error->remedy, std::string("free some space, then resume the run"));
}

void RunBooksTest::adoptsWhatTheStoreLeadsUpTo_data() {
    QTest::addColumn<QString>("points"); // as the file names them
    QTest::addColumn<bool>("adopted");
    QTest::newRow("all are there") << R"({"train/loss": 10, "val/accuracy": 10})" << true;
    QTest::newRow("a later one too") << R"({"train/loss": 9})" << true;
    QTest::newRow("the last one is missing") << R"({"train/loss": 11, "val/accuracy": 10})" << false;
    QTest::newRow("the validation is missing") << R"({"train/loss": 10, "val/accuracy": 12})" << false;
    QTest::newRow("a whole series is missing") << R"({"train/loss": 10, "lr": 1})" << false;
    QTest::newRow("it names none, and its step is not there") << "" << false;
}

void RunBooksTest::adoptsWhatTheStoreLeadsUpTo() {
    QFETCH(QString, points);
    QFETCH(bool, adopted);
    const QTemporaryDir folder;
    const std::filesystem::path root = folder.path().toStdString();
    const auto save = [&](int step, store::Metadata more) {
        more.insert({{"format", "trainyard-checkpoint"}, {"step", std::to_string(step)}});
        const auto path = root / ("step-" + std::to_string(step) + ".safetensors");
        return store::writeSafetensors(path, {}, more).ok() ? path : std::filesystem::path();
    };
    run::SeriesBook stored;
    (void)stored.accept(losses(1, 10));
    (void)stored.accept({{{"val/accuracy", 0, {{5, 0.5, 0, 0.8}, {10, 1, 0, 0.9}}}}});
    const auto before = save(6, {{"points", R"({"train/loss": 6})"}}), listed = save(8, {});
    const auto file = save(12, {{"points", points.toStdString()}});
    std::ofstream(root / ".tmp.left") << "half";
    run::CheckpointBook book({});
    store::CheckpointRow recorded;
    recorded.path = listed.string();
    recorded.step = 8;
    book.load({recorded});
    const auto notices = book.adopt(root, stored);
    QCOMPARE(book.rows().back().step, adopted ? 12 : 8);
    QCOMPARE(notices.size(), std::size_t{adopted ? 0U : 1U});
    QCOMPARE(std::filesystem::exists(file), adopted);
    QCOMPARE(std::filesystem::exists(file.string() + ".unrecorded"), !adopted);
    QVERIFY(std::filesystem::exists(listed) && !std::filesystem::exists(before));
    QVERIFY(!std::filesystem::exists(root / ".tmp.left"));
    QVERIFY(book.adopt(root, stored).empty()); // what was set aside stays there
}

// Those of the newest file, as its ranks have saved without a supervisor.
void RunBooksTest::takesThePointsThatACheckpointBrings() {
    const QTemporaryDir folder;
    const std::filesystem::path root = folder.path().toStdString();
    const auto save = [&](int step, const char* unstored) {
        const store::Metadata metadata{{"format", "trainyard-checkpoint"},
                                       {"step", std::to_string(step)},
                                       {"points", R"({"train/loss": )" + std::to_string(step) + "}"},
                                       {"unstored", unstored}};
        return store::writeSafetensors(root / ("step-" + std::to_string(step) + ".safetensors"), {}, metadata).ok();
    };
    QVERIFY(save(11, R"({"train/loss": [[11, 0, 1.1, 7]]})"));
    QVERIFY(save(12, R"({"train/loss": [[9, 0, 0.9, 5], [10, 0, 1, 6], [11, 0.5, 1.1, null], [12, 0.6, 1.2, 0.1],
                         [13], "no point"], "lr": 3})"));
    run::SeriesBook stored;
    (void)stored.accept(losses(1, 10));
    run::CheckpointBook book({});
    run::SeriesBook wentBack;
    (void)wentBack.accept(losses(1, 7));
    QVERIFY(book.unstoredPoints(root, wentBack).series.empty()); // step 8 would be missing
    (void)wentBack.accept(losses(8, 8));
    QVERIFY(!book.unstoredPoints(root, wentBack).series.empty());
    const auto taken = stored.accept(book.unstoredPoints(root, stored));
    QCOMPARE(taken.series.size(), std::size_t{1});
    const auto& series = taken.series.front();
    QCOMPARE(series.firstIndex, 10);
    QCOMPARE(series.points.size(), std::size_t{2}); // the store has the others
    QVERIFY(std::isnan(series.points[0].value));
    QCOMPARE(series.points[1].step, 12);
    QCOMPARE(series.points[1].epoch, 0.6);
    QCOMPARE(series.points[1].seconds, 1.2);
    QCOMPARE(series.points[1].value, 0.1);
    QVERIFY(book.adopt(root, stored).empty());
    QCOMPARE(book.rows().back().step, 12);
    QVERIFY(book.unstoredPoints(root, stored).series.empty()); // it is in the list
}

void RunBooksTest::suggestsTheRateOfTheSteepestFall() {
    // Flat, then a fall whose middle is at 1e-2, then the loss blows up.
    std::vector<double> rates, losses;
    for (int i = 0; i < 100; ++i) {
        const double decade = -5 + 0.05 * i;
        rates.push_back(std::pow(10, decade));
        losses.push_back(2.3 - 1.5 / (1 + std::exp(-4 * (decade + 2))) +
                         (decade > -0.8 ? std::exp(8 * (decade + 0.8)) : 0));
    }
    const auto curve = run::evaluateLrCurve(rates, losses);
    QVERIFY(curve.suggested && *curve.suggested > 3e-3 && *curve.suggested < 6e-2);
    QVERIFY(curve.lowest > *curve.suggested && curve.lowest < 1);
    QVERIFY(curve.points.size() > 80);
    losses[90] = std::nan("");
    const auto broken = run::evaluateLrCurve(rates, losses);
    QVERIFY(broken.diverged);
    QVERIFY(broken.points.size() <= 90);
    QVERIFY(!run::evaluateLrCurve(rates, std::vector<double>(100, 1.0)).suggested);
    spec::RunSpec spec;
    spec.scaling.lrRule = "linear";
    const auto sweep = run::lrSweepRun(spec, {1e-4, 0.5, 50});
    QVERIFY(sweep.ok() && sweep->steps == 50 && !sweep->epochs && sweep->scaling.lrRule == "none");
    QVERIFY(!run::lrSweepRun(spec, {1, 0.5, 50}) && !run::lrSweepRun(spec, {1e-4, 0.5, 3}));
}

void RunBooksTest::saysWhatBindsMoreWorkers_data() {
    QTest::addColumn<double>("computing"); // seconds of a step of two workers; one computes for 0.1
    QTest::addColumn<double>("communication");
    QTest::addColumn<double>("loading");
    QTest::addColumn<bool>("globalBatch");
    QTest::addColumn<double>("efficiency");
    QTest::addColumn<QString>("binds");
    QTest::newRow("nothing") << 0.1 << 0.002 << 0.0 << false << 0.1 / 0.102 << "computing";
    QTest::newRow("network") << 0.1 << 0.1 << 0.0 << false << 0.5 << "communication, 50% of a step";
    QTest::newRow("disk") << 0.1 << 0.01 << 0.09 << false << 0.5 << "data, 45% of a step more than alone";
    QTest::newRow("memory") << 0.19 << 0.01 << 0.0 << false << 0.5
                            << "computing: the workers share cores, caches or memory, 45% of a step";
    // Half of the samples for each: half of the time would be ideal.
    QTest::newRow("half a batch, nothing") << 0.05 << 0.001 << 0.0 << true << 0.05 / 0.051 << "computing";
    QTest::newRow("half a batch, network") << 0.05 << 0.05 << 0.0 << true << 0.5 << "communication, 50% of a step";
    QTest::newRow("half a batch, memory")
        << 0.1 << 0.0 << 0.0 << true << 0.5 << "computing: the workers share cores, caches or memory, 50% of a step";
}

void RunBooksTest::saysWhatBindsMoreWorkers() {
    QFETCH(double, computing);
    QFETCH(double, communication);
    QFETCH(double, loading);
    QFETCH(bool, globalBatch);
    QFETCH(double, efficiency);
    QFETCH(QString, binds);
    run::BriefTimes alone, two;
    alone.workers = 1;
    alone.stepSeconds = 0.1;
    alone.samplesPerSecond = 64 / 0.1;
    alone.parts = {{"compute", 0.1}, {"comm", 0.0}, {"data", 0.0}};
    two.workers = 2;
    two.stepSeconds = computing + communication + loading;
    two.samplesPerSecond = (globalBatch ? 64 : 128) / two.stepSeconds;
    two.parts = {{"compute", computing}, {"comm", communication}, {"data", loading}};
    const auto card = run::scalingCard({alone, two}, globalBatch);
    QCOMPARE(card.size(), std::size_t{2});
    QCOMPARE(card[0].speedUp, 1.0);
    QCOMPARE(card[0].efficiency, 1.0);
    QCOMPARE(card[0].binds, std::string("computing"));
    QCOMPARE(card[1].efficiency, efficiency);
    QCOMPARE(card[1].speedUp, 2 * efficiency);
    QCOMPARE(QString::fromStdString(card[1].binds), binds);
}

void RunBooksTest::namesTheRankThatOthersWaitFor() {
    const auto straggler = [](const std::vector<std::pair<double, std::string>>& ranks) { // share of waiting, host
        run::BriefTimes times;
        times.workers = static_cast<int>(ranks.size());
        for (const auto& [waits, host] : ranks) {
            wire::WorkerState state;
            state.rank = static_cast<int>(times.ranks.size());
            state.host = host;
            state.beat.commShare = waits;
            times.ranks.push_back(state);
        }
        return run::scalingCard({times}, false)[0].straggler;
    };
    QCOMPARE(straggler({{0.4, ""}, {0.38, ""}, {0.33, ""}}), std::string()); // alike
    QCOMPARE(straggler({{0.4, ""}, {0.05, ""}, {0.38, ""}}), std::string("rank 1"));
    QCOMPARE(straggler({{0.02, "box"}, {0.5, "other"}}), std::string("rank 0 (box)"));
    QCOMPARE(straggler({{0.9, ""}}), std::string()); // no other rank waits for it
    QCOMPARE(straggler({}), std::string());
}

void RunBooksTest::prunesAllButTheBestAndTheNewest() {
    run::CheckpointBook book({});
    for (std::int64_t step = 1; step <= 6; ++step)
        book.add(
            {.path = {}, .step = step, .epoch = 0, .bytes = 1, .metrics = {{"val/accuracy", step == 2 ? 0.9 : 0.5}}},
            "step-" + std::to_string(step), 0);
    const auto files = book.prune();
    QCOMPARE(files, (std::vector<std::filesystem::path>{"step-1", "step-3", "step-4"}));
    QCOMPARE(book.rows().size(), std::size_t{3});
    book.add({.path = {}, .step = 5, .epoch = 0, .bytes = 1, .metrics = {}}, "step-5", 0); // a restart saves it again
    QCOMPARE(book.rows().back().step, 5);
    QCOMPARE(book.rows().size(), std::size_t{2});
}

void RunBooksTest::saysHowAProcessEnded() {
    QCOMPARE((run::ExitStatus{true, 9}.text()), std::string("was killed by SIGKILL"));
    QCOMPARE((run::ExitStatus{false, 3}.text()), std::string("exited with 3"));
}

void RunBooksTest::drawsNoNonsense() {
    std::map<std::string, std::vector<wire::Point>> series;
    series["train/loss"] = {{1, 0.1, 0, NAN}, {2, 0.2, 0, INFINITY}, {3, 0.3, 0, 2.0}};
    series["val/accuracy"] = {{3, 0.3, 0, NAN}};
    const auto svg = QString::fromStdString(run::curvesSvg("<a & \"b\">", series));
    QVERIFY(svg.contains("&lt;a &amp; &quot;b&quot;&gt;"));
    QVERIFY(svg.contains(">loss<") && !svg.contains(">accuracy<"));
    QVERIFY(!svg.contains("nan") && !svg.contains("inf"));
    QVERIFY(QString::fromStdString(run::curvesSvg("nothing", {})).contains("</svg>"));
}

void RunBooksTest::refusesASocketFolderThatOthersMayEnter() {
    QTemporaryDir folder;
    qputenv("XDG_RUNTIME_DIR", folder.path().toUtf8());
    const auto made = run::socketFolder();
    QVERIFY(made.ok());
    struct stat info{};
    QCOMPARE(::stat(made->c_str(), &info), 0);
    QCOMPARE(info.st_mode & 0777, mode_t{0700});
    ::chmod(made->c_str(), 0755);
    const auto refused = run::socketFolder();
    QVERIFY(!refused && refused.error().kind == ErrorKind::Environment);
}

void RunBooksTest::writesTheNewestEvaluationOnce() {
    QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("evaluation.json").toStdString();
    const auto text = [&] { return readFile(path).valueOr(""); };
    run::EvaluationFile file(path);
    QVERIFY(std::isinf(file.due()));
    file.validated({10, 1, R"({"loss": 0.5})"});
    const double due = file.due();
    QVERIFY(due > monotonicSeconds() && due < monotonicSeconds() + 1);
    file.validated({20, 2, R"({"loss": 0.25})"});
    QCOMPARE(file.due(), due); // a newer one does not put it off
    QVERIFY(file.write().ok());
    QCOMPARE(text(), std::string("{\"loss\": 0.25,\"step\":20,\"epoch\":2.0,\"version\":2}\n"));
    QVERIFY(std::isinf(file.due()));
    std::filesystem::remove(path);
    QVERIFY(file.write().ok()); // nothing has come since
    QCOMPARE(text(), std::string());

    // What is tested goes into what is there, by whichever supervisor it was written.
    std::ofstream(path) << R"({"loss": 0.125})";
    file.tested({"best", 20, 2, R"({"loss": 1})"});
    file.tested({"last", 30, 3, "no metrics"});
    QVERIFY(file.write().ok());
    QCOMPARE(text(), std::string("{\"loss\":0.125,\"test\":{\"best\":{\"loss\":1,\"step\":20,\"epoch\":2.0}},"
                                 "\"version\":2}\n"));
    std::ofstream(path) << "{ damaged";
    file.tested({"best", 20, 2, R"({"loss": 1})"});
    QVERIFY(file.write().ok());
    QVERIFY(text().starts_with("{\"test\":{"));
    std::filesystem::remove(path);
    for (const auto& [given, written] : std::map<std::string, std::string>{
             {" {\"loss\": 1} \n", "{\"loss\": 1,\"step\":20,\"epoch\":2.0,\"version\":2}\n"},
             {"{ }", "{ \"step\":20,\"epoch\":2.0,\"version\":2}\n"},
             {"{\"loss\": 1", ""},
             {"[1]", ""},
             {"", ""}}) {
        file.validated({20, 2, given});
        QVERIFY(file.write().ok());
        QCOMPARE(text(), written);
        std::filesystem::remove(path);
    }
    run::EvaluationFile nowhere(path / "below" / "evaluation.json");
    nowhere.validated({10, 1, R"({"loss": 0.5})"});
    QVERIFY(!nowhere.write().ok());
    QVERIFY(std::isinf(nowhere.due())); // given up
}

void RunBooksTest::aRunsFolderIsNew() {
    QTemporaryDir dir;
    const run::RunFolder folder{dir.filePath("runs/one").toStdString()};
    QVERIFY(run::makeRunFolder(folder));
    QVERIFY(std::filesystem::is_directory(folder.checkpoints()) && std::filesystem::is_directory(folder.logs()));
    std::ofstream(folder.runFile()) << "of the first";
    const auto again = run::makeRunFolder(folder);
    QVERIFY(!again);
    QCOMPARE(again.error().kind, ErrorKind::Environment);
    QCOMPARE(again.error().where, folder.root.string());
    QVERIFY(std::filesystem::exists(folder.runFile()));
}

// Feature: all runs of a workspace, its sweeps and its jobs of Slurm take one choice of kernels, whichever host their
// first rank is on, and show it. Also in ssh_outage_test.
void RunBooksTest::theFirstChoiceOfKernelsIsKept() {
    QTemporaryDir dir;
    const store::Workspace workspace{dir.path().toStdString()};
    const auto keep = [&](const char* key, const char* choice) {
        return QString::fromStdString(run::keepKernelChoice(workspace, key, choice)->value_or("none"));
    };
    QCOMPARE(keep("mlp-1", ""), QStringLiteral("none"));
    QCOMPARE(keep("mlp-1", "direct \"loops\""), QStringLiteral("direct \"loops\""));
    QCOMPARE(keep("mlp-1", "oneDNN"), QStringLiteral("direct \"loops\"")); // of a run that was later
    QCOMPARE(keep("mlp-1", ""), QStringLiteral("direct \"loops\""));
    QCOMPARE(keep("mlp-12", ""), QStringLiteral("none"));
    QCOMPARE(keep("mlp-12", "oneDNN"), QStringLiteral("oneDNN"));
}

void RunBooksTest::aLineThatIsCutShortIsPassedOver() {
    QTemporaryDir dir;
    const store::Workspace workspace{dir.path().toStdString()};
    QVERIFY(run::keepKernelChoice(workspace, "a", "1"));
    std::ofstream(run::kernelChoicesFile(workspace), std::ios::app) << R"({"key":"b","choi)";
    QVERIFY(!*run::keepKernelChoice(workspace, "b", ""));
    QCOMPARE(**run::keepKernelChoice(workspace, "b", "2"), std::string("2"));
    QCOMPARE(**run::keepKernelChoice(workspace, "b", ""), std::string("2"));
    QCOMPARE(**run::keepKernelChoice(workspace, "a", "3"), std::string("1"));
}

void RunBooksTest::jobsShareTheChoicesOfTheirWorkspace_data() {
    QTest::addColumn<QString>("job");
    QTest::addColumn<QString>("script");
    QTest::addColumn<bool>("shares");
    QTest::newRow("of a run") << "slurm/abc" << "slurm/abc/job.sh" << true;
    QTest::newRow("of a trial") << "slurm/abc/tasks/7" << "slurm/abc/job.sh" << true;
    QTest::newRow("a folder of that name that is no job's") << "slurm/abc" << "" << false;
}

void RunBooksTest::jobsShareTheChoicesOfTheirWorkspace() {
    QFETCH(QString, job);
    QFETCH(QString, script);
    QFETCH(bool, shares);
    QTemporaryDir dir;
    QVERIFY(QDir(dir.path()).mkpath(job));
    if (!script.isEmpty()) std::ofstream(dir.filePath(script).toStdString()) << "#!/bin/sh\n";
    const store::Workspace whole{dir.path().toStdString()}, own{dir.filePath(job).toStdString()};
    QVERIFY(run::keepKernelChoice(whole, "a", "1"));
    QCOMPARE(run::keepKernelChoice(own, "a", "")->has_value(), shares);
}

QTEST_GUILESS_MAIN(RunBooksTest)
#include "run_books_test.moc"
