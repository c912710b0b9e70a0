// SPDX-License-Identifier: GPL-3.0-or-later
// A queue and its supervisor, as real processes, with runs that follow a plan.
#include "engine/base/clock.h"
#include "engine/base/math/hash_draw.h"
#include "engine/queue/claims.h"
#include "engine/queue/placement.h"
#include "engine/queue/queue_starts.h"
#include "engine/queue/run_queue.h"
#include "engine/run/attach/run_control.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <set>
#include <thread>

using namespace trainyard;
using namespace trainyard::queue;
using test::RunLab;

namespace {

constexpr run::Room kRoom{.cores = 2, .devices = 0};

struct Output {
    int code = -1;
    QString out, err;
    QJsonObject json() const { return QJsonDocument::fromJson(out.toUtf8()).object(); }
};

} // namespace

class QueueTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_lab = std::make_unique<RunLab>(); }
    void cleanup() {
        (void)store::setQueueSettings(m_lab->workspace(), {.slots = 1, .paused = true});
        QVERIFY(store::RunLock::waitUntilFree(queueFolder(m_lab->workspace()), 20));
        m_lab.reset();
    }

    void startsOneAfterAnother();
    void aBadEntryDoesNotHoldUpTheRest();
    void aPausedQueueStaysPaused();
    void entriesAreMovedTakenOutAndPutBack();
    void anEntryIsMovedToOtherHosts();
    void anEntryStartsNowWhateverItWaitsFor();
    void aForkKeepsItsCheckpoint();
    void aSweepTakesItsTurn();
    void aSweepBeginsFromOneBeforeIt();
    void aBadSweepDoesNotHoldUpTheRest();
    void whatSlurmHasTakesNoSlotHere();
    void killedAtAnyMomentEveryEntryRunsOnce();
    void speaksJson();
    void refusesWhatCannotBe_data();
    void refusesWhatCannotBe();

private:
    spec::RunSpec spec(const std::string& name, const std::string& plan = "ms=1", int epochs = 1) {
        auto made = m_lab->spec({.plan = plan, .workers = 1, .epochs = epochs});
        made.name = name;
        return made;
    }
    spec::SweepSpec sweep(const std::string& name, const std::vector<spec::Value>& rates = {0.1, 0.2}) {
        spec::SweepSpec made;
        made.name = name;
        made.runJson = spec::toJson(m_lab->spec({.plan = "ms=1", .workers = 1, .epochs = 1}));
        spec::Axis axis;
        axis.path = "optimizer.lr";
        axis.values = rates;
        made.space = {axis};
        made.parallel = 1;
        return made;
    }
    std::int64_t add(const spec::SweepSpec& spec) {
        const auto row = enqueue(m_lab->workspace(), spec);
        if (!row) qWarning("%s", row.error().text().c_str());
        return row ? row->id : -1;
    }
    std::string nameOf(const std::string& sweep) { return m_lab->query().sweep(sweep)->name; }
    bool isOver(const std::string& sweep) {
        const auto row = m_lab->query().sweep(sweep);
        return row && !wire::isActive(row->status) && !store::RunLock::isHeld(m_lab->workspace().sweepFolder(row->id));
    }
    std::int64_t add(const std::string& name, const std::string& plan = "ms=1", int epochs = 1) {
        const auto row = enqueue(m_lab->workspace(), spec(name, plan, epochs));
        if (!row) qWarning("%s", row.error().text().c_str());
        return row ? row->id : -1;
    }
    QueueView view() { return *readQueue(m_lab->query(), kRoom); }
    std::vector<std::string> waiting() {
        std::vector<std::string> names;
        for (const auto& entry : view().waiting) names.push_back(entry.row.name);
        return names;
    }
    // Names of the runs that there are, oldest first.
    std::vector<std::string> runs() {
        std::vector<std::string> names;
        auto rows = *m_lab->query().runs(true);
        std::reverse(rows.begin(), rows.end());
        for (const auto& row : rows) names.push_back(row.name);
        return names;
    }
    bool allEnded(std::size_t count, double seconds = 60) {
        return m_lab->waitUntil(
            [&] {
                const auto rows = *m_lab->query().runs(true);
                return rows.size() == count && std::all_of(rows.begin(), rows.end(), [](const auto& row) {
                           return !wire::isActive(row.status) && !store::RunLock::isHeld(row.folder);
                       });
            },
            seconds);
    }
    Output ctl(const QStringList& arguments) {
        QProcess process;
        process.start(QString(SCRIPTED_PROGRAMS "/trainyardctl"), arguments);
        Output output;
        if (!process.waitForFinished(40'000)) return output;
        output.code = process.exitCode();
        output.out = QString::fromUtf8(process.readAllStandardOutput());
        output.err = QString::fromUtf8(process.readAllStandardError());
        return output;
    }
    QString file(const std::string& text, const char* name = "run.json") {
        QFile made(QString::fromStdString(m_lab->folder()) + "/" + name);
        if (made.open(QIODevice::WriteOnly)) made.write(QByteArray::fromStdString(text));
        return made.fileName();
    }
    std::unique_ptr<RunLab> m_lab;
};

void QueueTest::startsOneAfterAnother() {
    for (const char* name : {"a", "b", "c"}) QVERIFY(add(name) > 0);
    QVERIFY(allEnded(3));
    QCOMPARE(runs(), (std::vector<std::string>{"a", "b", "c"}));
    const auto rows = *m_lab->query().runs(); // newest first: none began before the one before it had ended
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) QVERIFY(rows[i].createdMs >= rows[i + 1].finishedMs);
    for (const auto& row : rows) QCOMPARE(row.status, wire::RunStatus::Finished);
    QVERIFY(store::RunLock::waitUntilFree(queueFolder(m_lab->workspace()), 10)); // nothing waits: it has ended
}

