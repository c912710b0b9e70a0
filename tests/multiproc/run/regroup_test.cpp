// SPDX-License-Identifier: GPL-3.0-or-later
// Long because: every row kills ranks of real runs through the same helpers, and they share one warm pool.
// Real runs whose ranks are killed, stopped or lose the pool they came from: what is lost, what is left behind, and
// whether the result is the same.
#include "engine/base/clock.h"
#include "engine/run/attach/run_control.h"
#include "engine/run/launch/process_check.h"
#include "engine/run/start/run_start.h"
#include "tests/multiproc/lab/paced.h"
#include "tests/multiproc/lab/process_look.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QRandomGenerator>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <thread>

using namespace trainyard;
using test::commandLine;
using test::parentOf;
using test::RunLab;

namespace {

std::vector<std::int64_t> childrenShownAs(std::int64_t parent, const std::string& words) {
    std::vector<std::int64_t> found;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
        const auto pid = std::atoll(entry.path().filename().c_str());
        if (pid > 0 && parentOf(pid) == parent && commandLine(pid).find(words) != std::string::npos)
            found.push_back(pid);
    }
    return found;
}

} // namespace

class RegroupTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_lab = std::make_unique<RunLab>(); }
    void cleanup() {
        m_lab.reset();
        qunsetenv("TRAINYARD_HOST");
    }

    void aLostRankCostsNoStep_data();
    void aLostRankCostsNoStep();
    void aLostRankTakesWhatItCarriedWithIt_data();
    void aLostRankTakesWhatItCarriedWithIt();
    void anyLossLeavesTheCurvesAsTheyWouldBe_data();
    void anyLossLeavesTheCurvesAsTheyWouldBe();
    void whatALostRankHadYetToReportIsReported();
    void aStoppedRankIsNamedAndReplaced();
    void allRanksLostGoOnFromTheCheckpoint();
    void marksWhatChangedTheCurves();
    void aLossWhileAnotherIsReplaced_data();
    void aLossWhileAnotherIsReplaced();
    void keepsTheFirstCauseWhenReplacementsAreUsedUp();
    void goesOnWithFewerRanks();
    void growsAgainWhenItCan();
    void takesMoreAndFewerWorkersWhileItTrains_data();
    void takesMoreAndFewerWorkersWhileItTrains();
    void keepsItsNumberOfWorkersOverARestart();
    void terminationIsAPreemptionNotice();
    void ranksComeFromAPool_data();
    void ranksComeFromAPool();
    void sparesWaitForWhatIsLost();
    void goesOnWithoutItsPool();
    void theSupervisorTakesStoppedRanksWithIt();

private:
    spec::RunSpec spirals(int workers, std::int64_t steps) const;
    // Slow: each step sleeps, so that fewer of them pass until a loss is made good.
    spec::RunSpec paced(int workers, std::int64_t steps = RunLab::kEndless) const;
    Result<wire::CommandDone> setWorkers(const std::string& run, int workers) {
        return run::commandRun(m_lab->workspace(), run, wire::CommandKind::Resize, workers);
    }
    // How often all ranks have trained again after a loss.
    int timesWhole(const std::string& run) {
        return static_cast<int>(QString::fromStdString(m_lab->logText(run)).count("all ranks train again"));
    }
    // The pid of a rank that is not one of `before`.
    std::int64_t newPid(const std::string& run, const std::vector<std::int64_t>& before);
    static constexpr std::int64_t kFew = 600; // of a paced run: some seconds, in which ranks are lost
    std::unique_ptr<RunLab> m_lab;
};

spec::RunSpec RegroupTest::spirals(int workers, std::int64_t steps) const {
    auto spec = RunLab::spirals(workers, steps);
    spec.model.params["dropout"] = 0.1;
    return spec;
}

spec::RunSpec RegroupTest::paced(int workers, std::int64_t steps) const {
    return test::paced(spirals(workers, steps), PACED_MODEL, 2);
}

std::int64_t RegroupTest::newPid(const std::string& run, const std::vector<std::int64_t>& before) {
    std::int64_t found = 0;
    m_lab->waitUntil(
        [&] {
            for (const auto pid : m_lab->workerPids(run))
                if (std::find(before.begin(), before.end(), pid) == before.end()) found = pid;
            return found > 0;
        },
        20);
    return found;
}

