// SPDX-License-Identifier: GPL-3.0-or-later
// Disks that fail, and other programs in the way, under the workspace's database while a run is recorded.
#include "engine/base/clock.h"
#include "engine/run/start/run_start.h"
#include "engine/spec/sweep/sweep_spec.h"
#include "engine/sweep/control/sweep_control.h"
#include "tests/faults/storage_fault.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QTest>
#include <sqlite3.h>

#include <csignal>
#include <fstream>
#include <utility>

using namespace trainyard;
using test::RunLab;
using test::StorageFault;
namespace fs = std::filesystem;

namespace {

// Steps 1 to 60, recorded while they happen.
constexpr const char* kPlan = "ms=5 perEpoch=20";
constexpr int kSteps = 60;

struct Database {
    explicit Database(const store::Workspace& workspace) {
        sqlite3_open(workspace.database().c_str(), &db);
        sqlite3_busy_timeout(db, 10'000);
    }
    ~Database() { sqlite3_close(db); }
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;
    bool run(const char* sql) { return sqlite3_exec(db, sql, nullptr, nullptr, nullptr) == SQLITE_OK; }
    std::string text(const char* sql) {
        std::string answer;
        const auto take = [](void* to, int, char** values, char**) {
            *static_cast<std::string*>(to) += values[0] ? values[0] : "";
            return 0;
        };
        sqlite3_exec(db, sql, take, &answer, nullptr);
        return answer;
    }
    sqlite3* db = nullptr;
};

} // namespace

class StoreFaultsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (const char* why = StorageFault::cannotBe()) QSKIP(why);
    }
    void init() { m_lab = std::make_unique<RunLab>(); }
    void cleanup() { m_lab.reset(); }

    void keepsPointsUntilTheDiskIsBack_data();
    void keepsPointsUntilTheDiskIsBack();
    void oneFailedCallIsMadeGood();
    void aFailedCallBeforeTheRunIsReadIsMadeGood();
    void aSweepWaitsForItsDiskToo();
    void aKilledSupervisorLeavesAWholeDatabase();
    void waitsForAProgramThatLocksTheDatabase();
    void aLogThatIsNotItsOwnIsIgnoredOrTold_data();
    void aLogThatIsNotItsOwnIsIgnoredOrTold();

private:
    std::string start() { return m_lab->start({.plan = kPlan, .epochs = 3}); }
    std::unique_ptr<RunLab> m_lab;
};

// Fault: The database's disk has no space, or EIO on write or fsync, for a while; short writes. Points stay in memory,
// in order, and are all there once the disk is back; short writes have no visible effect.
void StoreFaultsTest::keepsPointsUntilTheDiskIsBack_data() {
    QTest::addColumn<QString>("fault");
    QTest::addColumn<QString>("calls");
    QTest::addColumn<bool>("blocks");
    QTest::newRow("ENOSPC") << "ENOSPC" << "write truncate" << true;
    QTest::newRow("EIO on write") << "EIO" << "write" << true;
    QTest::newRow("EIO on fsync") << "EIO" << "sync" << true;
    QTest::newRow("short writes") << "short" << "write" << false; // the rest is written
}

void StoreFaultsTest::keepsPointsUntilTheDiskIsBack() {
    QFETCH(QString, fault);
    QFETCH(QString, calls);
    QFETCH(bool, blocks);
    StorageFault injected({.program = "trainyardctl",
                           .path = "trainyard.db",
                           .fault = fault.toStdString(),
                           .calls = calls.toStdString(),
                           .times = 0,
                           .armed = false},
                          m_lab->folder());
    const auto run = m_lab->start({.plan = "ms=10 perEpoch=20", .epochs = 5});
    QVERIFY(m_lab->waitForStep(run, 10));
    injected.arm();
    QVERIFY(m_lab->waitUntil([&] { return injected.wasHit(); }));
    const auto during = m_lab->points(run).size();
    QTest::qWait(500); // some fifty steps, of which nothing can be written
    QVERIFY(!blocks || m_lab->points(run).size() <= during + 25);
    injected.disarm();
    const auto row = m_lab->waitForEnd(run);
    QCOMPARE(row.status, wire::RunStatus::Finished);
    QCOMPARE(m_lab->contiguity(run, 100), std::string());
    QCOMPARE(Database(m_lab->workspace()).text("PRAGMA integrity_check"), std::string("ok"));
}