void QueueTest::aBadEntryDoesNotHoldUpTheRest() {
    QVERIFY(store::Store::open(m_lab->workspace()).ok());
    auto bad = spec("bad");
    bad.dataset.name = "gone"; // as if it had been there when the run was added
    QVERIFY(store::addQueued(m_lab->workspace(), {.name = "bad", .specJson = spec::toJson(bad)}).ok());
    QVERIFY(add("good") > 0);
    QVERIFY(allEnded(1));
    QCOMPARE(runs(), std::vector<std::string>{"good"});
    const auto refused = view().refused;
    QCOMPARE(refused.size(), std::size_t{1});
    QCOMPARE(refused[0].name, std::string("bad"));
    QCOMPARE(refused[0].error.kind, ErrorKind::Input);
    QVERIFY2(refused[0].error.message.find("gone") != std::string::npos, refused[0].error.message.c_str());
    QVERIFY(queue::retryQueued(m_lab->workspace(), refused[0].id).ok()); // and is refused once more
    QVERIFY(m_lab->waitUntil([&] { return view().refused.size() == 1; }));
}

void QueueTest::aPausedQueueStaysPaused() {
    QVERIFY(store::Store::open(m_lab->workspace()).ok());
    QVERIFY(queue::setQueueSettings(m_lab->workspace(), {.slots = 1, .paused = true}).ok());
    QVERIFY(add("later") > 0);
    QVERIFY(!store::RunLock::isHeld(queueFolder(m_lab->workspace()))); // nothing for a supervisor to do
    QCOMPARE(view().waiting[0].verdict.wait, Wait::Paused);
    QCOMPARE(ctl({"runs"}).code, 0); // which starts a supervisor where one is wanted
    QVERIFY(!store::RunLock::isHeld(queueFolder(m_lab->workspace())));
    QVERIFY(runs().empty());
    QVERIFY(queue::setQueueSettings(m_lab->workspace(), {.slots = 1, .paused = false}).ok());
    QVERIFY(allEnded(1));
}

