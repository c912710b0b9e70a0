// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep of short trials that really train, with its processes killed at random points: the sweep's supervisor, a
// slot, a rank, the pool that ranks are forked from. TRAINYARD_SWEEP_KILLS sets how many are killed (20 unless set).
#include "engine/base/clock.h"
#include "engine/spec/values/params.h"
#include "engine/sweep/control/sweep_control.h"
#include "engine/sweep/control/sweep_journal.h"
#include "tests/multiproc/lab/paced.h"
#include "tests/multiproc/lab/process_look.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>
#include <random>
#include <set>

using namespace trainyard;
using test::RunLab;

namespace {

enum class Victim { Sweep, Slot, Rank, Pool };

// A row keeps the number of a process that is gone until the next one has written its own.
bool isOne(Victim victim, std::int64_t pid) {
    static const std::map<Victim, QByteArray> words{{Victim::Sweep, "supervise-sweep"},
                                                    {Victim::Slot, "supervise-slot"},
                                                    {Victim::Rank, "trainyard-worker rank"},
                                                    {Victim::Pool, "trainyard-worker pool"}};
    return QByteArray::fromStdString(test::commandLine(pid)).contains(words.at(victim));
}

constexpr int kSteps = 120; // of a trial that is not stopped: half a second on any computer

int killsWanted() {
    const int given = qEnvironmentVariableIntValue("TRAINYARD_SWEEP_KILLS");
    return given > 0 ? given : 20;
}

// The recorded events that a judge is told; what it records itself follows from them.
std::optional<sweep::Event> toldEvent(const store::TrialEventRow& row) {
    using Kind = sweep::Event::Kind;
    const auto kind = sweep::kindOf(row);
    if (kind != Kind::SlotFree && kind != Kind::Report && kind != Kind::Ended && kind != Kind::Failed)
        return std::nullopt;
    sweep::Event event{.kind = *kind, .trial = row.trial, .t = row.t, .loss = row.loss};
    if (event.kind == Kind::Failed) {
        const spec::Choice details{{}, spec::paramsFromText(row.params)};
        event.failure = {errorKindFromString(details.text("kind", "")), errorCodeFromString(details.text("code", "")),
                         details.integer("atMs", 0)};
    }
    return event;
}

} // namespace

class SweepKillsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        qputenv("TRAINYARD_SWEEP_RESTARTS", "1000000");
        m_lab = std::make_unique<RunLab>();
    }
    void cleanup() {
        killPools();
        m_lab.reset();
    }

    void everyTrialEndsOnce_data();
    void everyTrialEndsOnce();

private:
    spec::SweepSpec spec(int trials);
    store::SweepRow row() { return *m_lab->query().sweep(m_sweep); }
    bool isOver() { return !wire::isActive(row().status) || row().status == wire::RunStatus::Interrupted; }
    std::vector<std::int64_t> processesOf(Victim victim);
    std::vector<std::int64_t> processesThatAre(const std::string& words);
    void killPools();
    bool goesOnWithout(pid_t dead);
    void killAtRandom(int kills);
    void compareWithAnUndisturbedJudge(const spec::SweepSpec& given);

    std::unique_ptr<RunLab> m_lab;
    std::string m_sweep;
    int m_resumed = 0; // by hand
    std::mt19937 m_random{15};
};

spec::SweepSpec SweepKillsTest::spec(int trials) {
    spec::SweepSpec sweep;
    sweep.name = "kills";
    auto run = test::paced(RunLab::spirals(1, kSteps), PACED_MODEL, 4);
    run.checkpoint.everySteps = kSteps / 4;
    run.failure.maxRestarts = 50;
    sweep.runJson = spec::toJson(run);
    spec::Axis axis;
    axis.path = "optimizer.lr";
    axis.logScale = true;
    axis.from = 1e-4;
    axis.to = 1e-1;
    sweep.space = {axis};
    sweep.searcher = {"tpe", {}};
    sweep.scheduler = {"asha", {{"factor", 2.0}, {"grace", kSteps / 4.0}}};
    sweep.trials = trials;
    sweep.scoreBy = "train/loss";
    sweep.mode = "min";
    sweep.parallel = 2;
    return sweep;
}