// Feature: a killed rank costs no step; fewer ranks, and more again; more and fewer workers while it trains, also on
// other hosts; SIGTERM is a notice; a hang is named; a slow rank is named. Also in run_faults_test, ssh_loss_test,
// ssh_run_test.
// Fault: SIGKILL of one rank in training, rank 0 or another, of 2 or 3 ranks, twice; gradients in shared memory, in
// buckets, in LibTorch's reducer or over two hosts, as first, second or only rank of its host. It is replaced and the
// others keep their state: no step is lost, bit-equal to an undisturbed run, a curve without a gap.
void RegroupTest::aLostRankCostsNoStep_data() {
    QTest::addColumn<int>("workers");
    QTest::addColumn<std::vector<int>>("victims"); // one after another
    QTest::addColumn<QString>("averaging");
    QTest::addColumn<QByteArray>("hosts"); // that the ranks are told to be on; with any, all but the sums goes over TCP
    using Ranks = std::vector<int>;
    QTest::newRow("rank 1 of 2") << 2 << Ranks{1} << "auto" << QByteArray();
    QTest::newRow("rank 0 of 2, then rank 1") << 2 << Ranks{0, 1} << "auto" << QByteArray();
    QTest::newRow("rank 1 of 3") << 3 << Ranks{1} << "auto" << QByteArray();
    QTest::newRow("rank 1 of 2, buckets") << 2 << Ranks{1} << "buckets" << QByteArray();
    QTest::newRow("rank 0 of 3, buckets, two hosts") << 3 << Ranks{0} << "buckets" << QByteArray("a,b");
    QTest::newRow("rank 0 of 3, LibTorch's reducer") << 3 << Ranks{0} << "reducer" << QByteArray();
    QTest::newRow("rank 1 of 2, metrics over TCP") << 2 << Ranks{1} << "shared" << QByteArray("a");
    QTest::newRow("rank 0 of 3, first of two on a host") << 3 << Ranks{0} << "shared" << QByteArray("a,a,b");
    QTest::newRow("rank 1 of 3, second of two on a host") << 3 << Ranks{1} << "shared" << QByteArray("a,a,b");
    QTest::newRow("rank 2 of 3, alone on a host") << 3 << Ranks{2} << "shared" << QByteArray("a,a,b");
}

void RegroupTest::aLostRankCostsNoStep() {
    QFETCH(int, workers);
    QFETCH(std::vector<int>, victims);
    QFETCH(QString, averaging);
    QFETCH(QByteArray, hosts);
    if (!hosts.isEmpty()) qputenv("TRAINYARD_HOST", hosts);
    auto spec = paced(workers);
    spec.scaling.averaging = averaging.toStdString();
    spec.checkpoint.everySteps = 100;
    const auto disturbed = m_lab->startReal(spec);
    std::int64_t step = 50;
    for (const int victim : victims) {
        QVERIFY(m_lab->waitForStep(disturbed, step, 60));
        const auto pids = m_lab->workerPids(disturbed);
        QCOMPARE(pids.size(), static_cast<std::size_t>(workers));
        ::kill(static_cast<pid_t>(pids[static_cast<std::size_t>(victim)]), SIGKILL);
        step = m_lab->points(disturbed).back().step + 120;
    }
    QVERIFY(m_lab->waitForStep(disturbed, step, 60));
    const auto row = m_lab->stopped(disturbed);
    QCOMPARE(row.status, wire::RunStatus::Stopped);
    QCOMPARE(row.restarts, static_cast<int>(victims.size()));
    const auto log = m_lab->logText(disturbed);
    QVERIFY2(log.find("the others keep their state, no step is lost") != std::string::npos, log.c_str());
    QVERIFY2(log.find("restarted from") == std::string::npos, log.c_str());
    QCOMPARE(m_lab->contiguity(disturbed, row.step), std::string());
    const auto undisturbed = m_lab->trained(spec, row.step);
    const auto wrong = m_lab->difference(undisturbed, disturbed);
    QVERIFY2(wrong.empty(), (wrong + "\n" + log + "\nundisturbed:\n" + m_lab->logText(undisturbed)).c_str());
    QCOMPARE(m_lab->curveDifference(undisturbed, disturbed, "train/loss"), std::string());
}

void RegroupTest::aLostRankTakesWhatItCarriedWithIt_data() {
    QTest::addColumn<QString>("averaging");
    QTest::addColumn<QByteArray>("hosts");
    QTest::newRow("each for itself") << "buckets" << QByteArray("a,b,c");
    QTest::newRow("of two hosts") << "shared" << QByteArray("a,a,b");
}

// With matrices of low rank every rank carries something over. After a loss all begin anew with nothing: no step is
// lost, all ranks come to the end with the same weights (else the supervisor fails the run), and the run learns on.
void RegroupTest::aLostRankTakesWhatItCarriedWithIt() {
    QFETCH(QString, averaging);
    QFETCH(QByteArray, hosts);
    qputenv("TRAINYARD_HOST", hosts);
    constexpr int kSteps = 700;
    auto spec = spirals(3, kSteps);
    spec.scaling.averaging = averaging.toStdString();
    spec.scaling.compression = "powersgd";
    const auto run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 150, 60));
    ::kill(static_cast<pid_t>(m_lab->workerPids(run).back()), SIGKILL);
    const auto row = m_lab->waitForEnd(run, 120);
    const auto log = m_lab->logText(run);
    QVERIFY2(row.status == wire::RunStatus::Finished, log.c_str());
    QCOMPARE(row.restarts, 1);
    QVERIFY2(log.find("the others keep their state, no step is lost") != std::string::npos, log.c_str());
    QVERIFY2(log.find(" as powersgd of rank 2") != std::string::npos, log.c_str());
    QCOMPARE(m_lab->contiguity(run, kSteps), std::string());
    const auto losses = m_lab->points(run);
    QVERIFY2(losses.back().value < 0.5 * losses.front().value, qPrintable(QString::number(losses.back().value)));
}