void QueueTest::entriesAreMovedTakenOutAndPutBack() {
    QVERIFY(store::Store::open(m_lab->workspace()).ok());
    QVERIFY(queue::setQueueSettings(m_lab->workspace(), {.slots = 1, .paused = true}).ok());
    std::vector<std::int64_t> ids;
    for (const char* name : {"a", "b", "c"}) ids.push_back(add(name));
    QVERIFY(store::moveQueued(m_lab->workspace(), ids[2], 1).ok());
    QCOMPARE(waiting(), (std::vector<std::string>{"c", "a", "b"}));
    QVERIFY(store::moveQueued(m_lab->workspace(), ids[2], 99).ok());
    QCOMPARE(waiting(), (std::vector<std::string>{"a", "b", "c"}));
    const auto removed = store::removeQueued(m_lab->workspace(), ids[1]);
    QVERIFY(removed.ok());
    QCOMPARE(waiting(), (std::vector<std::string>{"a", "c"}));
    QCOMPARE(store::removeQueued(m_lab->workspace(), ids[1]).error().code, ErrorCode::NotQueued);
    QCOMPARE(store::moveQueued(m_lab->workspace(), ids[1], 1).error().code, ErrorCode::NotQueued);
    QVERIFY(queue::restoreQueued(m_lab->workspace(), *removed).ok());
    QCOMPARE(waiting(), (std::vector<std::string>{"a", "b", "c"}));
    QVERIFY(runs().empty());
}

void QueueTest::anEntryIsMovedToOtherHosts() {
    QVERIFY(store::Store::open(m_lab->workspace()).ok());
    QVERIFY(queue::setQueueSettings(m_lab->workspace(), {.slots = 1, .paused = true}).ok());
    for (const char* name : {"a", "b", "c"}) add(name);
    const auto entry = view().waiting[1].row;
    const auto moved = [&](const std::vector<std::string>& hosts) {
        return queue::moveToHosts(m_lab->workspace(), entry, hosts);
    };
    QVERIFY(moved({"h7", "h8"}).ok());
    QCOMPARE(waiting(), (std::vector<std::string>{"a", "b", "c"}));
    const auto hosts = [&] { return spec::parseRunSpec(view().waiting[1].row.specJson)->hosts; };
    QCOMPARE(hosts(), (std::vector<std::string>{"h7", "h8"}));
    const auto refused = moved({"-oProxyCommand=x"});
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, ErrorKind::Input);
    QCOMPARE(hosts(), (std::vector<std::string>{"h7", "h8"})); // it waits on
    QVERIFY(moved({}).ok());                                   // to this computer
    QVERIFY(hosts().empty());
    QVERIFY(store::removeQueued(m_lab->workspace(), entry.id).ok());
    QCOMPARE(moved({"h7"}).error().code, ErrorCode::NotQueued);
}

void QueueTest::anEntryStartsNowWhateverItWaitsFor() {
    QVERIFY(store::Store::open(m_lab->workspace()).ok());
    QVERIFY(queue::setQueueSettings(m_lab->workspace(), {.slots = 1, .paused = true}).ok());
    const auto id = add("now");
    const auto entry = view().waiting[0].row;
    QCOMPARE(entry.id, id);
    QCOMPARE(startQueued(m_lab->workspace(), entry, store::Taking::InTurn).error().code, ErrorCode::NotQueued);
    QVERIFY(runs().empty()); // and nothing is left of the attempt
    QVERIFY(startQueued(m_lab->workspace(), entry, store::Taking::Now).ok());
    QCOMPARE(startQueued(m_lab->workspace(), entry, store::Taking::Now).error().code, ErrorCode::NotQueued);
    QVERIFY(allEnded(1));
    QVERIFY(waiting().empty());
}