// Of this test alone: its folder is in the environment of all that it starts.
std::vector<std::int64_t> SweepKillsTest::processesThatAre(const std::string& words) {
    std::vector<std::int64_t> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const auto name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        const auto pid = std::stoll(name);
        if (test::commandLine(pid).find(words) == std::string::npos) continue;
        QFile environment(QString("/proc/%1/environ").arg(pid));
        if (environment.open(QIODevice::ReadOnly) && environment.readAll().contains(m_lab->folder().c_str()))
            found.push_back(pid);
    }
    return found;
}

void SweepKillsTest::killPools() {
    for (const auto pid : processesThatAre("trainyard-worker pool")) ::kill(static_cast<pid_t>(pid), SIGKILL);
}

std::vector<std::int64_t> SweepKillsTest::processesOf(Victim victim) {
    if (victim == Victim::Pool) return processesThatAre("trainyard-worker pool");
    if (victim == Victim::Rank) return processesThatAre("trainyard-worker rank");
    if (victim == Victim::Sweep) return {row().supervisorPid};
    std::vector<std::int64_t> found;
    const auto trials = *m_lab->query().trials(m_sweep);
    for (const auto& trial : trials)
        if (wire::isActive(trial.status) && trial.supervisorPid > 0) found.push_back(trial.supervisorPid);
    return found;
}

// A slot starts another supervisor; a person has to where there was no slot, as when it had died just before.
bool SweepKillsTest::goesOnWithout(pid_t dead) {
    const auto hasSuccessor = [&] {
        const auto now = row();
        return now.status == wire::RunStatus::Finished || (now.supervisorPid > 0 && now.supervisorPid != dead);
    };
    if (m_lab->waitUntil([&] { return hasSuccessor() || processesThatAre("trainyardctl supervise-s").empty(); }, 30) &&
        !hasSuccessor()) {
        ++m_resumed;
        return sweep::resumeSweep(m_lab->workspace(), m_sweep).ok();
    }
    return m_lab->waitUntil(hasSuccessor, 30);
}

void SweepKillsTest::killAtRandom(int kills) {
    std::map<Victim, int> killed;
    const double deadline = monotonicSeconds() + 3.0 * kills;
    for (int done = 0; (done < kills || killed.size() < 4) && monotonicSeconds() < deadline;) {
        QTest::qSleep(static_cast<int>(20 + m_random() % 150));
        if (row().status == wire::RunStatus::Finished) break;
        const auto victim = static_cast<Victim>(m_random() % 4);
        const auto processes = processesOf(victim);
        if (processes.empty()) continue;
        const auto pid = static_cast<pid_t>(processes[m_random() % processes.size()]);
        if (!isOne(victim, pid) || ::kill(pid, SIGKILL) != 0) continue;
        ++done;
        ++killed[victim];
        if (victim == Victim::Sweep) QVERIFY(goesOnWithout(pid));
    }
    const bool each = killed.size() == 4;
    qInfo("killed: %d sweeps (%d resumed by hand), %d slots, %d ranks, %d pools", killed[Victim::Sweep], m_resumed,
          killed[Victim::Slot], killed[Victim::Rank], killed[Victim::Pool]);
    QVERIFY2(m_resumed < killed[Victim::Sweep], "no slot has taken the sweep over");
    QVERIFY2(each, "the sweep ended before one of each kind was killed");
}

// Told what was recorded, another judge records and decides the same.
void SweepKillsTest::compareWithAnUndisturbedJudge(const spec::SweepSpec& given) {
    auto judge = *sweep::Judge::make(*sweep::checkedSweep(given));
    const auto rows = *m_lab->query().trialEvents(m_sweep);
    std::map<int, std::string> started, startedByIt;
    std::map<int, double> stopped, stoppedByIt; // trial -> rung
    for (const auto& each : rows) {
        if (each.kind == "started") started[each.trial] = each.params;
        const auto event = toldEvent(each);
        if (!event) continue;
        for (const auto& order : judge.take(*event)) {
            if (order.kind == sweep::Order::Kind::Start) startedByIt[order.trial] = spec::paramsToText(order.params);
            if (order.kind == sweep::Order::Kind::Stop) stoppedByIt[order.trial] = order.why.rung;
        }
    }
    const auto decisions = *m_lab->query().trialDecisions(m_sweep);
    for (const auto& decision : decisions)
        if (decision.decision == store::TrialDecision::Stopped) stopped[decision.trial] = decision.rung;
    for (const auto& [trial, params] : started) QCOMPARE(startedByIt[trial].c_str(), params.c_str());
    QCOMPARE(startedByIt.size(), started.size());
    for (const auto& [trial, rung] : stopped) QCOMPARE(stoppedByIt[trial], rung);
    QCOMPARE(stoppedByIt.size(), stopped.size());
    QVERIFY(!stopped.empty());
    const auto journal = sweep::SweepJournal::open(m_lab->query(), m_sweep, *sweep::checkedSweep(given));
    QVERIFY2(journal.ok(), journal ? "" : journal.error().text().c_str());
    const auto state = judge.state(), recorded = journal->judge().state();
    if (state != recorded) qWarning("%s\n%s", state.c_str(), recorded.c_str());
    QVERIFY(state == recorded);
}