// Fault: SIGKILL of any rank at any moment, again and again; 2 or 3 ranks on one host or two, in shared memory, in
// buckets, in LibTorch's reducer, with one micro-batch or two. Every point of train/loss and train/accuracy is that of
// an undisturbed run, bit for bit: once a step counts, the others have the lost rank's share of it. Also in
// ssh_loss_test.
void RegroupTest::anyLossLeavesTheCurvesAsTheyWouldBe_data() {
    QTest::addColumn<int>("workers");
    QTest::addColumn<QString>("averaging");
    QTest::addColumn<QByteArray>("hosts"); // as above
    QTest::addColumn<int>("passes");       // micro-batches of a step
    QTest::newRow("2 ranks on a host") << 2 << "auto" << QByteArray() << 1;
    QTest::newRow("2 ranks on a host, 2 passes") << 2 << "auto" << QByteArray() << 2;
    QTest::newRow("3 ranks on a host") << 3 << "auto" << QByteArray() << 1;
    QTest::newRow("2 ranks on a host, buckets") << 2 << "buckets" << QByteArray() << 1;
    QTest::newRow("2 ranks on a host, LibTorch's reducer") << 2 << "reducer" << QByteArray() << 1;
    QTest::newRow("2 hosts") << 2 << "auto" << QByteArray("a,b") << 1;
    QTest::newRow("3 ranks on 2 hosts, 2 passes") << 3 << "auto" << QByteArray("a,a,b") << 2;
}

// Ranks are killed again and again, whichever and whenever. Each point of the curves is made of every rank's share,
// also where a rank did not live to tell its own.
void RegroupTest::anyLossLeavesTheCurvesAsTheyWouldBe() {
    QFETCH(int, workers);
    QFETCH(QString, averaging);
    QFETCH(QByteArray, hosts);
    QFETCH(int, passes);
    constexpr int kLosses = 6;
    if (!hosts.isEmpty()) qputenv("TRAINYARD_HOST", hosts);
    auto spec = spirals(workers, RunLab::kEndless);
    spec.scaling.averaging = averaging.toStdString();
    spec.batch.accumulate = passes;
    spec.failure.maxRestarts = 2 * kLosses;
    const auto run = m_lab->startReal(spec);
    QRandomGenerator chance(static_cast<quint32>(std::random_device{}()));
    QString losses;
    std::int64_t step = 50;
    for (int lost = 0; lost < kLosses; ++lost) {
        QVERIFY(m_lab->waitForStep(run, step, 60));
        const auto pids = m_lab->workerPids(run);
        QCOMPARE(pids.size(), static_cast<std::size_t>(workers));
        std::this_thread::sleep_for(std::chrono::milliseconds(chance.bounded(100)));
        const auto victim = lost < workers ? lost : chance.bounded(workers); // each of them once at least
        ::kill(static_cast<pid_t>(pids[static_cast<std::size_t>(victim)]), SIGKILL);
        losses += QStringLiteral("rank %1 at about step %2\n").arg(victim).arg(m_lab->points(run).back().step);
        step = m_lab->points(run).back().step + 40;
        // The next loss must not meet a group of which only one rank has the state: that would cost steps.
        const bool whole = m_lab->waitUntil([&] { return timesWhole(run) == lost + 1; }, 30);
        QVERIFY2(whole, (losses.toStdString() + m_lab->logText(run)).c_str());
        QCOMPARE(m_lab->row(run).restarts, lost + 1);
    }
    QVERIFY(m_lab->waitForStep(run, step, 60));
    const auto row = m_lab->stopped(run);
    const auto log = losses.toStdString() + m_lab->logText(run);
    QVERIFY2(row.status == wire::RunStatus::Stopped, log.c_str());
    QVERIFY2(log.find("restarted from") == std::string::npos, log.c_str());
    const auto undisturbed = m_lab->trained(spec, row.step);
    for (const char* series : {"train/loss", "train/accuracy"}) {
        const auto wrong = m_lab->curveDifference(undisturbed, run, series);
        QVERIFY2(wrong.empty(), (wrong + "\n" + log).c_str());
    }
    QCOMPARE(m_lab->difference(undisturbed, run), std::string());
    for (const char* series : {"lr", "grad_norm", "samples_per_s", "time/step"}) // of ranks that have just come, too
        for (const auto& point : m_lab->points(run, series))
            QVERIFY2(point.value > 0, (series + (" of step " + std::to_string(point.step) + "\n" + log)).c_str());
}