void QueueTest::aForkKeepsItsCheckpoint() {
    const auto source = m_lab->start({.plan = "ms=1", .workers = 1, .epochs = 2});
    QCOMPARE(m_lab->waitForEnd(source).status, wire::RunStatus::Finished);
    QVERIFY(queue::setQueueSettings(m_lab->workspace(), {.slots = 1, .paused = true}).ok());
    const auto checkpoint = m_lab->lastCheckpoint(source);
    QVERIFY(!checkpoint.empty());
    QVERIFY(enqueue(m_lab->workspace(), spec("fork", "ms=1", 4), {checkpoint, source}).ok());
    std::filesystem::remove(checkpoint); // as its run may, at any time
    QVERIFY(queue::setQueueSettings(m_lab->workspace(), {.slots = 1, .paused = false}).ok());
    QVERIFY(allEnded(2));
    const auto fork = m_lab->row("fork");
    QCOMPARE(fork.status, wire::RunStatus::Finished);
    QCOMPARE(fork.forkedFrom, source);
    QVERIFY(fork.forkedStep > 0);
}

// It has the slot until its last trial is over.
void QueueTest::aSweepTakesItsTurn() {
    QVERIFY(store::Store::open(m_lab->workspace()).ok());
    QVERIFY(queue::setQueueSettings(m_lab->workspace(), {.slots = 1, .paused = true}).ok());
    QVERIFY(add("before") > 0);
    QVERIFY(add(sweep("rates")) > 0);
    QVERIFY(add("after") > 0);
    QCOMPARE(waiting(), (std::vector<std::string>{"before", "rates", "after"}));
    QVERIFY(isSweep(view().waiting[1].row) && !isSweep(view().waiting[2].row));
    QVERIFY(queue::setQueueSettings(m_lab->workspace(), {.slots = 1, .paused = false}).ok());
    QVERIFY(allEnded(4));
    QVERIFY(m_lab->waitUntil([&] { return isOver("rates"); }, 30));
    const auto ended = *m_lab->query().sweep("rates");
    QCOMPARE(ended.status, wire::RunStatus::Finished);
    const auto trials = *m_lab->query().trials(ended.id);
    QCOMPARE(trials.size(), std::size_t{2});
    QVERIFY(ended.createdMs >= m_lab->row("before").finishedMs);
    for (const auto& trial : trials) {
        QCOMPARE(trial.status, wire::RunStatus::Finished);
        QVERIFY(m_lab->row("after").createdMs >= trial.finishedMs);
    }
    QVERIFY(!view().wantsSupervisor());
}

// The results are those of when it starts: the earlier one had none yet when this one was added.
void QueueTest::aSweepBeginsFromOneBeforeIt() {
    QVERIFY(store::Store::open(m_lab->workspace()).ok());
    QVERIFY(queue::setQueueSettings(m_lab->workspace(), {.slots = 1, .paused = true}).ok());
    auto fine = sweep("fine", {0.1, 0.2, 0.3});
    fine.warmStart = {{.sweep = "coarse", .best = 1}};
    const auto tooSoon = enqueue(m_lab->workspace(), fine);
    QVERIFY(!tooSoon.ok());
    QCOMPARE(tooSoon.error().where, std::string("warmStart.0.sweep"));
    QVERIFY(add(sweep("coarse")) > 0);
    QVERIFY(add(fine) > 0);
    QVERIFY(queue::setQueueSettings(m_lab->workspace(), {.slots = 1, .paused = false}).ok());
    QVERIFY(m_lab->waitUntil([&] { return isOver("fine"); }, 60));
    const auto row = *m_lab->query().sweep("fine");
    QCOMPARE(row.status, wire::RunStatus::Finished);
    const auto spec = spec::parseSweepSpec(row.specJson);
    QVERIFY(spec.ok());
    QCOMPARE(spec->warmStart[0].results.size(), std::size_t{2});
    QVERIFY(view().refused.empty());
}

