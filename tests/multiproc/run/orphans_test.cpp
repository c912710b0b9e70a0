// SPDX-License-Identifier: GPL-3.0-or-later
// Real runs whose supervisor dies or falls silent: their ranks save and end by themselves, and what resumes has lost no
// step and no point.
#include "engine/base/clock.h"
#include "engine/store/store.h"
#include "tests/multiproc/lab/paced.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QTest>

#include <csignal>
#include <map>
#include <utility>

using namespace trainyard;
using test::RunLab;

namespace {

void send(std::int64_t pid, int signal) { ::kill(static_cast<pid_t>(pid), signal); }

} // namespace

class OrphansTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_lab = std::make_unique<RunLab>(); }
    void cleanup() {
        qunsetenv("TRAINYARD_POOL");
        qunsetenv("TRAINYARD_HOST");
    }

    void saveAndEnd_data();
    void saveAndEnd();
    void goOnWhenTheSupervisorIsBackInTime();
    void goOnFromWhatTheRanksSavedWhenItIsBackTooLate();

private:
    // All steps take more than twice kLinkSeconds on any computer.
    static spec::RunSpec paced(int workers) {
        auto spec = test::paced(RunLab::spiralsWithoutCheckpoint(workers, kSteps), PACED_MODEL, 12);
        spec.failure.heartbeatSeconds = 60;
        spec.failure.linkSeconds = kLinkSeconds;
        return spec;
    }
    // The run of those workers and hosts that nothing disturbs: the same for all tests.
    std::string undisturbedOf(const spec::RunSpec& spec) {
        auto& run = m_undisturbed[{spec.scaling.workers, qgetenv("TRAINYARD_HOST")}];
        if (run.empty()) run = m_lab->startReal(test::unpaced(spec));
        return run;
    }

    static constexpr std::int64_t kSteps = 400;
    static constexpr double kLinkSeconds = 2;
    std::unique_ptr<RunLab> m_lab;
    std::map<std::pair<int, QByteArray>, std::string> m_undisturbed;
};

// Feature: ranks whose supervisor is killed or silent for `failure.linkSeconds` save and end by themselves; what
// resumes has lost no step and no point. Also in link_watch_test, run_books_test, ssh_loss_test, unstored_points_test.
// Fault: SIGKILL of the supervisor. The ranks save and end by themselves, on other hosts after 5 s, even a stopped one;
// the run shows as interrupted; resumed, it has lost no step and no point, and is bit-equal to an undisturbed one. Also
// in regroup_test, supervisor_control_test, link_watch_test.
// Fault: SIGSTOP of the supervisor for longer than failure.linkSeconds; a rank is stopped or killed as well. As for a
// killed supervisor; a rank left alone saves alone after 20 s, the kernel's timer ends a stopped one.
void OrphansTest::saveAndEnd_data() {
    QTest::addColumn<int>("workers");
    QTest::addColumn<int>("fate"); // signal that the supervisor gets
    QTest::addColumn<int>("rank"); // that gets a signal before it; -1: none
    QTest::addColumn<int>("signal");
    QTest::addColumn<double>("seconds"); // for all ranks to be gone
    QTest::addColumn<QByteArray>("setup");
    const double save = 3, hang = 24;
    QTest::newRow("killed") << 2 << SIGKILL << -1 << 0 << save << QByteArray();
    QTest::newRow("killed, 3 ranks on two hosts")
        << 3 << SIGKILL << -1 << 0 << save << QByteArray("TRAINYARD_HOST=a,b,b");
    QTest::newRow("killed, one rank") << 1 << SIGKILL << -1 << 0 << save << QByteArray();
    QTest::newRow("killed, ranks are programs") << 2 << SIGKILL << -1 << 0 << save << QByteArray("TRAINYARD_POOL=off");
    QTest::newRow("killed, a rank is stopped") << 2 << SIGKILL << 1 << SIGSTOP << save << QByteArray();
    QTest::newRow("killed, a program is stopped")
        << 2 << SIGKILL << 0 << SIGSTOP << save << QByteArray("TRAINYARD_POOL=off");
    QTest::newRow("stopped") << 2 << SIGSTOP << -1 << 0 << kLinkSeconds + save << QByteArray();
    QTest::newRow("stopped, a rank is killed") << 2 << SIGSTOP << 0 << SIGKILL << kLinkSeconds + save << QByteArray();
    QTest::newRow("stopped, and a rank, too") << 2 << SIGSTOP << 1 << SIGSTOP << kLinkSeconds + hang << QByteArray();
}