// Rank 0 dies with the points of several reductions still in it; the others hold what they are made of.
// Fault: SIGKILL of rank 0 while it holds unreported metrics of several reductions. The others hold the metrics until
// the report is out: every point is that of an undisturbed run.
void RegroupTest::whatALostRankHadYetToReportIsReported() {
    const auto spec = paced(2);
    qputenv("LD_PRELOAD", SLOW_REPORTS);
    const auto run = m_lab->startReal(spec);
    qunsetenv("LD_PRELOAD");
    QVERIFY(m_lab->waitForStep(run, 150, 60));
    ::kill(static_cast<pid_t>(m_lab->workerPids(run)[0]), SIGKILL);
    QVERIFY(m_lab->waitUntil([&] { return timesWhole(run) == 1; }, 60));
    const auto row = m_lab->stopped(run);
    const auto log = m_lab->logText(run);
    QVERIFY2(row.status == wire::RunStatus::Stopped, log.c_str());
    QVERIFY2(log.find("no step is lost") != std::string::npos, log.c_str());
    QCOMPARE(m_lab->contiguity(run, row.step), std::string());
    const auto undisturbed = m_lab->trained(spec, row.step);
    const auto wrong = m_lab->curveDifference(undisturbed, run, "train/loss");
    QVERIFY2(wrong.empty(), (wrong + "\n" + log).c_str());
}

// Fault: SIGSTOP of a rank. Named with its step and activity after failure.heartbeatSeconds, and replaced. Also in
// run_faults_test.
void RegroupTest::aStoppedRankIsNamedAndReplaced() {
    auto spec = paced(2, kFew);
    spec.failure.heartbeatSeconds = 2;
    const auto run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 150, 60));
    ::kill(static_cast<pid_t>(m_lab->workerPids(run)[1]), SIGSTOP);
    const auto row = m_lab->waitForEnd(run, 60);
    QCOMPARE(row.status, wire::RunStatus::Finished);
    const auto log = QString::fromStdString(m_lab->logText(run));
    QVERIFY2(log.contains(QRegularExpression("rank 1 has been silent for 2 s")), qPrintable(log));
    QVERIFY2(log.contains("no step is lost"), qPrintable(log));
}

// From the newest one that was recorded, or a newer one whose record was on its way.
// Fault: SIGKILL of all ranks. The run continues from the newest checkpoint, bit-equal to an undisturbed run.
void RegroupTest::allRanksLostGoOnFromTheCheckpoint() {
    auto spec = paced(2, kFew);
    spec.checkpoint.everySteps = 100;
    const auto run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 150, 60));
    QVERIFY(m_lab->waitUntil([&] { return !m_lab->lastCheckpoint(run).empty(); }));
    const auto pids = m_lab->workerPids(run);
    for (const auto pid : pids) ::kill(static_cast<pid_t>(pid), SIGSTOP); // from here on no file comes
    const auto recorded = m_lab->query().checkpoints(run);
    QVERIFY(recorded.ok());
    const auto newest = test::newestCheckpoint(m_lab->row(run).folder);
    for (const auto pid : pids) ::kill(static_cast<pid_t>(pid), SIGKILL);
    const auto row = m_lab->waitForEnd(run, 60);
    QCOMPARE(row.status, wire::RunStatus::Finished);
    QCOMPARE(m_lab->contiguity(run, kFew), std::string());
    const auto log = QString::fromStdString(m_lab->logText(run));
    const auto told = QRegularExpression("restarted from step ([0-9]+)").match(log);
    QVERIFY2(told.hasMatch(), qPrintable(log));
    const auto from = told.captured(1).toLongLong();
    QVERIFY2(from >= 100 && from >= recorded->back().step && from <= newest, qPrintable(log));
    const auto wrong = m_lab->difference(m_lab->trained(spec, kFew), run);
    QVERIFY2(wrong.empty(), wrong.c_str());
}

// Fault: SIGKILL of another rank during a replacement: the newcomer, or the rank that was to give it the state. It is
// replaced as well; no step is lost, bit-equal.
// Fault: SIGKILL of the supervisor during a replacement. No rank is left; the run resumes from the checkpoint,
// bit-equal, with a curve without a gap.
void RegroupTest::aLossWhileAnotherIsReplaced_data() {
    QTest::addColumn<int>("workers");
    QTest::addColumn<QString>("victim");
    QTest::newRow("the newcomer, before it has the state") << 2 << "newcomer";
    QTest::newRow("the newcomer of three") << 3 << "newcomer";
    QTest::newRow("one that has the state, before it gives it") << 3 << "giver";
    QTest::newRow("the supervisor") << 2 << "supervisor";
}