void QueueTest::aBadSweepDoesNotHoldUpTheRest() {
    QVERIFY(store::Store::open(m_lab->workspace()).ok());
    auto bad = sweep("bad");
    auto run = m_lab->spec({.plan = "ms=1", .workers = 1, .epochs = 1});
    run.dataset.name = "gone"; // as if it had been there when the sweep was added
    bad.runJson = spec::toJson(run);
    QVERIFY(store::addQueued(m_lab->workspace(), {.name = "bad", .specJson = spec::toJson(bad)}).ok());
    QVERIFY(add("good") > 0);
    QVERIFY(allEnded(1));
    const auto refused = view().refused;
    QCOMPARE(refused.size(), std::size_t{1});
    QCOMPARE(refused[0].error.kind, ErrorKind::Input);
    QVERIFY2(refused[0].error.message.find("gone") != std::string::npos ||
                 refused[0].error.where.find("dataset") != std::string::npos,
             refused[0].error.text().c_str());
    QVERIFY(m_lab->query().sweeps()->empty());
    std::error_code ignored; // nor a folder without a row
    QVERIFY(std::filesystem::is_empty(m_lab->workspace().root / "sweeps", ignored) || ignored);
}

// The supervisor is killed at random moments, and another begins with the next command.
void QueueTest::whatSlurmHasTakesNoSlotHere() {
    const auto store = store::Store::open(m_lab->workspace());
    QVERIFY(store);
    for (const std::string id : {"here", "array"}) {
        store::SweepRow row;
        row.id = row.name = id;
        row.status = wire::RunStatus::Running;
        row.specJson = spec::toJson(sweep(id));
        QVERIFY((*store)->createSweep(row));
    }
    const auto record = m_lab->workspace().slurmRecord("array");
    std::filesystem::create_directories(record.parent_path());
    QVERIFY(writeFileAtomic(record, "{}"));
    const auto active = activeWork(m_lab->query(), roomsWith(kRoom));
    QVERIFY(active);
    QCOMPARE(active->names, std::vector<std::string>{"here"});
    QCOMPARE(active->claims.size(), std::size_t{1});
}

void QueueTest::killedAtAnyMomentEveryEntryRunsOnce() {
    constexpr int kEntries = 12;
    std::set<std::string> expected;
    for (int i = 0; i < kEntries; ++i) {
        expected.insert("run-" + std::to_string(i));
        const std::string name = "run-" + std::to_string(i);
        QVERIFY((i % 4 == 2 ? add(sweep(name, {0.1})) : add(name, "ms=0")) > 0);
    }
    const auto lockFile = queueFolder(m_lab->workspace()) / "supervisor.lock";
    int kills = 0;
    const double deadline = monotonicSeconds() + 120;
    while (view().wantsSupervisor() && monotonicSeconds() < deadline) {
        QVERIFY(ensureQueueSupervisor(m_lab->workspace(), m_lab->query()).ok());
        std::this_thread::sleep_for(std::chrono::milliseconds(hashDraw(7, Draw::Shift, std::uint64_t(kills), 0) % 250));
        QFile lock(QString::fromStdString(lockFile.string()));
        if (!lock.open(QIODevice::ReadOnly)) continue;
        const int pid = lock.readAll().toInt();
        if (pid <= 1 || pid == ::getpid() || !store::RunLock::isHeld(queueFolder(m_lab->workspace()))) continue;
        if (::kill(pid, SIGKILL) == 0) ++kills;
        QVERIFY(store::RunLock::waitUntilFree(queueFolder(m_lab->workspace()), 10));
    }
    QVERIFY(!view().wantsSupervisor());
    QVERIFY(allEnded(kEntries));
    std::vector<std::string> names;
    const auto started = *m_lab->query().runs(true);
    for (const auto& row : started) names.push_back(row.sweep.empty() ? row.name : nameOf(row.sweep));
    QCOMPARE(std::set<std::string>(names.begin(), names.end()), expected);
    QCOMPARE(names.size(), std::size_t{kEntries});
    const auto sweeps = *m_lab->query().sweeps();
    QCOMPARE(sweeps.size(), std::size_t{kEntries / 4});
    for (const auto& row : sweeps) QVERIFY(m_lab->waitUntil([&] { return isOver(row.id); }, 30));
    const auto runs = *m_lab->query().runs();
    for (const auto& row : runs) QCOMPARE(row.status, wire::RunStatus::Finished);
    QVERIFY2(kills >= 5, qPrintable(QString::number(kills)));
}

