// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that stay from one trial of a sweep to the next: they give the bits of fresh ones, and nothing of a trial is
// left.
#include "engine/base/machine/cores.h"
#include "engine/sweep/control/sweep_control.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QTest>

#include <csignal>
#include <set>

using namespace trainyard;
using test::RunLab;

class RankReuseTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_lab = std::make_unique<RunLab>();
        qputenv("TRAINYARD_BIN", RunLab::builtPrograms());
    }
    void cleanup() { m_lab.reset(); }

    void aUsedRankGivesTheBitsOfAFreshOne_data();
    void aUsedRankGivesTheBitsOfAFreshOne();
    void trialsSideBySideHaveTheirShareOfTheThreads();
    void nothingOfATrialStays();
    void whatFailsInAUsedRankIsTriedInAFreshOne();
    void aRequestThatDiffersGetsAFreshRank();

private:
    spec::SweepSpec sweepOf(const spec::RunSpec& run, std::vector<spec::Axis> space, bool reuse = true);
    std::string begun(const spec::SweepSpec& sweep);
    std::vector<store::RunRow> trained(const std::string& sweep);
    std::vector<store::RunRow> trained(const spec::SweepSpec& sweep) { return trained(begun(sweep)); }
    std::vector<std::int64_t> pidsOf(const std::vector<store::RunRow>& trials);
    std::unique_ptr<RunLab> m_lab;
};

// One trial at a time, in the order of a grid: the last axis changes fastest.
spec::SweepSpec RankReuseTest::sweepOf(const spec::RunSpec& run, std::vector<spec::Axis> space, bool reuse) {
    spec::SweepSpec sweep;
    sweep.name = "reuse";
    sweep.runJson = spec::toJson(run);
    sweep.space = std::move(space);
    sweep.scoreBy = "train/loss";
    sweep.mode = "min";
    sweep.parallel = 1;
    sweep.reuse = reuse;
    return sweep;
}

std::string RankReuseTest::begun(const spec::SweepSpec& sweep) {
    const auto id = sweep::startSweep(m_lab->workspace(), sweep);
    if (id) return *id;
    std::fprintf(stderr, "cannot start: %s\n", id.error().text().c_str());
    return {};
}

std::vector<store::RunRow> RankReuseTest::trained(const std::string& sweep) {
    const auto isOver = [&] {
        const auto row = m_lab->query().sweep(sweep);
        return row && !wire::isActive(row->status) && !store::RunLock::isHeld(m_lab->workspace().sweepFolder(sweep));
    };
    if (!m_lab->waitUntil(isOver, 120)) return {};
    return *m_lab->query().trials(sweep);
}

// Of rank 0 of each trial.
std::vector<std::int64_t> RankReuseTest::pidsOf(const std::vector<store::RunRow>& trials) {
    std::vector<std::int64_t> pids;
    for (const auto& trial : trials) pids.push_back(m_lab->query().workers(trial.id)->front().pid);
    return pids;
}

// Feature: trials share processes: a slot supervises one after another, ranks stay and give the bits of fresh ones,
// nothing of a trial stays in them, what fails in one is tried in a fresh one.
void RankReuseTest::aUsedRankGivesTheBitsOfAFreshOne_data() {
    QTest::addColumn<int>("workers");
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("dataset");
    QTest::newRow("alone, with dropout") << 1 << "mlp" << "spirals";
    QTest::newRow("two that share memory") << 2 << "mlp" << "spirals";
    QTest::newRow("convolutions") << 1 << "convnet" << "glyphs";
}

// A and B, then A and B again: keep changes nothing of the training.
void RankReuseTest::aUsedRankGivesTheBitsOfAFreshOne() {
    QFETCH(int, workers);
    QFETCH(QString, model);
    QFETCH(QString, dataset);
    auto run = RunLab::spirals(workers, 30);
    run.model = {model.toStdString(), {}};
    if (model == "mlp") run.model.params["dropout"] = 0.2;
    run.dataset = {dataset.toStdString(), {{"samples", std::int64_t{800}}}};
    run.checkpoint.everySteps = 10;
    const std::vector<spec::Axis> space{{.path = "checkpoint.keep", .values = {std::int64_t{1}, std::int64_t{2}}},
                                        {.path = "batch.perRank", .values = {std::int64_t{20}, std::int64_t{33}}}};
    const auto used = trained(sweepOf(run, space)), fresh = trained(sweepOf(run, space, false));
    QCOMPARE(used.size(), std::size_t{4});
    QCOMPARE(fresh.size(), std::size_t{4});
    const auto usedPids = pidsOf(used), freshPids = pidsOf(fresh);
    const std::set<std::int64_t> processes(usedPids.begin(), usedPids.end());
    QVERIFY(processes.size() < 4); // any of the ranks is rank 0 of any trial, and one that has grown is replaced
    QCOMPARE(std::set<std::int64_t>(freshPids.begin(), freshPids.end()).size(), std::size_t{4});
    for (std::size_t i = 0; i < 4; ++i) {
        QVERIFY(used[i].status == wire::RunStatus::Finished && fresh[i].status == used[i].status);
        QCOMPARE(m_lab->difference(used[i].id, fresh[i].id), std::string());
        QCOMPARE(m_lab->curveDifference(used[i].id, fresh[i].id, "train/loss"), std::string());
    }
    QCOMPARE(m_lab->difference(used[0].id, used[2].id), std::string());
    QVERIFY(!m_lab->difference(used[0].id, used[1].id).empty());
}

