// SPDX-License-Identifier: GPL-3.0-or-later
// Population based training with real trainings, whose sweep's supervisor is killed in the middle.
#include "engine/run/launch/process_check.h"
#include "engine/run/record/run_folder.h"
#include "engine/spec/values/params.h"
#include "engine/sweep/control/sweep_control.h"
#include "engine/sweep/results/sweep_result.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QTest>

#include <algorithm>
#include <csignal>

using namespace trainyard;
using test::RunLab;

class SweepAdoptTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        qputenv("TRAINYARD_SWEEP_RESTARTS", "0"); // who goes on with a sweep is the test's to say
        m_lab = std::make_unique<RunLab>();
        if (RunLab::builtPrograms().isEmpty()) qunsetenv("TRAINYARD_BIN");
        else qputenv("TRAINYARD_BIN", RunLab::builtPrograms());
    }
    void cleanup() { m_lab.reset(); }

    void aPopulationEndsTheSameHoweverOftenItIsKilled();
    void trialsGiveWayToOneAnother();

private:
    spec::SweepSpec population(int epochs, int interval, bool synchronous);
    std::string begun(const spec::SweepSpec& sweep);
    store::SweepRow row(const std::string& sweep) { return *m_lab->query().sweep(sweep); }
    bool waitForEnd(const std::string& sweep);
    bool killAndResume(const std::string& sweep);
    bool isAdopting(const std::string& sweep);
    std::size_t adoptions(const std::string& sweep) { return m_lab->query().adoptions(sweep)->size(); }
    std::string lineage(const std::string& sweep);
    std::string doubledPoint(const std::string& run);
    std::unique_ptr<RunLab> m_lab;
};

// Three rates with which it learns, and one with which it does not.
spec::SweepSpec SweepAdoptTest::population(int epochs, int interval, bool synchronous) {
    auto run = RunLab::spirals(1, 1);
    run.steps.reset();
    run.epochs = epochs;
    run.model = {"mlp", {{"hidden", std::vector<double>{320, 320}}}}; // a second and more between two adoptions
    run.tuning = {.layout = "contiguous", .kernels = "stock"};        // the same bits every time
    run.checkpoint.everySteps = 0;
    run.checkpoint.everyEpochs = 1;
    run.checkpoint.keep = 50;
    spec::SweepSpec sweep;
    sweep.name = "population";
    sweep.runJson = spec::toJson(run);
    sweep.space = {{.path = "optimizer.lr", .values = {0.001, 1e-7, 0.002, 0.0005}}};
    sweep.scheduler = {"pbt",
                       {{"interval", static_cast<double>(interval)},
                        {"mutate", std::string("optimizer.lr")},
                        {"synchronous", synchronous}}};
    sweep.scoreBy = "val/loss";
    sweep.mode = "min";
    sweep.parallel = 4;
    return sweep;
}

std::string SweepAdoptTest::begun(const spec::SweepSpec& sweep) {
    const auto id = sweep::startSweep(m_lab->workspace(), sweep);
    if (id) return *id;
    std::fprintf(stderr, "cannot start: %s\n", id.error().text().c_str());
    return {};
}

bool SweepAdoptTest::waitForEnd(const std::string& sweep) {
    return m_lab->waitUntil(
        [&] {
            return !wire::isActive(row(sweep).status) && !store::RunLock::isHeld(m_lab->workspace().sweepFolder(sweep));
        },
        180);
}

bool SweepAdoptTest::killAndResume(const std::string& sweep) {
    // One that was just resumed has not written who it is.
    pid_t supervisor = 0;
    const auto isThere = [&] {
        supervisor = static_cast<pid_t>(row(sweep).supervisorPid);
        return supervisor > 0 && run::isAlive(supervisor);
    };
    if (!m_lab->waitUntil(isThere, 10)) return false;
    ::kill(supervisor, SIGKILL);
    if (!store::RunLock::waitUntilFree(m_lab->workspace().sweepFolder(sweep), 10)) return false;
    return sweep::resumeSweep(m_lab->workspace(), sweep).ok();
}

// Ordered, and not recorded as done.
bool SweepAdoptTest::isAdopting(const std::string& sweep) {
    const auto decisions = *m_lab->query().trialDecisions(sweep);
    return std::any_of(decisions.begin(), decisions.end(),
                       [](const auto& each) { return each.decision == store::TrialDecision::Adopts; });
}

