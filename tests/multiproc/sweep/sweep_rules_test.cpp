// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps with rules of their own: trials that they end, that are tried again and that fail for good, and a budget, with
// real supervisors that are killed in the middle.
#include "engine/sweep/control/sweep_control.h"
#include "engine/sweep/control/sweep_journal.h"
#include "engine/sweep/results/sweep_result.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QTest>

#include <csignal>
#include <map>

using namespace trainyard;
using test::RunLab;

class SweepRulesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        qputenv("TRAINYARD_SWEEP_RESTARTS", "0"); // who goes on with a sweep is the test's to say
        m_lab = std::make_unique<RunLab>();
    }
    void cleanup() { m_lab.reset(); }

    void rulesHoldOverAKilledSupervisor();
    void aSweepWhoseTrialsFailFails_data();
    void aSweepWhoseTrialsFailFails();
    void aScoreThatIsNeverMeasuredIsNamed_data();
    void aScoreThatIsNeverMeasuredIsNamed();

private:
    spec::SweepSpec sweepOf(const std::string& plan, int epochs, std::vector<spec::Axis> space);
    store::SweepRow row(const std::string& sweep) { return *m_lab->query().sweep(sweep); }
    store::SweepRow waitForEnd(const std::string& sweep);
    bool hasEvent(const std::string& sweep, const std::string& kind);
    std::map<std::string, int> kindsOf(const std::string& sweep, int trial);
    std::unique_ptr<RunLab> m_lab;
};

spec::SweepSpec SweepRulesTest::sweepOf(const std::string& plan, int epochs, std::vector<spec::Axis> space) {
    spec::SweepSpec sweep;
    sweep.name = "rules";
    sweep.runJson = spec::toJson(m_lab->spec({.plan = plan, .workers = 1, .epochs = epochs, .maxRestarts = 0}));
    sweep.space = std::move(space);
    sweep.parallel = 2;
    return sweep;
}

store::SweepRow SweepRulesTest::waitForEnd(const std::string& sweep) {
    m_lab->waitUntil(
        [&] {
            return !wire::isActive(row(sweep).status) && !store::RunLock::isHeld(m_lab->workspace().sweepFolder(sweep));
        },
        60);
    return row(sweep);
}

bool SweepRulesTest::hasEvent(const std::string& sweep, const std::string& kind) {
    const auto events = m_lab->query().trialEvents(sweep);
    return events && std::any_of(events->begin(), events->end(), [&](const auto& each) { return each.kind == kind; });
}

// How many events of each kind a trial has had.
std::map<std::string, int> SweepRulesTest::kindsOf(const std::string& sweep, int trial) {
    std::map<std::string, int> kinds;
    const auto events = *m_lab->query().trialEvents(sweep);
    for (const auto& event : events)
        if (event.trial == trial) ++kinds[event.kind];
    return kinds;
}

// The loss falls below 0.05 in the fifth epoch of twenty, wherever the rate is.
void SweepRulesTest::rulesHoldOverAKilledSupervisor() {
    auto given =
        sweepOf("perEpoch=10 ms=8", 20, {{.path = "optimizer.lr", .values = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}}});
    given.rules.stop = {{.series = "train/loss", .limit = 0.05, .above = false, .after = 1}};
    given.rules.failure.retries = 1;
    given.rules.budget.epochs = 18;
    const auto id = sweep::startSweep(m_lab->workspace(), given);
    QVERIFY2(id.ok(), id ? "" : id.error().text().c_str());
    std::string first;
    QVERIFY(m_lab->waitUntil([&] {
        const auto trials = m_lab->query().trials(*id);
        if (trials && !trials->empty()) first = trials->front().id;
        return !first.empty();
    }));
    QVERIFY(m_lab->waitForStep(first, 15));
    for (const auto pid : m_lab->workerPids(first)) ::kill(static_cast<pid_t>(pid), SIGKILL);
    QVERIFY(m_lab->waitUntil([&] { return hasEvent(*id, "failed"); }));
    ::kill(static_cast<pid_t>(row(*id).supervisorPid), SIGKILL);
    QVERIFY(m_lab->waitUntil([&] { return !store::RunLock::isHeld(m_lab->workspace().sweepFolder(*id)); }));
    QVERIFY(sweep::resumeSweep(m_lab->workspace(), *id).ok());
    QVERIFY(m_lab->waitUntil([&] { return hasEvent(*id, "passed"); }, 30));
    ::kill(static_cast<pid_t>(row(*id).supervisorPid), SIGKILL);
    QVERIFY(m_lab->waitUntil([&] { return !store::RunLock::isHeld(m_lab->workspace().sweepFolder(*id)); }));
    QVERIFY(sweep::resumeSweep(m_lab->workspace(), *id).ok());
    QCOMPARE(waitForEnd(*id).status, wire::RunStatus::Finished);

    const auto ranked = *sweep::rankTrials(m_lab->query(), row(*id));
    QVERIFY2(ranked.reason.starts_with("the budget is used up: ") && ranked.reason.ends_with(" of 18 epochs"),
             ranked.reason.c_str());
    QVERIFY(ranked.trials.size() >= 3 && ranked.trials.size() < 8);
    QCOMPARE(row(*id).bestRun, ranked.best);
    QCOMPARE(ranked.trials[static_cast<std::size_t>(ranked.order.front())].row.trial, 0);
    int ended = 0;
    for (const auto& trial : ranked.trials) {
        QCOMPARE(trial.row.status, wire::RunStatus::Stopped);
        QCOMPARE(kindsOf(*id, trial.row.trial).at("started"), 1);
        QCOMPARE(kindsOf(*id, trial.row.trial).at("ended"), 1);
        QCOMPARE(m_lab->contiguity(trial.row.id, trial.row.step), std::string());
        QCOMPARE(m_lab->query().checkpoints(trial.row.id)->back().step, trial.row.step); // saved
        const bool byRule = trial.reason.starts_with("ended by the sweep's stop rule at epoch ");
        ended += byRule ? 1 : 0;
        QVERIFY2(byRule || trial.reason == "ended with the sweep", trial.reason.c_str());
        QCOMPARE(*m_lab->query().notice(trial.row.id), trial.reason);
        QVERIFY(trial.row.step < (byRule ? 100 : 60));
    }
    QVERIFY(ended >= 2);
    QCOMPARE(kindsOf(*id, 0).at("failed"), 1); // and tried again once, over both supervisors
    // The record alone tells all that was decided.
    const auto journal = sweep::SweepJournal::open(m_lab->query(), *id, *sweep::checkedSweep(given));
    QVERIFY2(journal.ok(), journal ? "" : journal.error().text().c_str());
    QVERIFY(journal->judge().end() && journal->judge().end()->cause == sweep::SweepEnd::Cause::Epochs);
    for (std::size_t trial = 0; trial < 8; ++trial)
        QCOMPARE(journal->judge().trials()[trial].wanted,
                 trial < ranked.trials.size() ? sweep::Wanted::Stopped : sweep::Wanted::Waiting);
    QVERIFY(!sweep::resumeSweep(m_lab->workspace(), *id).ok()); // there is nothing left
}

