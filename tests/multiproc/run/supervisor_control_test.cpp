// SPDX-License-Identifier: GPL-3.0-or-later
// What a user does to runs: stop, kill, resume, continue, watch; and what survives the death of the supervisor.
#include "engine/base/clock.h"
#include "engine/run/attach/run_control.h"
#include "engine/run/attach/run_follower.h"
#include "engine/run/launch/process_check.h"
#include "engine/run/start/run_start.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QTest>

#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <thread>

using namespace trainyard;
using test::RunLab;

namespace {

// A watcher's own copy of the series, kept by the rules of RunFollower::Update.
struct Watcher {
    std::map<std::string, std::vector<std::int64_t>> steps;
    wire::RunState state;
    bool ended = false;
    std::string fault;

    void apply(const run::RunFollower::Update& update) {
        if (update.state) state = *update.state;
        if (update.rewoundTo)
            for (auto& [name, known] : steps)
                while (!known.empty() && known.back() > *update.rewoundTo) known.pop_back();
        for (const auto& delta : update.points) {
            auto& known = steps[delta.series];
            if (delta.firstIndex != static_cast<std::int64_t>(known.size()))
                fault = delta.series + ": index " + std::to_string(delta.firstIndex) + " after " +
                        std::to_string(known.size()) + " points";
            for (const auto& point : delta.points) known.push_back(point.step);
        }
        ended = ended || update.ended;
    }
    void poll(run::RunFollower& follower) {
        if (const auto update = follower.poll(20)) apply(*update);
    }
    std::string contiguity(std::int64_t last) const {
        const auto found = steps.find("train/loss");
        if (!fault.empty()) return fault;
        if (found == steps.end()) return "no points";
        for (std::size_t index = 0; index < found->second.size(); ++index)
            if (found->second[index] != static_cast<std::int64_t>(index) + 1)
                return "point " + std::to_string(index) + " is of step " + std::to_string(found->second[index]);
        return static_cast<std::int64_t>(found->second.size()) == last
                   ? ""
                   : std::to_string(found->second.size()) + " points instead of " + std::to_string(last);
    }
};

// Each of its writes to a file fails from now on, as on a full disk. Returns its limit before.
rlimit forbidWrites(pid_t process) {
    rlimit before{};
    if (::prlimit(process, RLIMIT_FSIZE, nullptr, &before) != 0) qFatal("prlimit");
    const rlimit nothing{0, before.rlim_max};
    if (::prlimit(process, RLIMIT_FSIZE, &nothing, nullptr) != 0) qFatal("prlimit");
    return before;
}

} // namespace

class SupervisorControlTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_lab = std::make_unique<RunLab>(); }
    void cleanup() { m_lab.reset(); }

    void stopsAndResumes();
    void stopsInEveryWay_data();
    void stopsInEveryWay();
    void stopsWorkersThatDoNotListen();
    void survivesTheDeathOfItsSupervisor();
    void isHeldFromItsStartOn();
    void keepsWhatAWatcherWasGiven();
    void losesNoPointBetweenACheckpointAndItsRecord_data();
    void losesNoPointBetweenACheckpointAndItsRecord();
    void continuesAFinishedRun();
    void refusesWhatMakesNoSense();
    void givesAWatcherEveryPoint_data();
    void givesAWatcherEveryPoint();
    void followsIntoAResumedRun();
    void takesBackPointsThatTheStoreLacks();
    void findsASupervisorOfAnotherEnvironment();
    void keepsEverythingWhileTheStoreCannotBeWritten();
    void takesNothingBackBeforeTheEndIsStored();
    void runsTwoAtOnce();
    void forksFromACheckpoint();
    void takesSigtermAsStopAndSave();

private:
    Watcher watchToTheEnd(run::RunFollower& follower, double seconds = 30);
    std::unique_ptr<RunLab> m_lab;
};

Watcher SupervisorControlTest::watchToTheEnd(run::RunFollower& follower, double seconds) {
    Watcher watcher;
    m_lab->waitUntil(
        [&] {
            for (;;) {
                const auto update = follower.poll(50);
                if (!update) {
                    watcher.fault = update.error().text();
                    return true;
                }
                watcher.apply(*update);
                if (watcher.ended || update->empty()) return watcher.ended;
            }
        },
        seconds);
    return watcher;
}

