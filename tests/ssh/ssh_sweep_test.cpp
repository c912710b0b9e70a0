// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps over two real hosts: one of them is lost and comes back, or the supervisor is killed.
#include "engine/base/clock.h"
#include "engine/spec/run/run_spec.h"
#include "engine/store/run_query.h"
#include "engine/sweep/control/sweep_control.h"
#include "tests/ssh/lab_programs.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <map>
#include <set>

using namespace trainyard;
using test::program;

class SshSweepTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void itGoesOnWhenItsSupervisorIsKilled();
    void aBriefCutCostsNothing();
    void aLostHostCostsNoTrial_data();
    void aLostHostCostsNoTrial();
    void cleanupTestCase();

private:
    spec::SweepSpec sweep(int trials, int steps, double linkSeconds = 300) const; // of some five milliseconds each
    void everyTrialTrainedOnce(int trials, int steps, int stopped = -1);
    void trainedOnce(const store::RunRow& trial, int steps);
    std::set<int> finished(); // trials
    int workersOn(int host);
    std::set<int> trainingOn(const std::string& host); // trials
    std::set<int> startedOnSinceLossOf(int trial, const std::string& host);
    store::SweepRow row() { return *m_query->sweep(m_sweep); }

    test::HostLab m_lab;
    std::optional<store::Workspace> m_workspace;
    std::unique_ptr<store::RunQuery> m_query;
    std::string m_sweep;
};

void SshSweepTest::initTestCase() {
    const QString failure = m_lab.start();
    QVERIFY2(failure.isEmpty(), qPrintable(failure));
    for (const char* host : {"h1", "h2"})
        QCOMPARE(
            QProcess::execute(program("trainyardctl"), {"hosts", "add", QStringLiteral("root@") + host, "--identity",
                                                        QString::fromStdString(m_lab.key("ed25519"))}),
            0);
    QCOMPARE(QProcess::execute(program("trainyardctl"), {"hosts", "test", "h1", "h2", "--accept-new-key"}), 0);
    auto workspace = store::Workspace::open(m_lab.folder() + "/workspace");
    QVERIFY(workspace.ok());
    m_workspace = std::move(*workspace);
}

spec::SweepSpec SshSweepTest::sweep(int trials, int steps, double linkSeconds) const {
    spec::RunSpec run;
    const QJsonObject model = test::pacedModel()["params"].toObject();
    run.model = {
        "plugin",
        {{"path", model["path"].toString().toStdString()}, {"settings", model["settings"].toString().toStdString()}}};
    run.dataset = {"blobs", {}};
    run.epochs.reset();
    run.steps = steps;
    run.hosts = {"h1", "h2"};
    run.scaling.workers = 1;
    run.scaling.threadsPerWorker = 1;
    run.checkpoint.everyEpochs = 0;
    run.checkpoint.everySteps = 50;
    run.failure.maxRestarts = 0;
    run.failure.linkSeconds = linkSeconds;
    spec::SweepSpec sweep;
    sweep.name = "over-hosts";
    sweep.runJson = spec::toJson(run);
    sweep.space = {{.path = "optimizer.lr", .from = 0.01, .to = 0.1}};
    sweep.searcher = {"random", {}};
    sweep.trials = trials;
    return sweep;
}

int SshSweepTest::workersOn(int host) {
    const auto found = m_lab.connect(host)->script("ps -eo comm= | grep -cx trainyard-worke"); // 15 letters
    return found.ok() ? std::atoi(found->out.c_str()) : -1;
}

std::set<int> SshSweepTest::trainingOn(const std::string& host) {
    std::set<int> trials;
    const auto rows = *m_query->trials(m_sweep);
    for (const auto& trial : rows)
        if (trial.status == wire::RunStatus::Running && trial.step > 0 &&
            spec::parseRunSpec(trial.specJson)->hosts == std::vector{host})
            trials.insert(trial.trial);
    return trials;
}

// The trials that were begun there once it was known that this one had lost its host.
std::set<int> SshSweepTest::startedOnSinceLossOf(int trial, const std::string& host) {
    std::set<int> there, started;
    const auto rows = *m_query->trials(m_sweep);
    for (const auto& row : rows)
        if (spec::parseRunSpec(row.specJson)->hosts == std::vector{host}) there.insert(row.trial);
    const auto events = *m_query->trialEvents(m_sweep);
    bool known = false;
    for (const auto& event : events) {
        known = known || (event.trial == trial && event.kind == "failed");
        if (known && event.kind == "started" && there.contains(event.trial)) started.insert(event.trial);
    }
    return started;
}

