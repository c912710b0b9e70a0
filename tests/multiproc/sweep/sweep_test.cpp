// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/clock.h"
#include "engine/base/machine/cores.h"
#include "engine/run/launch/process_check.h"
#include "engine/spec/sweep/sweep_spec.h"
#include "engine/sweep/control/sweep_control.h"
#include "engine/sweep/results/sweep_result.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QTest>

#include <csignal>
#include <fstream>
#include <map>
#include <set>

using namespace trainyard;
using test::RunLab;

class SweepTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        qputenv("TRAINYARD_SWEEP_RESTARTS", "0"); // who goes on with a sweep is the test's to say
        m_lab = std::make_unique<RunLab>();
    }
    void cleanup() {
        m_lab.reset();
        for (const char* name : {"SCRIPTED_DEVICES", "CUDA_VISIBLE_DEVICES"}) qunsetenv(name);
    }

    void namesTheBestOfThreeLearningRates();
    void ranksFailedTrialsAndThoseThatAreNoNumberLast();
    void stopsAndResumes();
    void resumesATrialWhoseFilesALossOfPowerHasTaken();
    void isInterruptedWhenItsSupervisorDies();
    void adoptsATrialThatIsKeptElsewhere();
    void givesUpATrialWhoseSupervisorCannotBegin();
    void refusesASpaceThatIsWrong();
    void beginsFromAnEarlierSweep();
    void trainsTheBestWithFreshSeeds();
    void keepsTheCheckpointsOfTheBest();
    void trialsShareTheCores();
    void trialsShareADevice_data();
    void trialsShareADevice();

private:
    spec::SweepSpec spec(const std::string& plan, const std::vector<spec::Value>& rates, int parallel,
                         const std::string& storage = {});
    store::SweepRow row(const std::string& sweep) { return *m_lab->query().sweep(sweep); }
    store::SweepRow waitForEnd(const std::string& sweep);
    std::string variableOf(const store::RunRow& trial, const std::string& name);
    std::unique_ptr<RunLab> m_lab;
};

spec::SweepSpec SweepTest::spec(const std::string& plan, const std::vector<spec::Value>& rates, int parallel,
                                const std::string& storage) {
    spec::SweepSpec sweep;
    sweep.name = "rates";
    sweep.runJson = spec::toJson(m_lab->spec({.plan = plan, .epochs = 2, .maxRestarts = 0, .storage = storage}));
    spec::Axis axis;
    axis.path = "optimizer.lr";
    axis.values = rates;
    sweep.space = {axis};
    sweep.parallel = parallel;
    return sweep;
}

store::SweepRow SweepTest::waitForEnd(const std::string& sweep) {
    m_lab->waitUntil(
        [&] {
            return !wire::isActive(row(sweep).status) && !store::RunLock::isHeld(m_lab->workspace().sweepFolder(sweep));
        },
        40);
    return row(sweep);
}

// Of its rank's environment; empty: it has none, or there is no rank.
std::string SweepTest::variableOf(const store::RunRow& trial, const std::string& name) {
    const auto workers = m_lab->query().workers(trial.id);
    if (!workers || workers->empty() || workers->front().pid <= 0) return {};
    std::ifstream file("/proc/" + std::to_string(workers->front().pid) + "/environ");
    for (std::string variable; std::getline(file, variable, '\0');)
        if (variable.starts_with(name + '=')) return variable.substr(name.size() + 1);
    return {};
}

void SweepTest::namesTheBestOfThreeLearningRates() {
    const auto sweep = sweep::startSweep(m_lab->workspace(), spec("", {0.001, 0.1, 1.0}, 2));
    QVERIFY2(sweep.ok(), sweep ? "" : sweep.error().text().c_str());
    const auto ended = waitForEnd(*sweep);
    QCOMPARE(ended.status, wire::RunStatus::Finished);
    QCOMPARE(ended.trials, 3);
    const auto ranking = sweep::rankTrials(m_lab->query(), ended);
    QVERIFY(ranking.ok());
    QCOMPARE(ranking->trials.size(), std::size_t{3});
    for (const auto& trial : ranking->trials) QCOMPARE(trial.row.status, wire::RunStatus::Finished);
    const auto& best = ranking->trials[ranking->order.front()];
    QCOMPARE(best.row.trial, 1);
    QCOMPARE(best.row.paramsJson, std::string("{\"optimizer.lr\":0.1}"));
    QCOMPARE(ended.bestRun, best.row.id);
    QCOMPARE(ranking->order, (std::vector<std::size_t>{1, 2, 0}));
}