// Feature: the log tells of checkpoints, stop and end; a line that does not fit is shown whole. Also in logs_view_test.
void SupervisorControlTest::stopsAndResumes() {
    const auto run = m_lab->start({.plan = "ms=10"});
    QVERIFY(m_lab->waitForStep(run, 30));
    const auto pids = m_lab->workerPids(run);
    QVERIFY(run::stopRun(m_lab->workspace(), run, wire::StopMode::SaveAndStop).ok());
    auto row = m_lab->waitForEnd(run);
    QCOMPARE(row.status, wire::RunStatus::Stopped);
    QVERIFY(m_lab->gone(pids, 0.5));
    const auto checkpoints = m_lab->query().checkpoints(run);
    QVERIFY(checkpoints && !checkpoints->empty());
    QCOMPARE(checkpoints->back().step, row.step); // saved where it stopped
    QVERIFY(run::resumeRun(m_lab->workspace(), run).ok());
    row = m_lab->waitForEnd(run);
    QCOMPARE(row.status, wire::RunStatus::Finished);
    QCOMPARE(m_lab->contiguity(run, 100), std::string());
    const auto log = m_lab->logText(run);
    for (const char* said : {"asked to save and stop", "checkpoint of step 100 saved, ", "stopped at step ",
                             "finished at step 100 after ", "; 0 processes left"})
        QVERIFY2(log.find(said) != std::string::npos, log.c_str());
}

// Feature: stop and save, stop, kill, pause, checkpoint now, another learning rate, more epochs, fork. Also in
// live_control_test, resume_test.
void SupervisorControlTest::stopsInEveryWay_data() {
    QTest::addColumn<int>("mode");
    QTest::addColumn<double>("limit");
    QTest::newRow("save and stop") << static_cast<int>(wire::StopMode::SaveAndStop) << 5.0;
    QTest::newRow("stop now") << static_cast<int>(wire::StopMode::StopNow) << 4.0;
    QTest::newRow("kill") << static_cast<int>(wire::StopMode::Kill) << 1.5;
}

void SupervisorControlTest::stopsInEveryWay() {
    QFETCH(int, mode);
    QFETCH(double, limit);
    const auto run = m_lab->start({.plan = "ms=10", .workers = 3, .epochs = 100});
    QVERIFY(m_lab->waitForStep(run, 5));
    const auto pids = m_lab->workerPids(run);
    const auto follower = run::RunFollower::open(m_lab->workspace(), run);
    QVERIFY(follower.ok());
    (void)(*follower)->poll(100);
    const double begin = monotonicSeconds();
    QVERIFY(run::stopRun(m_lab->workspace(), run, static_cast<wire::StopMode>(mode)).ok());
    const auto watcher = watchToTheEnd(**follower);
    QVERIFY2(monotonicSeconds() - begin < limit, qPrintable(QString::number(monotonicSeconds() - begin)));
    QCOMPARE(wire::toString(watcher.state.status), "stopped");
    QCOMPARE(watcher.state.processesLeft, 0);
    QVERIFY(m_lab->gone(pids, 0.1));
}

void SupervisorControlTest::stopsWorkersThatDoNotListen() {
    const auto run = m_lab->start({.plan = "ms=10 deaf@0:1 deaf@1:1", .epochs = 1000});
    QVERIFY(m_lab->waitForStep(run, 5));
    const auto pids = m_lab->workerPids(run);
    QVERIFY(run::stopRun(m_lab->workspace(), run, wire::StopMode::StopNow).ok());
    const auto row = m_lab->waitForEnd(run, 15);
    QCOMPARE(row.status, wire::RunStatus::Stopped);
    QVERIFY(m_lab->gone(pids, 0.1));
}

void SupervisorControlTest::survivesTheDeathOfItsSupervisor() {
    const auto run = m_lab->start({.plan = "ms=10"});
    QVERIFY(m_lab->waitForStep(run, 45));
    const auto pids = m_lab->workerPids(run);
    QCOMPARE(pids.size(), std::size_t{2});
    const auto supervisor = m_lab->row(run).supervisorPid;
    QVERIFY(supervisor > 0);
    ::kill(static_cast<pid_t>(supervisor), SIGKILL);
    QVERIFY2(m_lab->gone(pids, 5), "workers outlive their supervisor");
    const auto follower = run::RunFollower::open(m_lab->workspace(), run);
    const auto watcher = watchToTheEnd(**follower, 25);
    QCOMPARE(wire::toString(watcher.state.status), "interrupted");
    QCOMPARE(m_lab->row(run).status, wire::RunStatus::Interrupted);
    QVERIFY(run::resumeRun(m_lab->workspace(), run).ok());
    QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Finished);
    QCOMPARE(m_lab->contiguity(run, 100), std::string());
}

