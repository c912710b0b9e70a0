// SPDX-License-Identifier: GPL-3.0-or-later
// Workspaces of earlier versions, as those versions have written them (frozen/), still read whole.
#include "engine/store/database.h"
#include "engine/store/run_query.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace trainyard;
using namespace trainyard::store;

namespace {

// Makes the database of a frozen dump; empty, or what went wrong.
std::string thaw(const char* dump, const Workspace& workspace) {
    QFile file(QStringLiteral(TRAINYARD_SOURCE_DIR "/tests/unit/store/frozen/") + QLatin1String(dump));
    if (!file.open(QIODevice::ReadOnly)) return "cannot read the dump";
    sqlite3* db = nullptr;
    sqlite3_open(workspace.database().c_str(), &db);
    char* problem = nullptr;
    sqlite3_exec(db, file.readAll().constData(), nullptr, nullptr, &problem);
    const std::string text = problem ? problem : "";
    sqlite3_free(problem);
    sqlite3_close(db);
    return text;
}

int versionOf(const Workspace& workspace) {
    sqlite3* db = nullptr;
    sqlite3_open_v2(workspace.database().c_str(), &db, SQLITE_OPEN_READONLY, nullptr);
    const auto version = schemaVersion(db);
    sqlite3_close(db);
    return version.ok() ? *version : -1;
}

} // namespace

class StoreMigrationTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsVersionOneWhole_data() {
        QTest::addColumn<bool>("byReader"); // a reader asks the writer to bring the file up to date
        QTest::newRow("opened to write") << false;
        QTest::newRow("opened to read") << true;
    }
    void readsVersionOneWhole() {
        QFETCH(bool, byReader);
        QTemporaryDir dir;
        const Workspace workspace{dir.path().toStdString()};
        const auto thawed = thaw("store_v1.sql", workspace);
        QVERIFY2(thawed.empty(), thawed.c_str());
        QCOMPARE(versionOf(workspace), 1);
        if (!byReader) {
            const auto store = Store::open(workspace);
            QVERIFY2(store.ok(), store.ok() ? "" : store.error().text().c_str());
        }
        const auto reader = RunQuery::open(workspace);
        QVERIFY2(reader.ok(), reader.ok() ? "" : reader.error().text().c_str());
        QCOMPARE(versionOf(workspace), kSchemaVersion);
        const auto rows = (*reader)->runs();
        QVERIFY(rows.ok());
        QCOMPARE(rows->size(), std::size_t{2});
        const auto& old = rows->back();
        QCOMPARE(old.name, std::string("frozen"));
        QCOMPARE(old.status, wire::RunStatus::Finished);
        QCOMPARE(old.step, 12);
        QVERIFY(old.forkedFrom.empty());
        QCOMPARE(old.forkedStep, -1);
        QCOMPARE((*reader)->points(old.id, "train/loss")->size(), std::size_t{12});
        QCOMPARE((*reader)->points(old.id, "val/accuracy")->size(), std::size_t{3});
        QVERIFY(!(*reader)->checkpoints(old.id)->empty());
        QCOMPARE((*reader)->workers(old.id)->size(), std::size_t{2});
        QVERIFY(!(*reader)->log(old.id)->empty());
        const auto changes = (*reader)->changesAfter(-1); // none of them is numbered, and all are told
        QVERIFY(changes.ok());
        QCOMPARE(changes->runs.size(), std::size_t{2});
        QVERIFY((*reader)->changesAfter(changes->last)->runs.empty());
        QVERIFY((*Store::open(workspace))->rename(old.id, "thawed").ok());
        QCOMPARE((*reader)->changesAfter(changes->last)->runs.front().name, std::string("thawed"));
    }

    // Version 2 had forks and no codes: what failed then has none of its own.
    void readsVersionTwoWhole() {
        QTemporaryDir dir;
        const Workspace workspace{dir.path().toStdString()};
        QCOMPARE(thaw("store_v2.sql", workspace), std::string());
        QCOMPARE(versionOf(workspace), 2);
        const auto store = Store::open(workspace);
        QVERIFY2(store.ok(), store.ok() ? "" : store.error().text().c_str());
        QCOMPARE(versionOf(workspace), kSchemaVersion);
        const auto reader = RunQuery::open(workspace);
        const auto rows = (*reader)->runs();
        QVERIFY(rows.ok());
        QCOMPARE(rows->size(), std::size_t{2});
        auto failed = rows->front();
        QCOMPARE(failed.status, wire::RunStatus::Failed);
        QCOMPARE(failed.forkedFrom, rows->back().id);
        QVERIFY(!failed.error.empty());
        QCOMPARE(failed.errorCode, ErrorCode::General);
        QCOMPARE(rows->back().status, wire::RunStatus::Finished);
        QVERIFY(!(*reader)->points(rows->back().id, "train/loss")->empty());
        failed.errorCode = ErrorCode::LossNotFinite;
        QVERIFY((*store)->updateRun(failed).ok());
        QCOMPARE((*reader)->run(failed.id)->errorCode, ErrorCode::LossNotFinite);
    }

    // Version 4 had sweeps that stopped no trial: they have no events, and take some now.
    void readsVersionFourWhole() {
        QTemporaryDir dir;
        const Workspace workspace{dir.path().toStdString()};
        QCOMPARE(thaw("store_v4.sql", workspace), std::string());
        QCOMPARE(versionOf(workspace), 4);
        const auto store = Store::open(workspace);
        QVERIFY2(store.ok(), store.ok() ? "" : store.error().text().c_str());
        QCOMPARE(versionOf(workspace), kSchemaVersion);
        const auto reader = RunQuery::open(workspace);
        const auto sweep = (*reader)->sweep("frozen-rates");
        QVERIFY(sweep.ok());
        QCOMPARE((*reader)->trials(sweep->id)->size(), std::size_t{2});
        QVERIFY((*reader)->trialEvents(sweep->id)->empty());
        const auto run = (*reader)->trials(sweep->id)->back().id;
        const TrialRecord record{{{0, "slot_free", -1, 0, std::nan(""), "", "", 0},
                                  {1, "started", 1, 0, std::nan(""), R"({"optimizer.lr":0.2})", "[]", 0}},
                                 {{1, TrialDecision::Stopped, "asha", 1, 0.5, 0.4, 3, 3}},
                                 {{run, "stopped early"}}};
        QVERIFY(appendTrialRecord(workspace, sweep->id, record).ok());
        QVERIFY(!appendTrialRecord(workspace, sweep->id, record).ok()); // an event is not written twice
        const auto events = *(*reader)->trialEvents(sweep->id);
        QCOMPARE(events.size(), std::size_t{2});
        QVERIFY(std::isnan(events[0].loss));
        QCOMPARE(events[1].params, std::string(R"({"optimizer.lr":0.2})"));
        const auto decisions = *(*reader)->trialDecisions(sweep->id);
        QCOMPARE(decisions.size(), std::size_t{1});
        QCOMPARE(decisions[0].cut, 0.4);
        QCOMPARE(*(*reader)->notice(run), std::string("stopped early"));
    }

    // Sweeps of version 5 could not be steered: their events have no author; they accept requests after the migration.
    void readsVersionFiveWhole() {
        QTemporaryDir dir;
        const Workspace workspace{dir.path().toStdString()};
        QCOMPARE(thaw("store_v5.sql", workspace), std::string());
        QCOMPARE(versionOf(workspace), 5);
        const auto store = Store::open(workspace);
        QVERIFY2(store.ok(), store.ok() ? "" : store.error().text().c_str());
        QCOMPARE(versionOf(workspace), kSchemaVersion);
        const auto reader = RunQuery::open(workspace);
        const auto sweep = (*reader)->sweep("frozen-asha");
        QVERIFY(sweep.ok());
        const auto events = *(*reader)->trialEvents(sweep->id);
        QVERIFY(events.size() > 6);
        for (const auto& event : events) QVERIFY(event.author.empty() && !event.kind.empty());
        QVERIFY((*reader)->openRequests(sweep->id)->empty());
        const auto number = static_cast<std::int64_t>(events.size());
        const auto request = addSweepRequest(
            workspace, sweep->id, {.trial = 2, .body = R"({"verb":"promote"})", .author = "ann@lab", .wallMs = 7});
        QVERIFY2(request.ok(), request.ok() ? "" : request.error().text().c_str());
        const auto open = *(*reader)->openRequests(sweep->id);
        QCOMPARE(open.size(), std::size_t{1});
        QCOMPARE(open[0].author, std::string("ann@lab"));
        QCOMPARE(*(*reader)->requestAnswer(*request), std::string());
        TrialEventRow row{number, "steered", 2, 0, std::nan(""), R"({"verb":"promote"})", "", 7, "ann@lab"};
        const TrialRecord record{.events = {row}, .decisions = {}, .notices = {}, .answers = {{*request, "{}"}}};
        QVERIFY(appendTrialRecord(workspace, sweep->id, record).ok());
        QVERIFY((*reader)->openRequests(sweep->id)->empty());
        QCOMPARE(*(*reader)->requestAnswer(*request), std::string("{}"));
        QCOMPARE((*reader)->trialEvents(sweep->id)->back().author, std::string("ann@lab"));
    }

    // Version 6 had runs whose charts marked nothing: they have no events, and take some now.
    void readsVersionSixWhole() {
        QTemporaryDir dir;
        const Workspace workspace{dir.path().toStdString()};
        QCOMPARE(thaw("store_v6.sql", workspace), std::string());
        QCOMPARE(versionOf(workspace), 6);
        const auto store = Store::open(workspace);
        QVERIFY2(store.ok(), store.ok() ? "" : store.error().text().c_str());
        QCOMPARE(versionOf(workspace), kSchemaVersion);
        const auto reader = RunQuery::open(workspace);
        const auto run = (*reader)->run("frozen-v6");
        QVERIFY(run.ok());
        QVERIFY(!(*reader)->points(run->id, "train/loss")->empty());
        QVERIFY((*reader)->events(run->id)->empty());
        RunEventRow rate{.kind = RunEventKind::LearningRate, .step = 8, .seconds = 0.5, .after = 0.05, .wallMs = 7};
        RunEventRow lost{.kind = RunEventKind::Replaced, .step = 10, .seconds = 0.6, .rank = 1, .reason = "was killed"};
        QVERIFY((*store)->appendEvents(run->id, {rate, lost}).ok());
        const auto events = *(*reader)->events(run->id);
        QCOMPARE(events.size(), std::size_t{2});
        QVERIFY(events[0].id < events[1].id);
        QCOMPARE(events[0].kind, RunEventKind::LearningRate);
        QVERIFY(std::isnan(events[0].before));
        QCOMPARE(events[0].after, 0.05);
        QCOMPARE(events[0].wallMs, 7);
        QCOMPARE(events[1].rank, 1);
        QCOMPARE(events[1].reason, std::string("was killed"));
        QVERIFY((*store)->truncateAfter(run->id, 8).ok()); // with the points that they belong to
        QCOMPARE((*reader)->events(run->id)->size(), std::size_t{1});
        QVERIFY((*store)->setArchived(run->id, true).ok() && (*store)->deleteArchived(run->id).ok());
        QVERIFY((*reader)->events(run->id)->empty());
    }

    // Version 6 had no queue either: it is empty now, has one slot, and takes entries.
    void anUpgradedDatabaseHasAQueue() {
        QTemporaryDir dir;
        const Workspace workspace{dir.path().toStdString()};
        QCOMPARE(thaw("store_v6.sql", workspace), std::string());
        QVERIFY(Store::open(workspace).ok());
        const auto reader = RunQuery::open(workspace);
        QVERIFY((*reader)->queue()->rows.empty());
        QCOMPARE((*reader)->queue()->settings, (QueueSettings{.slots = 1, .paused = false}));
        const auto before = *(*reader)->changesAfter(-1);
        const auto added = addQueued(workspace, {.name = "next", .specJson = "{}", .forkedFrom = "forked"});
        QVERIFY2(added.ok(), added.ok() ? "" : added.error().text().c_str());
        QCOMPARE(added->id, 1);
        QVERIFY(setQueueSettings(workspace, {.slots = 3, .paused = true}).ok());
        const auto after = *(*reader)->changesAfter(before.last);
        QVERIFY(after.queue && after.runs.empty());
        QVERIFY(!(*reader)->changesAfter(after.last)->queue);
        const auto queue = *(*reader)->queue();
        QCOMPARE(queue.settings, (QueueSettings{.slots = 3, .paused = true}));
        QCOMPARE(queue.rows.size(), std::size_t{1});
        QCOMPARE(queue.rows[0].name, std::string("next"));
        QCOMPARE(queue.rows[0].forkedFrom, "forked");
        QCOMPARE(queue.rows[0].state, QueueState::Waiting);
    }

    // In version 8 nothing could be pinned: its checkpoints are all listed, and can be pinned and deleted now.
    void readsVersionEightWhole() {
        QTemporaryDir dir;
        const Workspace workspace{dir.path().toStdString()};
        QCOMPARE(thaw("store_v8.sql", workspace), std::string());
        QCOMPARE(versionOf(workspace), 8);
        const auto store = Store::open(workspace);
        QVERIFY2(store.ok(), store.ok() ? "" : store.error().text().c_str());
        QCOMPARE(versionOf(workspace), kSchemaVersion);
        const auto reader = RunQuery::open(workspace);
        const auto run = (*reader)->run("frozen-v8");
        QVERIFY(run.ok());
        const auto rows = *(*reader)->checkpoints(run->id);
        QCOMPARE(rows.size(), std::size_t{3});
        QCOMPARE(rows[0].step, 38);
        QVERIFY(!rows[0].pinned && !rows[0].superseded && !rows[0].best);
        QVERIFY(rows[2].best && rows[2].last);
        QCOMPARE((*reader)->checkpointsByRun()->at(run->id).size(), std::size_t{3});
        QVERIFY((*reader)->runsWithHalfDeleted()->empty());
        QVERIFY(*(*store)->setPinned(rows[0].id, true));
        QCOMPARE(*(*store)->beginDeleting({rows[0].id, rows[1].id}), std::vector{rows[1].id});
        QCOMPARE((*reader)->checkpoints(run->id)->size(), std::size_t{2});
        QCOMPARE((*reader)->halfDeleted(run->id)->size(), std::size_t{1});
        QVERIFY((*store)->finishDeleting({rows[0].id, rows[1].id}).ok()); // only what was marked
        QCOMPARE((*reader)->checkpoints(run->id)->front().step, 38);
        QVERIFY((*reader)->checkpoints(run->id)->front().pinned);
    }

    void anUpgradedDatabaseTakesNewRows() {
        QTemporaryDir dir;
        const Workspace workspace{dir.path().toStdString()};
        QCOMPARE(thaw("store_v1.sql", workspace), std::string());
        const auto store = Store::open(workspace);
        QVERIFY(store.ok());
        RunRow fork;
        fork.id = "20260101-000000-000001";
        fork.name = "fork";
        fork.status = wire::RunStatus::Queued;
        fork.specJson = "{}";
        fork.forkedFrom = "20261120-142631-f825b5";
        fork.forkedStep = 8;
        QVERIFY((*store)->createRun(fork).ok());
        fork.step = 9;
        QVERIFY((*store)->updateRun(fork).ok());
        const auto back = (*RunQuery::open(workspace))->run(fork.id);
        QVERIFY(back.ok());
        QCOMPARE(back->forkedFrom, fork.forkedFrom);
        QCOMPARE(back->forkedStep, 8);
        QCOMPARE(back->step, 9);
    }
};

QTEST_GUILESS_MAIN(StoreMigrationTest)
#include "store_migration_test.moc"