// The last rank is lost; those that are left stand still, so that its newcomer waits for their state when the next one
// is lost.
void RegroupTest::aLossWhileAnotherIsReplaced() {
    QFETCH(int, workers);
    QFETCH(QString, victim);
    auto spec = paced(workers, kFew);
    spec.failure.heartbeatSeconds = 60; // no rank is to be taken for hung
    const auto run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 50, 60));
    const auto supervisor = m_lab->row(run).supervisorPid;
    const auto pids = m_lab->workerPids(run);
    auto left = pids;
    left.pop_back();
    for (const auto pid : left) ::kill(static_cast<pid_t>(pid), SIGSTOP);
    ::kill(static_cast<pid_t>(pids.back()), SIGKILL);
    const auto newcomer = newPid(run, pids);
    QVERIFY(newcomer > 0);
    const std::string kept = "the others keep their state, no step is lost";
    // What a supervisor has not stored yet, at most of the last tenth of a second, is lost with it.
    QVERIFY(m_lab->waitUntil([&] { return m_lab->logText(run).find(kept) != std::string::npos; }));
    const auto second = victim == "newcomer" ? newcomer : victim == "giver" ? pids.front() : supervisor;
    ::kill(static_cast<pid_t>(second), SIGKILL);
    if (victim == "supervisor") {
        QVERIFY2(m_lab->gone({pids.front(), newcomer}, 5), "workers outlive their supervisor");
        QVERIFY(run::resumeRun(m_lab->workspace(), run).ok());
    } else {
        for (const auto pid : left)
            if (pid != second) ::kill(static_cast<pid_t>(pid), SIGCONT);
    }
    const auto row = m_lab->waitForEnd(run, 120);
    QCOMPARE(row.status, wire::RunStatus::Finished);
    const auto log = m_lab->logText(run);
    QVERIFY2(log.find(kept) != std::string::npos, log.c_str());
    if (victim != "supervisor") {
        QCOMPARE(row.restarts, 2);
        QVERIFY2(log.find("restarted from") == std::string::npos, log.c_str());
    }
    QCOMPARE(m_lab->contiguity(run, kFew), std::string());
    const auto undisturbed = m_lab->trained(spec, kFew);
    const auto wrong = m_lab->difference(undisturbed, run);
    QVERIFY2(wrong.empty(), (wrong + "\n" + log + "\nundisturbed:\n" + m_lab->logText(undisturbed)).c_str());
}

// Fault: Replacements that fail too. The restarts are used up with growing pauses; the first cause is kept. Also in
// run_faults_test.
void RegroupTest::keepsTheFirstCauseWhenReplacementsAreUsedUp() {
    auto spec = paced(2);
    spec.failure.maxRestarts = 2;
    const auto run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 150, 60));
    std::vector<std::int64_t> before;
    auto pids = m_lab->workerPids(run);
    before = pids;
    ::kill(static_cast<pid_t>(pids[1]), SIGKILL);
    for (int replaced = 0; replaced < 2; ++replaced) {
        const auto pid = newPid(run, before);
        QVERIFY(pid > 0);
        before.push_back(pid);
        ::kill(static_cast<pid_t>(pid), SIGABRT);
    }
    const auto row = m_lab->waitForEnd(run, 60);
    QCOMPARE(row.status, wire::RunStatus::Failed);
    QCOMPARE(row.restarts, 2);
    QVERIFY2(row.error.message.find("was killed by SIGKILL") != std::string::npos, row.error.message.c_str());
    QVERIFY(m_lab->gone(before, 2));
}

// Fault: A rank that cannot be replaced, with scaling.elastic.min. The others continue, with the global batch kept.
void RegroupTest::goesOnWithFewerRanks() {
    auto spec = spirals(3, 3000);
    spec.scaling.elastic = {2, 3};
    spec.failure.maxRestarts = 0; // nothing may be replaced
    const auto run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 150, 60));
    const auto pids = m_lab->workerPids(run);
    ::kill(static_cast<pid_t>(pids[0]), SIGKILL); // another rank has to report from now on
    const auto row = m_lab->waitForEnd(run, 60);
    const auto log = m_lab->logText(run);
    QVERIFY2(row.status == wire::RunStatus::Finished, log.c_str());
    QVERIFY2(log.find("2 ranks continue without those that cannot be replaced") != std::string::npos, log.c_str());
    QVERIFY2(
        log.find("continues with 2 ranks instead of 3: 60 samples per step instead of 60, the same learning rates") !=
            std::string::npos,
        log.c_str());
    QCOMPARE(m_lab->contiguity(run, 3000), std::string());
    const auto accuracy = m_lab->points(run, "val/accuracy");
    QVERIFY(!accuracy.empty() && accuracy.back().value > 0.9);
}