// Who looks takes a run neither for dead while its supervisor comes up, nor for alive once that is dead: whatever the
// time is, and however short ago the run began.
void SupervisorControlTest::isHeldFromItsStartOn() {
    for (int round = 0; round < 3; ++round) {
        const auto run = m_lab->start({.plan = "ms=10", .epochs = 100});
        const auto row = m_lab->row(run);
        QVERIFY(store::RunLock::isHeld(row.folder));
        bool held = true;
        const auto store = *store::Store::open(m_lab->workspace());
        const auto mark = [&] { return store->markInterrupted(m_lab->workspace()); };
        QVERIFY(m_lab->waitUntil([&] {
            for (int look = 0; look < 100; ++look) held = held && store::RunLock::isHeld(row.folder);
            held = held && mark()->empty();
            return m_lab->row(run).status == wire::RunStatus::Running;
        }));
        QVERIFY(held);
        ::kill(static_cast<pid_t>(m_lab->row(run).supervisorPid), SIGKILL);
        QVERIFY(m_lab->waitUntil([&] { return !store::RunLock::isHeld(row.folder); }));
        QCOMPARE(*mark(), std::vector<std::string>{run});
    }
}

// Points reach watchers at once and the store in batches. A batch waits for nothing else to come: once the ranks have
// fallen silent, all that a watcher was given is there, and stays when the supervisor is killed.
// Fault: SIGKILL of the supervisor while someone watches. Everything that watchers received is in the store, except at
// most the last 0.1 s (not measured).
void SupervisorControlTest::keepsWhatAWatcherWasGiven() {
    const auto run = m_lab->start({.plan = "ms=10", .epochs = 100, .heartbeatSeconds = 60});
    const auto follower = run::RunFollower::open(m_lab->workspace(), run);
    Watcher watcher;
    const auto given = [&]() -> std::vector<std::int64_t>& { return watcher.steps["train/loss"]; };
    const auto stored = [&] {
        std::vector<std::int64_t> steps;
        for (const auto& point : m_lab->points(run)) steps.push_back(point.step);
        return steps;
    };
    const auto pollUntil = [&](const std::function<bool()>& condition) {
        return m_lab->waitUntil(
            [&] {
                const auto update = (*follower)->poll(20);
                if (update) watcher.apply(*update);
                return condition();
            },
            20);
    };
    QVERIFY(pollUntil([&] { return given().size() > 30; }));
    const auto pids = m_lab->workerPids(run);
    for (const auto pid : pids) ::kill(static_cast<pid_t>(pid), SIGSTOP);
    QVERIFY(pollUntil([&] { return given() == stored(); }));
    const auto before = given();
    ::kill(static_cast<pid_t>(m_lab->row(run).supervisorPid), SIGKILL);
    QVERIFY(m_lab->gone(pids, 5));
    QVERIFY(stored().size() >= before.size());
    QVERIFY(std::equal(before.begin(), before.end(), stored().begin()));
    QVERIFY(pollUntil([&] { return watcher.ended; }));
    QCOMPARE(wire::toString(watcher.state.status), "interrupted");
    QCOMPARE(given(), stored()); // nothing was taken back
    QVERIFY(given().size() >= before.size());
    QCOMPARE(watcher.fault, std::string());
}

// Fault: SIGKILL of the supervisor when a checkpoint's file exists and the points before it are not committed. Resuming
// continues from a checkpoint before them; the file is kept aside, the log says so, no point is missing.
void SupervisorControlTest::losesNoPointBetweenACheckpointAndItsRecord_data() {
    QTest::addColumn<int>("recorded");
    QTest::newRow("its first checkpoint") << 3;
    QTest::newRow("a later one") << 25;
}