void QueueTest::speaksJson() {
    QCOMPARE(ctl({"queue", "pause"}).code, 0);
    const QString run = file(spec::toJson(spec("first")));
    const auto added = ctl({"run", "--queue", run, "--json"});
    QCOMPARE(added.code, 0);
    QCOMPARE(added.json()["place"].toInt(), 1);
    QCOMPARE(added.json()["wait"].toString(), QString("paused"));
    QCOMPARE(ctl({"run", "--queue", file(spec::toJson(spec("second")), "second.json")}).code, 0);
    const auto moved = ctl({"queue", "move", "second", "1", "--json"}).json();
    QCOMPARE(moved["waiting"].toArray()[0].toObject()["name"].toString(), QString("second"));
    QCOMPARE(ctl({"queue", "slots", "3", "--json"}).json()["slots"].toInt(), 3);
    QCOMPARE(ctl({"queue", "remove", "second"}).code, 0);
    const QString rates = file(spec::toJson(sweep("rates")), "rates.json");
    for (const QStringList& command : {QStringList{"sweep", "--queue", rates}, {"run", "--queue", rates}}) {
        const auto queued = ctl(command + QStringList{"--json"});
        QCOMPARE(queued.json()["kind"].toString(), QString("sweep"));
        QCOMPARE(queued.json()["place"].toInt(), 2);
        QCOMPARE(ctl({"queue", "remove", "rates"}).code, 0);
    }
    const auto text = ctl({"queue"});
    QVERIFY2(text.out.contains("first") && text.out.contains("the queue is paused"), qPrintable(text.out));
    QCOMPARE(ctl({"queue", "start", "first"}).code, 0);
    QVERIFY(allEnded(1));
    const auto json = ctl({"queue", "--json"}).json();
    QVERIFY(json["paused"].toBool() && json["waiting"].toArray().isEmpty() && json["refused"].toArray().isEmpty());
    QCOMPARE(json["active"].toInt(), 0);
}

// Bad inputs: requests to the queue.
void QueueTest::refusesWhatCannotBe_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("message");
    QTest::newRow("no such entry") << QStringList{"queue", "move", "nobody", "1"}
                                   << "there is no entry \"nobody\" in the queue";
    QTest::newRow("no such number") << QStringList{"queue", "remove", "7"} << "there is no entry \"7\" in the queue";
    QTest::newRow("no slot") << QStringList{"queue", "slots", "0"} << "must be from 1 to 64, found 0";
    QTest::newRow("too many slots") << QStringList{"queue", "slots", "65"} << "must be from 1 to 64, found 65";
    QTest::newRow("a bad sweep") << QStringList{"run", "--queue", "@sweep", "--set", "run.epochs=0"} << "epochs";
    QTest::newRow("a sweep that begins from none")
        << QStringList{"sweep", "--queue", "@sweep", "--set", "warmStart=[{\"sweep\": \"gone\"}]"}
        << "warmStart.0.sweep: is not a sweep of this workspace";
    QTest::newRow("a sweep from a checkpoint") << QStringList{"run", "--queue", "@sweep", "--from", "x"}
                                               << "is a sweep file, and its trials begin from scratch";
    QTest::newRow("a bad run") << QStringList{"run", "--queue", "@run", "--set", "optimizer.lr=-1"} << "optimizer.lr";
}

void QueueTest::refusesWhatCannotBe() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, message);
    const QString run = file(spec::toJson(spec("x")));
    const QString sweep = file(R"({"version": 1, "space": {"optimizer.lr": [0.1]}, "run": {}})", "sweep.json");
    for (auto& argument : arguments) argument.replace("@sweep", sweep).replace("@run", run);
    const auto output = ctl(arguments);
    QCOMPARE(output.code, 2);
    QVERIFY2(output.err.contains(message), qPrintable(output.err));
    QVERIFY(view().waiting.empty());
}

QTEST_GUILESS_MAIN(QueueTest)
#include "queue_test.moc"