// As the ranks themselves say, whatever their environment does.
void RankReuseTest::trialsSideBySideHaveTheirShareOfTheThreads() {
    auto sweep = sweepOf(RunLab::spirals(1, 20), {{.path = "seed", .values = {std::int64_t{1}, std::int64_t{2}}}});
    auto run = *spec::parseRunSpec(sweep.runJson);
    run.scaling.threadsPerWorker = 0;
    sweep.runJson = spec::toJson(run);
    for (const int parallel : {1, 2}) {
        sweep.parallel = parallel;
        const auto trials = trained(sweep);
        QCOMPARE(trials.size(), std::size_t{2});
        const auto share = "\"threads\":" + std::to_string(std::max(1, availableCores() / parallel)) + "}";
        for (const auto& trial : trials)
            QVERIFY2(trial.environmentJson.find(share) != std::string::npos, trial.environmentJson.c_str());
    }
}

void RankReuseTest::nothingOfATrialStays() {
    auto run = RunLab::spirals(1, 20);
    spec::Axis seeds{.path = "seed"};
    for (std::int64_t seed = 1; seed <= 60; ++seed) seeds.values.emplace_back(seed);
    const auto trials = trained(sweepOf(run, {seeds}));
    QCOMPARE(trials.size(), std::size_t{60});
    const auto pids = pidsOf(trials);
    QCOMPARE(std::set<std::int64_t>(pids.begin(), pids.end()).size(), std::size_t{1});
    const auto residentAfter = [&](std::size_t trial) {
        return m_lab->query().workers(trials[trial].id)->front().beat.residentBytes;
    };
    QVERIFY(residentAfter(10) > 0);
    const auto growth = residentAfter(59) - residentAfter(10);
    QVERIFY2(growth < (4 << 20), std::to_string(growth).c_str());
}

// Fault: A failure in a rank that trained another trial before. It is tried once in a fresh rank from the newest
// checkpoint, which uses up no restart.
void RankReuseTest::whatFailsInAUsedRankIsTriedInAFreshOne() {
    auto run = RunLab::spirals(1, 3000);
    run.checkpoint.everySteps = 100;
    run.failure.maxRestarts = 0;
    const auto sweep = begun(sweepOf(run, {{.path = "seed", .values = {std::int64_t{1}, std::int64_t{2}}}}));
    std::string second;
    QVERIFY(m_lab->waitUntil(
        [&] {
            const auto trials = m_lab->query().trials(sweep);
            if (trials && trials->size() == 2) second = (*trials)[1].id;
            return !second.empty();
        },
        30));
    QVERIFY(m_lab->waitForStep(second, 300, 20));
    for (const auto pid : m_lab->workerPids(second)) ::kill(static_cast<pid_t>(pid), SIGKILL);
    const auto trials = trained(sweep);
    QCOMPARE(trials.size(), std::size_t{2});
    const auto pids = pidsOf(trials);
    QVERIFY(pids[0] != pids[1]);
    QVERIFY2(trials[1].status == wire::RunStatus::Finished, wire::toString(trials[1].status));
    QCOMPARE(trials[1].step, std::int64_t{3000});
    QCOMPARE(trials[1].restarts, 0);
    const auto log = m_lab->logText(second);
    QVERIFY2(log.find("in a process that had trained before; tried once more in a fresh one") != std::string::npos,
             log.c_str());
}

void RankReuseTest::aRequestThatDiffersGetsAFreshRank() {
    auto run = RunLab::spirals(1, 20);
    const auto trials =
        trained(sweepOf(run, {{.path = "deterministic", .values = {true, false}},
                              {.path = "scaling.threadsPerWorker", .values = {std::int64_t{1}, std::int64_t{2}}},
                              {.path = "seed", .values = {std::int64_t{1}, std::int64_t{2}}}}));
    QCOMPARE(trials.size(), std::size_t{8});
    const auto pids = pidsOf(trials);
    for (std::size_t i = 0; i < 8; i += 2) QCOMPARE(pids[i], pids[i + 1]);
    QCOMPARE(std::set<std::int64_t>(pids.begin(), pids.end()).size(), std::size_t{4});
}

QTEST_GUILESS_MAIN(RankReuseTest)
#include "rank_reuse_test.moc"