void SweepTest::ranksFailedTrialsAndThoseThatAreNoNumberLast() {
    auto sweep = spec("", {0.1}, 1);
    spec::Axis plans;
    plans.path = "model.params.plan";
    plans.values = {std::string("nan@0:1"), std::string("fail@1:30"), std::string("")};
    sweep.space = {plans};
    const auto id = sweep::startSweep(m_lab->workspace(), sweep);
    QVERIFY(id.ok());
    const auto ended = waitForEnd(*id);
    QCOMPARE(ended.status, wire::RunStatus::Finished);
    const auto ranking = sweep::rankTrials(m_lab->query(), ended);
    QCOMPARE(ranking->order, (std::vector<std::size_t>{2, 1, 0}));
    QCOMPARE(ended.bestRun, ranking->trials[2].row.id);
    QVERIFY(!ranking->trials[0].standing.score);
}

// The best of the earlier one come first, and its results are kept in the new one's own file.
void SweepTest::beginsFromAnEarlierSweep() {
    auto coarse = spec("ms=0", {0.001, 0.1, 1.0}, 2);
    coarse.name = "coarse";
    const auto earlier = sweep::startSweep(m_lab->workspace(), coarse);
    QVERIFY(earlier.ok());
    QCOMPARE(waitForEnd(*earlier).status, wire::RunStatus::Finished);
    auto fine = spec("ms=0", {}, 2);
    fine.space = {{.path = "optimizer.lr", .from = 0.01, .to = 1, .logScale = true}};
    fine.searcher = {"tpe", {}};
    fine.trials = 3;
    fine.warmStart = {{.sweep = "coarse", .best = 2}};
    const auto id = sweep::startSweep(m_lab->workspace(), fine);
    QVERIFY2(id.ok(), id ? "" : id.error().text().c_str());
    QCOMPARE(waitForEnd(*id).status, wire::RunStatus::Finished);
    const auto trials = *m_lab->query().trials(*id);
    QCOMPARE(trials.size(), std::size_t{3});
    QCOMPARE(trials[0].paramsJson, std::string("{\"optimizer.lr\":0.1}"));
    QCOMPARE(trials[1].paramsJson, std::string("{\"optimizer.lr\":1.0}"));
    const auto kept = *sweep::specOf(row(*id));
    QVERIFY(kept.warmStart[0].sameRun);
    QCOMPARE(kept.warmStart[0].results.size(), std::size_t{2}); // 0.001 lies outside the new range

    fine.warmStart[0].sweep = "coarser";
    const auto unknown = sweep::startSweep(m_lab->workspace(), fine);
    QVERIFY(!unknown.ok() && unknown.error().text().starts_with(
                                 "warmStart.0.sweep: is not a sweep of this workspace, found \"coarser\""));
    fine.warmStart[0].sweep = "coarse";
    fine.space[0].path = "batch.perRank";
    fine.space[0].from = 8;
    fine.space[0].to = 16;
    const auto other = sweep::startSweep(m_lab->workspace(), fine);
    QVERIFY(!other.ok() && other.error().text().starts_with(
                               "warmStart.0.sweep: has no trial with a score and with parameters of this space"));
}

void SweepTest::trainsTheBestWithFreshSeeds() {
    auto given = spec("ms=0", {0.001, 0.1, 1.0}, 2);
    given.seeds = 2;
    given.bestSeeded = 1;
    const auto id = sweep::startSweep(m_lab->workspace(), given);
    QVERIFY2(id.ok(), id ? "" : id.error().text().c_str());
    const auto ended = waitForEnd(*id);
    QCOMPARE(ended.status, wire::RunStatus::Finished);
    const auto ranking = *sweep::rankTrials(m_lab->query(), ended);
    QCOMPARE(ranking.trials.size(), std::size_t{5});
    QCOMPARE(ranking.order.front() / 3, std::size_t{1}); // one of the last two
    QCOMPARE(ended.bestRun, ranking.best);
    std::set<std::int64_t> seeds;
    for (const std::size_t fresh : {3, 4}) {
        QCOMPARE(ranking.trials[fresh].row.paramsJson, std::string("{\"optimizer.lr\":0.1}"));
        seeds.insert(spec::parseRunSpec(ranking.trials[fresh].row.specJson)->seed);
    }
    seeds.insert(spec::parseRunSpec(ranking.trials[1].row.specJson)->seed);
    QCOMPARE(seeds.size(), std::size_t{3});
    QCOMPARE(ranking.configurations.size(), std::size_t{1});
    QCOMPARE(ranking.configurations[0].stats.count, 2);
}

