// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps whose supervisor is killed, and whose slots start another one.
#include "engine/run/start/run_start.h"
#include "engine/sweep/control/sweep_control.h"
#include "engine/sweep/control/sweep_journal.h"
#include "tests/multiproc/lab/process_look.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QTest>

#include <algorithm>
#include <csignal>

using namespace trainyard;
using test::RunLab;

class SweepTakeoverTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        qunsetenv("TRAINYARD_SWEEP_RESTARTS");
        m_lab = std::make_unique<RunLab>();
    }
    void cleanup() { m_lab.reset(); }

    void aSweepGoesOnWhenItsSupervisorIsKilled();
    void aSweepIsTakenOverOnlySoOften();
    void aSweepThatIsToStopIsNotTakenOver();

private:
    bool begin(const std::string& plan, int trials);
    store::SweepRow row() { return *m_lab->query().sweep(m_sweep); }
    bool isSupervised() { return store::RunLock::isHeld(m_lab->workspace().sweepFolder(m_sweep)); }
    std::vector<store::RunRow> active();
    bool waitForSlots();
    std::int64_t killed();
    bool waitForSuccessor(std::int64_t dead);
    bool waitUntilGone(const std::vector<store::RunRow>& slots);
    bool waitForEnd();
    void everyTrialEndedOnce(std::size_t trials);

    std::unique_ptr<RunLab> m_lab;
    std::string m_sweep;
};

// Two slots, and trials of 40 steps, of which the scheduler stops some.
bool SweepTakeoverTest::begin(const std::string& plan, int trials) {
    spec::SweepSpec given;
    given.name = "takeover";
    given.runJson = spec::toJson(m_lab->spec({.plan = plan, .workers = 1, .epochs = 4, .maxRestarts = 0}));
    given.space = {{.path = "optimizer.lr", .from = 1e-4, .to = 1, .logScale = true}};
    given.searcher = {"random", {}};
    given.scheduler = {"asha", {{"factor", 2.0}}};
    given.trials = trials;
    given.parallel = 2;
    const auto id = sweep::startSweep(m_lab->workspace(), given);
    if (!id) std::fprintf(stderr, "cannot start: %s\n", id.error().text().c_str());
    m_sweep = id ? *id : std::string();
    return id.ok();
}

std::vector<store::RunRow> SweepTakeoverTest::active() {
    auto trials = *m_lab->query().trials(m_sweep);
    std::erase_if(
        trials, [](const auto& trial) { return trial.status != wire::RunStatus::Running || trial.supervisorPid <= 0; });
    return trials;
}

// Until two trials train, in the slots of a supervisor that is at work.
bool SweepTakeoverTest::waitForSlots() {
    return m_lab->waitUntil([&] { return row().supervisorPid > 0 && isSupervised() && active().size() == 2; }, 30);
}

std::int64_t SweepTakeoverTest::killed() {
    const std::int64_t supervisor = row().supervisorPid;
    ::kill(static_cast<pid_t>(supervisor), SIGKILL);
    return supervisor;
}

bool SweepTakeoverTest::waitForSuccessor(std::int64_t dead) {
    return m_lab->waitUntil(
        [&] {
            const auto now = row();
            return now.supervisorPid > 0 && now.supervisorPid != dead && now.status == wire::RunStatus::Running;
        },
        30);
}

// The slots that had these trials have ended: what they start is started.
bool SweepTakeoverTest::waitUntilGone(const std::vector<store::RunRow>& slots) {
    const auto lives = [](const store::RunRow& trial) {
        return test::commandLine(trial.supervisorPid).find("supervise-slot") != std::string::npos;
    };
    return m_lab->waitUntil([&] { return std::none_of(slots.begin(), slots.end(), lives); }, 30);
}

bool SweepTakeoverTest::waitForEnd() {
    return m_lab->waitUntil([&] { return !wire::isActive(row().status) && !isSupervised(); }, 60);
}