// Each has one run, in which no step is missing, and none is there twice. One may have been stopped by hand.
void SshSweepTest::everyTrialTrainedOnce(int trials, int steps, int stopped) {
    const auto rows = *m_query->trials(m_sweep);
    QCOMPARE(rows.size(), static_cast<std::size_t>(trials));
    for (const auto& trial : rows) {
        if (trial.trial == stopped) continue;
        QCOMPARE(trial.status, wire::RunStatus::Finished);
        trainedOnce(trial, steps);
    }
}

void SshSweepTest::trainedOnce(const store::RunRow& trial, int steps) {
    QCOMPARE(trial.step, steps);
    const auto points = m_query->points(RunId(trial.id), "train/loss");
    QVERIFY(points.ok());
    std::int64_t step = 0;
    for (const auto& point : *points) QCOMPARE(point.step, ++step);
    QCOMPARE(step, std::int64_t{steps});
}

std::set<int> SshSweepTest::finished() {
    std::set<int> trials;
    const auto rows = *m_query->trials(m_sweep);
    for (const auto& trial : rows)
        if (trial.status == wire::RunStatus::Finished) trials.insert(trial.trial);
    return trials;
}

// Its slots start another one, which leaves their trials where they train and goes on with one trial on each host.
// Fault: SIGKILL of the supervisor of a sweep over hosts. Its slots start another one; the trials train on where they
// are, one on each host at a time.
void SshSweepTest::itGoesOnWhenItsSupervisorIsKilled() {
    constexpr int kFew = 4, kBrief = 1'800;
    const auto started = sweep::startSweep(*m_workspace, sweep(kFew, kBrief));
    QVERIFY2(started.ok(), started ? "" : started.error().text().c_str());
    m_sweep = *started;
    m_query = std::move(*store::RunQuery::open(*m_workspace));
    QTRY_VERIFY_WITH_TIMEOUT(trainingOn("h1").size() == 1 && trainingOn("h2").size() == 1, 60000);
    const auto before = row().supervisorPid;
    const auto training = *m_query->trials(m_sweep);
    QCOMPARE(::kill(static_cast<pid_t>(before), SIGKILL), 0);
    QTRY_VERIFY_WITH_TIMEOUT(row().supervisorPid != before && row().supervisorPid > 0, 30000);
    const auto first = trainingOn("h1"), second = trainingOn("h2");
    QVERIFY2(first.size() == 1 && second.size() == 1, "the trials are too short for this test");
    const int other = *first.begin(), stopped = *second.begin();
    const auto asked = test::trainyardctl({"sweep", "stop", QString::fromStdString(m_sweep), QString::number(stopped),
                                           "--workspace", QString::fromStdString(m_workspace->root.string())});
    QVERIFY2(asked.code == 0, asked.said().constData());
    QTRY_VERIFY_WITH_TIMEOUT(trainingOn("h1").size() + trainingOn("h2").size() == 2 &&
                                 !trainingOn("h2").contains(stopped) && !trainingOn("h1").contains(stopped),
                             30000);
    QCOMPARE(trainingOn("h1"), std::set<int>{other}); // the next one is where there was room
    std::size_t most = 0;
    const auto isOver = [&] {
        most = std::max({most, trainingOn("h1").size(), trainingOn("h2").size()});
        return !wire::isActive(row().status);
    };
    QTRY_VERIFY_WITH_TIMEOUT(isOver(), 120000);
    QCOMPARE(row().status, wire::RunStatus::Finished);
    QCOMPARE(most, std::size_t{1});
    everyTrialTrainedOnce(kFew, kBrief, stopped);
    QCOMPARE(workersOn(1) + workersOn(2), 0);
    const auto rows = *m_query->trials(m_sweep);
    for (const auto& trial : training) {
        const auto now = std::find_if(rows.begin(), rows.end(), [&](const auto& each) { return each.id == trial.id; });
        QVERIFY(now != rows.end() && now->restarts == 0); // trained on
        QCOMPARE(now->startedMs, trial.startedMs);
    }
}

// The trials train on where they are, and no checkpoint is needed.
// Fault: A link that is silent for less than 20 s while trials of a sweep train on hosts. They train on, none fails.
void SshSweepTest::aBriefCutCostsNothing() {
    constexpr int kSteps = 2'600;
    const auto started = sweep::startSweep(*m_workspace, sweep(2, kSteps));
    QVERIFY2(started.ok(), started ? "" : started.error().text().c_str());
    m_sweep = *started;
    m_query = std::move(*store::RunQuery::open(*m_workspace));
    QTRY_VERIFY_WITH_TIMEOUT(trainingOn("h1").size() == 1 && trainingOn("h2").size() == 1, 60000);
    m_lab.cutController();
    QTest::qSleep(10000); // the connections are given up after 7 s
    QVERIFY2(wire::isActive(row().status), "the trials are too short for this test");
    m_lab.joinController();
    QTRY_VERIFY_WITH_TIMEOUT(!wire::isActive(row().status), 120000);
    everyTrialTrainedOnce(2, kSteps);
    const auto trials = *m_query->trials(m_sweep);
    for (const auto& trial : trials) QCOMPARE(trial.restarts, 0);
    const auto events = *m_query->trialEvents(m_sweep);
    for (const auto& event : events) QVERIFY2(event.kind != "failed", event.params.c_str());
    QCOMPARE(workersOn(1) + workersOn(2), 0);
}

