// SPDX-License-Identifier: GPL-3.0-or-later
// What a user does to a run while it trains: pause, go on, a checkpoint now, another learning rate; and forks.
#include "engine/run/attach/run_control.h"
#include "engine/run/start/coming_checkpoint.h"
#include "engine/run/start/run_start.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <fstream>
#include <thread>

using namespace trainyard;
using test::RunLab;
using wire::CommandKind;

class LiveControlTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_lab = std::make_unique<RunLab>(); }
    void cleanup() { m_lab.reset(); }

    void pausesAndGoesOn();
    void staysPausedThroughARestart();
    void stopsWhilePaused_data();
    void stopsWhilePaused();
    void savesACheckpointNow();
    void saysWhyACheckpointWasNotSaved();
    void changesTheRate();
    void keepsTheRateOverARestart();
    void leavesMarksOfWhatHappened();
    void refusesWhatCannotBe_data();
    void refusesWhatCannotBe();
    void recordsWhereAForkComesFrom();
    void refusesAForkWithNothingToTrain();
    void whatAKilledForkHasCopiedIsRemoved();

private:
    wire::RunStatus statusOf(const std::string& run) { return m_lab->row(run).status; }
    bool becomes(const std::string& run, wire::RunStatus status) {
        return m_lab->waitUntil([&] { return statusOf(run) == status; });
    }
    Result<wire::CommandDone> command(const std::string& run, CommandKind kind, double value = 0) {
        return run::commandRun(m_lab->workspace(), run, kind, value, 20);
    }
    std::unique_ptr<RunLab> m_lab;
};

#define VERIFY_DONE(result) QVERIFY2((result).ok(), (result) ? "" : (result).error().text().c_str())

void LiveControlTest::pausesAndGoesOn() {
    const auto run = m_lab->start({.plan = "ms=10"});
    QVERIFY(m_lab->waitForStep(run, 10));
    const auto paused = command(run, CommandKind::Pause);
    VERIFY_DONE(paused);
    QVERIFY(becomes(run, wire::RunStatus::Paused));
    QVERIFY(m_lab->waitForStep(run, paused->step)); // the points of the last steps are on their way
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    QCOMPARE(m_lab->points(run).back().step, paused->step);
    QCOMPARE(command(run, CommandKind::Pause)->step, paused->step); // once more changes nothing
    const auto on = command(run, CommandKind::Unpause);
    VERIFY_DONE(on);
    QCOMPARE(on->step, paused->step);
    const auto row = m_lab->waitForEnd(run);
    QCOMPARE(row.status, wire::RunStatus::Finished);
    QCOMPARE(m_lab->contiguity(run, 100), std::string());
    const auto log = m_lab->logText(run);
    QVERIFY2(log.find("-1 info paused after step " + std::to_string(paused->step)) != std::string::npos, log.c_str());
    QVERIFY2(log.find("-1 info resumed after step") != std::string::npos, log.c_str());
}

void LiveControlTest::staysPausedThroughARestart() {
    const auto run = m_lab->start({.plan = "ms=10"});
    QVERIFY(m_lab->waitForStep(run, 25));
    VERIFY_DONE(command(run, CommandKind::Pause));
    const auto pids = m_lab->workerPids(run);
    QCOMPARE(pids.size(), std::size_t{2});
    ::kill(static_cast<pid_t>(pids[1]), SIGKILL);
    QVERIFY(m_lab->waitUntil([&] { return m_lab->row(run).restarts == 1 && statusOf(run) == wire::RunStatus::Paused; },
                             20));
    VERIFY_DONE(command(run, CommandKind::Unpause));
    QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Finished);
    QCOMPARE(m_lab->contiguity(run, 100), std::string());
}

void LiveControlTest::stopsWhilePaused_data() {
    QTest::addColumn<int>("mode");
    QTest::newRow("save and stop") << static_cast<int>(wire::StopMode::SaveAndStop);
    QTest::newRow("stop now") << static_cast<int>(wire::StopMode::StopNow);
    QTest::newRow("kill") << static_cast<int>(wire::StopMode::Kill);
}

void LiveControlTest::stopsWhilePaused() {
    QFETCH(int, mode);
    const auto run = m_lab->start({.plan = "ms=10"});
    QVERIFY(m_lab->waitForStep(run, 5));
    VERIFY_DONE(command(run, CommandKind::Pause));
    QVERIFY(run::stopRun(m_lab->workspace(), run, static_cast<wire::StopMode>(mode)).ok());
    const auto row = m_lab->waitForEnd(run);
    QCOMPARE(row.status, wire::RunStatus::Stopped);
    QVERIFY(row.step < 100);
    QVERIFY(run::resumeRun(m_lab->workspace(), run).ok()); // a new start is not paused
    QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Finished);
}

