// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps that are steered by hand while they run and after, with real supervisors that are killed in the middle.
#include "engine/base/clock.h"
#include "engine/base/files/atomic_file.h"
#include "engine/spec/values/params.h"
#include "engine/sweep/control/steer_sweep.h"
#include "engine/sweep/control/sweep_control.h"
#include "engine/sweep/control/sweep_journal.h"
#include "engine/sweep/results/sweep_result.h"
#include "tests/multiproc/lab/run_lab.h"
#include "tests/unit/sweep/sweep_steering.h"

#include <QTest>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <thread>

using namespace trainyard;
using test::RunLab;

namespace {

constexpr double kMostSeconds = 5; // for an answer: a generous limit, some tenths are usual

} // namespace

class SweepSteerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        qputenv("TRAINYARD_SWEEP_RESTARTS", "0"); // who goes on with a sweep is the test's to say
        m_lab = std::make_unique<RunLab>();
        m_slowest = 0;
    }
    void cleanup() { m_lab.reset(); }

    void aRunningSweepDoesWhatItIsAsked();
    void aSweepThatIsOverGoesOnWithWhatItIsAsked();
    void aFailedTrialIsTriedAgain();
    void noRequestIsLostOrTakenTwice();
    void whatNeedsARunningSweepIsRefusedWithoutOne();
    void aSlotThatCannotBeStartedCostsNoTrial_data();
    void aSlotThatCannotBeStartedCostsNoTrial();

private:
    std::string begun(const std::string& plan, int epochs, int trials, int parallel);
    Result<sweep::Steered> ask(const std::string& request);
    bool hold(const std::function<bool()>& condition, double seconds = 30) {
        return m_lab->waitUntil(condition, seconds);
    }
    store::SweepRow row() { return *m_lab->query().sweep(m_sweep); }
    bool isSupervised() { return store::RunLock::isHeld(m_lab->workspace().sweepFolder(m_sweep)); }
    bool isAtWork() {
        const auto now = row();
        return isSupervised() && now.supervisorPid > 0 &&
               (now.status == wire::RunStatus::Running || now.status == wire::RunStatus::Paused);
    }
    bool killSupervisor() {
        if (!hold([&] { return isAtWork(); })) return false;
        ::kill(static_cast<pid_t>(row().supervisorPid), SIGKILL);
        return hold([&] { return !isSupervised(); });
    }
    bool waitForEnd() {
        return hold([&] { return !wire::isActive(row().status) && !isSupervised(); }, 60);
    }
    std::optional<store::RunRow> trial(int number);
    bool isRunning(int number) { return trial(number) && trial(number)->status == wire::RunStatus::Running; }
    std::vector<std::string> requests(); // that were taken, in words
    std::vector<int> startedTrials();
    double rateOf(int number) {
        return spec::Choice{{}, spec::paramsFromText(trial(number)->paramsJson)}.number("optimizer.lr", 0);
    }
    sweep::TrialResult result(int number) {
        return sweep::rankTrials(m_lab->query(), row())->trials.at(static_cast<std::size_t>(number));
    }

    std::unique_ptr<RunLab> m_lab;
    std::string m_sweep;
    double m_slowest = 0; // answer, in seconds
};

std::string SweepSteerTest::begun(const std::string& plan, int epochs, int trials, int parallel) {
    spec::SweepSpec sweep;
    sweep.name = "steered";
    sweep.runJson = spec::toJson(m_lab->spec({.plan = plan, .workers = 1, .epochs = epochs, .maxRestarts = 0}));
    sweep.space = {{.path = "optimizer.lr", .from = 0.001, .to = 1, .logScale = true}};
    sweep.searcher = {"random", {}};
    sweep.trials = trials;
    sweep.parallel = parallel;
    sweep.rules.failure.maxShare = 1;
    const auto id = sweep::startSweep(m_lab->workspace(), sweep);
    if (!id) std::fprintf(stderr, "cannot start: %s\n", id.error().text().c_str());
    m_sweep = id.valueOr("");
    return m_sweep;
}