// Fault: The host of a sweep's trial is switched off and boots again, while another host trains. The trial continues on
// the other host from its last checkpoint, not counted as failed; the host trains again once it is back; every trial
// ends, with no step missing or repeated.
void SshSweepTest::aLostHostCostsNoTrial_data() {
    QTest::addColumn<bool>("off");
    QTest::addColumn<double>("linkSeconds");
    QTest::newRow("switched off") << true << 8.0;
    QTest::newRow("cut off, with its worker still there") << false << 300.0; // it is waited for for 20 s
}

// A host is lost while a trial trains on it. The trial continues on the other host from its last checkpoint, before any
// new one begins there, and the host trains again once it is back. No trial that has ended has a step twice, and none
// counts as failed.
void SshSweepTest::aLostHostCostsNoTrial() {
    QFETCH(bool, off);
    QFETCH(double, linkSeconds);
    constexpr int kMany = 40, kShort = 700; // some are left when the host is back, however fast this computer is
    const auto started = sweep::startSweep(*m_workspace, sweep(kMany, kShort, linkSeconds));
    QVERIFY2(started.ok(), started ? "" : started.error().text().c_str());
    m_sweep = *started;
    m_query = std::move(*store::RunQuery::open(*m_workspace));
    QTRY_VERIFY_WITH_TIMEOUT(trainingOn("h1").size() == 1 && trainingOn("h2").size() == 1, 60000);
    const int lost = *trainingOn("h2").begin();
    const double lostAt = monotonicSeconds();
    off ? m_lab.powerOff(2) : m_lab.cut(2);
    QTRY_VERIFY_WITH_TIMEOUT(trainingOn("h1").contains(lost), 180000); // the trial that is there ends first
    const double movedAt = monotonicSeconds();
    QCOMPARE(startedOnSinceLossOf(lost, "h1"), std::set<int>()); // new ones come after it
    QCOMPARE(trainingOn("h1").size(), std::size_t{1});           // no more at a time than before
    off ? m_lab.boot(2) : m_lab.join(2);
    const double backAt = monotonicSeconds();
    QTRY_VERIFY2_WITH_TIMEOUT(trainingOn("h2").size() == 1, "the host trains nothing after it has come back", 120000);
    qInfo("the trial trained on the other host after %.1f s, and the host again %.1f s after it was back",
          movedAt - lostAt, monotonicSeconds() - backAt);
    const auto hasEnded = [&] {
        const auto told = *m_query->trialEvents(m_sweep);
        return std::ranges::any_of(told, [&](const auto& each) { return each.trial == lost && each.kind == "ended"; });
    };
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), 120000);
    QVERIFY(finished().contains(lost));
    QVERIFY(sweep::stopSweep(*m_workspace, m_sweep, wire::StopMode::StopNow).ok());
    QTRY_VERIFY_WITH_TIMEOUT(!wire::isActive(row().status), 60000);
    // What a host that was cut off held may take a moment longer to end.
    QTRY_COMPARE_WITH_TIMEOUT(workersOn(1) + workersOn(2), 0, 30000);
    const auto trials = *m_query->trials(m_sweep);
    for (const auto& trial : trials)
        if (trial.status == wire::RunStatus::Finished) trainedOnce(trial, kShort);
    std::map<int, std::map<std::string, int>> told;
    const auto events = *m_query->trialEvents(m_sweep);
    for (const auto& event : events) {
        ++told[event.trial][event.kind];
        if (event.kind != "failed") continue;
        const bool hostLost = event.params.find("connection-lost") != std::string::npos ||
                              event.params.find("host-unreachable") != std::string::npos;
        QVERIFY2(hostLost, event.params.c_str());
    }
    for (const int trial : finished()) {
        QCOMPARE(told[trial]["started"], 1);
        QVERIFY(told[trial]["ended"] <= 1); // of one that ends while the sweep stops it is not told
    }
    QVERIFY(told[lost]["failed"] >= 1);
}

void SshSweepTest::cleanupTestCase() {
    if (m_sweep.empty() || !wire::isActive(row().status)) return;
    (void)sweep::stopSweep(*m_workspace, m_sweep, wire::StopMode::StopNow);
    QTRY_VERIFY_WITH_TIMEOUT(!wire::isActive(row().status), 30000);
}

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    return test::runInHostLab<SshSweepTest>(argc, argv,
                                            {test::program("trainyardctl"), test::program("trainyard-worker")});
}

#include "ssh_sweep_test.moc"