// What replaces a lost rank is lost three times before it has the state of the others, which stand still: they go on
// without, and try again later.
void RegroupTest::growsAgainWhenItCan() {
    auto spec = paced(3);
    spec.scaling.elastic = {2, 3};
    spec.failure.maxRestarts = 9;
    spec.failure.heartbeatSeconds = 60; // no rank is to be taken for hung
    const auto run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 150, 60));
    auto before = m_lab->workerPids(run);
    const std::vector left{before[0], before[1]};
    for (const auto pid : left) ::kill(static_cast<pid_t>(pid), SIGSTOP);
    ::kill(static_cast<pid_t>(before[2]), SIGKILL);
    const std::string shrunk = "2 ranks continue without those that cannot be replaced";
    for (int lost = 0; lost < 3; ++lost) {
        const auto pid = newPid(run, before);
        QVERIFY(pid > 0);
        before.push_back(pid);
        ::kill(static_cast<pid_t>(pid), SIGKILL);
    }
    QVERIFY(m_lab->waitUntil([&] { return m_lab->logText(run).find(shrunk) != std::string::npos; }));
    for (const auto pid : left) ::kill(static_cast<pid_t>(pid), SIGCONT);
    const std::string grown = "continues with 3 ranks instead of 2";
    QVERIFY2(m_lab->waitUntil([&] { return m_lab->logText(run).find(grown) != std::string::npos; }, 60),
             m_lab->logText(run).c_str());
    QVERIFY(m_lab->waitUntil([&] { return m_lab->workerPids(run).size() == 3; }));
    QVERIFY(m_lab->waitForStep(run, m_lab->points(run).back().step + 100, 60));
    QVERIFY(run::stopRun(m_lab->workspace(), run, wire::StopMode::SaveAndStop).ok());
    const auto row = m_lab->waitForEnd(run, 60);
    QCOMPARE(row.status, wire::RunStatus::Stopped);
    QCOMPARE(m_lab->contiguity(run, row.step), std::string());
    QCOMPARE(row.restarts, 4);
}

// What the charts mark of a run that really trains: a replaced worker, another learning rate, more workers.
void RegroupTest::marksWhatChangedTheCurves() {
    auto spec = paced(2);
    spec.scaling.elastic = {1, 3};
    const auto run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 150, 60));
    ::kill(static_cast<pid_t>(m_lab->workerPids(run).at(1)), SIGKILL);
    QVERIFY(m_lab->waitUntil([&] { return timesWhole(run) == 1; }, 60));
    const auto rate = run::commandRun(m_lab->workspace(), run, wire::CommandKind::SetLearningRate, 0.0125, 20);
    QVERIFY2(rate.ok(), rate.ok() ? "" : rate.error().text().c_str());
    QVERIFY(m_lab->waitForStep(run, rate->step + 10, 60));
    const auto more = setWorkers(run, 3);
    QVERIFY2(more.ok(), m_lab->logText(run).c_str());
    QVERIFY(m_lab->waitForStep(run, more->step + 10, 60));
    QVERIFY(run::stopRun(m_lab->workspace(), run, wire::StopMode::SaveAndStop).ok());
    QCOMPARE(m_lab->waitForEnd(run, 60).status, wire::RunStatus::Stopped);
    QVERIFY(run::resumeRun(m_lab->workspace(), run).ok());
    QVERIFY(m_lab->waitForStep(run, more->step + 200, 60));
    QVERIFY(run::stopRun(m_lab->workspace(), run, wire::StopMode::SaveAndStop).ok());
    m_lab->waitForEnd(run, 60);

    using Kind = store::RunEventKind;
    const auto events = *m_lab->query().events(run);
    std::vector<Kind> kinds;
    for (const auto& event : events) kinds.push_back(event.kind);
    const std::vector expected{Kind::Started, Kind::Replaced, Kind::LearningRate,
                               Kind::Workers, Kind::Resumed,  Kind::Workers}; // resumed as the run file says: with two
    QVERIFY2(kinds == expected, m_lab->logText(run).c_str());
    QCOMPARE(store::describe(events[1]).text(), std::string("rank 1 was killed by SIGKILL; replaced"));
    QVERIFY(events[1].step >= 150);
    QCOMPARE(events[2].step, rate->step);
    QCOMPARE(events[2].after, 0.0125);
    QVERIFY(events[2].before > 0 && events[2].before != events[2].after); // from the points
    QCOMPARE(store::describe(events[3]).text(), std::string("workers 2 → 3"));
    QCOMPARE(store::describe(events[5]).text(), std::string("workers 3 → 2"));
    for (std::size_t i = 1; i < events.size(); ++i) {
        QVERIFY(events[i].wallMs >= events[i - 1].wallMs);
        QVERIFY(events[i].step >= events[i - 1].step);
        QVERIFY(events[i].seconds >= 0);
    }
}

void RegroupTest::takesMoreAndFewerWorkersWhileItTrains_data() {
    QTest::addColumn<QString>("averaging");
    QTest::addColumn<int>("batch");
    QTest::addColumn<std::vector<int>>("numbers"); // of workers, one after another
    using Numbers = std::vector<int>;
    QTest::newRow("shared memory") << "shared" << 60 << Numbers{2, 3, 1, 2};
    QTest::newRow("buckets") << "buckets" << 60 << Numbers{1, 3, 2, 1};
    QTest::newRow("LibTorch's reducer") << "reducer" << 60 << Numbers{2, 1, 3};
    QTest::newRow("often at the end of an epoch") << "shared" << 1200 << Numbers{2, 3, 2, 3};
}