// The supervisor dies when a checkpoint's file is there and the points that lead up to it are not committed: a run that
// went on from that file would lack them.
void SupervisorControlTest::losesNoPointBetweenACheckpointAndItsRecord() {
    QFETCH(int, recorded);
    const auto run = m_lab->start({.plan = "ms=20"});
    QVERIFY(m_lab->waitForStep(run, recorded));
    const auto pids = m_lab->workerPids(run);
    const auto supervisor = static_cast<pid_t>(m_lab->row(run).supervisorPid);
    rlimit limit{};
    QCOMPARE(::prlimit(supervisor, RLIMIT_FSIZE, nullptr, &limit), 0);
    limit.rlim_cur = 0; // from here on it writes to no file, so what it commits ends before the checkpoint
    QCOMPARE(::prlimit(supervisor, RLIMIT_FSIZE, &limit, nullptr), 0);
    const auto folder = m_lab->workspace().runFolder(run);
    QVERIFY(m_lab->waitUntil([&] { return test::newestCheckpoint(folder) > m_lab->points(run).back().step; }));
    ::kill(supervisor, SIGKILL);
    QVERIFY(m_lab->gone(pids, 5));
    const auto saved = test::newestCheckpoint(folder);
    const auto rows = m_lab->query().checkpoints(run);
    QVERIFY(rows && (rows->empty() || rows->back().step < saved));
    QVERIFY(m_lab->points(run).back().step < saved);

    QVERIFY(run::resumeRun(m_lab->workspace(), run).ok());
    QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Finished);
    QCOMPARE(m_lab->contiguity(run, 100), std::string());
    QCOMPARE(m_lab->points(run, "val/accuracy").size(), std::size_t{5});
    const auto log = m_lab->logText(run);
    QVERIFY2(log.find("the checkpoint of step " + std::to_string(saved) + " was saved, but the supervisor died") !=
                 std::string::npos,
             log.c_str());
}

void SupervisorControlTest::continuesAFinishedRun() {
    const auto run = m_lab->start({.plan = "", .epochs = 2});
    QCOMPARE(m_lab->waitForEnd(run).step, 40);
    QVERIFY(run::resumeRun(m_lab->workspace(), run, 3).ok());
    const auto row = m_lab->waitForEnd(run);
    QCOMPARE(row.status, wire::RunStatus::Finished);
    QCOMPARE(row.step, 100);
    QCOMPARE(m_lab->contiguity(run, 100), std::string());
    QCOMPARE(*spec::parseRunSpec(row.specJson)->epochs, 5);
}

void SupervisorControlTest::refusesWhatMakesNoSense() {
    const auto run = m_lab->start({.plan = "", .epochs = 1});
    m_lab->waitForEnd(run);
    const auto resumed = run::resumeRun(m_lab->workspace(), run);
    QVERIFY(!resumed && resumed.error().kind == ErrorKind::Input);
    const auto stopped = run::stopRun(m_lab->workspace(), run, wire::StopMode::SaveAndStop);
    QVERIFY(!stopped && stopped.error().text().find("is not running: it is finished") != std::string::npos);
    auto wrong = m_lab->spec({.plan = ""});
    wrong.model.name = "scriptet";
    const auto started = run::startRun(m_lab->workspace(), wrong);
    QVERIFY(!started && started.error().kind == ErrorKind::Input);
    QVERIFY2(started.error().text().find("did you mean \"scripted\"?") != std::string::npos,
             started.error().text().c_str());
    const auto busy = m_lab->start({.plan = "ms=10"});
    QVERIFY(m_lab->waitForStep(busy, 2));
    const auto again = run::resumeRun(m_lab->workspace(), busy);
    QVERIFY(!again && again.error().text().find("is running already") != std::string::npos);
    QVERIFY(run::stopRun(m_lab->workspace(), busy, wire::StopMode::Kill).ok());
}

void SupervisorControlTest::givesAWatcherEveryPoint_data() {
    QTest::addColumn<QString>("plan");
    QTest::addColumn<int>("attachAtStep");
    QTest::newRow("from the beginning") << "ms=3" << 0;
    QTest::newRow("attached later") << "ms=5" << 35;
    QTest::newRow("through a restart") << "ms=5 kill@1:67" << 0;
    QTest::newRow("attached after a restart") << "ms=10 kill@1:33" << 36;
    QTest::newRow("after the end") << "" << 100;
}