void LiveControlTest::savesACheckpointNow() {
    const auto run = m_lab->start({.plan = "ms=10 perEpoch=1000"});
    QVERIFY(m_lab->waitForStep(run, 7));
    const auto saved = command(run, CommandKind::Checkpoint);
    VERIFY_DONE(saved);
    const auto rows = m_lab->query().checkpoints(run);
    QVERIFY(rows.ok());
    QCOMPARE(rows->size(), std::size_t{1}); // it is in the list when the answer comes
    QCOMPARE(rows->front().step, saved->step);
    QVERIFY(std::filesystem::exists(rows->front().path));
    QVERIFY(run::stopRun(m_lab->workspace(), run, wire::StopMode::Kill).ok());
}

void LiveControlTest::saysWhyACheckpointWasNotSaved() {
    const auto run = m_lab->start({.plan = "ms=10 perEpoch=1000"});
    QVERIFY(m_lab->waitForStep(run, 7));
    const auto folder = std::filesystem::path(m_lab->row(run).folder) / "checkpoints";
    std::filesystem::remove_all(folder);
    std::ofstream(folder) << "in the way";
    const auto saved = command(run, CommandKind::Checkpoint);
    QVERIFY(!saved.ok());
    QVERIFY2(saved.error().kind == ErrorKind::Environment, saved.error().text().c_str()); // the kind of the cause
    QVERIFY(saved.error().code == ErrorCode::CheckpointNotSaved);
    QVERIFY2(saved.error().text().find("was not saved") != std::string::npos, saved.error().text().c_str());
    QVERIFY(run::stopRun(m_lab->workspace(), run, wire::StopMode::Kill).ok());
}

void LiveControlTest::changesTheRate() {
    const auto run = m_lab->start({.plan = "ms=10"});
    QVERIFY(m_lab->waitForStep(run, 5));
    const auto set = command(run, CommandKind::SetLearningRate, 0.025);
    VERIFY_DONE(set);
    QCOMPARE(set->value, 0.025);
    QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Finished);
    const auto rates = m_lab->points(run, "lr");
    QVERIFY(!rates.empty());
    QCOMPARE(rates.back().value, 0.025);
    const auto log = m_lab->logText(run);
    QVERIFY2(log.find("learning rate set to 0.025 after step " + std::to_string(set->step)) != std::string::npos,
             log.c_str());
}

void LiveControlTest::keepsTheRateOverARestart() {
    const auto run = m_lab->start({.plan = "ms=10"});
    QVERIFY(m_lab->waitForStep(run, 25)); // after the checkpoint of step 20, which knows the old rate
    VERIFY_DONE(command(run, CommandKind::SetLearningRate, 0.025));
    const auto pids = m_lab->workerPids(run);
    ::kill(static_cast<pid_t>(pids.at(1)), SIGKILL);
    QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Finished);
    QCOMPARE(m_lab->points(run, "lr").back().value, 0.025);
}

// What the charts mark. The scripted workers cannot rejoin a group, so a lost one restarts all of them.
void LiveControlTest::leavesMarksOfWhatHappened() {
    const auto run = m_lab->start({.plan = "ms=10"});
    QVERIFY(m_lab->waitForStep(run, 5));
    const auto early = command(run, CommandKind::SetLearningRate, 0.05);
    VERIFY_DONE(early);
    QVERIFY(m_lab->waitForStep(run, 25)); // after the checkpoint of step 20
    const auto late = command(run, CommandKind::SetLearningRate, 0.025);
    VERIFY_DONE(late);
    ::kill(static_cast<pid_t>(m_lab->workerPids(run).at(1)), SIGKILL);
    QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Finished);
    const auto events = *m_lab->query().events(run);
    QCOMPARE(events.size(), std::size_t{4});
    QCOMPARE(events[0].kind, store::RunEventKind::Started);
    QCOMPARE(events[0].after, 2.0);
    QCOMPARE(events[1].kind, store::RunEventKind::LearningRate);
    QCOMPARE(events[1].after, 0.05);
    QCOMPARE(events[1].step, early->step);
    QCOMPARE(events[2].kind, store::RunEventKind::Restarted);
    QVERIFY2(events[2].reason.find("was killed by SIGKILL") != std::string::npos, events[2].reason.c_str());
    QVERIFY(events[2].step >= 20 && events[2].step <= late->step);
    QCOMPARE(events[3].kind, store::RunEventKind::LearningRate); // what the restart took back was set once more
    QCOMPARE(events[3].after, 0.025);
    QVERIFY(events[3].step >= events[2].step);
    QVERIFY(std::is_sorted(events.begin(), events.end(),
                           [](const auto& a, const auto& b) { return a.step < b.step || a.wallMs < b.wallMs; }));
}