// Feature: the sweep's supervisor, slots, ranks and the pool killed at random: every trial ends once, and the decisions
// are those of an undisturbed judge.
// Fault: SIGKILL of the sweep's supervisor, a slot, a rank or the pool, at random, while trials train. Every trial ends
// once, as one run; the decisions are those of an undisturbed judge. TRAINYARD_SWEEP_KILLS sets how many.
void SweepKillsTest::everyTrialEndsOnce_data() {
    QTest::addColumn<QString>("searcher");
    QTest::newRow("a searcher that learns") << "tpe";
    QTest::newRow("the next trial waits at its slot") << "random";
}

void SweepKillsTest::everyTrialEndsOnce() {
    QFETCH(QString, searcher);
    const int kills = killsWanted(), trials = 4 * kills; // some are left for every kill, however fast the computer is
    qputenv("TRAINYARD_BIN", RunLab::builtPrograms());
    auto given = spec(trials);
    given.searcher.name = searcher.toStdString();
    const auto id = sweep::startSweep(m_lab->workspace(), given);
    QVERIFY2(id.ok(), id ? "" : id.error().text().c_str());
    m_sweep = *id;
    m_resumed = 0;
    QVERIFY(m_lab->waitUntil([&] { return row().supervisorPid > 0 && !processesOf(Victim::Rank).empty(); }, 30));
    killAtRandom(kills);
    QVERIFY(m_lab->waitUntil(
        [&] {
            return !wire::isActive(row().status) && !store::RunLock::isHeld(m_lab->workspace().sweepFolder(m_sweep));
        },
        60 + 2.0 * trials));
    QVERIFY2(row().status == wire::RunStatus::Finished, wire::toString(row().status));

    const auto rows = *m_lab->query().trials(m_sweep);
    QCOMPARE(rows.size(), static_cast<std::size_t>(trials));
    std::set<int> numbers;
    for (const auto& trial : rows) {
        numbers.insert(trial.trial);
        QVERIFY2(trial.status == wire::RunStatus::Finished || trial.status == wire::RunStatus::Stopped,
                 trial.error.text().c_str());
        if (trial.status == wire::RunStatus::Finished) QCOMPARE(trial.step, std::int64_t{kSteps});
        QVERIFY(!store::RunLock::isHeld(trial.folder));
        std::int64_t before = 0;
        const auto points = m_lab->points(trial.id);
        for (const auto& point : points) {
            QVERIFY(point.step > before);
            before = point.step;
        }
    }
    QCOMPARE(numbers.size(), rows.size()); // each has one run
    std::map<int, int> started, over;      // by trial
    const auto events = *m_lab->query().trialEvents(m_sweep);
    for (const auto& event : events) {
        started[event.trial] += event.kind == "started" ? 1 : 0;
        over[event.trial] += event.kind == "ended" || event.kind == "failed" ? 1 : 0;
    }
    const auto decisions = *m_lab->query().trialDecisions(m_sweep);
    for (const auto& decision : decisions)
        over[decision.trial] += decision.decision == store::TrialDecision::Stopped ? 1 : 0;
    for (const auto& trial : rows) {
        QCOMPARE(started[trial.trial], 1);
        QCOMPARE(over[trial.trial], 1); // by its own end, or by the scheduler's word
    }
    compareWithAnUndisturbedJudge(given);
}

QTEST_GUILESS_MAIN(SweepKillsTest)
#include "sweep_kills_test.moc"
