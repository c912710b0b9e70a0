// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints over all runs of a workspace: listed, pinned, pruned.
#include "engine/base/files/atomic_file.h"
#include "engine/run/actions/prune_checkpoints.h"
#include "engine/run/record/run_recorder.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace trainyard;
using namespace trainyard::run;
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kBytes = 1000;

// A workspace whose runs have a checkpoint file for each score; steps 10, 20, ...
struct Runs {
    QTemporaryDir folder;
    store::Workspace workspace{folder.path().toStdString()};
    std::unique_ptr<store::Store> writer = std::move(*store::Store::open(workspace));

    std::string path(const std::string& run, std::int64_t step) const {
        return (workspace.runFolder(run) / "checkpoints" / ("step-" + std::to_string(step) + ".safetensors")).string();
    }
    void add(const std::string& id, const std::vector<double>& scores,
             wire::RunStatus status = wire::RunStatus::Finished, const std::string& spec = "{}",
             const std::string& series = "val/accuracy") const {
        store::RunRow row;
        row.id = id;
        row.name = "mlp-" + id;
        row.specJson = spec;
        row.status = status;
        row.folder = workspace.runFolder(id).string();
        fs::create_directories(fs::path(row.folder) / "checkpoints");
        std::vector<store::CheckpointRow> rows;
        for (const double score : scores) {
            store::CheckpointRow checkpoint;
            checkpoint.step = 10 * (std::ssize(rows) + 1);
            checkpoint.path = path(id, checkpoint.step);
            checkpoint.bytes = kBytes;
            checkpoint.metrics[series] = score;
            checkpoint.last = rows.size() + 1 == scores.size();
            if (!writeFileAtomic(checkpoint.path, std::string(kBytes, 'x')).ok()) qFatal("no file");
            rows.push_back(checkpoint);
        }
        if (!writer->createRun(row).ok() || !writer->setCheckpoints(id, rows).ok()) qFatal("no run");
    }
    std::unique_ptr<store::RunQuery> query() const { return std::move(*store::RunQuery::open(workspace)); }
    std::vector<store::CheckpointRow> rows(const std::string& run) const { return *query()->checkpoints(run); }
    std::int64_t idOf(const std::string& run, std::int64_t step) const {
        for (const auto& row : rows(run))
            if (row.step == step) return row.id;
        return -1;
    }
    PrunePlan plan(const PruneRule& rule, const char* filter = "") const {
        const auto reader = query();
        return *planPrune(*reader, *listCheckpoints(*reader, false, filter), rule);
    }
    // The steps that are listed, and those whose files are there.
    QString steps(const std::string& run) const {
        QStringList listed, there;
        for (const auto& row : rows(run)) listed << QString::number(row.step);
        for (std::int64_t step = 10; step <= 100; step += 10)
            if (fs::exists(path(run, step))) there << QString::number(step);
        return listed == there ? listed.join(' ') : listed.join(' ') + " but files " + there.join(' ');
    }
};

const PruneRule kBestAndLast{};

} // namespace

class PruneCheckpointsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void listsOverRuns() {
        const Runs place;
        place.add("a", {0.1, 0.2});
        place.add("b", {0.3}, wire::RunStatus::Failed);
        place.add("none", {});
        const auto reader = place.query();
        const auto all = listCheckpoints(*reader, false);
        QVERIFY2(all.ok(), all.ok() ? "" : all.error().text().c_str());
        QCOMPARE(all->size(), std::size_t{2});
        const auto failed = listCheckpoints(*reader, false, "status:failed");
        QCOMPARE(failed->size(), std::size_t{1});
        QCOMPARE((*failed)[0].run.id, std::string("b"));
        QCOMPARE(scoreOf((*failed)[0].rows[0], (*failed)[0].score), 0.3);
        // A program whose run file names no score: the one that is likely.
        place.add("c", {0.25}, wire::RunStatus::Stopped, R"({"program": {"script": "train.py"}})", "val_loss");
        const auto programs = listCheckpoints(*reader, false, "status:stopped");
        QCOMPARE(programs->size(), std::size_t{1});
        QCOMPARE(scoreOf((*programs)[0].rows[0], (*programs)[0].score), 0.25);
        QCOMPARE((*programs)[0].score.better, spec::Better::Smaller);
        const auto wrong = listCheckpoints(*reader, false, "lr<");
        QVERIFY(!wrong.ok() && wrong.error().kind == ErrorKind::Input);
    }

    void freesWhatThePlanSays() {
        const Runs place;
        place.add("a", {0.1, 0.9, 0.3, 0.2});
        place.add("b", {0.1, 0.2, 0.3}, wire::RunStatus::Stopped);
        fs::create_hard_link(place.path("a", 30), place.workspace.root / "fork");
        const auto plan = place.plan(kBestAndLast);
        QCOMPARE(plan.deletes, 2);
        QCOMPARE(plan.freedBytes, kBytes);
        QCOMPARE(plan.sharedBytes, kBytes);
        const auto done = pruneCheckpoints(place.workspace, plan);
        QVERIFY2(done.ok(), done.ok() ? "" : done.error().text().c_str());
        QCOMPARE(done->deleted, 2);
        QCOMPARE(done->freedBytes, kBytes);
        QCOMPARE(done->sharedBytes, kBytes);
        QVERIFY(done->left.empty());
        QCOMPARE(place.steps("a"), QString("20 40"));
        QCOMPARE(place.steps("b"), QString("10 20 30"));
        QVERIFY(fs::exists(place.workspace.root / "fork"));
        QCOMPARE(pruneCheckpoints(place.workspace, place.plan(kBestAndLast))->deleted, 0);
    }

    void aPinIsTakenBack() {
        const Runs place;
        place.add("a", {0.1, 0.2, 0.3});
        const auto back = pinCheckpoints(place.workspace, {{place.idOf("a", 10)}, {place.idOf("a", 30)}});
        QVERIFY2(back.ok(), back.ok() ? "" : back.error().text().c_str());
        QVERIFY(place.rows("a")[0].pinned);
        QVERIFY(pinCheckpoints(place.workspace, {{place.idOf("a", 10)}})->empty()); // it was already
        QVERIFY(pinCheckpoints(place.workspace, *back).ok());
        for (const auto& row : place.rows("a")) QVERIFY(!row.pinned);
        // All or none.
        const auto wrong = pinCheckpoints(place.workspace, {{place.idOf("a", 10)}, {12345}});
        QVERIFY(!wrong.ok() && wrong.error().kind == ErrorKind::Input);
        QVERIFY(!place.rows("a")[0].pinned);
    }

    void whatIsPinnedStays() {
        const Runs place;
        place.add("a", {0.1, 0.2, 0.3});
        const auto plan = place.plan({{.best = 0, .last = 0}});
        QCOMPARE(plan.deletes, 3);
        QVERIFY(pinCheckpoints(place.workspace, {{place.idOf("a", 10)}}).ok()); // after the plan was shown
        const auto done = pruneCheckpoints(place.workspace, plan);
        QCOMPARE(done->deleted, 2);
        QCOMPARE(done->left.size(), std::size_t{1});
        QCOMPARE(place.steps("a"), QString("10"));
        // Neither by the list of a supervisor that does not know of the pin, nor by a sweep's rule.
        QCOMPARE(place.writer->setCheckpoints("a", {})->front(), place.path("a", 10));
        store::KeptStore kept(place.workspace, {});
        QVERIFY(dropCheckpoints(kept, {{"a", place.workspace.runFolder("a")}})->empty());
        QCOMPARE(place.steps("a"), QString("10"));
        QVERIFY(pinCheckpoints(place.workspace, {{place.idOf("a", 10), false}}).ok());
        QVERIFY(dropCheckpoints(kept, {{"a", place.workspace.runFolder("a")}})->empty());
        QCOMPARE(place.steps("a"), QString());
    }

    // Each by its own state: what holds for one run does not touch the others.
    void manyRunsAreDroppedTogether() {
        const Runs place;
        for (const char* run : {"free", "pinned", "held", "half"}) place.add(run, {0.1, 0.2});
        QVERIFY(pinCheckpoints(place.workspace, {{place.idOf("pinned", 10)}}).ok());
        QVERIFY(place.writer->beginDeleting({place.idOf("half", 10)}).ok());
        const auto lock = store::RunLock::acquire(place.workspace.runFolder("held"));
        store::KeptStore kept(place.workspace, {});
        std::vector<RunPlace> runs;
        for (const char* run : {"free", "pinned", "held", "half"})
            runs.push_back({run, place.workspace.runFolder(run)});
        QCOMPARE(*dropCheckpoints(kept, runs), std::set<std::string>{"held"});
        QCOMPARE(place.steps("free"), QString());
        QCOMPARE(place.steps("pinned"), QString("10 20"));
        QCOMPARE(place.steps("held"), QString("10 20"));
        QCOMPARE(place.steps("half"), QString());
    }

    // Between the supervisor's decision and its commit.
    void aPinThatComesDuringASaveStays() {
        const Runs place;
        place.add("a", {0.1, 0.2, 0.3});
        auto rows = place.rows("a");
        RunRecorder recorder(RunRecorder::storeFor(place.workspace, 0), "a");
        recorder.checkpoints({rows[2]}, {rows[0].path, rows[1].path});
        QVERIFY(pinCheckpoints(place.workspace, {{rows[0].id}}).ok());
        QVERIFY(recorder.flush().ok());
        QCOMPARE(place.steps("a"), QString("10 30"));
        QVERIFY(place.rows("a")[0].pinned);
    }

    void aRunThatTrainsAgainIsLeftAlone() {
        const Runs place;
        place.add("a", {0.1, 0.9, 0.3, 0.2});
        place.add("b", {0.1, 0.9, 0.3, 0.2});
        const auto plan = place.plan(kBestAndLast);
        const auto lock = store::RunLock::acquire(place.workspace.runFolder("a"));
        QVERIFY(lock.ok());
        const auto done = pruneCheckpoints(place.workspace, plan);
        QCOMPARE(done->deleted, 2);
        QCOMPARE(done->left.size(), std::size_t{1});
        QCOMPARE(place.steps("a"), QString("10 20 30 40"));
        QCOMPARE(place.steps("b"), QString("20 40"));
    }

    void filesElsewhereAreLeftAlone() {
        const Runs place;
        place.add("a", {0.1, 0.2, 0.3});
        auto rows = place.rows("a");
        const std::string elsewhere = (place.workspace.root / "mine.safetensors").string();
        fs::rename(rows[0].path, elsewhere);
        rows[0].path = elsewhere;
        QVERIFY(place.writer->setCheckpoints("a", rows).ok());
        const auto plan = place.plan({{.best = 0, .last = 0}});
        QCOMPARE(plan.deletes, 2);
        QCOMPARE(pruneCheckpoints(place.workspace, plan)->deleted, 2);
        QVERIFY(fs::exists(elsewhere));
        fs::rename(place.workspace.runFolder("a"), place.workspace.root / "moved");
        QCOMPARE(place.plan({{.best = 0, .last = 0}}).deletes, 0);
    }

    // Feature: checkpoints that a program has saved are the user's: nothing here deletes them.
    void programsCheckpointsAreLeftAlone() {
        const Runs place;
        place.add("a", {});
        const fs::path project = place.workspace.root / "project" / "checkpoints";
        fs::create_directories(project);
        std::vector<store::CheckpointRow> rows(3);
        for (std::size_t at = 0; at < rows.size(); ++at) {
            rows[at].path = (project / ("step-" + std::to_string(at) + ".safetensors")).string();
            rows[at].step = static_cast<std::int64_t>(at);
            QVERIFY(writeFileAtomic(rows[at].path, std::string("weights")).ok());
        }
        auto run = *place.query()->run("a");
        run.specJson = R"({"program": {"script": "train.py"}})";
        QVERIFY(place.writer->updateRun(run).ok() && place.writer->setCheckpoints("a", rows).ok());
        const auto plan = place.plan({{.best = 0, .last = 0}});
        QCOMPARE(plan.deletes, 0);
        for (const auto& each : plan.runs[0].checkpoints) QVERIFY(each.kept != KeptFor::No);
        QCOMPARE(pruneCheckpoints(place.workspace, plan)->deleted, 0);
        store::KeptStore kept(place.workspace, {});
        QVERIFY(dropCheckpoints(kept, {{"a", place.workspace.runFolder("a")}}).ok());
        QCOMPARE(place.rows("a").size(), rows.size());
        for (const auto& row : rows) QVERIFY(fs::exists(row.path));
    }

    void whatADeadProcessBeganIsFinished_data() {
        QTest::addColumn<bool>("fileIsGone");
        QTest::newRow("before the file went") << false;
        QTest::newRow("after the file went") << true;
    }
    void whatADeadProcessBeganIsFinished() {
        QFETCH(bool, fileIsGone);
        const Runs place;
        place.add("a", {0.1, 0.9, 0.3, 0.2});
        const auto id = place.idOf("a", 10);
        QCOMPARE(*place.writer->beginDeleting({id}), std::vector{id});
        if (fileIsGone) fs::remove(place.path("a", 10));
        QCOMPARE(place.rows("a").size(), std::size_t{3}); // not listed, and pinned no more
        QVERIFY(!pinCheckpoints(place.workspace, {{id}}).ok());
        const auto done = pruneCheckpoints(place.workspace, {kBestAndLast, {}});
        QVERIFY2(done.ok(), done.ok() ? "" : done.error().text().c_str());
        QCOMPARE(done->deleted, 1);
        QVERIFY(place.query()->runsWithHalfDeleted()->empty());
        QCOMPARE(place.steps("a"), QString("20 30 40"));
    }

    // What a window asks, so that it need not read the list again and again.
    void changesAreSeen() {
        const Runs place;
        place.add("a", {0.1, 0.2});
        const auto reader = place.query();
        const auto before = *reader->changesAfter(-1);
        QVERIFY(before.checkpoints);
        QVERIFY(place.writer->setNotes(RunId("a"), "one").ok());
        const auto notes = *reader->changesAfter(before.last);
        QVERIFY(!notes.checkpoints && notes.last > before.last);
        QVERIFY(pinCheckpoints(place.workspace, {{place.idOf("a", 10)}}).ok());
        const auto pinned = *reader->changesAfter(notes.last);
        QVERIFY(pinned.checkpoints && pinned.runs.empty());
        QVERIFY(!reader->changesAfter(pinned.last)->checkpoints);
    }
};

QTEST_APPLESS_MAIN(PruneCheckpointsTest)
#include "prune_checkpoints_test.moc"
