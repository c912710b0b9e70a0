// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/clock.h"
#include "engine/store/database.h"
#include "engine/store/run_query.h"
#include "engine/store/series_codec.h"
#include "tests/texts.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <random>

using namespace trainyard;
using namespace trainyard::store;
using trainyard::test::text;

namespace {

// A workspace of its own, with one run in it.
struct Place {
    QTemporaryDir dir;
    Workspace workspace{dir.path().toStdString()};
    std::unique_ptr<Store> store = *Store::open(workspace);
    std::unique_ptr<RunQuery> reader = *RunQuery::open(workspace);

    RunRow add(const std::string& id, wire::RunStatus status = wire::RunStatus::Running) {
        RunRow row;
        row.id = id;
        row.name = "name-" + id;
        row.status = status;
        row.specJson = "{}";
        if (const auto made = store->createRun(row); !made.ok()) qFatal("%s", made.error().text().c_str());
        return row;
    }
};

std::vector<wire::Point> line(std::int64_t from, std::int64_t count) {
    std::vector<wire::Point> points;
    for (std::int64_t i = from; i < from + count; ++i)
        points.push_back(
            {i * 10, static_cast<double>(i) / 93, static_cast<double>(i) * 0.0125, std::sin(static_cast<double>(i))});
    return points;
}

bool same(const std::vector<wire::Point>& a, const std::vector<wire::Point>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const wire::Point& x, const wire::Point& y) {
        return x.step == y.step && x.epoch == y.epoch && std::abs(x.seconds - y.seconds) <= 1e-6 && x.value == y.value;
    });
}

} // namespace

class StoreTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void changesAreToldOnce() {
        Place place;
        RunQuery& reader = *place.reader;
        const auto told = [&reader](std::int64_t after) {
            auto changes = reader.changesAfter(after);
            if (!changes.ok()) qFatal("%s", changes.error().text().c_str());
            return std::move(changes).value();
        };
        RunRow first = place.add("a");
        place.add("b");
        QVERIFY(place.store->setArchived("b", true).ok());
        const Changes all = told(-1);
        QCOMPARE(all.runs.size(), std::size_t{1}); // a first list needs no archived ones
        QVERIFY(all.sweeps && all.sweeps->empty());
        QVERIFY(told(all.last).runs.empty());
        QCOMPARE(told(all.last).last, all.last);

        QVERIFY(place.store->appendPoints("a", {{"loss", 0, line(0, 5)}}).ok()); // no row of the list
        QVERIFY(told(all.last).runs.empty());
        first.step = 5;
        QVERIFY(place.store->updateRun(first).ok());
        QVERIFY(place.store->setTags(RunId("a"), "tag").ok());
        const Changes updated = told(all.last);
        QCOMPARE(updated.runs.size(), std::size_t{1}); // changed twice, told once
        QCOMPARE(updated.runs.front().step, std::int64_t{5});
        QCOMPARE(updated.runs.front().tags, std::string("tag"));
        QVERIFY(!updated.sweeps);

