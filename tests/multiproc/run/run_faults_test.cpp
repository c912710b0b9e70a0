// SPDX-License-Identifier: GPL-3.0-or-later
// What a supervisor makes of workers that die, hang, lie or fail.
#include "engine/run/attach/run_follower.h"
#include "engine/run/launch/process_check.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QRegularExpression>
#include <QTest>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <utility>

using namespace trainyard;
using test::RunLab;

class RunFaultsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_lab = std::make_unique<RunLab>(); }
    void cleanup() { m_lab.reset(); }

    void finishesAnUndisturbedRun();
    void recoversFrom_data();
    void recoversFrom();
    void recoversFromAKillFromOutside();
    void keepsTheFirstCauseWhenRestartsAreUsedUp();
    void takesNoLostPeerForTheCause();
    void doesNotRetryWhatIsWrongWithTheInput();
    void doesNotRetryALossThatIsNotFinite();
    void namesARankThatIsStuck();
    void namesWhoIsMissingInACollective();
    void namesTheCollectiveThatNobodyLeaves_data();
    void namesTheCollectiveThatNobodyLeaves();
    void namesWhoDoesNotComeToTheNextGroup();
    void namesASlowRank();
    void refusesResultsThatDiffer();
    void fallsBackFromADamagedCheckpoint();
    void keepsTheBestAndTheNewestCheckpoints();
    void escapesWhatWorkersPrint();

private:
    std::unique_ptr<RunLab> m_lab;
};

void RunFaultsTest::finishesAnUndisturbedRun() {
    const auto run = m_lab->start({.plan = ""});
    const auto row = m_lab->waitForEnd(run);
    QCOMPARE(row.status, wire::RunStatus::Finished);
    QCOMPARE(row.step, 100);
    QCOMPARE(row.restarts, 0);
    QVERIFY(row.launchToFirstStep > 0 && row.launchToFirstStep < 5);
    QCOMPARE(m_lab->contiguity(run, 100), std::string());
    QCOMPARE(m_lab->points(run, "val/accuracy").size(), std::size_t{5});
    QVERIFY(row.environmentJson.find("\"trainyard\"") != std::string::npos);
}

// Fault: SIGKILL of a rank before the first step or the first checkpoint. The whole group starts again.
// Fault: An exception, also in a thread of a program's own. Named with rank and step; the second as "uncaught exception
// at step", since the process dies of it. Also in api_test.
// Fault: A rank exits early with 0. Named and replaced.
// Fault: Garbage, a wrong message or a huge length on a rank's channel. Named; that side is ended. Also in
// worker_failure_test.
// Fault: No pool, or one that fails. Ranks are started as programs (no worker of these tests has a pool).
void RunFaultsTest::recoversFrom_data() {
    QTest::addColumn<QString>("action");
    QTest::addColumn<QString>("inTheLog");
    QTest::newRow("SIGKILL") << "kill@1:45" << "was killed by SIGKILL";
    QTest::newRow("SIGKILL of rank 0") << "kill@0:45" << "was killed by SIGKILL";
    QTest::newRow("abort") << "abort@1:45" << "was killed by SIGABRT";
    QTest::newRow("early exit with 0") << "exit0@1:45" << "exited with 0 before it had finished";
    QTest::newRow("garbage instead of frames") << "garbage@1:45" << "broke the frame protocol";
    QTest::newRow("a message that is not a worker's") << "wrongtype@0:45" << "not a worker's";
    QTest::newRow("a reported failure") << "fail@1:45" << "the loss became NaN";
    QTest::newRow("before the first checkpoint") << "kill@1:3" << "restarted from the beginning";
    QTest::newRow("twice") << "kill@1:45 kill@0:70#1" << "rank 0 on this computer was killed by SIGKILL";
}