void SweepRulesTest::aSweepWhoseTrialsFailFails_data() {
    QTest::addColumn<QStringList>("plans");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<int>("begun");
    QTest::newRow("most fail") << QStringList{"fail@0:5", "perEpoch=10", "kill@0:5", "failnan@0:5", "ms=3"}
                               << "3 of 5 trials failed, and failure.maxShare is 0.5" << 4;
    QTest::newRow("the first three fail alike")
        << QStringList{"kill@0:5", "kill@0:6", "kill@0:7", "ms=1", "ms=2", "ms=3", "ms=4"}
        << "the first three trials failed with the same error, worker-killed" << 3;
}

void SweepRulesTest::aSweepWhoseTrialsFailFails() {
    QFETCH(QStringList, plans);
    QFETCH(QString, reason);
    QFETCH(int, begun);
    spec::Axis axis{.path = "model.params.plan"};
    for (const auto& plan : plans) axis.values.emplace_back(plan.toStdString());
    auto given = sweepOf("", 1, {axis});
    given.parallel = 1;
    const auto id = sweep::startSweep(m_lab->workspace(), given);
    QVERIFY2(id.ok(), id ? "" : id.error().text().c_str());
    QCOMPARE(waitForEnd(*id).status, wire::RunStatus::Failed);
    const auto ranked = *sweep::rankTrials(m_lab->query(), row(*id));
    QCOMPARE(ranked.reason, reason.toStdString());
    QCOMPARE(static_cast<int>(ranked.trials.size()), begun);
}

void SweepRulesTest::aScoreThatIsNeverMeasuredIsNamed_data() {
    QTest::addColumn<QString>("scheduler");
    QTest::newRow("at the end") << "fifo";
    QTest::newRow("by the first rung") << "asha";
}

void SweepRulesTest::aScoreThatIsNeverMeasuredIsNamed() {
    QFETCH(QString, scheduler);
    const bool early = scheduler == QLatin1String("asha");
    auto given = sweepOf(early ? "perEpoch=10 ms=10" : "perEpoch=10 ms=1", early ? 20 : 1,
                         {{.path = "optimizer.lr", .values = {0.1, 0.01, 0.2, 0.3, 0.4}}});
    given.scheduler = {scheduler.toStdString(), {}};
    given.scoreBy = "val/iou"; // not in classification: it is not even begun
    const auto refused = sweep::startSweep(m_lab->workspace(), given);
    QVERIFY(!refused.ok());
    QVERIFY2(refused.error().text().starts_with("scoreBy: is not measured in classification, found \"val/iou\" ("),
             refused.error().text().c_str());
    given.scoreBy = "val/top5"; // only with more than five classes
    given.parallel = 1;
    const auto id = sweep::startSweep(m_lab->workspace(), given);
    QVERIFY2(id.ok(), id ? "" : id.error().text().c_str());
    QCOMPARE(waitForEnd(*id).status, wire::RunStatus::Failed);
    const auto ranked = *sweep::rankTrials(m_lab->query(), row(*id));
    QCOMPARE(ranked.trials.size(), std::size_t{3});
    QCOMPARE(ranked.reason, std::string("the first three trials failed with the same error, field-invalid"));
    for (const auto& trial : ranked.trials) {
        QCOMPARE(trial.row.status, wire::RunStatus::Failed);
        const std::string text = trial.row.error.text();
        QVERIFY2(text.starts_with("scoreBy: was never measured, found \"val/top5\" (measured are: "), text.c_str());
        QVERIFY(early ? trial.row.step < 150 : trial.row.step == 10);
    }
}

QTEST_GUILESS_MAIN(SweepRulesTest)
#include "sweep_rules_test.moc"