Result<sweep::Steered> SweepSteerTest::ask(const std::string& request) {
    const double begun = monotonicSeconds();
    auto done = sweep::steerSweep(m_lab->workspace(), m_sweep, test::steeringOf(request));
    m_slowest = std::max(m_slowest, monotonicSeconds() - begun);
    if (!done) std::fprintf(stderr, "%s: %s\n", request.c_str(), done.error().text().c_str());
    return done;
}

std::optional<store::RunRow> SweepSteerTest::trial(int number) {
    const auto rows = m_lab->query().trials(m_sweep);
    if (rows)
        for (const auto& each : *rows)
            if (each.trial == number) return each;
    return std::nullopt;
}

std::vector<std::string> SweepSteerTest::requests() {
    std::vector<std::string> list;
    const auto events = *m_lab->query().trialEvents(m_sweep);
    for (const auto& event : events) {
        if (event.kind != "steered") continue;
        auto asked = *sweep::steeringFromBody(event.params);
        asked.trial = event.trial;
        list.push_back(sweep::describe(asked).text());
        if (event.author != sweep::authorHere() || event.wallMs == 0) list.back() += " by nobody";
    }
    return list;
}

std::vector<int> SweepSteerTest::startedTrials() {
    std::vector<int> list;
    const auto events = *m_lab->query().trialEvents(m_sweep);
    for (const auto& event : events)
        if (event.kind == "started") list.push_back(event.trial);
    return list;
}

void SweepSteerTest::aRunningSweepDoesWhatItIsAsked() {
    QVERIFY(!begun("perEpoch=10 ms=10", 30, 4, 2).empty());
    QVERIFY(hold([&] { return isRunning(0) && isRunning(1) && trial(0)->step > 10; }));
    QVERIFY(ask("pause").ok());
    QVERIFY(hold([&] { return row().status == wire::RunStatus::Paused; }));
    QVERIFY(ask("stop 0").ok());
    QVERIFY(ask("kill 1").ok());
    QVERIFY(hold([&] { return !wire::isActive(trial(0)->status) && !wire::isActive(trial(1)->status); }));
    const auto stopped = result(0), killed = result(1);
    QCOMPARE(stopped.reason, "stopped by " + sweep::authorHere());
    QCOMPARE(killed.reason, "killed by " + sweep::authorHere());
    QCOMPARE(m_lab->query().checkpoints(stopped.row.id)->back().step, stopped.row.step); // it has saved
    QTest::qWait(500);
    QCOMPARE(startedTrials(), (std::vector{0, 1})); // nothing new, and the sweep waits
    QVERIFY(isSupervised());
    QCOMPARE(ask("enqueue optimizer.lr=0.5")->trial, 4);
    QCOMPARE(ask("add 1")->trial, 5);
    QVERIFY(ask("restrict optimizer.lr=0.001..0.002").ok());
    QVERIFY(ask("set parallel=3").ok());
    const auto unknown = ask("promote 99");
    QVERIFY(!unknown.ok());
    QCOMPARE(unknown.error().text(), std::string("trial: is not a trial of the sweep, found 99 (take one of 0 to 5)"));
    QVERIFY(!ask("promote 1").ok()); // killed
    // The sweep knows all of it after its supervisor was killed.
    QVERIFY(killSupervisor());
    QVERIFY(ask("resume")->started);
    QVERIFY(hold([&] { return startedTrials().size() == 5; }));
    QCOMPARE(startedTrials(), (std::vector{0, 1, 4, 2, 3}));
    QVERIFY(hold([&] { return isRunning(2) && isRunning(3) && isRunning(4); })); // in three slots
    QCOMPARE(rateOf(4), 0.5);
    QVERIFY(rateOf(2) <= 0.002 && rateOf(3) <= 0.002);
    QVERIFY(ask("promote 0").ok());
    QVERIFY(ask("finish").ok()); // the promoted one waits for a slot, and trains to its end all the same
    QVERIFY(waitForEnd());
    QCOMPARE(row().status, wire::RunStatus::Finished);
    for (const int number : {0, 2, 3, 4}) {
        QCOMPARE(trial(number)->status, wire::RunStatus::Finished);
        QCOMPARE(m_lab->contiguity(trial(number)->id, 300), std::string());
    }
    QCOMPARE(trial(1)->status, wire::RunStatus::Stopped);
    QVERIFY(!trial(5)); // it was not begun any more
    QCOMPARE(sweep::rankTrials(m_lab->query(), row())->reason, std::string("it was asked to finish"));
    QCOMPARE(requests(), (std::vector<std::string>{
                             "paused the sweep", "stopped trial 0", "killed trial 1", "enqueued optimizer.lr=0.5",
                             "added 1 configuration", "restricted optimizer.lr=0.001..0.002", "set 3 slots",
                             "resumed the sweep", "promoted trial 0", "asked the sweep to finish"}));
    QVERIFY2(m_slowest < kMostSeconds, std::to_string(m_slowest).c_str());
}

