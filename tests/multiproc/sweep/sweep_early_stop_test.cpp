// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps whose scheduler stops trials, with real supervisors that are killed in the middle.
#include "engine/run/start/run_start.h"
#include "engine/sweep/control/sweep_control.h"
#include "engine/sweep/control/sweep_journal.h"
#include "engine/sweep/results/sweep_result.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QTest>

#include <csignal>
#include <map>

using namespace trainyard;
using test::RunLab;

class SweepEarlyStopTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        qputenv("TRAINYARD_SWEEP_RESTARTS", "0"); // who goes on with a sweep is the test's to say
        m_lab = std::make_unique<RunLab>();
    }
    void cleanup() { m_lab.reset(); }

    void aKilledSweepStartsNoStoppedTrialAgain();
    void trialsThatPauseGoOnWhereTheyWere_data();
    void trialsThatPauseGoOnWhereTheyWere();
    void aTrialThatCannotBeFailsAlone();
    void anEarlyStopLeavesTheScheduleAsItIs();

private:
    spec::SweepSpec spec(const std::vector<spec::Value>& rates, const std::string& scheduler,
                         const spec::Params& options, int epochs, const std::string& plan);
    std::string begun(const spec::SweepSpec& sweep);
    store::SweepRow row(const std::string& sweep) { return *m_lab->query().sweep(sweep); }
    store::SweepRow waitForEnd(const std::string& sweep, double seconds = 60);
    sweep::Ranking ranking(const std::string& sweep) { return *sweep::rankTrials(m_lab->query(), row(sweep)); }
    std::map<std::string, int> kindsOf(const std::string& sweep, int trial);
    std::string told(const std::string& sweep);
    std::unique_ptr<RunLab> m_lab;
};

spec::SweepSpec SweepEarlyStopTest::spec(const std::vector<spec::Value>& rates, const std::string& scheduler,
                                         const spec::Params& options, int epochs, const std::string& plan) {
    spec::SweepSpec sweep;
    sweep.name = "early";
    sweep.runJson = spec::toJson(m_lab->spec({.plan = plan, .workers = 1, .epochs = epochs, .maxRestarts = 0}));
    sweep.space = {{.path = "optimizer.lr", .values = rates}};
    sweep.scheduler = {scheduler, options};
    sweep.parallel = 2;
    return sweep;
}

std::string SweepEarlyStopTest::begun(const spec::SweepSpec& sweep) {
    const auto id = sweep::startSweep(m_lab->workspace(), sweep);
    if (id) return *id;
    std::fprintf(stderr, "cannot start: %s\n", id.error().text().c_str());
    return {};
}

store::SweepRow SweepEarlyStopTest::waitForEnd(const std::string& sweep, double seconds) {
    m_lab->waitUntil(
        [&] {
            return !wire::isActive(row(sweep).status) && !store::RunLock::isHeld(m_lab->workspace().sweepFolder(sweep));
        },
        seconds);
    return row(sweep);
}

// How many events of each kind a trial has had.
std::map<std::string, int> SweepEarlyStopTest::kindsOf(const std::string& sweep, int trial) {
    std::map<std::string, int> kinds;
    const auto events = *m_lab->query().trialEvents(sweep);
    for (const auto& event : events)
        if (event.trial == trial) ++kinds[event.kind];
    return kinds;
}

// What was told of the trials, an event a line, for a failure's message.
std::string SweepEarlyStopTest::told(const std::string& sweep) {
    std::string text;
    const auto events = *m_lab->query().trialEvents(sweep);
    for (const auto& event : events)
        text += "\n" + std::to_string(event.wallMs) + " trial " + std::to_string(event.trial) + " " + event.kind + " " +
                std::to_string(event.t) + " " + std::to_string(event.loss);
    return text;
}