void RunFaultsTest::recoversFrom() {
    QFETCH(QString, action);
    QFETCH(QString, inTheLog);
    const auto run = m_lab->start({.plan = action.toStdString()});
    const auto row = m_lab->waitForEnd(run);
    QCOMPARE(row.status, wire::RunStatus::Finished);
    QVERIFY(row.restarts >= 1);
    QCOMPARE(m_lab->contiguity(run, 100), std::string());
    const auto log = QString::fromStdString(m_lab->logText(run));
    QVERIFY2(log.contains(inTheLog), qPrintable(log));
    QVERIFY2(log.contains("rank 1 on this computer") || log.contains("rank 0 on this computer"), qPrintable(log));
}

void RunFaultsTest::recoversFromAKillFromOutside() {
    const auto run = m_lab->start({.plan = "ms=10"});
    QVERIFY(m_lab->waitForStep(run, 45));
    const auto pids = m_lab->workerPids(run);
    QCOMPARE(pids.size(), std::size_t{2});
    ::kill(static_cast<pid_t>(pids[1]), SIGKILL);
    const auto row = m_lab->waitForEnd(run);
    QCOMPARE(row.status, wire::RunStatus::Finished);
    QCOMPARE(row.restarts, 1);
    QCOMPARE(m_lab->contiguity(run, 100), std::string());
    QVERIFY(m_lab->gone(pids, 1));
}

void RunFaultsTest::keepsTheFirstCauseWhenRestartsAreUsedUp() {
    const auto run = m_lab->start({.plan = "fail@1:7 kill@0:5#1 kill@0:6#2", .maxRestarts = 2});
    const auto row = m_lab->waitForEnd(run);
    QCOMPARE(row.status, wire::RunStatus::Failed);
    QCOMPARE(row.restarts, 2);
    QCOMPARE(row.error.message, std::string("the loss became NaN"));
    QCOMPARE(row.error.where, std::string("rank 1 on this computer, step 7, layer 3"));
    QCOMPARE(row.error.remedy, std::string("lower the learning rate"));
    QCOMPARE(row.error.kind, ErrorKind::Run);
}

void RunFaultsTest::doesNotRetryWhatIsWrongWithTheInput() {
    const auto run = m_lab->start({.plan = "failinput@1:4"});
    const auto row = m_lab->waitForEnd(run);
    QCOMPARE(row.status, wire::RunStatus::Failed);
    QCOMPARE(row.restarts, 0);
    QCOMPARE(row.error.kind, ErrorKind::Input);
    QCOMPARE(row.error.message, std::string("label 12 is out of range"));
}

// Fault: A loss that is not finite ends the run. Code loss-not-finite; no restart, since the same steps lead to the
// same loss; the window offers a tenth of the learning rate. Also in failure_fix_test.
void RunFaultsTest::doesNotRetryALossThatIsNotFinite() {
    const auto row = m_lab->waitForEnd(m_lab->start({.plan = "failnan@1:4"}));
    QCOMPARE(row.status, wire::RunStatus::Failed);
    QCOMPARE(row.restarts, 0);
    QCOMPARE(row.error.code, ErrorCode::LossNotFinite);
}

// Rank 0 reports it first, in words that match no pattern; only the error code says "peer lost".
void RunFaultsTest::takesNoLostPeerForTheCause() {
    const auto row = m_lab->waitForEnd(m_lab->start({.plan = "losepeer@0:7 fail@1:7", .maxRestarts = 0}));
    QCOMPARE(row.status, wire::RunStatus::Failed);
    QCOMPARE(row.error.message, std::string("the loss became NaN"));
    QCOMPARE(row.error.code, ErrorCode::General);
}

void RunFaultsTest::namesARankThatIsStuck() {
    const auto run = m_lab->start({.plan = "hang@1:45", .heartbeatSeconds = 1});
    const auto row = m_lab->waitForEnd(run);
    QCOMPARE(row.status, wire::RunStatus::Finished);
    QCOMPARE(row.restarts, 1);
    const auto log = QString::fromStdString(m_lab->logText(run));
    const QRegularExpression named("rank 1 has been silent for 1 s in step at step 4[45]");
    QVERIFY2(log.contains(named), qPrintable(log));
    QCOMPARE(m_lab->contiguity(run, 100), std::string());
}