void SweepSteerTest::aSweepThatIsOverGoesOnWithWhatItIsAsked() {
    QVERIFY(!begun("perEpoch=5 ms=2", 2, 2, 2).empty());
    QVERIFY(waitForEnd());
    QCOMPARE(row().status, wire::RunStatus::Finished);
    QVERIFY(!ask("restrict optimizer.lr=0.5..0.6")->started); // kept for what comes
    QVERIFY(!isSupervised());
    QVERIFY(ask("add 2")->started);
    QVERIFY(waitForEnd());
    QCOMPARE(row().trials, 4);
    QVERIFY(rateOf(2) >= 0.5 && rateOf(2) <= 0.6 && rateOf(3) >= 0.5 && rateOf(3) <= 0.6);
    const auto enqueued = ask("enqueue optimizer.lr=0.25");
    QVERIFY(enqueued.ok() && enqueued->started);
    QCOMPARE(enqueued->trial, 4);
    QVERIFY(waitForEnd());
    QCOMPARE(rateOf(4), 0.25);
    QVERIFY(ask("set trials=6")->started);
    QVERIFY(waitForEnd());
    QCOMPARE(row().status, wire::RunStatus::Finished);
    QCOMPARE(startedTrials(), (std::vector{0, 1, 2, 3, 4, 5}));
}

void SweepSteerTest::aFailedTrialIsTriedAgain() {
    QVERIFY(!begun("perEpoch=10 ms=1 fail@0:15", 2, 1, 1).empty());
    QVERIFY(waitForEnd());
    QCOMPARE(trial(0)->status, wire::RunStatus::Failed);
    const auto first = trial(0)->finishedMs;
    QVERIFY(ask("retry 0")->started);
    QVERIFY(waitForEnd());
    QVERIFY(trial(0)->finishedMs > first);
    const auto events = *m_lab->query().trialEvents(m_sweep);
    QCOMPARE(std::count_if(events.begin(), events.end(), [](const auto& event) { return event.kind == "failed"; }), 2);
    QCOMPARE(startedTrials().size(), std::size_t{1});
}

