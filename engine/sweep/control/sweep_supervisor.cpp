// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/control/sweep_supervisor.h"

#include "engine/base/clock.h"
#include "engine/base/unique_fd.h"
#include "engine/run/launch/spawn.h"
#include "engine/store/kept_store.h"
#include "engine/sweep/control/adoptions.h"
#include "engine/sweep/control/sweep_control.h"
#include "engine/sweep/control/sweep_journal.h"
#include "engine/sweep/control/takeover.h"
#include "engine/sweep/trials/keep_best.h"
#include "engine/sweep/trials/trial_reports.h"
#include "engine/sweep/trials/trial_runs.h"
#include "engine/sweep/values/pinned_split.h"

#include <poll.h>
#include <sys/signalfd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <optional>
#include <utility>

namespace trainyard::sweep {
namespace {
constexpr int kTickMs = 100;          // between looks at trials that no slot of this process has
constexpr double kRankSeconds = 0.25; // between two rankings of all trials, while some end
constexpr double kRankShare = 0.05;   // of the time at most, for these
// What a loss of power may take: trials that ended, or began, since the last wait for the disk.
constexpr store::KeptStore::Options kStoreOptions{.syncSeconds = 1, .check = store::Store::Check::Now};
constexpr double kPatienceSeconds = 30; // with a store that cannot be read or written

// The loop of a sweep: what the trials tell goes to the judge, what the judge wants goes to the trials.
class SweepSupervisor {
public:
    SweepSupervisor(const store::Workspace& workspace, spec::SweepSpec spec, store::SweepRow row, RunLength length,
                    const std::optional<run::RankProgram>& program)
        : m_store(std::make_shared<store::KeptStore>(workspace, kStoreOptions)), m_spec(spec), m_row(row),
          m_trials(row.id), m_runs(m_trials, m_store, spec, std::move(row), program),
          m_reports(workspace, spec, length.epochs),
          m_adoptions(workspace, std::move(spec), length, program ? TrialProgram::Own : TrialProgram::Worker) {}
    int run();

private:
    // What needs a look at all trials, and so is done now and then.
    struct Chore {
        bool due = false;  // something has changed for it since
        double doneAt = 0; // monotonic seconds
    };
    Result<void> begin();
    Result<void> watchTrials();
    Result<bool> tick();
    bool tell(const Event& event);
    bool anyGoesOn();
    Result<void> takeRequests();
    void addTrials();
    bool isOpen(const TrialEntry& trial) const;
    bool isUnsettled(const TrialEntry& trial) const;
    Result<void> lookAtRuns();
    Result<void> readTrial(TrialEntry& trial);
    Result<void> readReports(TrialEntry& trial);
    Result<void> adoptStates();
    bool rankingIsDue(double since) const;
    Result<void> dropCheckpoints();
    bool waitsForSlot(const TrialEntry& trial) const;
    int claimedHosts() const { return m_runs.claims(m_journal->judge()); }
    int running();
    int room();
    void offerSlots();
    Result<void> prepareWaiting();
    Result<void> recordOrders();
    Result<void> beginWanted();
    void stopTrials();
    Result<void> markDead();
    void wait();
    void readSignals();
    bool isOver() const;
    wire::RunStatus endStatus() const;
    wire::RunStatus liveStatus() const;
    const SlotCount& slotCount();
    int slots() { return slotCount().slots; }
    std::filesystem::path folder() const { return m_store->workspace().sweepFolder(m_row.id); }
    const Judge::Trial& judged(const TrialEntry& trial) const { return m_journal->judge().trial(trial.number); }
    Wanted wanted(const TrialEntry& trial) const { return judged(trial).wanted; }
    SweepJournal::RunOf runOf() const {
        return [this](int trial) { return m_trials[trial].id; };
    }
    Result<void> record(wire::RunStatus status);