// All are short; one that is put out of the best by a later one loses its own, too.
// Feature: short trials that are not among the best leave no checkpoints. Also in prune_checkpoints_test.
void SweepTest::keepsTheCheckpointsOfTheBest() {
    auto given = spec("ms=0", {1.0, 0.001, 0.2, 0.1}, 1);
    given.rules.keep = {.best = 2, .minSeconds = 1000};
    QCOMPARE(*spec::parseSweepSpec(spec::toJson(given))->rules.keep, *given.rules.keep);
    const auto id = sweep::startSweep(m_lab->workspace(), given);
    QVERIFY2(id.ok(), id ? "" : id.error().text().c_str());
    QCOMPARE(waitForEnd(*id).status, wire::RunStatus::Finished);
    const auto ranking = *sweep::rankTrials(m_lab->query(), row(*id));
    for (std::size_t place = 0; place < 4; ++place) {
        const auto& run = ranking.trials[ranking.order[place]].row;
        QCOMPARE(m_lab->query().checkpoints(run.id)->empty(), place >= 2);
        QCOMPARE(test::newestCheckpoint(run.folder) == 0, place >= 2);
        QVERIFY(!m_lab->points(run.id).empty()); // what it measured stays
        const auto asked = m_lab->query().checkpoint(run.id + "@last");
        QCOMPARE(asked.ok(), place < 2);
        if (!asked) QCOMPARE(asked.error().remedy, "train it again: trainyardctl run " + run.folder + "/run.json");
    }
    given.rules.keep->minSeconds = 0; // none is so short
    const auto all = sweep::startSweep(m_lab->workspace(), given);
    QCOMPARE(waitForEnd(*all).status, wire::RunStatus::Finished);
    const auto trials = *m_lab->query().trials(*all);
    for (const auto& trial : trials) QVERIFY(!m_lab->query().checkpoints(trial.id)->empty());
}

void SweepTest::stopsAndResumes() {
    const auto sweep = sweep::startSweep(m_lab->workspace(), spec("ms=20", {0.01, 0.1, 1.0}, 1));
    QVERIFY(sweep.ok());
    QVERIFY(m_lab->waitUntil([&] {
        const auto trials = m_lab->query().trials(*sweep);
        return trials && !trials->empty() && m_lab->points(trials->front().id).size() > 5;
    }));
    QVERIFY(sweep::stopSweep(m_lab->workspace(), *sweep, wire::StopMode::SaveAndStop).ok());
    QCOMPARE(waitForEnd(*sweep).status, wire::RunStatus::Stopped);
    QCOMPARE(m_lab->query().trials(*sweep)->size(), std::size_t{1});
    QVERIFY(sweep::resumeSweep(m_lab->workspace(), *sweep).ok());
    const auto ended = waitForEnd(*sweep);
    QCOMPARE(ended.status, wire::RunStatus::Finished);
    const auto trials = m_lab->query().trials(*sweep);
    QCOMPARE(trials->size(), std::size_t{3});
    for (const auto& trial : *trials) QCOMPARE(m_lab->contiguity(trial.id, 40), std::string());
}

// They are not waited for, and what the row holds is enough.
// Fault: Loss of power while a sweep trains: the trials' files, which are not synced, are empty. A trial is resumed
// from its row, and every trial ends well.
void SweepTest::resumesATrialWhoseFilesALossOfPowerHasTaken() {
    const auto sweep = sweep::startSweep(m_lab->workspace(), spec("ms=20", {0.01, 0.1}, 1));
    QVERIFY(sweep.ok());
    QVERIFY(m_lab->waitUntil([&] {
        const auto trials = m_lab->query().trials(*sweep);
        return trials && !trials->empty() && m_lab->points(trials->front().id).size() > 5;
    }));
    QVERIFY(sweep::stopSweep(m_lab->workspace(), *sweep, wire::StopMode::SaveAndStop).ok());
    QCOMPARE(waitForEnd(*sweep).status, wire::RunStatus::Stopped);
    const auto stopped = m_lab->query().trials(*sweep)->front();
    const std::filesystem::path folder = stopped.folder;
    for (const char* file : {"run.json", "launch.json"}) std::filesystem::resize_file(folder / file, 0);
    QVERIFY(sweep::resumeSweep(m_lab->workspace(), *sweep).ok());
    QCOMPARE(waitForEnd(*sweep).status, wire::RunStatus::Finished);
    const auto run = spec::readRunSpec(folder / "run.json");
    QVERIFY(run && spec::toJson(*run) == stopped.specJson);
    const auto trials = m_lab->query().trials(*sweep);
    QCOMPARE(trials->size(), std::size_t{2});
    for (const auto& trial : *trials) QCOMPARE(m_lab->contiguity(trial.id, 40), std::string());
}