// Bad inputs: commands to a running run.
void LiveControlTest::refusesWhatCannotBe_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, CommandKind kind, double value, const char* message) {
        QTest::newRow(name) << static_cast<int>(kind) << value << message;
    };
    row("rate 0", CommandKind::SetLearningRate, 0, "optimizer.lr");
    row("rate below 0", CommandKind::SetLearningRate, -0.1, "must be greater than 0");
    row("rate without bounds", CommandKind::SetLearningRate, 1e30, "optimizer.lr");
    row("rate that is no number", CommandKind::SetLearningRate, std::nan(""), "must be a number");
    row("workers without scaling.elastic", CommandKind::Resize, 3, "scaling.elastic is not set");
    row("going on without a pause", CommandKind::Unpause, 0, "is not paused");
}

void LiveControlTest::refusesWhatCannotBe() {
    QFETCH(int, kind);
    QFETCH(double, value);
    QFETCH(QString, message);
    const auto run = m_lab->start({.plan = "ms=10"});
    QVERIFY(m_lab->waitForStep(run, 2));
    const auto done = command(run, static_cast<CommandKind>(kind), value);
    QVERIFY(!done.ok());
    QCOMPARE(done.error().kind, ErrorKind::Input);
    QVERIFY2(done.error().text().find(message.toStdString()) != std::string::npos, done.error().text().c_str());
    QVERIFY(run::stopRun(m_lab->workspace(), run, wire::StopMode::Kill).ok());
    m_lab->waitForEnd(run);
    const auto late = command(run, CommandKind::Pause);
    QVERIFY(!late.ok() && late.error().text().find("is not running: it is stopped") != std::string::npos);
}

void LiveControlTest::recordsWhereAForkComesFrom() {
    const auto run = m_lab->start({.plan = "", .epochs = 2});
    m_lab->waitForEnd(run);
    const auto checkpoints = m_lab->query().checkpoints(run);
    QVERIFY(checkpoints.ok() && !checkpoints->empty());
    run::StartOptions options;
    options.resumeFrom = checkpoints->front().path;
    options.forkedFrom = run;
    const auto fork = run::startRun(m_lab->workspace(), m_lab->spec({.plan = "", .epochs = 4}), options);
    VERIFY_DONE(fork);
    const auto row = m_lab->waitForEnd(*fork);
    QCOMPARE(row.status, wire::RunStatus::Finished);
    QCOMPARE(row.forkedFrom, run);
    QCOMPARE(row.forkedStep, checkpoints->front().step);
    QVERIFY(m_lab->row(run).forkedFrom.empty());
}

void LiveControlTest::refusesAForkWithNothingToTrain() {
    const auto run = m_lab->start({.plan = "", .epochs = 2});
    m_lab->waitForEnd(run);
    run::StartOptions options;
    options.resumeFrom = m_lab->query().checkpoints(run)->back().path; // of step 40
    auto spec = m_lab->spec({.plan = ""});
    spec.epochs.reset();
    spec.steps = 40;
    const auto before = m_lab->query().runs()->size();
    const auto fork = run::startRun(m_lab->workspace(), spec, options);
    QVERIFY(!fork.ok());
    QCOMPARE(fork.error().kind, ErrorKind::Input);
    QVERIFY2(fork.error().text().find("40 steps behind it") != std::string::npos, fork.error().text().c_str());
    QCOMPARE(m_lab->query().runs()->size(), before);
}

// Killed once the checkpoint has come, before there is a run.
void LiveControlTest::whatAKilledForkHasCopiedIsRemoved() {
    namespace fs = std::filesystem;
    const auto run = m_lab->start({.plan = "", .epochs = 2});
    m_lab->waitForEnd(run);
    const auto from = m_lab->query().checkpoints(run)->back().path;
    const auto runs = m_lab->workspace().runFolder({}).parent_path(), coming = runs / ".coming";
    const auto bring = [&](const std::string& id) {
        const pid_t pid = ::fork();
        if (pid == 0) {
            const auto come = run::ComingCheckpoint::bring({runs / id}, from);
            ::raise(come ? SIGKILL : SIGABRT);
        }
        int status = 0;
        return ::waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    };
    QVERIFY(bring("earlier") && bring("later"));
    QVERIFY(fs::exists(coming / "earlier" / "start.safetensors"));
    QVERIFY(!fs::exists(runs / "earlier"));
    const auto old = fs::file_time_type::clock::now() - std::chrono::minutes(10);
    for (const auto& entry : fs::directory_iterator(coming / "earlier")) fs::last_write_time(entry, old);
    fs::last_write_time(coming / "earlier", old);
    m_lab->waitForEnd(m_lab->start({.plan = "", .epochs = 1}));
    QVERIFY(!fs::exists(coming / "earlier"));
    QVERIFY(fs::exists(coming / "later")); // whoever makes it may be on another computer
}

QTEST_GUILESS_MAIN(LiveControlTest)
#include "live_control_test.moc"