// "1 from 0 at 3 with {…}" for each adoption, by trial.
std::string SweepAdoptTest::lineage(const std::string& sweep) {
    const auto rows = *m_lab->query().adoptions(sweep);
    std::string text;
    for (const auto& [trial, list] : sweep::adoptionsOf(rows))
        for (const auto& each : list)
            text += std::to_string(trial) + " from " + std::to_string(each.donor) + " at " + spec::toText(each.t) +
                    " with " + spec::paramsToText(each.params) + "\n";
    return text;
}

std::string SweepAdoptTest::doubledPoint(const std::string& run) {
    std::int64_t last = 0;
    for (const auto& point : m_lab->points(run)) {
        if (point.step <= last) return "step " + std::to_string(point.step) + " comes after " + std::to_string(last);
        last = point.step;
    }
    return {};
}

void SweepAdoptTest::aPopulationEndsTheSameHoweverOftenItIsKilled() {
    const auto undisturbed = begun(population(9, 3, true));
    QVERIFY(!undisturbed.empty() && waitForEnd(undisturbed));
    QCOMPARE(row(undisturbed).status, wire::RunStatus::Finished);
    const auto expected = lineage(undisturbed);
    QVERIFY2(expected.find("1 from ") != std::string::npos, expected.c_str()); // the one that does not learn
    const auto ranked = *sweep::rankTrials(m_lab->query(), row(undisturbed));
    QCOMPARE(ranked.trials.size(), std::size_t{4});
    const auto& taker = ranked.trials[1];
    QVERIFY(!taker.adoptions.empty());
    QCOMPARE(taker.row.paramsJson, spec::paramsToText(taker.adoptions.back().params));
    const auto runFile = *spec::readRunSpec(run::RunFolder{taker.row.folder}.runFile());
    const spec::Choice adopted{{}, taker.adoptions.back().params};
    QCOMPARE(runFile.optimizer.number("lr", 0), adopted.number("optimizer.lr", 1));
    QVERIFY2(m_lab->query().notice(taker.row.id)->starts_with("adopted trial "), "the run says so itself");
    const auto losses = m_lab->points(taker.row.id, "val/loss");
    QCOMPARE(losses.size(), std::size_t{9}); // what it measured before it adopted is kept
    QVERIFY(losses[8].value < 0.7 * losses[2].value);
    for (const auto& trial : ranked.trials) QCOMPARE(doubledPoint(trial.row.id), std::string());

    const auto killed = begun(population(9, 3, true));
    QVERIFY(m_lab->waitUntil([&] { return !m_lab->query().trialEvents(killed)->empty(); }, 60));
    QVERIFY(killAndResume(killed)); // between starts
    QVERIFY(m_lab->waitUntil([&] { return isAdopting(killed) || adoptions(killed) > 0; }, 60));
    QVERIFY(killAndResume(killed)); // before the state is there, or as it is being copied
    QVERIFY(m_lab->waitUntil([&] { return adoptions(killed) > 0; }, 60));
    QVERIFY(killAndResume(killed)); // before the trial goes on
    QVERIFY(waitForEnd(killed));
    QCOMPARE(row(killed).status, wire::RunStatus::Finished);
    QCOMPARE(lineage(killed), expected);
    const auto again = *sweep::rankTrials(m_lab->query(), row(killed));
    for (std::size_t trial = 0; trial < 4; ++trial)
        QCOMPARE(m_lab->curveDifference(again.trials[trial].row.id, ranked.trials[trial].row.id, "val/loss"),
                 std::string());
}

// Two slots for four trials, each of which trains only as far ahead of the others as it must.
void SweepAdoptTest::trialsGiveWayToOneAnother() {
    auto given = population(12, 2, false); // a donor must have come as far, and may be the later one at some marks
    given.parallel = 2;
    const auto sweep = begun(given);
    QVERIFY(!sweep.empty() && waitForEnd(sweep));
    QCOMPARE(row(sweep).status, wire::RunStatus::Finished);
    const auto ranked = *sweep::rankTrials(m_lab->query(), row(sweep));
    QCOMPARE(ranked.trials.size(), std::size_t{4});
    for (const auto& trial : ranked.trials) {
        QCOMPARE(trial.row.status, wire::RunStatus::Finished);
        QCOMPARE(doubledPoint(trial.row.id), std::string());
    }
    QVERIFY(!ranked.trials[1].adoptions.empty());
    const auto events = *m_lab->query().trialEvents(sweep);
    const auto at = [&](const char* kind, int trial) {
        return std::find_if(events.begin(), events.end(),
                            [&](const auto& each) { return each.kind == kind && each.trial == trial; }) -
               events.begin();
    };
    for (int trial = 0; trial < 4; ++trial) QVERIFY(at("started", 3) < at("ended", trial));
}

QTEST_GUILESS_MAIN(SweepAdoptTest)
#include "sweep_adopt_test.moc"