// The supervisor is killed at another moment after each request is made.
void SweepSteerTest::noRequestIsLostOrTakenTwice() {
    QVERIFY(!begun("perEpoch=10 ms=20", 100, 2, 1).empty());
    for (int round = 0; round < 12; ++round) {
        QVERIFY(hold([&] { return isAtWork(); }));
        const auto supervisor = static_cast<pid_t>(row().supervisorPid);
        Result<sweep::Steered> done = runError("not asked");
        std::thread asking([&] { done = ask("add 1"); });
        std::this_thread::sleep_for(std::chrono::milliseconds(round * 12));
        ::kill(supervisor, SIGKILL);
        asking.join();
        QVERIFY(done.ok());
        QCOMPARE(done->trial, 2 + round);
        QCOMPARE(requests().size(), static_cast<std::size_t>(round + 1));
        QVERIFY(m_lab->query().openRequests(m_sweep)->empty());
        if (done->started) continue;
        QVERIFY(hold([&] { return !isSupervised(); }));
        QVERIFY(sweep::resumeSweep(m_lab->workspace(), m_sweep).ok());
    }
    QVERIFY2(m_slowest < kMostSeconds, std::to_string(m_slowest).c_str());
    // A request whose requester is gone is handled by the next supervisor.
    QVERIFY(killSupervisor());
    QVERIFY(
        store::addSweepRequest(m_lab->workspace(), m_sweep,
                               {.trial = 0, .body = R"({"verb":"kill"})", .author = sweep::authorHere(), .wallMs = 1})
            .ok());
    QVERIFY(sweep::resumeSweep(m_lab->workspace(), m_sweep).ok());
    QVERIFY(hold([&] { return trial(0)->status == wire::RunStatus::Stopped; }));
    QCOMPARE(requests().back(), std::string("killed trial 0"));
    QVERIFY(sweep::stopSweep(m_lab->workspace(), m_sweep, wire::StopMode::StopNow).ok());
    QVERIFY(waitForEnd());
}

void SweepSteerTest::whatNeedsARunningSweepIsRefusedWithoutOne() {
    QVERIFY(!begun("perEpoch=5 ms=2", 1, 1, 1).empty());
    QVERIFY(waitForEnd());
    for (const char* request : {"stop 0", "kill 0", "pause", "finish"}) {
        const auto done = ask(request);
        QVERIFY(!done.ok());
        QCOMPARE(done.error().code, ErrorCode::NotRunning);
        QCOMPARE(done.error().text(),
                 std::string("sweep steered: is not running: it is finished (add trials to continue it)"));
    }
    QVERIFY(requests().empty());
}

// Feature: a slot that cannot be started for a moment costs no trial.
void SweepSteerTest::aSlotThatCannotBeStartedCostsNoTrial_data() {
    QTest::addColumn<bool>("anew");
    QTest::newRow("a trial that has not begun") << false;
    QTest::newRow("a trial whose slot died") << true;
}

// The program is away for a moment, as while it is upgraded.
void SweepSteerTest::aSlotThatCannotBeStartedCostsNoTrial() {
    QFETCH(bool, anew);
    const std::filesystem::path programs = m_lab->folder() + "/programs";
    std::filesystem::create_directories(programs);
    for (const char* name : {"trainyardctl", "trainyard-worker"})
        std::filesystem::create_symlink(std::filesystem::path(SCRIPTED_PROGRAMS) / name, programs / name);
    qputenv("TRAINYARD_BIN", programs.c_str());
    begun("perEpoch=20 ms=20", 3, 2, 1);
    QVERIFY(hold([&] { return isAtWork() && isRunning(0) && m_lab->points(trial(0)->id).size() > 2; }));
    std::filesystem::rename(programs / "trainyardctl", programs / "away");
    if (anew) ::kill(static_cast<pid_t>(trial(0)->supervisorPid), SIGKILL);
    else QVERIFY(ask("set parallel=2").ok());
    const auto log = m_lab->workspace().sweepFolder(m_sweep) / "supervisor.log";
    const auto failed = [&] {
        return readFile(log, 1u << 20).valueOr("").find("cannot start the supervisor") != std::string::npos;
    };
    QVERIFY(hold(failed));
    std::filesystem::rename(programs / "away", programs / "trainyardctl");
    QVERIFY(waitForEnd());
    QCOMPARE(row().status, wire::RunStatus::Finished);
    for (int number : {0, 1}) QCOMPARE(trial(number)->status, wire::RunStatus::Finished);
}

QTEST_GUILESS_MAIN(SweepSteerTest)
#include "sweep_steer_test.moc"