void RegroupTest::takesMoreAndFewerWorkersWhileItTrains() {
    QFETCH(QString, averaging);
    QFETCH(int, batch);
    QFETCH(std::vector<int>, numbers);
    auto spec = paced(numbers.front());
    spec.batch = {std::nullopt, batch, 1};
    spec.scaling.averaging = averaging.toStdString();
    spec.scaling.elastic = {1, 3};
    const auto run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 150, 60));
    for (std::size_t i = 1; i < numbers.size(); ++i) {
        const auto done = setWorkers(run, numbers[i]);
        QVERIFY2(done.ok(), (done.ok() ? "" : done.error().text() + "\n" + m_lab->logText(run)).c_str());
        QCOMPARE(static_cast<int>(done->value), numbers[i]);
        const auto ranks = static_cast<std::size_t>(numbers[i]);
        QVERIFY(m_lab->waitUntil([&] { return m_lab->workerPids(run).size() == ranks; }));
        QVERIFY(m_lab->waitForStep(run, done->step + 100, 60));
        const auto told = "continues with " + std::to_string(numbers[i]) + " ranks instead of " +
                          std::to_string(numbers[i - 1]) + ": " + std::to_string(batch) +
                          " samples per step instead of " + std::to_string(batch);
        QVERIFY2(m_lab->waitUntil([&] { return m_lab->logText(run).find(told) != std::string::npos; }),
                 m_lab->logText(run).c_str());
    }
    QCOMPARE(m_lab->row(run).worldSize, numbers.back());
    const auto pids = m_lab->workerPids(run);
    QVERIFY(run::stopRun(m_lab->workspace(), run, wire::StopMode::SaveAndStop).ok());
    const auto row = m_lab->waitForEnd(run, 60);
    QCOMPARE(row.status, wire::RunStatus::Stopped);
    QCOMPARE(row.restarts, 0); // a wish is no failure
    QCOMPARE(m_lab->contiguity(run, row.step), std::string());
    QVERIFY(m_lab->gone(pids, 2));
}

void RegroupTest::keepsItsNumberOfWorkersOverARestart() {
    auto spec = paced(2);
    spec.scaling.elastic = {1, 3};
    const auto run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 450, 60)); // a checkpoint is there
    const auto refused = setWorkers(run, 4);
    QVERIFY(!refused.ok());
    const auto why = QString::fromStdString(refused.error().text());
    QVERIFY2(why.contains("scaling.elastic allows 1 to 3 workers, and 4 were asked for"), qPrintable(why));
    const auto set = setWorkers(run, 3);
    QVERIFY2(set.ok(), (set.ok() ? "" : set.error().text() + "\n" + m_lab->logText(run)).c_str());
    QVERIFY(m_lab->waitUntil([&] { return m_lab->workerPids(run).size() == 3; }));
    const auto pids = m_lab->workerPids(run);
    for (const auto pid : pids) ::kill(static_cast<pid_t>(pid), SIGKILL);
    QVERIFY(m_lab->waitUntil([&] { return m_lab->logText(run).find("restarted from step") != std::string::npos; }, 60));
    QVERIFY(m_lab->waitForStep(run, m_lab->points(run).back().step + 100, 60));
    QCOMPARE(m_lab->workerPids(run).size(), std::size_t{3});
    const auto points = m_lab->points(run); // of 2,400 samples in steps of 3 x 13, as near as it goes to 2 x 20
    const auto &first = points[points.size() - 50], &last = points.back();
    const double stepsInEpoch = static_cast<double>(last.step - first.step) / (last.epoch - first.epoch);
    QVERIFY2(std::abs(stepsInEpoch - 61.5) < 1.5, std::to_string(stepsInEpoch).c_str());
    QVERIFY(run::stopRun(m_lab->workspace(), run, wire::StopMode::StopNow).ok());
    QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Stopped);
}

// Fault: SIGTERM of a rank. A checkpoint, then all ranks end; the run can be resumed. Also in worker_failure_test.
void RegroupTest::terminationIsAPreemptionNotice() {
    const auto run = m_lab->startReal(paced(2, kFew));
    QVERIFY(m_lab->waitForStep(run, 50, 60));
    ::kill(static_cast<pid_t>(m_lab->workerPids(run)[1]), SIGTERM);
    auto row = m_lab->waitForEnd(run, 60);
    QCOMPARE(row.status, wire::RunStatus::Stopped);
    const auto checkpoints = m_lab->query().checkpoints(run);
    QVERIFY(checkpoints && !checkpoints->empty());
    QCOMPARE(checkpoints->back().step, row.step);
    QVERIFY(run::resumeRun(m_lab->workspace(), run).ok());
    row = m_lab->waitForEnd(run, 60);
    QCOMPARE(row.status, wire::RunStatus::Finished);
    QCOMPARE(m_lab->contiguity(run, kFew), std::string());
}

void RegroupTest::ranksComeFromAPool_data() {
    QTest::addColumn<int>("threads");
    QTest::newRow("of one thread") << 1;
    QTest::newRow("of three threads") << 3;
}