void SweepTakeoverTest::everyTrialEndedOnce(std::size_t trials) {
    const auto rows = *m_lab->query().trials(m_sweep);
    QCOMPARE(rows.size(), trials);
    const auto events = *m_lab->query().trialEvents(m_sweep);
    const auto decisions = *m_lab->query().trialDecisions(m_sweep);
    for (const auto& trial : rows) {
        const auto count = [&](const char* kind) {
            return std::count_if(events.begin(), events.end(),
                                 [&](const auto& event) { return event.trial == trial.trial && event.kind == kind; });
        };
        const bool isStopped = trial.status == wire::RunStatus::Stopped;
        QVERIFY2(isStopped || trial.status == wire::RunStatus::Finished, trial.error.text().c_str());
        QCOMPARE(count("started"), 1);
        const auto stops = std::count_if(decisions.begin(), decisions.end(), [&](const auto& decision) {
            return decision.trial == trial.trial && decision.decision == store::TrialDecision::Stopped;
        });
        QCOMPARE(count("ended") + stops, 1); // one may have trained to its end before it was judged
        if (!isStopped) QCOMPARE(m_lab->contiguity(trial.id, 40), std::string());
    }
}

// Its trials train on meanwhile, as the same runs in the same slots.
// Feature: a sweep whose supervisor is killed goes on by itself: one of its slots starts another, a few times an hour,
// and not when the sweep is to stop. Also in takeover_test.
// Fault: SIGKILL of the sweep's supervisor while its slots train. One of them starts another: the trials train on as
// the same runs, and each ends once; not after a stop, and three times an hour (TRAINYARD_SWEEP_RESTARTS).
void SweepTakeoverTest::aSweepGoesOnWhenItsSupervisorIsKilled() {
    QVERIFY(begin("perEpoch=10 ms=50", 8));
    QVERIFY(waitForSlots());
    const auto training = active();
    QVERIFY(waitForSuccessor(killed()));
    QVERIFY(waitForSuccessor(killed())); // this one had no slots of its own: the trials are in those of the first
    for (const auto& before : training) {
        const auto now = m_lab->row(before.id);
        QVERIFY(now.supervisorPid == before.supervisorPid || !wire::isActive(now.status));
        QVERIFY(now.status != wire::RunStatus::Interrupted);
    }
    QVERIFY(!sweep::resumeSweep(m_lab->workspace(), m_sweep).ok()); // there is one: exactly one
    QVERIFY(waitForEnd());
    QCOMPARE(row().status, wire::RunStatus::Finished);
    everyTrialEndedOnce(8);
}

void SweepTakeoverTest::aSweepIsTakenOverOnlySoOften() {
    qputenv("TRAINYARD_SWEEP_RESTARTS", "1");
    QVERIFY(begin("perEpoch=10 ms=25", 6));
    QVERIFY(waitForSlots());
    QVERIFY(waitForSuccessor(killed()));
    QVERIFY(waitForSlots());
    const auto training = active();
    const auto second = killed();
    QVERIFY(waitUntilGone(training));
    QCOMPARE(row().supervisorPid, second);
    QVERIFY(!isSupervised());
    QVERIFY(sweep::resumeSweep(m_lab->workspace(), m_sweep).ok());
    QVERIFY(waitForEnd());
    QCOMPARE(row().status, wire::RunStatus::Finished);
    everyTrialEndedOnce(6);
}

// The supervisor dies before it can say that the sweep has stopped.
void SweepTakeoverTest::aSweepThatIsToStopIsNotTakenOver() {
    QVERIFY(begin("perEpoch=10 ms=25", 6));
    QVERIFY(waitForSlots());
    const auto training = active();
    const auto supervisor = static_cast<pid_t>(row().supervisorPid);
    ::kill(supervisor, SIGSTOP);
    QVERIFY(sweep::stopSweep(m_lab->workspace(), m_sweep, wire::StopMode::SaveAndStop).ok());
    for (const auto& trial : training) QCOMPARE(m_lab->waitForEnd(trial.id).status, wire::RunStatus::Stopped);
    ::kill(supervisor, SIGKILL);
    QVERIFY(waitUntilGone(training));
    QVERIFY(!isSupervised());
    QCOMPARE(row().supervisorPid, std::int64_t{supervisor});
}

QTEST_GUILESS_MAIN(SweepTakeoverTest)
#include "sweep_takeover_test.moc"