void SweepTest::isInterruptedWhenItsSupervisorDies() {
    const auto sweep = sweep::startSweep(m_lab->workspace(), spec("ms=20", {0.01, 0.1}, 1));
    QVERIFY(m_lab->waitUntil([&] {
        const auto trials = m_lab->query().trials(*sweep);
        return trials && !trials->empty() && m_lab->points(trials->front().id).size() > 5;
    }));
    ::kill(static_cast<pid_t>(row(*sweep).supervisorPid), SIGKILL);
    QVERIFY(m_lab->waitUntil(
        [&] {
            (void)(*store::Store::open(m_lab->workspace()))->markInterrupted(m_lab->workspace());
            return row(*sweep).status == wire::RunStatus::Interrupted;
        },
        25));
    QVERIFY(sweep::resumeSweep(m_lab->workspace(), *sweep).ok());
    QCOMPARE(waitForEnd(*sweep).status, wire::RunStatus::Finished);
    const auto trials = m_lab->query().trials(*sweep);
    QCOMPARE(trials->size(), std::size_t{2});
    for (const auto& trial : *trials) QCOMPARE(m_lab->contiguity(trial.id, 40), std::string());
}

void SweepTest::adoptsATrialThatIsKeptElsewhere() {
    const auto sweep =
        sweep::startSweep(m_lab->workspace(), spec("ms=50", {0.01, 0.1}, 1, m_lab->folder() + "/elsewhere"));
    QVERIFY(sweep.ok());
    QVERIFY(m_lab->waitUntil([&] {
        const auto trials = m_lab->query().trials(*sweep);
        return trials && !trials->empty() && m_lab->points(trials->front().id).size() > 2;
    }));
    const auto folder = m_lab->query().trials(*sweep)->front().folder;
    QVERIFY(folder.starts_with(m_lab->folder() + "/elsewhere/"));
    ::kill(static_cast<pid_t>(row(*sweep).supervisorPid), SIGKILL);
    QVERIFY(m_lab->waitUntil([&] { return !store::RunLock::isHeld(m_lab->workspace().sweepFolder(*sweep)); }));
    QVERIFY(sweep::resumeSweep(m_lab->workspace(), *sweep).ok());
    QVERIFY(store::RunLock::isHeld(folder)); // the trial went on by itself
    QCOMPARE(waitForEnd(*sweep).status, wire::RunStatus::Finished);
    const auto trials = m_lab->query().trials(*sweep);
    QCOMPARE(trials->size(), std::size_t{2});
    for (const auto& trial : *trials) QCOMPARE(m_lab->contiguity(trial.id, 40), std::string());
}

void SweepTest::givesUpATrialWhoseSupervisorCannotBegin() {
    const auto sweep = sweep::startSweep(m_lab->workspace(), spec("ms=20", {0.1, 0.01}, 1));
    QVERIFY(sweep.ok());
    QVERIFY(m_lab->waitUntil([&] {
        const auto trials = m_lab->query().trials(*sweep);
        return trials && !trials->empty() && m_lab->points(trials->front().id).size() > 5;
    }));
    QVERIFY(sweep::stopSweep(m_lab->workspace(), *sweep, wire::StopMode::SaveAndStop).ok());
    QCOMPARE(waitForEnd(*sweep).status, wire::RunStatus::Stopped);
    std::ofstream(m_lab->query().trials(*sweep)->front().folder + "/launch.json") << "{";
    QVERIFY(sweep::resumeSweep(m_lab->workspace(), *sweep).ok());
    const auto ended = waitForEnd(*sweep);
    QCOMPARE(ended.status, wire::RunStatus::Finished);
    const auto ranking = sweep::rankTrials(m_lab->query(), ended);
    QCOMPARE(ranking->order, (std::vector<std::size_t>{1, 0}));
    QCOMPARE(ranking->trials[0].row.status, wire::RunStatus::Failed);
    QVERIFY(!ranking->trials[0].row.error.message.empty());
    QCOMPARE(ranking->trials[1].row.status, wire::RunStatus::Finished);
}