// Each rate is worse than those before it, so whatever order the reports of two slots come in, at most the first two
// trials and the two that train while nobody judges them come to their end.
// Feature: a sweep that stops trials early: each keeps its reason, none is started again after the sweep was killed,
// those that pause go on where they were, the learning rate follows the whole run. Also in sweep_result_test.
void SweepEarlyStopTest::aKilledSweepStartsNoStoppedTrialAgain() {
    const auto given =
        spec({0.1, 0.03, 0.01, 0.003, 0.001, 3e-4, 1e-4, 3e-5}, "asha", {{"factor", 2.0}}, 8, "perEpoch=10 ms=20");
    const auto sweep = begun(given);
    QVERIFY(!sweep.empty());
    const auto isStopped = [&](const store::RunRow& run) { return run.status == wire::RunStatus::Stopped; };
    QVERIFY(m_lab->waitUntil(
        [&] {
            const auto trials = m_lab->query().trials(sweep);
            return trials && std::any_of(trials->begin(), trials->end(), isStopped);
        },
        30));
    ::kill(static_cast<pid_t>(row(sweep).supervisorPid), SIGKILL);
    QVERIFY(m_lab->waitUntil([&] { return !store::RunLock::isHeld(m_lab->workspace().sweepFolder(sweep)); }));
    std::map<std::string, std::int64_t> ends; // of what was stopped before the sweep died
    const auto before = *m_lab->query().trials(sweep);
    for (const auto& trial : before)
        if (isStopped(trial)) ends[trial.id] = trial.finishedMs;
    QVERIFY(!ends.empty() && ends.size() < 8);
    QVERIFY(sweep::resumeSweep(m_lab->workspace(), sweep).ok());
    QCOMPARE(waitForEnd(sweep).status, wire::RunStatus::Finished);

    const auto ranked = ranking(sweep);
    QCOMPARE(ranked.trials.size(), std::size_t{8}); // each has one run
    int stopped = 0;
    for (const auto& trial : ranked.trials) {
        const auto kinds = kindsOf(sweep, trial.row.trial);
        QCOMPARE(kinds.at("started"), 1);
        QVERIFY(trial.row.status == wire::RunStatus::Finished || isStopped(trial.row));
        QCOMPARE(trial.reason.empty(), !isStopped(trial.row));
        QCOMPARE(kinds.contains("ended"), !isStopped(trial.row)); // told once, of those that trained to their end
        if (ends.contains(trial.row.id)) QCOMPARE(trial.row.finishedMs, ends.at(trial.row.id));
        if (!isStopped(trial.row)) continue;
        ++stopped;
        QVERIFY(trial.row.step < 80);
        QVERIFY2(trial.reason.starts_with("stopped early by asha at epoch "), trial.reason.c_str());
        QCOMPARE(*m_lab->query().notice(trial.row.id), trial.reason);
    }
    QVERIFY2(stopped >= 3, told(sweep).c_str());
    QCOMPARE(row(sweep).bestRun, ranked.trials[0].row.id);
    QCOMPARE(ranked.trials[0].row.step, 80);
    // The record alone tells all that was decided.
    const auto journal = sweep::SweepJournal::open(m_lab->query(), sweep, *sweep::checkedSweep(given));
    QVERIFY2(journal.ok(), journal ? "" : journal.error().text().c_str());
    for (std::size_t trial = 0; trial < 8; ++trial)
        QCOMPARE(journal->judge().trials()[trial].wanted,
                 isStopped(ranked.trials[trial].row) ? sweep::Wanted::Stopped : sweep::Wanted::Ended);
    QVERIFY(!sweep::resumeSweep(m_lab->workspace(), sweep).ok()); // there is nothing left
}

void SweepEarlyStopTest::trialsThatPauseGoOnWhereTheyWere_data() {
    QTest::addColumn<QString>("scheduler");
    QTest::addColumn<QString>("mode");
    QTest::addColumn<bool>("paired"); // by two series, the second of which is the same for all
    QTest::newRow("halving") << "halving" << "" << false;
    QTest::newRow("asha promotes") << "asha" << "promote" << false;
    QTest::newRow("halving, two series") << "halving" << "" << true;
    QTest::newRow("asha promotes, two series") << "asha" << "promote" << true;
}