// N grows faster and faster: a run makes some hundred calls, and what they do repeats.
// Fault: EIO once, on any write, fsync or truncate of the database, growing N. The run ends well with every point.
void StoreFaultsTest::oneFailedCallIsMadeGood() {
    int last = 1;
    for (int nth = 1, next = 2; nth < 100'000; nth = std::exchange(next, nth + next)) {
        last = nth;
        const StorageFault fault({.program = "trainyardctl",
                                  .path = "trainyard.db",
                                  .fault = "EIO",
                                  .calls = "write sync truncate",
                                  .nth = nth},
                                 m_lab->folder());
        const auto run = start();
        const auto row = m_lab->waitForEnd(run);
        QVERIFY2(row.status == wire::RunStatus::Finished,
                 qPrintable(QStringLiteral("call %1: %2").arg(nth).arg(row.error.message.c_str())));
        QCOMPARE(m_lab->contiguity(run, kSteps), std::string());
        if (!fault.wasHit()) break;
    }
    QVERIFY2(last > 5, "no call was met: the shim was not there");
    QCOMPARE(Database(m_lab->workspace()).text("PRAGMA integrity_check"), std::string("ok"));
}

// The test does not read the database meanwhile, so the supervisor has to set up the shared memory (-shm) of readers.
// Fault: EIO three times before the supervisor has read its run. It tries again for 10 s; the run ends well.
void StoreFaultsTest::aFailedCallBeforeTheRunIsReadIsMadeGood() {
    const StorageFault fault(
        {.program = "trainyardctl", .path = "trainyard.db", .fault = "EIO", .calls = "open write truncate", .times = 3},
        m_lab->folder());
    const auto run = start();
    QVERIFY(m_lab->waitUntil([&] { return fault.wasHit(); }));
    QTest::qWait(500);
    QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Finished);
    QCOMPARE(m_lab->contiguity(run, kSteps), std::string());
}

// Three calls in a row fail in the sweep's own supervisor, and in each trial's.
// Fault: EIO three times in a row in the sweep's supervisor and in each trial's, growing N. Both try again (the sweep
// for 30 s); every trial ends well, and failed attempts leave no folder.
void StoreFaultsTest::aSweepWaitsForItsDiskToo() {
    spec::SweepSpec sweep;
    sweep.name = "rates";
    sweep.runJson = spec::toJson(m_lab->spec({.plan = "ms=1 perEpoch=20", .epochs = 2}));
    sweep.space.resize(1);
    sweep.space.front().path = "optimizer.lr";
    sweep.space.front().values = {0.01, 0.1};
    sweep.parallel = 1;
    std::ptrdiff_t runs = 0;
    for (const int nth : {1, 4, 8, 16}) {
        const StorageFault fault({.program = "trainyardctl",
                                  .path = "trainyard.db",
                                  .fault = "EIO",
                                  .calls = "write sync truncate",
                                  .nth = nth,
                                  .times = 3},
                                 m_lab->folder());
        const auto id = sweep::startSweep(m_lab->workspace(), sweep);
        QVERIFY(id.ok());
        store::SweepRow row;
        QVERIFY2(m_lab->waitUntil(
                     [&] { return (row = *m_lab->query().sweep(*id)).status == wire::RunStatus::Finished; }, 30),
                 qPrintable(QStringLiteral("call %1: %2").arg(nth).arg(wire::toString(row.status))));
        QVERIFY(fault.wasHit());
        const auto trials = *m_lab->query().trials(*id);
        QCOMPARE(trials.size(), std::size_t{2});
        for (const auto& trial : trials) {
            QCOMPARE(trial.status, wire::RunStatus::Finished);
            QCOMPARE(m_lab->contiguity(trial.id, 40), std::string());
        }
        // What was begun in vain has left no folder behind.
        const fs::directory_iterator folders(m_lab->workspace().runFolder(trials.front().id).parent_path());
        QCOMPARE(std::distance(begin(folders), end(folders)), runs += 2);
    }
}