// Fault: A live rank never enters a collective. Rank, collective, step, its activity and who waits are named; it is
// replaced.
void RunFaultsTest::namesWhoIsMissingInACollective() {
    const auto run = m_lab->start({.plan = "stuck@1:45", .workers = 3, .heartbeatSeconds = 1});
    const auto row = m_lab->waitForEnd(run);
    QCOMPARE(row.status, wire::RunStatus::Finished);
    QCOMPARE(row.restarts, 1);
    const auto log = QString::fromStdString(m_lab->logText(run));
    const QRegularExpression named("rank 1 has not entered all-reduce of bucket 0 of step 4[56] for 1 s: it is in "
                                   "\"step\", and ranks 0, 2 wait");
    QVERIFY2(log.contains(named), qPrintable(log));
}

// Fault: All ranks hang in a collective, or in different ones. Named with what each is in, after the same time as an
// endless loop.
void RunFaultsTest::namesTheCollectiveThatNobodyLeaves_data() {
    QTest::addColumn<QString>("action");
    QTest::addColumn<QString>("named");
    const QString first = "rank 0 waits in all-reduce of bucket 0 of step 4[56]";
    QTest::newRow("all in one") << "cut@1:45"
                                << first + ", as all others do: no data has passed between the ranks for 1 s";
    QTest::newRow("one in another") << "astray@1:45"
                                    << first + " while rank 1 waits in reduce the metrics: they do not call the same "
                                               "collectives, or no data has passed between the ranks for 1 s";
}

void RunFaultsTest::namesTheCollectiveThatNobodyLeaves() {
    QFETCH(QString, action);
    QFETCH(QString, named);
    const auto run = m_lab->start({.plan = action.toStdString(), .workers = 3, .heartbeatSeconds = 1});
    const auto row = m_lab->waitForEnd(run);
    QCOMPARE(row.status, wire::RunStatus::Finished);
    QCOMPARE(row.restarts, 1);
    const auto log = QString::fromStdString(m_lab->logText(run));
    QVERIFY2(log.contains(QRegularExpression(named)), qPrintable(log));
    QCOMPARE(m_lab->contiguity(run, 100), std::string());
}

// It keeps its state, as it had said, but never leaves the collective of the group that is gone.
// Fault: A rank stays in a collective of the old group while the others form the next one. Named with that collective,
// ended and replaced.
void RunFaultsTest::namesWhoDoesNotComeToTheNextGroup() {
    const auto run = m_lab->start({.plan = "rejoins kill@1:45", .workers = 2, .heartbeatSeconds = 1});
    const auto row = m_lab->waitForEnd(run);
    QCOMPARE(row.status, wire::RunStatus::Finished);
    QCOMPARE(row.restarts, 2);
    const auto log = QString::fromStdString(m_lab->logText(run));
    QVERIFY2(log.contains("the others keep their state"), qPrintable(log));
    QVERIFY2(log.contains("has not reached the rendezvous for 1 s: it is still in \"all-reduce of bucket 0\""),
             qPrintable(log));
    QVERIFY2(log.contains("restarted from step 40"), qPrintable(log));
    QCOMPARE(m_lab->contiguity(run, 100), std::string());
}

// Fault: A rank that computes twice as long as the others for 15 s. A notice names it. Also in real_ranks_test.
void RunFaultsTest::namesASlowRank() {
    const auto run = m_lab->start({.plan = "ms=10 lag@1:5", .workers = 3, .epochs = 1000});
    QVERIFY(m_lab->waitUntil([&] { return m_lab->logText(run).find("is slow") != std::string::npos; }, 40));
    const auto log = m_lab->logText(run);
    QVERIFY2(log.find("rank 1 on this computer is slow: it computes 3 times as long in each step as the others") !=
                 std::string::npos,
             log.c_str());
    QVERIFY(log.find("rank 0 on this computer is slow") == std::string::npos);
}