    std::shared_ptr<store::KeptStore> m_store;
    spec::SweepSpec m_spec;
    store::SweepRow m_row;
    TrialBook m_trials;
    TrialRuns m_runs;
    TrialReports m_reports;
    Adoptions m_adoptions;
    std::optional<SweepJournal> m_journal;
    std::optional<SlotCounter> m_slotCounter;
    store::RunQuery* m_query = nullptr; // of m_store
    UniqueFd m_signals;
    double m_begunAt = 0; // monotonic seconds, as if the sweep had been supervised from here without a break
    bool m_stop = false;
    bool m_lookAgain = false;      // at once
    Chore m_recording, m_dropping; // of the sweep's row; of checkpoints
    double m_rankCost = 0;         // seconds
};

int SweepSupervisor::run() {
    auto outcome = begin();
    if (outcome) outcome = watchTrials();
    const auto status = outcome ? endStatus() : wire::RunStatus::Failed;
    m_row.finishedMs = wallClockMs();
    m_row.supervisorPid = 0;
    const auto recorded = store::patiently(kPatienceSeconds, [&] { return record(status); });
    forbidTakeover(folder());
    for (const Result<void>* result : {&std::as_const(outcome), &recorded}) {
        if (result->ok()) continue;
        std::fprintf(stderr, "trainyardctl: %s\n", result->error().text().c_str());
        return exitCode(result->error().kind);
    }
    return status == wire::RunStatus::Stopped  ? exitCode(ErrorKind::Stopped)
           : status == wire::RunStatus::Failed ? exitCode(ErrorKind::Run)
                                               : 0;
}

// A sweep that ends early is over, whatever it has not started.
wire::RunStatus SweepSupervisor::endStatus() const {
    const auto& end = m_journal->judge().end();
    if (end && end->isFailure()) return wire::RunStatus::Failed;
    return m_stop || !(end || isOver()) ? wire::RunStatus::Stopped : wire::RunStatus::Finished;
}

Result<void> SweepSupervisor::begin() {
    sigset_t set;
    sigemptyset(&set);
    for (const int number : {SIGTERM, SIGINT, SIGCHLD}) sigaddset(&set, number);
    ::sigprocmask(SIG_BLOCK, &set, nullptr);
    ::signal(SIGHUP, SIG_IGN);
    m_signals = UniqueFd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    TY_ASSIGN(const auto foreseen, spec::foreseenConfigurations(m_spec, 1));
    TY_ASSIGN(const auto first, spec::trialSpec(m_spec, foreseen.front(), 0));
    m_slotCounter.emplace(m_spec, first.scaling.workers, run::roomHere());
    m_row.supervisorPid = ::getpid();
    m_row.finishedMs = 0;
    return store::patiently(kPatienceSeconds, [&]() -> Result<void> {
        TY_TRY(allowTakeover(folder()));
        TY_ASSIGN(m_query, m_store->reader());
        TY_ASSIGN(auto journal, SweepJournal::open(*m_query, m_row.id, m_spec));
        m_journal.emplace(std::move(journal));
        addTrials();
        m_begunAt = monotonicSeconds() - m_journal->judge().spent().seconds;
        return record(liveStatus());
    });
}

wire::RunStatus SweepSupervisor::liveStatus() const {
    return m_journal->judge().isPaused() ? wire::RunStatus::Paused : wire::RunStatus::Running;
}

const SlotCount& SweepSupervisor::slotCount() {
    const auto& judge = m_journal->judge();
    return m_slotCounter->of(
        {.trials = judge.isOpenEnded() ? 0 : judge.planned(), .parallel = judge.parallel().value_or(m_spec.parallel)});
}

// What people ask for, before anything else: it is recorded together with the answers to them.
Result<void> SweepSupervisor::takeRequests() {
    TY_ASSIGN(const bool any, m_journal->takeRequests(*m_store, runOf()));
    if (!any) return {};
    m_runs.takeBack(); // what was asked for may concern what comes next
    addTrials();
    return record(liveStatus());
}

// All are open but those that wait for the judge. A later one is open once it is ordered, or its row changes.
void SweepSupervisor::addTrials() {
    m_trials.resize(m_journal->judge().trials().size());
    for (const TrialEntry& trial : m_trials)
        if (wanted(trial) != Wanted::Waiting) m_trials.open(trial.number);
}

bool SweepSupervisor::isOpen(const TrialEntry& trial) const {
    const bool over = wanted(trial) == Wanted::Ended || wanted(trial) == Wanted::Stopped;
    const bool atRest = trial.hasRun() ? trial.isDone() : !getsSlot(wanted(trial));
    return !over || !atRest || trial.unmeasured || m_runs.isRunning(trial);
}

// Its last report had it stopped after its supervisor was found dead: the next look says so in its row.
bool SweepSupervisor::isUnsettled(const TrialEntry& trial) const {
    return wanted(trial) == Wanted::Stopped && trial.hasRun() && trial.status == wire::RunStatus::Interrupted;
}

int SweepSupervisor::running() {
    const auto open = m_trials.open();
    return static_cast<int>(
        std::count_if(open.begin(), open.end(), [this](const TrialEntry* trial) { return m_runs.isRunning(*trial); }));
}

// Whether the judge orders something: the trials of its orders are open.
bool SweepSupervisor::tell(const Event& event) {
    const auto ordered = m_journal->take(event);
    for (const int trial : ordered) m_trials.open(trial);
    return !ordered.empty();
}

// What fails once, on a drive that is away or a full disk, may go well at a later look: the trials wait for it too.
Result<void> SweepSupervisor::watchTrials() {
    double lastGood = monotonicSeconds();
    for (bool told = false;;) {
        const auto continues = tick();
        const double now = monotonicSeconds();
        if (continues) {
            if (!*continues) return {};
            lastGood = now;
            told = false;
        } else {
            const auto& error = continues.error();
            if (error.kind != ErrorKind::Environment || now > lastGood + kPatienceSeconds) return error;
            if (!std::exchange(told, true))
                std::fprintf(stderr, "trainyardctl: %s; trying again\n", error.text().c_str());
        }
        wait();
    }
}

// Brings the running trials closer to what the judge wants; false when nothing is left to wait for. A stop of the whole
// sweep reaches it before its trials, so their end is not mistaken for a request about single trials.
Result<bool> SweepSupervisor::tick() {
    m_runs.reap(slots());
    readSignals();
    if (m_stop) m_runs.takeBack();
    TY_TRY(takeRequests());
    TY_TRY(m_trials.read(*m_query));
    TY_TRY(markDead());
    TY_TRY(lookAtRuns());
    for (TrialEntry* trial : m_trials.openWithRun()) TY_TRY(readTrial(*trial));
    tell({.kind = Event::Kind::Tick,
          .spent = {monotonicSeconds() - m_begunAt, m_trials.trainSeconds(), m_trials.epochs()}});
    if (!m_stop) TY_TRY(adoptStates());
    if (!m_stop) offerSlots();
    TY_TRY(recordOrders()); // nothing of it is done before
    stopTrials();
    if (!m_stop) TY_TRY(beginWanted());
    if (m_trials.closeUnless([this](const TrialEntry& trial) { return isOpen(trial); })) m_dropping.due = true;
    const bool continues = anyGoesOn();
    if (m_spec.rules.keep && m_dropping.due && (!continues || rankingIsDue(m_dropping.doneAt)))
        TY_TRY(dropCheckpoints());
    return continues;
}

bool SweepSupervisor::anyGoesOn() {
    for (const TrialEntry* trial : m_trials.open())
        if (m_runs.isRunning(*trial) || (!m_stop && (goesOn(wanted(*trial)) || isUnsettled(*trial)))) return true;
    return !m_stop && m_journal->judge().isPaused(); // waits for a resume request
}

// A supervisor that was killed leaves a row that claims to be active.
Result<void> SweepSupervisor::markDead() {
    auto trials = m_trials.openWithRun();
    std::erase_if(trials, [this](const TrialEntry* trial) { return !m_runs.isDead(*trial); });
    if (trials.empty()) return {};
    TY_ASSIGN(store::Store * store, m_store->writer());
    TY_ASSIGN([[maybe_unused]] const auto marked, store->markInterrupted(m_store->workspace()));
    for (TrialEntry* trial : trials) {
        TY_ASSIGN(const auto row, m_query->run(trial->id));
        m_trials.learn(*trial, row);
    }
    return {};
}

// A trial that an earlier supervisor started and that still runs is left running.
Result<void> SweepSupervisor::lookAtRuns() {
    for (TrialEntry* trial : m_trials.openWithRun()) {
        const bool wasDone = trial->isDone();
        TY_TRY(m_runs.look(*trial, judged(*trial), m_stop));
        m_recording.due = m_recording.due || (trial->isDone() && !wasDone);
    }
    return m_recording.due && rankingIsDue(m_recording.doneAt) ? record(liveStatus()) : Result<void>();
}

// The judge receives every report before the end of the trial, which comes from the row.
Result<void> SweepSupervisor::readTrial(TrialEntry& trial) {
    TY_TRY(readReports(trial));
    if (trial.unmeasured && !wire::isActive(trial.status)) { // it was stopped for that
        TY_TRY(m_runs.fail(trial, *trial.unmeasured));
        trial.unmeasured.reset();
    }
    const bool live = wanted(trial) == Wanted::Running || wanted(trial) == Wanted::Paused;
    const bool counts = live || wanted(trial) == Wanted::Ending;
    if (!counts || !trial.isDone() || m_stop || !trial.isReadToEnd()) return {};
    trial.watch.reset();
    if (live && trial.status == wire::RunStatus::Finished) {
        TY_ASSIGN(const auto missing, m_reports.missingAtEnd(*m_query, trial));
        if (missing) TY_TRY(m_runs.fail(trial, *missing));
    }
    TY_ASSIGN(const auto end, m_reports.endOf(*m_query, trial));
    tell(end);
    return {};
}

Result<void> SweepSupervisor::readReports(TrialEntry& trial) {
    const Judge& judge = m_journal->judge();
    if (!judge.watches(trial.number)) {
        trial.watch.reset();
        return {};
    }
    TY_ASSIGN(const auto events, m_reports.read(trial));
    for (const Event& event : events) tell(event);
    const auto missing = m_reports.missing(trial, judge.nextReport(trial.number));
    if (!missing || !wire::isActive(trial.status)) return {};
    if (!trial.unmeasured) trial.unmeasured = std::make_unique<Error>(*missing);
    tell(
        {.kind = Event::Kind::Failed, .trial = trial.number, .failure = {missing->kind, missing->code, wallClockMs()}});
    return {};
}

// All trials are looked at for it: it takes the longer, the more there are.
bool SweepSupervisor::rankingIsDue(double since) const {
    return monotonicSeconds() >= since + std::max(kRankSeconds, m_rankCost / kRankShare);
}

// After one more trial is over, which may also have put another one out of the best.
Result<void> SweepSupervisor::dropCheckpoints() {
    const auto isOver = [this](const TrialEntry& trial) {
        return trial.isDone() && (wanted(trial) == Wanted::Ended || wanted(trial) == Wanted::Stopped);
    };
    const double begun = monotonicSeconds();
    TY_ASSIGN(const auto ranked, m_reports.ranked(*m_query, m_trials));
    m_dropping.doneAt = monotonicSeconds();
    m_rankCost = m_dropping.doneAt - begun;
    TY_ASSIGN(const bool complete, keepBest(*m_spec.rules.keep, ranked, *m_store, isOver));
    m_dropping.due = !complete;
    return {};
}

// Those whose runs have stopped for it.
Result<void> SweepSupervisor::adoptStates() {
    for (TrialEntry* trial : m_trials.open()) {
        if (wanted(*trial) != Wanted::Adopting || m_runs.isRunning(*trial)) continue;
        TY_TRY(m_journal->record(*m_store, runOf()));
        const Adoption adoption = *judged(*trial).adoption;
        const TrialEntry& donor = m_trials[adoption.donor];
        const bool donorGoesOn = m_runs.isRunning(donor) || (goesOn(wanted(donor)) && !donor.isDone());
        TY_ASSIGN(const auto adopted, m_adoptions.advance(*m_query, *trial, adoption, donor, donorGoesOn));
        if (!adopted) continue;
        trial->forgetEnd();
        tell(*adopted);
    }
    return m_journal->record(*m_store, runOf());
}

bool SweepSupervisor::waitsForSlot(const TrialEntry& trial) const {
    return getsSlot(wanted(trial)) && !trial.isDone() && !m_runs.isRunning(trial);
}

// For how many trials, with those that wait for it. Brief ones wait at their slots, where the judge knows what is next.
int SweepSupervisor::room() {
    const int running = this->running();
    const bool ahead = m_journal->judge().knowsNext() && m_runs.mayGiveAhead(running);
    return (ahead ? 2 : 1) * slots() - running;
}

// Tells the judge of every slot that neither a trial has nor one waits for.
void SweepSupervisor::offerSlots() {
    if (!m_runs.haveRoom(slots(), claimedHosts())) return;
    int free = room();
    for (const TrialEntry* trial : m_trials.open()) free -= waitsForSlot(*trial) ? 1 : 0;
    for (; free > 0 && tell({.kind = Event::Kind::SlotFree}); --free) {}
}

// Gives the trials that wait for a slot what they need, while there are slots, and hosts with room: a host, and its
// files to one that has no run, before the transaction that says what is ordered, and that they are. What has not begun
// when a person pauses the sweep waits until it is resumed.
Result<void> SweepSupervisor::prepareWaiting() {
    const Judge& judge = m_journal->judge();
    int free = room();
    for (const int number : firstLostHosts(judge, m_trials.openNumbers())) {
        if (free <= 0 || !m_runs.haveRoom(slots(), judge.hasLostHost(number) ? 0 : claimedHosts())) break;
        TrialEntry& trial = m_trials[number];
        if (!waitsForSlot(trial) || (judge.isPaused() && trial.held)) continue;
        TY_TRY(m_runs.prepare(trial, judged(trial).params, slotCount()));
        --free;
    }
    return {};
}

Result<void> SweepSupervisor::recordOrders() {
    auto recorded = m_stop ? Result<void>() : prepareWaiting();
    if (recorded && !m_runs.haveNew()) recorded = m_journal->record(*m_store, runOf());
    else if (recorded)
        recorded = m_journal->record(*m_store, runOf(), [this](store::Store& store) { return m_runs.writeNew(store); });
    if (!recorded) m_runs.discardPrepared();
    return recorded;
}

Result<void> SweepSupervisor::beginWanted() {
    m_lookAgain = m_lookAgain || m_runs.haveUnfit(); // there is room for others
    return m_runs.beginPrepared(slotCount());
}

void SweepSupervisor::stopTrials() {
    for (TrialEntry* trial : m_trials.open())
        if (const auto mode = stopFor(wanted(*trial), m_stop)) m_runs.tellToStop(*trial, *mode);
}

bool SweepSupervisor::isOver() const {
    if (!m_journal) return false;
    return std::all_of(m_trials.begin(), m_trials.end(),
                       [this](const TrialEntry& trial) { return sweep::isOver(wanted(trial), trial.stage); });
}

void SweepSupervisor::wait() {
    std::vector<pollfd> entries{{m_signals.get(), POLLIN, 0}};
    for (const TrialEntry* trial : m_trials.open()) // one without a report is looked at from time to time
        if (trial->watch && trial->watch->fd() >= 0) entries.push_back({trial->watch->fd(), POLLIN, 0});
    for (const int fd : m_runs.fds()) entries.push_back({fd, POLLIN, 0});
    ::poll(entries.data(), entries.size(), std::exchange(m_lookAgain, false) ? 0 : kTickMs);
    readSignals();
}

void SweepSupervisor::readSignals() {
    signalfd_siginfo info{};
    while (::read(m_signals.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info))
        if (info.ssi_signo != SIGCHLD && !std::exchange(m_stop, true)) forbidTakeover(folder());
}

Result<void> SweepSupervisor::record(wire::RunStatus status) {
    m_row.status = status;
    if (m_journal) {
        TY_TRY(m_trials.read(*m_query));
        const auto& judge = m_journal->judge();
        m_row.trials = judge.isOpenEnded() ? static_cast<int>(m_trials.withRun().size()) : judge.planned();
        const double begun = monotonicSeconds();
        TY_ASSIGN(m_row.bestRun, m_reports.bestRun(*m_query, m_trials));
        m_rankCost = monotonicSeconds() - begun;
    }
    m_recording = {false, monotonicSeconds()};
    TY_ASSIGN(store::Store * store, m_store->writer());
    const auto outlives = status == wire::RunStatus::Running ? Outlives::Process : Outlives::PowerLoss;
    return store->together([&] { return store->updateSweep(m_row); }, outlives);
}

Result<std::unique_ptr<SweepSupervisor>> supervisorOf(const std::filesystem::path& folder) {
    TY_ASSIGN(const auto launch, readSweepLaunch(folder));
    TY_ASSIGN(const auto workspace, store::Workspace::open(launch.workspace));
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(auto row, query->sweep(launch.sweep));
    TY_ASSIGN(auto spec, spec::parseSweepSpec(row.specJson, folder.string()));
    if (!launch.program) { TY_ASSIGN(spec, withEarlierSplit(std::move(spec))); }
    TY_ASSIGN(const auto length, lengthOf(spec));
    for (const auto& each : contraryModes(spec))
        std::fprintf(stderr, "trainyardctl: note: %s\n", contraryModeText(each).c_str());
    return std::make_unique<SweepSupervisor>(workspace, std::move(spec), std::move(row), length, launch.program);
}

Result<int> superviseFolder(const std::filesystem::path& folder) {
    TY_ASSIGN(const auto lock, run::lockOfSupervisor(folder));
    TY_ASSIGN(const auto supervisor, store::patiently(kPatienceSeconds, [&] { return supervisorOf(folder); }));
    return supervisor->run();
}

} // namespace

int superviseSweep(const std::filesystem::path& folder) {
    const auto code = superviseFolder(folder);
    if (code) return *code;
    std::fprintf(stderr, "trainyardctl: %s\n", code.error().text().c_str());
    return exitCode(code.error().kind);
}

} // namespace trainyard::sweep
