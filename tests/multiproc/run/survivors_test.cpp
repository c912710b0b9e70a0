// SPDX-License-Identifier: GPL-3.0-or-later
// Real runs that end because a rank is lost: the others save what they have, and what resumes has lost no step.
#include "engine/run/attach/run_control.h"
#include "tests/multiproc/lab/paced.h"
#include "tests/multiproc/lab/run_lab.h"
#include "tests/pause.h"

#include <QTest>

#include <csignal>
#include <filesystem>

using namespace trainyard;
using test::RunLab;

class SurvivorsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_lab = std::make_unique<RunLab>(); }
    void cleanup() {
        m_lab.reset();
        qunsetenv("TRAINYARD_HOST");
    }

    void saveBeforeTheRunIsGivenUp_data();
    void saveBeforeTheRunIsGivenUp();
    void saveWhenStoppedWhileARankHangs();
    void saveWhenAReplacementCannotBegin();
    void goOnWithoutAReplacementThatCannotBegin();

private:
    // Nothing may be replaced.
    static spec::RunSpec paced(int workers) {
        auto spec = test::paced(RunLab::spiralsWithoutCheckpoint(workers, kSteps), PACED_MODEL, 8);
        spec.failure.maxRestarts = 0;
        return spec;
    }
    // The plug-in of `spec` is a file of the lab's own, and a loss of rank 1 may be made up for.
    std::filesystem::path ownModel(spec::RunSpec& spec) const;
    // Rank 1 of a run that trains dies, and what it would need to begin again is gone.
    void loseRankAndModel(const std::string& run, const std::filesystem::path& model);
    // The run has ended after a loss; resumed, it is what it would have been.
    void resumesAsUndisturbed(const std::string& run, const std::string& undisturbed);

    static constexpr std::int64_t kSteps = 300;
    std::unique_ptr<RunLab> m_lab;
};

void SurvivorsTest::resumesAsUndisturbed(const std::string& run, const std::string& undisturbed) {
    const auto points = m_lab->points(run);
    QVERIFY(!points.empty());
    const auto reached = points.back().step;
    QCOMPARE(m_lab->contiguity(run, reached), std::string());
    const auto checkpoints = m_lab->query().checkpoints(run);
    const auto log = m_lab->logText(run);
    QVERIFY2(checkpoints && !checkpoints->empty(), log.c_str());
    QCOMPARE(checkpoints->back().step, reached); // no step that was taken is lost
    QVERIFY2(log.find("the others save their state") != std::string::npos, log.c_str());
    QVERIFY2(log.find("; 0 processes left") != std::string::npos, log.c_str());
    QCOMPARE(m_lab->differenceOnceResumed(run, undisturbed, kSteps), std::string());
}

// Feature: a run that ends for a lost rank, or is stopped while one hangs: the others save first, and what resumes is
// bit-equal to an undisturbed run. Also in recovery_policy_test.
// Fault: The loss of a rank that may not be replaced. The others save before the run ends: the newest checkpoint has
// the last step, and the run resumed from it is bit-equal to an undisturbed one.
void SurvivorsTest::saveBeforeTheRunIsGivenUp_data() {
    QTest::addColumn<int>("workers");
    QTest::addColumn<int>("victim");
    QTest::addColumn<QByteArray>("hosts"); // that the ranks are told to be on
    QTest::newRow("rank 1 of 2") << 2 << 1 << QByteArray();
    QTest::newRow("rank 0 of 2") << 2 << 0 << QByteArray();
    QTest::newRow("rank 0 of 3, alone on a host") << 3 << 0 << QByteArray("b,a,a");
}