// Fault: Results that differ between ranks. The run fails: a result that cannot be trusted is not a result.
void RunFaultsTest::refusesResultsThatDiffer() {
    const auto run = m_lab->start({.plan = "digest@1:50"});
    const auto row = m_lab->waitForEnd(run);
    QCOMPARE(row.status, wire::RunStatus::Failed);
    QVERIFY2(row.error.message.find("rank 1 (other) differ from those of rank 0 (same)") != std::string::npos,
             row.error.message.c_str());
}

void RunFaultsTest::fallsBackFromADamagedCheckpoint() {
    const auto run = m_lab->start({.plan = "ms=10"});
    QVERIFY(m_lab->waitForStep(run, 45));
    const auto pids = m_lab->workerPids(run);
    ::kill(static_cast<pid_t>(pids[0]), SIGSTOP); // no further checkpoint while the newest one is damaged
    std::int64_t newestStep = -1;                 // what was on its way is recorded before the newest one is chosen
    QTRY_VERIFY_WITH_TIMEOUT(
        [&] {
            QTest::qWait(400);
            const auto rows = m_lab->query().checkpoints(run);
            return rows && !rows->empty() && std::exchange(newestStep, rows->back().step) == rows->back().step;
        }(),
        15000);
    const auto known = m_lab->query().checkpoints(run);
    QVERIFY(known && known->size() >= 2);
    const auto newest = known->back();
    std::fstream file(newest.path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-1, std::ios::end);
    file.put('\x55');
    file.close();
    ::kill(static_cast<pid_t>(pids[1]), SIGKILL);
    const auto row = m_lab->waitForEnd(run);
    QCOMPARE(row.status, wire::RunStatus::Finished);
    QCOMPARE(m_lab->contiguity(run, 100), std::string());
    const auto log = QString::fromStdString(m_lab->logText(run));
    QVERIFY2(log.contains(QString("the checkpoint of step %1 cannot be used").arg(newest.step)), qPrintable(log));
    QVERIFY2(log.contains(QString("restarted from step %1").arg(newest.step - 20)), qPrintable(log));
}

// Feature: checkpoints: best, last, kept, damaged, disk full. Also in checkpoint_faults_test, ssh_run_test,
// torch_checkpoint_test, worker_failure_test.
void RunFaultsTest::keepsTheBestAndTheNewestCheckpoints() {
    const auto run = m_lab->start({.plan = "nan@0:41", .keep = 1});
    const auto row = m_lab->waitForEnd(run);
    QCOMPARE(row.status, wire::RunStatus::Finished);
    const auto rows = m_lab->query().checkpoints(run);
    QVERIFY(rows.ok());
    QCOMPARE(rows->size(), std::size_t{2});
    QCOMPARE(rows->front().step, 40); // the best: later ones are not numbers
    QVERIFY(rows->front().best && !rows->front().last);
    QCOMPARE(rows->back().step, 100);
    QVERIFY(rows->back().last && !rows->back().best);
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(row.folder + "/checkpoints")) ++files;
    QCOMPARE(files, std::size_t{2});
}

void RunFaultsTest::escapesWhatWorkersPrint() {
    const auto run = m_lab->start({.plan = "abort@1:5 print@0:3", .maxRestarts = 0});
    const auto row = m_lab->waitForEnd(run);
    QCOMPARE(row.status, wire::RunStatus::Failed);
    QVERIFY2(row.error.message.find("the last line it printed: terminate called after a") != std::string::npos,
             row.error.message.c_str());
    QVERIFY(row.error.message.find('\x1b') == std::string::npos);
    QVERIFY(m_lab->logText(run).find("0 info a line of rank 0") != std::string::npos);
    std::ifstream file(row.folder + "/logs/rank0.log");
    std::string line;
    QVERIFY(std::getline(file, line));
    QCOMPARE(line, std::string("a line of rank 0"));
}

QTEST_GUILESS_MAIN(RunFaultsTest)
#include "run_faults_test.moc"