void SupervisorControlTest::givesAWatcherEveryPoint() {
    QFETCH(QString, plan);
    QFETCH(int, attachAtStep);
    const auto run = m_lab->start({.plan = plan.toStdString()});
    if (attachAtStep > 0) QVERIFY(m_lab->waitForStep(run, attachAtStep));
    const auto follower = run::RunFollower::open(m_lab->workspace(), run);
    QVERIFY(follower.ok());
    const auto watcher = watchToTheEnd(**follower);
    QCOMPARE(watcher.contiguity(100), std::string());
    QCOMPARE(wire::toString(watcher.state.status), "finished");
    QCOMPARE(watcher.steps.at("val/accuracy").size(), std::size_t{5});
}

void SupervisorControlTest::followsIntoAResumedRun() {
    const auto run = m_lab->start({.plan = "ms=10"});
    const auto follower = run::RunFollower::open(m_lab->workspace(), run);
    Watcher watcher;
    const auto pollUntil = [&](const std::function<bool()>& condition) {
        return m_lab->waitUntil(
            [&] {
                const auto update = (*follower)->poll(50);
                if (update) watcher.apply(*update);
                return condition();
            },
            20);
    };
    QVERIFY(pollUntil([&] { return watcher.steps["train/loss"].size() > 30; }));
    QVERIFY(run::stopRun(m_lab->workspace(), run, wire::StopMode::Kill).ok());
    QVERIFY(pollUntil([&] { return watcher.ended; }));
    QCOMPARE(wire::toString(watcher.state.status), "stopped");
    watcher.ended = false;
    QVERIFY(run::resumeRun(m_lab->workspace(), run).ok());
    QVERIFY(pollUntil([&] { return watcher.ended; }));
    QCOMPARE(wire::toString(watcher.state.status), "finished");
    QCOMPARE(watcher.contiguity(100), std::string());
}

void SupervisorControlTest::takesBackPointsThatTheStoreLacks() {
    const auto run = m_lab->start({.plan = "", .epochs = 2});
    m_lab->waitForEnd(run);
    const auto follower = run::RunFollower::open(m_lab->workspace(), run);
    auto watcher = watchToTheEnd(**follower);
    QCOMPARE(watcher.contiguity(40), std::string());
    QVERIFY((*store::Store::open(m_lab->workspace()))->truncateAfter(run, 15).ok());
    QVERIFY(m_lab->waitUntil(
        [&] {
            const auto update = (*follower)->poll(50);
            if (update) watcher.apply(*update);
            return watcher.steps["train/loss"].size() < 40;
        },
        5));
    QCOMPARE(watcher.contiguity(15), std::string());
    QVERIFY(watcher.steps["val/accuracy"].empty()); // the first was of step 20: none is left
}

void SupervisorControlTest::findsASupervisorOfAnotherEnvironment() {
    const auto run = m_lab->start({.plan = "ms=10", .epochs = 100});
    QVERIFY(m_lab->waitForStep(run, 5));
    QTemporaryDir elsewhere;
    qputenv("XDG_RUNTIME_DIR", elsewhere.path().toUtf8());
    const auto follower = run::RunFollower::open(m_lab->workspace(), run);
    QVERIFY((*follower)->poll(100).ok());
    QVERIFY2((*follower)->fd() >= 0, "not attached");
    const double begin = monotonicSeconds();
    QVERIFY(run::stopRun(m_lab->workspace(), run, wire::StopMode::StopNow).ok());
    QVERIFY2(monotonicSeconds() - begin < 3, "the supervisor was not asked through its socket");
    QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Stopped);
}

// Fault: A file size limit on the supervisor, as on a full disk. Points stay in memory, and are all there once the
// limit is gone.
void SupervisorControlTest::keepsEverythingWhileTheStoreCannotBeWritten() {
    const auto run = m_lab->start({.plan = "ms=20"});
    QVERIFY(m_lab->waitForStep(run, 10));
    const auto supervisor = static_cast<pid_t>(m_lab->row(run).supervisorPid);
    const rlimit before = forbidWrites(supervisor);
    const auto follower = run::RunFollower::open(m_lab->workspace(), run);
    Watcher watcher;
    const auto stored = [&] { return m_lab->points(run).back().step; };
    const auto atLimit = stored();
    QVERIFY(m_lab->waitUntil([&] {
        watcher.poll(**follower);
        return watcher.steps["train/loss"].size() > 60;
    }));
    QVERIFY2(stored() <= atLimit + 15, "the store was written in spite of the limit");
    QVERIFY(run::isAlive(supervisor));
    QCOMPARE(::prlimit(supervisor, RLIMIT_FSIZE, &before, nullptr), 0);
    QVERIFY(m_lab->waitUntil(
        [&] {
            watcher.poll(**follower);
            return watcher.ended;
        },
        20));
    QCOMPARE(watcher.contiguity(100), std::string());
    QCOMPARE(m_lab->row(run).status, wire::RunStatus::Finished);
    QCOMPARE(m_lab->contiguity(run, 100), std::string());
}