void SweepTest::refusesASpaceThatIsWrong() {
    auto sweep = spec("", {-1.0, 0.1}, 1);
    const auto started = sweep::startSweep(m_lab->workspace(), sweep);
    QVERIFY(!started && started.error().kind == ErrorKind::Input);
    QVERIFY2(started.error().text().find("optimizer.lr") != std::string::npos, started.error().text().c_str());
    QVERIFY(m_lab->query().sweeps()->empty());
}

// Two trials side by side have half of the threads each that one alone would have.
void SweepTest::trialsShareTheCores() {
    auto given = spec("perEpoch=20 ms=30", {0.1, 0.2}, 2);
    auto run = *spec::parseRunSpec(given.runJson);
    run.scaling.workers = 1;
    given.runJson = spec::toJson(run);
    const auto id = sweep::startSweep(m_lab->workspace(), given);
    QVERIFY2(id.ok(), id ? "" : id.error().text().c_str());
    std::map<int, std::string> threads; // by trial, once it has a worker
    m_lab->waitUntil(
        [&] {
            const auto trials = *m_lab->query().trials(*id);
            for (const auto& trial : trials)
                if (const auto found = variableOf(trial, "OMP_NUM_THREADS"); !found.empty())
                    threads[trial.trial] = found;
            return threads.size() == 2;
        },
        20);
    const auto share = std::to_string(std::max(1, availableCores() / 2));
    QVERIFY((threads == std::map<int, std::string>{{0, share}, {1, share}}));
    QCOMPARE(waitForEnd(*id).status, wire::RunStatus::Finished);
}

void SweepTest::trialsShareADevice_data() {
    QTest::addColumn<int>("devices");
    QTest::addColumn<int>("perDevice");
    QTest::addColumn<QByteArray>("visible"); // to the sweep
    QTest::addColumn<QStringList>("seen");   // by each trial
    QTest::newRow("each has its own") << 2 << 1 << QByteArray("5,7") << QStringList{"5", "7"};
    QTest::newRow("two share one") << 1 << 2 << QByteArray() << QStringList{"0", "0"};
    QTest::newRow("cores are shared") << 0 << 2 << QByteArray() << QStringList{"", ""};
}

// The devices are told of by the workers' program, and used by none: the environment says which a trial would see.
void SweepTest::trialsShareADevice() {
    QFETCH(int, devices);
    QFETCH(int, perDevice);
    QFETCH(QByteArray, visible);
    QFETCH(QStringList, seen);
    m_lab->shareNothing();
    qputenv("SCRIPTED_DEVICES", QByteArray::number(devices));
    visible.isNull() ? qunsetenv("CUDA_VISIBLE_DEVICES") : qputenv("CUDA_VISIBLE_DEVICES", visible);
    auto given = spec("perEpoch=20 ms=20", {0.1, 0.2}, 0);
    auto run = *spec::parseRunSpec(given.runJson);
    run.scaling.workers = 1;
    run.scaling.threadsPerWorker = availableCores(); // so that there is one slot for all cores
    given.runJson = spec::toJson(run);
    given.perDevice = perDevice;
    const auto id = sweep::startSweep(m_lab->workspace(), given);
    QVERIFY2(id.ok(), id ? "" : id.error().text().c_str());
    QStringList found;
    m_lab->waitUntil(
        [&] {
            found.clear();
            const auto trials = *m_lab->query().trials(*id);
            for (const auto& trial : trials)
                if (!variableOf(trial, "OMP_NUM_THREADS").empty() && wire::isActive(trial.status))
                    found << QString::fromStdString(variableOf(trial, "CUDA_VISIBLE_DEVICES"));
            return found.size() == 2; // side by side
        },
        20);
    found.sort();
    QCOMPARE(found, seen);
    QCOMPARE(waitForEnd(*id).status, wire::RunStatus::Finished);
}

QTEST_GUILESS_MAIN(SweepTest)
#include "sweep_test.moc"