void RegroupTest::ranksComeFromAPool() {
    QFETCH(int, threads);
    m_lab->shareNothing();
    auto spec = paced(2);
    spec.scaling.threadsPerWorker = threads;
    const auto run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 50, 60));
    const auto pids = m_lab->workerPids(run);
    const auto pool = parentOf(pids[0]);
    QCOMPARE(parentOf(pids[1]), pool);
    QVERIFY2(commandLine(pool).find(" pool ") != std::string::npos, commandLine(pool).c_str());
    QVERIFY2(commandLine(pids[0]).find("trainyard-worker rank") != std::string::npos, commandLine(pids[0]).c_str());
    QVERIFY(run::stopRun(m_lab->workspace(), run, wire::StopMode::StopNow).ok());
    QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Stopped);
    QVERIFY(m_lab->gone(pids, 2));
    const auto next = m_lab->startReal(spirals(2, 300));
    QVERIFY(m_lab->waitForStep(next, 1, 60));
    QVERIFY(m_lab->waitForEnd(next, 60).status == wire::RunStatus::Finished);
    QVERIFY(run::isAlive(pool)); // it stays warm between runs
    m_lab.reset();               // and goes with the folder of its socket
    for (int i = 0; i < 1000 && run::isAlive(pool); ++i) QTest::qWait(10);
    QVERIFY(!run::isAlive(pool));
}

// Ranks forked before they are asked for: the newest run's number of them, and they go with the pool.
// Fault: SIGKILL of the pool while spare ranks wait in it. The spares end with it, ranks that were spares continue, the
// supervisor closes its line to it.
void RegroupTest::sparesWaitForWhatIsLost() {
    const auto run = m_lab->startReal(paced(2));
    QVERIFY(m_lab->waitForStep(run, 50, 60));
    const auto pids = m_lab->workerPids(run);
    const auto pool = parentOf(pids[0]);
    const auto spares = [&] { return childrenShownAs(pool, "trainyard-worker spare"); };
    const auto wanted = std::min<std::size_t>(2, std::thread::hardware_concurrency());
    QVERIFY(m_lab->waitUntil([&] { return spares().size() == wanted; }, 60));
    const auto before = spares();
    const auto step = m_lab->points(run).back().step;
    ::kill(static_cast<pid_t>(pids[1]), SIGKILL);
    QVERIFY(m_lab->waitUntil([&] { return m_lab->row(run).restarts == 1; }, 60));
    QVERIFY(m_lab->waitForStep(run, step + 50, 60));
    QVERIFY(m_lab->waitUntil([&] { return m_lab->workerPids(run)[1] != pids[1]; }, 60));
    const auto taken = m_lab->workerPids(run)[1];
    QVERIFY(std::find(before.begin(), before.end(), taken) != before.end());
    QVERIFY2(commandLine(taken).find("trainyard-worker rank") != std::string::npos, commandLine(taken).c_str());
    QVERIFY(m_lab->waitUntil([&] { return spares().size() == wanted; }, 60)); // again
    const auto left = spares();
    const auto sockets = [&] {
        const auto open = test::openOf(m_lab->row(run).supervisorPid);
        return std::count(open.begin(), open.end(), "socket");
    };
    const auto withPool = sockets();
    ::kill(static_cast<pid_t>(pool), SIGKILL);
    QVERIFY2(m_lab->gone(left, 5), "spares outlive their pool");
    QVERIFY(run::isAlive(taken));                                         // a rank does not go with it
    QVERIFY(m_lab->waitUntil([&] { return sockets() == withPool - 1; })); // nor is the line to it kept
    QVERIFY(run::stopRun(m_lab->workspace(), run, wire::StopMode::StopNow).ok());
    QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Stopped);
}

// Fault: SIGKILL of the pool that forks ranks. Its ranks continue; the next replacement comes from a new pool.
void RegroupTest::goesOnWithoutItsPool() {
    const auto run = m_lab->startReal(paced(2, kFew));
    QVERIFY(m_lab->waitForStep(run, 50, 60));
    const auto pids = m_lab->workerPids(run);
    ::kill(static_cast<pid_t>(parentOf(pids[0])), SIGKILL);
    QVERIFY(m_lab->waitForStep(run, m_lab->points(run).back().step + 100, 60));
    ::kill(static_cast<pid_t>(pids[1]), SIGKILL); // its replacement comes from a new pool
    const auto row = m_lab->waitForEnd(run, 60);
    QCOMPARE(row.status, wire::RunStatus::Finished);
    QCOMPARE(row.restarts, 1);
    QCOMPARE(m_lab->contiguity(run, kFew), std::string());
}

void RegroupTest::theSupervisorTakesStoppedRanksWithIt() {
    const auto run = m_lab->startReal(paced(2));
    QVERIFY(m_lab->waitForStep(run, 100, 60));
    const auto pids = m_lab->workerPids(run);
    ::kill(static_cast<pid_t>(pids[1]), SIGSTOP); // it cannot see that its channel ends
    ::kill(static_cast<pid_t>(m_lab->row(run).supervisorPid), SIGKILL);
    QVERIFY2(m_lab->gone(pids, 5), "workers outlive their supervisor");
}

QTEST_GUILESS_MAIN(RegroupTest)
#include "regroup_test.moc"