        QVERIFY(place.store->setArchived("a", true).ok());
        QVERIFY(told(updated.last).runs.front().archived); // so that it leaves the list
        Store& store = *place.store;
        const auto failed = store.together([&store]() -> Result<void> {
            TY_TRY(store.rename(RunId("a"), "other"));
            return runError("no");
        });
        QVERIFY(!failed.ok());
        const std::int64_t last = told(updated.last).last;
        QVERIFY(told(last).runs.empty()); // what was taken back is no change
        SweepRow sweep;
        sweep.id = "s";
        sweep.name = "sweep";
        sweep.status = wire::RunStatus::Running;
        sweep.specJson = "{}";
        QVERIFY(place.store->createSweep(sweep).ok());
        QCOMPARE(told(last).sweeps->size(), std::size_t{1});
        QVERIFY(told(last).runs.empty());
        sweep.trials = 3;
        QVERIFY(place.store->updateSweep(sweep).ok());
        QCOMPARE(told(last + 1).sweeps->front().trials, 3);
    }

    // Several writes in one transaction: none of them when one fails, and the next ones are on their own again.
    void writesTogetherAreAllOrNone() {
        Place place;
        RunRow row = place.add("r");
        row.step = 7;
        Store& store = *place.store;
        const auto writes = [&](std::int64_t firstIndex) {
            return store.together([&]() -> Result<void> {
                TY_TRY(store.updateRun(row));
                TY_TRY(store.appendLog("r", {{0, "info", "words", 1}}));
                return store.appendPoints("r", {{"loss", firstIndex, line(firstIndex, 5)}});
            });
        };
        QVERIFY(!writes(3)); // points 0 to 2 were never recorded
        QCOMPARE(place.reader->run("r")->step, std::int64_t{0});
        QVERIFY(place.reader->log("r")->empty());
        QVERIFY(writes(0));
        QCOMPARE(place.reader->run("r")->step, std::int64_t{7});
        QCOMPARE(place.reader->log("r")->size(), std::size_t{1});
        QCOMPARE(place.reader->points(RunId("r"), "loss")->size(), std::size_t{5});
        row.step = 8;
        QVERIFY(store.updateRun(row));
        QCOMPARE(place.reader->run("r")->step, std::int64_t{8});
    }

    void runRowComesBackWhole() {
        Place place;
        RunRow row = place.add("20260101-000000-000001");
        row.status = wire::RunStatus::Failed;
        row.error.message = "loss is NaN";
        row.error.kind = ErrorKind::Run;
        row.error.where = "rank 1";
        row.error.remedy = "lower lr";
        row.error.code = ErrorCode::LossNotFinite;
        row.step = 120;
        row.totalSteps = std::int64_t{1} << 40;
        row.epoch = 0.1;
        row.worldSize = 2;
        row.launchToFirstStep = 0.5;
        row.samplesPerSecond = NAN;
        row.environmentJson = "{\"a\": \"ü\"}";
        QVERIFY(place.store->updateRun(row).ok());
        const RunRow back = *place.reader->run(row.id);
        QCOMPARE(back.error.message, row.error.message);
        QCOMPARE(back.error.remedy, row.error.remedy);
        QCOMPARE(back.error.code, ErrorCode::LossNotFinite);
        QCOMPARE(back.error.text(), std::string("rank 1: loss is NaN (lower lr)"));
        QCOMPARE(back.totalSteps, row.totalSteps);
        QCOMPARE(back.epoch, 0.1);
        QVERIFY(std::isnan(back.samplesPerSecond));
        QCOMPARE(back.environmentJson, row.environmentJson);
        QCOMPARE(back.paramsJson, std::string("{}"));
        QVERIFY(back.createdMs > 0);
        QCOMPARE(back.trial, -1);
    }
    void aStatusOfANewerVersionReadsAsUnknown() {
        Place place;
        place.add("r");
        QVERIFY(place.store->createSweep({.id = "s", .name = "lr", .specJson = "{}", .bestRun = {}}).ok());
        sqlite3* db = *openDatabase(place.workspace.database(), Opening::Write);
        QVERIFY(executeScript(db, "UPDATE runs SET status = 'hibernating'; UPDATE sweeps SET status = ''").ok());
        closeDatabase(db);
        QCOMPARE(place.reader->run("r")->status, wire::RunStatus::Unknown);
        QCOMPARE(place.reader->sweep("s")->status, wire::RunStatus::Unknown);
        QVERIFY(!wire::isActive(wire::RunStatus::Unknown));
        QCOMPARE(*place.store->markInterrupted(place.workspace), std::vector<std::string>{}); // it is not ours to judge
        QCOMPARE(place.reader->run("r")->status, wire::RunStatus::Unknown);
    }
    void updateLeavesTheUsersEdits() {
        Place place;
        RunRow row = place.add("a");
        QVERIFY(place.store->rename(RunId("a"), "mine").ok());
        QVERIFY(place.store->setTags(RunId("a"), "x y").ok());
        row.step = 7;
        QVERIFY(place.store->updateRun(row).ok());
        const RunRow back = *place.reader->run("a");
        QCOMPARE(back.name, std::string("mine"));
        QCOMPARE(back.tags, std::string("x y"));
        QCOMPARE(back.step, 7);
        QVERIFY(place.store->setArchived("a", true).ok());
        QCOMPARE(place.reader->runs()->size(), 0u);
        QCOMPARE(place.reader->runs(true)->size(), 1u);
    }
    void missingAndDoubledRunsAreInputErrors() {
        Place place;
        place.add("a");
        RunRow again;
        again.id = "a";
        QCOMPARE(place.store->createRun(again).error().kind, ErrorKind::Input);
        again.id = "b";
        QCOMPARE(place.store->updateRun(again).error().kind, ErrorKind::Input);
        QCOMPARE(place.store->rename(RunId("b"), "x").error().kind, ErrorKind::Input);
    }
    void namesAndTagsAreJudgedAsInTheRunFile_data() {
        QTest::addColumn<QByteArray>("given");
        QTest::addColumn<QString>("asName"); // what is said of it; nothing: it is taken
        QTest::addColumn<QString>("asTags");
        const QString control = "must not hold control characters", direction = "direction of writing";
        QTest::newRow("plain") << QByteArray("mlp-2") << "" << "";
        QTest::newRow("other scripts, quotes, a command") << QByteArray("量子 run; 'x' $(id)") << "" << "";
        QTest::newRow("empty") << QByteArray() << "must not be blank" << "";
        QTest::newRow("blank") << QByteArray("   ") << "must not be blank" << "";
        QTest::newRow("a path") << QByteArray("../../x") << "must not hold / or \\" << "";
        QTest::newRow("an option") << QByteArray("-oProxyCommand=x") << "must not begin with -" << "";
        QTest::newRow("escape code") << QByteArray("\x1b[2J") << control << control;
        QTest::newRow("newline") << QByteArray("a\nb") << control << control;
        QTest::newRow("right-to-left override") << QByteArray("a\u202eb") << direction << direction;
        QTest::newRow("not UTF-8") << QByteArray("a\xff") << control << control;
        QTest::newRow("100 characters") << QByteArray("ä").repeated(100) << "" << "";
        QTest::newRow("101 characters") << QByteArray("ä").repeated(101) << "must be at most 100 characters" << "";
        QTest::newRow("1001 characters") << QByteArray(1001, 'x') << "must be at most 100 characters"
                                         << "must be at most 1000 characters";
    }
    void namesAndTagsAreJudgedAsInTheRunFile() {
        QFETCH(QByteArray, given);
        QFETCH(QString, asName);
        QFETCH(QString, asTags);
        Place place;
        place.add("a");
        QVERIFY(place.store->setTags(RunId("a"), "before").ok());
        const auto judge = [&](const Result<void>& result, const QString& said, const char* where) {
            QCOMPARE(result.ok(), said.isEmpty());
            if (result) return;
            QCOMPARE(result.error().kind, ErrorKind::Input);
            QVERIFY2(text(result).find(said.toStdString()) != std::string::npos, text(result).c_str());
            QCOMPARE(result.error().where, std::string(where));
            QVERIFY(!result.error().remedy.empty());
            QVERIFY(result.error().text().find('\x1b') == std::string::npos);
        };
        judge(place.store->rename(RunId("a"), given.toStdString()), asName, "name");
        judge(place.store->setTags(RunId("a"), given.toStdString()), asTags, "tags");
        const auto row = *place.reader->run("a");
        QCOMPARE(row.name, asName.isEmpty() ? given.toStdString() : std::string("name-a"));
        QCOMPARE(row.tags, asTags.isEmpty() ? given.toStdString() : std::string("before"));
    }
    void runsAreFoundByIdPrefixAndName() {
        Place place;
        place.add("20260101-aa");
        place.add("20260102-bb");
        RunRow twin = place.add("20260103-cc");
        QVERIFY(place.store->rename(RunId(twin.id), "name-20260102-bb").ok());
        QCOMPARE(place.reader->run("20260101")->id, std::string("20260101-aa"));
        QCOMPARE(place.reader->run("name-20260102-bb")->id, twin.id); // the newest of that name
        QVERIFY(text(place.reader->run("2026")).find("more than one run") != std::string::npos);
        QVERIFY(text(place.reader->run("name-20260101-ab")).find("did you mean \"name-20260101-aa\"") !=
                std::string::npos);
        QVERIFY(!place.reader->run("").ok());
        QCOMPARE(place.reader->runs()->front().id, twin.id);
        QVERIFY(place.store->rename(RunId(twin.id), "2026").ok()); // a name is one though ids begin with it
        QCOMPARE(place.reader->run("2026")->id, twin.id);
        QVERIFY(place.store->rename(RunId(twin.id), "a@b").ok()); // as is one that looks like RUN@CHECKPOINT
        QVERIFY(text(place.reader->checkpoint("a@b")).find("run a@b: has no checkpoint") != std::string::npos);
        QVERIFY(text(place.reader->checkpoint("a@b@best")).find("run a@b: has no checkpoint") != std::string::npos);
    }
    void coloursAreReusedWhenFree() {
        Place place;
        QCOMPARE(place.add("a").colorIndex, 0);
        QCOMPARE(place.add("b").colorIndex, 1);
        QCOMPARE(place.add("c").colorIndex, 2);
        QVERIFY(place.store->setArchived("b", true).ok());
        QCOMPARE(place.add("d").colorIndex, 1);
        QCOMPARE(place.add("e").colorIndex, 3);
    }

    void pointsAppendOverlapAndReadFrom_data() {
        QTest::addColumn<int>("total");
        QTest::addColumn<int>("batch");
        QTest::newRow("one by one") << 40 << 1;
        QTest::newRow("chunk exactly") << 1024 << 512;
        QTest::newRow("odd batches") << 3000 << 77;
        QTest::newRow("larger than a chunk") << 5000 << 2500;
    }
    void pointsAppendOverlapAndReadFrom() {
        QFETCH(int, total);
        QFETCH(int, batch);
        Place place;
        place.add("a");
        for (int at = 0; at < total; at += batch) {
            const int overlap = std::min(at, 5); // each batch repeats the end of the one before
            const int count = std::min(batch, total - at) + overlap;
            QVERIFY(place.store->appendPoints("a", {{"train/loss", at - overlap, line(at - overlap, count)}}).ok());
        }
        QVERIFY(same(*place.reader->points(RunId("a"), "train/loss"), line(0, total)));
        for (const int first : {1, 511, 512, 513, total - 1, total, total + 5}) {
            const int left = std::max(0, total - first);
            if (first >= 0) QVERIFY(same(*place.reader->points(RunId("a"), "train/loss", first), line(first, left)));
        }
        QCOMPARE(place.reader->summaries("a")->front().count, total);
    }
    void gapIsRefusedAndNothingOfTheBatchStays() {
        Place place;
        place.add("a");
        const auto appended = place.store->appendPoints("a", {{"x", 0, line(0, 10)}, {"y", 3, line(3, 1)}});
        QVERIFY(text(appended).find("points 0 to 2 of y were never recorded") != std::string::npos);
        QCOMPARE(place.reader->seriesNames("a")->size(), 0u);
    }
    void summariesFollowThePoints() {
        Place place;
        place.add("a");
        std::vector<wire::Point> points{{1, 0, 0, NAN}, {2, 0, 0, 3}, {3, 0, 0, -1}, {4, 0, 0, INFINITY}, {5, 0, 0, 2}};
        QVERIFY(place.store->appendPoints("a", {{"x", 0, points}, {"only NaN", 0, {{1, 0, 0, NAN}}}}).ok());
        const auto summaries = *place.reader->summaries("a");
        QCOMPARE(summaries.size(), 2u);
        QVERIFY(std::isnan(summaries[0].min) && std::isnan(summaries[0].max) && std::isnan(summaries[0].last));
        QCOMPARE(summaries[1].min, -1.0);
        QCOMPARE(summaries[1].minStep, 3);
        QCOMPARE(summaries[1].max, static_cast<double>(INFINITY));
        QCOMPARE(summaries[1].last, 2.0);
        QCOMPARE(summaries[1].lastStep, 5);
        QVERIFY(std::isnan(place.reader->points(RunId("a"), "x")->front().value));
    }
    void truncationDropsLaterSteps_data() {
        QTest::addColumn<int>("step");
        QTest::addColumn<int>("left");
        QTest::newRow("within the last chunk") << 15000 << 1501;
        QTest::newRow("between two steps") << 10005 << 1001;
        QTest::newRow("at a chunk's edge") << 5110 << 512;
        QTest::newRow("everything") << -1 << 0;
        QTest::newRow("nothing") << 20000 << 2000;
    }
    void truncationDropsLaterSteps() {
        QFETCH(int, step);
        QFETCH(int, left);
        Place place;
        place.add("a");
        QVERIFY(place.store->appendPoints("a", {{"x", 0, line(0, 2000)}, {"y", 0, line(0, 3)}}).ok());
        QVERIFY(place.store->truncateAfter("a", step).ok());
        QVERIFY(same(*place.reader->points(RunId("a"), "x"), line(0, left)));
        const auto summaries = *place.reader->summaries("a");
        if (left > 0) QCOMPARE(summaries.front().lastStep, (left - 1) * 10);
        // The run goes on from there.
        QVERIFY(place.store->appendPoints("a", {{"x", left, line(left, 600)}}).ok());
        QVERIFY(same(*place.reader->points(RunId("a"), "x"), line(0, left + 600)));
    }
    void everythingIsThereAfterReopening() {
        Place place;
        place.add("a");
        QVERIFY(place.store->appendPoints("a", {{"x", 0, line(0, 700)}}).ok());
        place.store.reset();
        place.store = *Store::open(place.workspace);
        QVERIFY(place.store->appendPoints("a", {{"x", 700, line(700, 300)}}).ok());
        QVERIFY(same(*(*RunQuery::open(place.workspace))->points(RunId("a"), "x"), line(0, 1000)));
    }

    void checkpointsKeepTheirIds() {
        Place place;
        place.add("a");
        CheckpointRow one{.path = "1.ckpt", .step = 1, .metrics = {{"val/loss", 0.5}, {"bad", NAN}}, .best = true};
        CheckpointRow two{.path = "2.ckpt", .step = 2, .metrics = {}, .last = true};
        QVERIFY(place.store->setCheckpoints("a", {one, two}).ok());
        const auto first = *place.reader->checkpoints("a");
        QCOMPARE(first.size(), 2u);
        QCOMPARE(first[0].metrics.at("val/loss"), 0.5);
        QVERIFY(std::isnan(first[0].metrics.at("bad")));
        two.best = true;
        CheckpointRow three{.path = "3.ckpt", .step = 3, .metrics = {}};
        QVERIFY(place.store->setCheckpoints("a", {two, three}).ok());
        const auto second = *place.reader->checkpoints("a");
        QCOMPARE(second.size(), 2u);
        QCOMPARE(second[0].id, first[1].id);
        QVERIFY(second[0].best);
        QCOMPARE(second[1].path, std::string("3.ckpt"));
    }
    void workersAndLogComeBack() {
        Place place;
        place.add("a");
        wire::WorkerState worker{1, "host", 42, "cpu", wire::RankStatus::Running, {}};
        worker.beat.step = 9;
        worker.beat.doing = "all-reduce";
        QVERIFY(place.store->setWorkers("a", {worker, {0, "", 41, "cpu", wire::RankStatus::Lost, {}}}).ok());
        QVERIFY(place.store->setWorkers("a", {worker, {0, "", 43, "cpu", wire::RankStatus::Running, {}}}).ok());
        const auto workers = *place.reader->workers("a");
        QCOMPARE(workers.size(), 2u);
        QCOMPARE(workers[0].pid, 43);
        QVERIFY(workers[0].status == wire::RankStatus::Running);
        QCOMPARE(workers[1].beat.doing, std::string("all-reduce"));
        QVERIFY(place.store->appendLog("a", {{0, "info", "one", 1}, {-1, "error", "two", 2}}).ok());
        std::int64_t last = 0;
        QCOMPARE(place.reader->log("a", 0, &last)->size(), 2u);
        QVERIFY(place.store->appendLog("a", {{1, "info", "three", 3}}).ok());
        const auto more = *place.reader->log("a", last);
        QCOMPARE(more.size(), 1u);
        QCOMPARE(more[0].text, std::string("three"));
    }
    void sweepsAndTrialsComeBack() {
        Place place;
        QVERIFY(place.store
                    ->createSweep(
                        {.id = "s1", .name = "lr", .status = wire::RunStatus::Running, .specJson = "{}", .bestRun = {}})
                    .ok());
        for (const int trial : {2, 0, 1}) {
            RunRow row;
            row.id = "t" + std::to_string(trial);
            row.sweep = "s1";
            row.trial = trial;
            row.paramsJson = "{\"optimizer.lr\":0.1}";
            QVERIFY(place.store->createRun(row).ok());
        }
        SweepRow sweep = *place.reader->sweep("lr");
        sweep.bestRun = "t1";
        sweep.status = wire::RunStatus::Finished;
        QVERIFY(place.store->updateSweep(sweep).ok());
        QCOMPARE(place.reader->sweep("s1")->bestRun, std::string("t1"));
        const auto trials = *place.reader->trials("s1");
        QCOMPARE(trials.size(), 3u);
        QCOMPARE(trials[1].id, std::string("t1"));
        QCOMPARE(place.reader->sweeps()->size(), 1u);
    }
    void everyKindOfTextIsBoundAsText() {
        sqlite3* db = nullptr;
        QCOMPARE(sqlite3_open(":memory:", &db), SQLITE_OK);
        {
            const char* pointer = "pointer";
            const std::string text = "text";
            Statement statement(db, "SELECT ?1, ?2, ?3, ?4, typeof(?5)");
            QVERIFY(*statement.with("literal", pointer, text, std::string_view(text).substr(1), true).step());
            QCOMPARE(statement.text(0), std::string("literal"));
            QCOMPARE(statement.text(1), std::string("pointer"));
            QCOMPARE(statement.text(2), std::string("text"));
            QCOMPARE(statement.text(3), std::string("ext"));
            QCOMPARE(statement.text(4), std::string("integer"));
        }
        closeDatabase(db);
    }
    void dataVersionChangesWithEveryCommit() {
        Place place;
        const auto before = *place.reader->dataVersion();
        QCOMPARE(*place.reader->dataVersion(), before);
        place.add("a");
        QVERIFY(*place.reader->dataVersion() != before);
    }
    void workspaceWithoutDatabaseReadsAsEmptyUntilThereIsOne() {
        QTemporaryDir dir;
        const Workspace workspace{dir.path().toStdString()};
        const auto reader = *RunQuery::open(workspace);
        QCOMPARE(reader->runs()->size(), 0u);
        QVERIFY(!reader->run("a").ok());
        QVERIFY(!std::filesystem::exists(workspace.database()));
        const auto store = *Store::open(workspace);
        RunRow row;
        row.id = "a";
        QVERIFY(store->createRun(row).ok());
        QCOMPARE(reader->runs()->size(), 1u);
    }

    void chunksTakeFewBytes() {
        std::mt19937 random(1);
        std::uniform_real_distribution<double> noise(0.9, 1.1);
        std::vector<wire::Point> points;
        double seconds = 0;
        for (std::int64_t i = 0; i < static_cast<std::int64_t>(kChunkPoints); ++i) {
            seconds += 0.0137 * noise(random);
            points.push_back({i * 10, static_cast<double>(i * 10) / 938, seconds, 2.3 * noise(random)});
        }
        const auto bytes = encodeChunk(points);
        const double perPoint = static_cast<double>(bytes.size()) / static_cast<double>(points.size());
        QVERIFY2(perPoint <= 17, std::to_string(perPoint).c_str());
        QVERIFY(same(*decodeChunk(bytes), points));
    }
    void chunksKeepExtremeNumbers() {
        const double huge = 1.7976931348623157e308;
        std::vector<wire::Point> points;
        for (const double v :
             {0.0, -0.0, huge, -huge, 5e-324, static_cast<double>(INFINITY), -static_cast<double>(INFINITY), 0.1})
            for (const std::int64_t step :
                 {std::int64_t{0}, std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()})
                points.push_back({step, v, 0, v});
        QVERIFY(same(*decodeChunk(encodeChunk(points)), points));
        const std::vector<wire::Point> wild{{1, NAN, NAN, NAN}, {2, 1, INFINITY, 1}, {3, 2, -1e300, 2}};
        const auto back = *decodeChunk(encodeChunk(wild));
        QVERIFY(std::isnan(back[0].epoch) && std::isnan(back[0].value) && back[2].epoch == 2);
        QVERIFY(decodeChunk(encodeChunk({}))->empty());
    }
    void damagedChunksAreFound() {
        const auto good = encodeChunk(line(0, 100));
        for (std::size_t i = 0; i < good.size(); ++i) {
            auto bad = good;
            bad[i] ^= std::byte{0x10};
            QVERIFY(!decodeChunk(bad).ok());
            QVERIFY(!decodeChunk(std::span(good).first(i)).ok());
        }
    }
};

QTEST_GUILESS_MAIN(StoreTest)
#include "store_test.moc"