// Fault: SIGKILL of the supervisor before any such call, growing N. The database is whole, the points have no gap;
// resuming completes them.
void StoreFaultsTest::aKilledSupervisorLeavesAWholeDatabase() {
    int last = 1;
    for (int nth = 1, next = 2; nth < 100'000; nth = std::exchange(next, nth + next)) {
        last = nth;
        std::string run;
        bool hit = false;
        {
            const StorageFault fault({.program = "trainyardctl",
                                      .path = "trainyard.db",
                                      .fault = "kill",
                                      .calls = "write sync truncate",
                                      .nth = nth},
                                     m_lab->folder());
            run = start();
            QVERIFY(m_lab->waitUntil(
                [&] { return fault.wasHit() || m_lab->row(run).status == wire::RunStatus::Finished; }, 30));
            hit = fault.wasHit();
        }
        QVERIFY(m_lab->waitUntil([&] { return !store::RunLock::isHeld(m_lab->row(run).folder); }));
        QCOMPARE(Database(m_lab->workspace()).text("PRAGMA integrity_check"), std::string("ok"));
        const auto known = m_lab->points(run);
        QCOMPARE(m_lab->contiguity(run, static_cast<std::int64_t>(known.size())), std::string()); // no gap, no repeat
        if (!hit) break;
        if (m_lab->row(run).status != wire::RunStatus::Finished) { // it is the last thing that is written
            const auto resumed = run::resumeRun(m_lab->workspace(), run);
            QVERIFY2(resumed.ok(), resumed ? "" : resumed.error().text().c_str());
        }
        QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Finished);
        const auto problem = m_lab->contiguity(run, kSteps);
        QVERIFY2(problem.empty(), qPrintable(QStringLiteral("call %1: %2").arg(nth).arg(problem.c_str())));
    }
    QVERIFY2(last > 5, "no call was met: the shim was not there");
}

// Fault: Another program holds the database's write lock. The supervisor watches its ranks meanwhile, and writes
// afterwards.
void StoreFaultsTest::waitsForAProgramThatLocksTheDatabase() {
    const auto run = start();
    QVERIFY(m_lab->waitForStep(run, 10));
    {
        Database other(m_lab->workspace());
        QVERIFY(other.run("BEGIN IMMEDIATE"));
        QTest::qWait(1200); // longer than the supervisor waits at once, and longer than the run lasts
        QVERIFY(other.run("ROLLBACK"));
    }
    QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Finished);
    QCOMPARE(m_lab->contiguity(run, kSteps), std::string());
}

// Fault: An empty, garbled or old -wal file beside the database. It is ignored, or the database is reported as damaged,
// with the remedy; SQLite cannot tell a whole one of another time from its own.
void StoreFaultsTest::aLogThatIsNotItsOwnIsIgnoredOrTold_data() {
    QTest::addColumn<QString>("log");
    QTest::newRow("empty") << "empty";
    QTest::newRow("garbage") << "garbage";
    // SQLite cannot know that a whole -wal belongs to another state of the file; what it then finds must be told.
    QTest::newRow("of another time") << "old";
}

void StoreFaultsTest::aLogThatIsNotItsOwnIsIgnoredOrTold() {
    QFETCH(QString, log);
    const auto run = start();
    QVERIFY(m_lab->waitForStep(run, 30));
    const fs::path database = m_lab->workspace().database(), kept = m_lab->folder() + "/kept-wal";
    if (log == "old") fs::copy_file(database.string() + "-wal", kept);
    else std::ofstream(kept) << (log == "garbage" ? std::string(8000, '7') : std::string());
    QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Finished);
    const store::Workspace elsewhere{m_lab->folder() + "/copied"};
    fs::create_directories(elsewhere.root);
    QVERIFY(Database(m_lab->workspace()).run(("VACUUM INTO '" + elsewhere.database().string() + "'").c_str()));
    fs::copy_file(kept, elsewhere.database().string() + "-wal");
    const auto reader = store::RunQuery::open(elsewhere);
    const auto points =
        reader.ok() ? (*reader)->points(RunId(run), "train/loss") : Result<std::vector<wire::Point>>(reader.error());
    if (points.ok() && points->size() == std::size_t{kSteps}) return;
    QVERIFY2(log == "old", points.ok() ? "points are missing, and nobody says so" : points.error().text().c_str());
    const auto writer = store::Store::open(elsewhere);
    const auto& error = points.ok() ? writer.error() : points.error();
    QCOMPARE(error.kind, ErrorKind::Environment);
    QVERIFY2(error.text().find("the database is damaged") != std::string::npos, error.text().c_str());
    QVERIFY2(error.remedy.find("trainyardctl workspace repair") != std::string::npos, error.remedy.c_str());
}

QTEST_GUILESS_MAIN(StoreFaultsTest)
#include "store_faults_test.moc"