void OrphansTest::saveAndEnd() {
    QFETCH(int, workers);
    QFETCH(int, fate);
    QFETCH(int, rank);
    QFETCH(int, signal);
    QFETCH(double, seconds);
    QFETCH(QByteArray, setup);
    if (const auto name = setup.left(setup.indexOf('=')); !name.isEmpty())
        qputenv(name.constData(), setup.mid(name.size() + 1));
    const auto spec = paced(workers);
    const auto undisturbed = undisturbedOf(spec), run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 30, 60));
    const auto pids = m_lab->workerPids(run);
    QCOMPARE(pids.size(), static_cast<std::size_t>(workers));
    const auto row = m_lab->row(run);
    // A stopped supervisor first: it would replace the rank. A stopped rank first: it is to see nothing of the other
    // end.
    if (fate == SIGSTOP) send(row.supervisorPid, fate);
    if (rank >= 0) send(pids[static_cast<std::size_t>(rank)], signal);
    if (fate != SIGSTOP) send(row.supervisorPid, fate);
    const double from = monotonicSeconds();
    QVERIFY2(m_lab->gone(pids, seconds + 5), "workers outlive their supervisor"); // 5: a busy computer
    qInfo("all ranks are gone after %.2f s", monotonicSeconds() - from);
    if (fate == SIGSTOP) send(row.supervisorPid, SIGKILL);
    const auto saved = test::newestCheckpoint(row.folder);
    const auto points = m_lab->points(run);
    QVERIFY(!points.empty());
    QVERIFY2(saved >= points.back().step && saved < kSteps, QByteArray::number(qint64(saved)));
    QVERIFY(m_lab->waitUntil([&] { return !store::RunLock::isHeld(row.folder); }));
    QCOMPARE(m_lab->differenceOnceResumed(run, undisturbed, kSteps), std::string());
    QCOMPARE(m_lab->row(run).worldSize, workers);
    const auto log = m_lab->logText(run);
    QVERIFY2(log.find("unrecorded") == std::string::npos, log.c_str());
}

// Fault: SIGSTOP of the supervisor, then SIGCONT before failure.linkSeconds have passed. Nothing has happened.
void OrphansTest::goOnWhenTheSupervisorIsBackInTime() {
    auto spec = paced(2);
    spec.failure.linkSeconds = 8;
    const auto undisturbed = undisturbedOf(spec), run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 30, 60));
    const auto row = m_lab->row(run);
    send(row.supervisorPid, SIGSTOP);
    QTest::qWait(2000); // what is watched is silence
    send(row.supervisorPid, SIGCONT);
    const auto end = m_lab->waitForEnd(run, 120);
    QCOMPARE(end.status, wire::RunStatus::Finished);
    QCOMPARE(end.restarts, 0);
    QCOMPARE(end.supervisorPid, 0);
    QCOMPARE(m_lab->contiguity(run, kSteps), std::string());
    QCOMPARE(m_lab->waitForEnd(undisturbed, 120).status, wire::RunStatus::Finished);
    QCOMPARE(m_lab->difference(undisturbed, run), std::string());
}

// Fault: SIGSTOP of the supervisor, then SIGCONT after failure.linkSeconds. It replaces the ranks from what they saved,
// or ends as stopped if they could still report it.
void OrphansTest::goOnFromWhatTheRanksSavedWhenItIsBackTooLate() {
    const auto spec = paced(2);
    const auto undisturbed = undisturbedOf(spec), run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 30, 60));
    const auto pids = m_lab->workerPids(run);
    const auto row = m_lab->row(run);
    send(row.supervisorPid, SIGSTOP);
    QVERIFY(m_lab->gone(pids, kLinkSeconds + 8));
    send(row.supervisorPid, SIGCONT);
    QCOMPARE(m_lab->waitForEnd(run, 120).status, wire::RunStatus::Finished);
    const auto log = m_lab->logText(run);
    QVERIFY2(log.find("from the beginning") == std::string::npos, log.c_str());
    QCOMPARE(m_lab->contiguity(run, kSteps), std::string());
    QCOMPARE(m_lab->waitForEnd(undisturbed, 120).status, wire::RunStatus::Finished);
    QCOMPARE(m_lab->difference(undisturbed, run), std::string());
}

QTEST_GUILESS_MAIN(OrphansTest)
#include "orphans_test.moc"