void SurvivorsTest::saveBeforeTheRunIsGivenUp() {
    QFETCH(int, workers);
    QFETCH(int, victim);
    QFETCH(QByteArray, hosts);
    if (!hosts.isEmpty()) qputenv("TRAINYARD_HOST", hosts);
    const auto spec = paced(workers);
    const auto undisturbed = m_lab->startReal(test::unpaced(spec)), run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 40, 60));
    const auto pids = m_lab->workerPids(run);
    QCOMPARE(pids.size(), static_cast<std::size_t>(workers));
    ::kill(static_cast<pid_t>(pids[static_cast<std::size_t>(victim)]), SIGKILL);
    const auto row = m_lab->waitForEnd(run, 60);
    QCOMPARE(row.status, wire::RunStatus::Failed);
    QVERIFY2(row.error.message.find("was killed by SIGKILL") != std::string::npos, row.error.message.c_str());
    QCOMPARE(row.worldSize, workers);
    QVERIFY(m_lab->gone(pids, 2));
    resumesAsUndisturbed(run, undisturbed);
}

// Fault: A rank hangs (SIGSTOP) and the run is stopped. Once the rank is named, the others save and end.
void SurvivorsTest::saveWhenStoppedWhileARankHangs() {
    auto spec = paced(2);
    spec.failure.heartbeatSeconds = 3 * test::patience();
    const auto undisturbed = m_lab->startReal(test::unpaced(spec)), run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 40, 60));
    const auto pids = m_lab->workerPids(run);
    QCOMPARE(pids.size(), std::size_t{2});
    ::kill(static_cast<pid_t>(pids[1]), SIGSTOP);
    QVERIFY(run::stopRun(m_lab->workspace(), run, wire::StopMode::SaveAndStop).ok());
    QCOMPARE(m_lab->waitForEnd(run, 60).status, wire::RunStatus::Stopped);
    QVERIFY(m_lab->gone(pids, 2));
    resumesAsUndisturbed(run, undisturbed);
}

std::filesystem::path SurvivorsTest::ownModel(spec::RunSpec& spec) const {
    const std::filesystem::path model = m_lab->folder() + "/model.so";
    std::filesystem::copy_file(PACED_MODEL, model);
    spec.model.params["path"] = model.string();
    spec.failure.maxRestarts = 3;
    return model;
}

void SurvivorsTest::loseRankAndModel(const std::string& run, const std::filesystem::path& model) {
    QVERIFY(m_lab->waitForStep(run, 40, 60));
    const auto pids = m_lab->workerPids(run);
    QCOMPARE(pids.size(), std::size_t{2});
    std::filesystem::remove(model);
    ::kill(static_cast<pid_t>(pids[1]), SIGKILL);
}

// Fault: A lost rank's replacement cannot begin: a file is gone from its host. The others save before the run ends, and
// what resumes once the file is back is bit-equal to an undisturbed run.
void SurvivorsTest::saveWhenAReplacementCannotBegin() {
    auto spec = paced(2);
    const auto model = ownModel(spec);
    const auto undisturbed = m_lab->startReal(test::unpaced(spec));
    QCOMPARE(m_lab->waitForEnd(undisturbed, 60).status, wire::RunStatus::Finished);
    const auto run = m_lab->startReal(spec);
    loseRankAndModel(run, model);
    const auto row = m_lab->waitForEnd(run, 60);
    QCOMPARE(row.status, wire::RunStatus::Failed);
    QVERIFY2(row.error.message.find("no such file") != std::string::npos, row.error.message.c_str());
    std::filesystem::copy_file(PACED_MODEL, model);
    resumesAsUndisturbed(run, undisturbed);
}

// Fault: The same, and the run may continue with fewer ranks. The others go on without it, and it is tried again.
void SurvivorsTest::goOnWithoutAReplacementThatCannotBegin() {
    auto spec = paced(2);
    const auto model = ownModel(spec);
    spec.scaling.elastic = {1, 2};
    const auto run = m_lab->startReal(spec);
    loseRankAndModel(run, model);
    const auto row = m_lab->waitForEnd(run, 60);
    const auto log = m_lab->logText(run);
    QVERIFY2(row.status == wire::RunStatus::Finished, log.c_str());
    QCOMPARE(row.worldSize, 1);
    QCOMPARE(m_lab->contiguity(run, kSteps), std::string());
    QVERIFY2(log.find("1 ranks continue without") != std::string::npos, log.c_str());
}

QTEST_GUILESS_MAIN(SurvivorsTest)
#include "survivors_test.moc"