void SweepEarlyStopTest::trialsThatPauseGoOnWhereTheyWere() {
    QFETCH(QString, scheduler);
    QFETCH(QString, mode);
    spec::Params options{{"factor", 2.0}};
    if (!mode.isEmpty()) options["mode"] = mode.toStdString();
    QFETCH(bool, paired);
    auto given = spec({0.001, 0.1, 1.0, 0.01}, scheduler.toStdString(), options, 4, "perEpoch=10 ms=4");
    if (paired) given.second = spec::Objective{"train/loss", "min"};
    const auto sweep = begun(given);
    QCOMPARE(waitForEnd(sweep).status, wire::RunStatus::Finished);
    const auto ranked = ranking(sweep);
    QCOMPARE(ranked.trials.size(), std::size_t{4});
    const auto& best = ranked.trials[1].row;
    QCOMPARE(best.status, wire::RunStatus::Finished);
    QCOMPARE(m_lab->contiguity(best.id, 40), std::string()); // every step once, over its pauses
    QCOMPARE(row(sweep).bestRun, best.id);
    const auto stopped = std::count_if(ranked.trials.begin(), ranked.trials.end(), [](const auto& trial) {
        return trial.row.status == wire::RunStatus::Stopped && trial.reason.starts_with("stopped early");
    });
    QVERIFY2(stopped >= 2, told(sweep).c_str());
}

// 7 samples in two passes: neither of the two values is wrong beside the first of the other field.
void SweepEarlyStopTest::aTrialThatCannotBeFailsAlone() {
    auto given = spec({}, "fifo", {}, 1, "perEpoch=4 ms=1");
    given.space = {{.path = "batch.global", .values = {std::int64_t{8}, std::int64_t{7}}},
                   {.path = "batch.accumulate", .values = {std::int64_t{1}, std::int64_t{2}}}};
    given.searcher = {"tpe", {}};
    given.trials = 4;
    const auto sweep = begun(given);
    QCOMPARE(waitForEnd(sweep).status, wire::RunStatus::Finished);
    const auto ranked = ranking(sweep);
    QCOMPARE(ranked.trials.size(), std::size_t{4});
    for (const auto& trial : ranked.trials) {
        const bool fits = trial.row.paramsJson != R"({"batch.accumulate":2,"batch.global":7})";
        QCOMPARE(trial.row.status, fits ? wire::RunStatus::Finished : wire::RunStatus::Failed);
        QVERIFY2(fits || trial.row.error.text().find("batch.global") != std::string::npos,
                 trial.row.error.text().c_str());
        QCOMPARE(kindsOf(sweep, trial.row.trial).at(fits ? "ended" : "failed"), 1);
    }
}

void SweepEarlyStopTest::anEarlyStopLeavesTheScheduleAsItIs() {
    if (RunLab::builtPrograms().isEmpty()) QSKIP("needs the built programs");
    qputenv("TRAINYARD_BIN", RunLab::builtPrograms());
    auto run = RunLab::spirals(1, 6000);
    run.schedule = {"cosine", {}};
    spec::SweepSpec given;
    given.name = "schedule";
    given.runJson = spec::toJson(run);
    given.space = {{.path = "optimizer.lr", .values = {0.05, 1e-7}}};
    given.scheduler = {"asha", {{"grace", 150.0}, {"factor", 2.0}}};
    given.scoreBy = "train/loss";
    given.mode = "min";
    given.parallel = 1;
    const auto sweep = begun(given);
    QVERIFY(!sweep.empty());
    QCOMPARE(waitForEnd(sweep, 120).status, wire::RunStatus::Finished);
    const auto ranked = ranking(sweep);
    const auto& stopped = ranked.trials[1];
    QVERIFY2(stopped.reason.starts_with("stopped early by asha at step 150: train/loss "), stopped.reason.c_str());
    run.optimizer.params["lr"] = 1e-7;
    const auto alone = run::startRun(m_lab->workspace(), run);
    QVERIFY(alone.ok());
    QCOMPARE(m_lab->waitForEnd(*alone, 60).status, wire::RunStatus::Finished);
    const auto rates = m_lab->points(stopped.row.id, "lr"), whole = m_lab->points(*alone, "lr");
    std::map<std::int64_t, double> planned;
    for (const auto& point : whole) planned[point.step] = point.value;
    QVERIFY(rates.size() > 100 && rates.back().step < 6000);
    for (const auto& point : rates)
        if (planned.contains(point.step)) QCOMPARE(point.value, planned.at(point.step));
}

QTEST_GUILESS_MAIN(SweepEarlyStopTest)
#include "sweep_early_stop_test.moc"