// The run has ended, and its supervisor tries on to write the end of it.
void SupervisorControlTest::takesNothingBackBeforeTheEndIsStored() {
    const auto run = m_lab->start({.plan = "ms=5"});
    QVERIFY(m_lab->waitForStep(run, 10));
    const auto supervisor = static_cast<pid_t>(m_lab->row(run).supervisorPid);
    const rlimit before = forbidWrites(supervisor);
    const auto follower = run::RunFollower::open(m_lab->workspace(), run);
    Watcher watcher;
    QVERIFY(m_lab->waitUntil([&] {
        watcher.poll(**follower);
        return watcher.state.status == wire::RunStatus::Finished;
    }));
    QVERIFY(m_lab->points(run).size() < 100);
    for (const double until = monotonicSeconds() + 1; monotonicSeconds() < until;) {
        watcher.poll(**follower);
        QCOMPARE(watcher.contiguity(100), std::string());
    }
    QVERIFY(!watcher.ended && run::isAlive(supervisor));
    QCOMPARE(::prlimit(supervisor, RLIMIT_FSIZE, &before, nullptr), 0);
    QVERIFY(m_lab->waitUntil([&] {
        watcher.poll(**follower);
        return watcher.ended;
    }));
    QCOMPARE(watcher.contiguity(100), std::string());
    QCOMPARE(m_lab->contiguity(run, 100), std::string());
}

void SupervisorControlTest::runsTwoAtOnce() {
    const auto one = m_lab->start({.plan = "ms=3"});
    const auto other = m_lab->start({.plan = "ms=3 kill@1:50", .storage = m_lab->folder() + "/elsewhere"});
    QVERIFY(one != other);
    QCOMPARE(m_lab->waitForEnd(one).status, wire::RunStatus::Finished);
    QCOMPARE(m_lab->waitForEnd(other).status, wire::RunStatus::Finished);
    QCOMPARE(m_lab->contiguity(one, 100), std::string());
    QCOMPARE(m_lab->contiguity(other, 100), std::string());
    QVERIFY(m_lab->row(other).folder.starts_with(m_lab->folder() + "/elsewhere/"));
}

void SupervisorControlTest::forksFromACheckpoint() {
    const auto run = m_lab->start({.plan = "", .epochs = 2});
    m_lab->waitForEnd(run);
    const auto checkpoints = m_lab->query().checkpoints(run);
    run::StartOptions options;
    options.resumeFrom = checkpoints->front().path;
    const auto fork = run::startRun(m_lab->workspace(), m_lab->spec({.plan = "kill@0:25", .epochs = 2}), options);
    QVERIFY(fork.ok());
    const auto row = m_lab->waitForEnd(*fork);
    QCOMPARE(row.status, wire::RunStatus::Finished);
    const auto points = m_lab->points(*fork);
    QCOMPARE(points.size(), std::size_t{20});
    QCOMPARE(points.front().step, checkpoints->front().step + 1);
    options.resumeFrom = m_lab->row(run).folder + "/run.json";
    const auto wrong = run::startRun(m_lab->workspace(), m_lab->spec({.plan = ""}), options);
    QVERIFY(!wrong && wrong.error().kind == ErrorKind::Input);
}

void SupervisorControlTest::takesSigtermAsStopAndSave() {
    const auto run = m_lab->start({.plan = "ms=10"});
    QVERIFY(m_lab->waitForStep(run, 25));
    ::kill(static_cast<pid_t>(m_lab->row(run).supervisorPid), SIGTERM);
    const auto row = m_lab->waitForEnd(run);
    QCOMPARE(row.status, wire::RunStatus::Stopped);
    QCOMPARE(m_lab->query().checkpoints(run)->back().step, row.step);
}

QTEST_GUILESS_MAIN(SupervisorControlTest)
#include "supervisor_control_test.moc"
