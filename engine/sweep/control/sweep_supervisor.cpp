// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/control/sweep_supervisor.h"

#include "engine/base/clock.h"
#include "engine/base/unique_fd.h"
#include "engine/run/launch/spawn.h"
#include "engine/store/patience.h"
#include "engine/sweep/control/adoptions.h"
#include "engine/sweep/control/sweep_folder.h"
#include "engine/sweep/control/sweep_journal.h"
#include "engine/sweep/control/takeover.h"
#include "engine/sweep/trials/checkpoint_keeper.h"
#include "engine/sweep/trials/spent_meter.h"
#include "engine/sweep/trials/trial_reports.h"
#include "engine/sweep/trials/trial_rows.h"
#include "engine/sweep/trials/trial_runs.h"
#include "engine/sweep/values/pinned_split.h"

#include <poll.h>
#include <sys/signalfd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
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
    SweepSupervisor(store::Workspace workspace, spec::SweepSpec spec, store::SweepRow row, RunLength length,
                    std::optional<run::RankProgram> program)
        : m_workspace(workspace), m_folder(workspace.sweepFolder(row.id)),
          m_store(std::make_shared<store::KeptStore>(workspace, kStoreOptions)), m_spec(spec), m_row(row),
          m_rows(row.id), m_runs(m_store, spec, std::move(row), program), m_reports(workspace, spec, length.epochs),
          m_adoptions(std::move(workspace), std::move(spec), length,
                      program ? TrialProgram::Own : TrialProgram::Worker) {}
    int run();

private:
    Result<void> begin();
    Result<void> watchTrials();
    Result<bool> tick();
    bool anyGoesOn();
    Result<void> takeRequests();
    void openAll();
    bool isOpen(int trial) const;
    bool isUnsettled(int trial);
    std::vector<TrialRow*> openRows();
    Result<void> lookAtRuns();
    Result<void> readTrial(TrialRow& row);
    Result<void> readReports(const TrialRow& row);
    Result<void> adoptStates();
    bool rankingIsDue(double since) const;
    Result<void> dropCheckpoints();
    bool waitsForSlot(std::size_t trial) const;
    int claimedHosts() const { return m_runs.claims(m_journal->judge(), m_open); }
    int running() const;
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
    std::size_t trials() const { return m_runs.size(); }
    Wanted wanted(std::size_t trial) const { return m_journal->judge().trials()[trial].wanted; }
    Result<void> record(wire::RunStatus status);

    store::Workspace m_workspace;
    std::filesystem::path m_folder;
    std::shared_ptr<store::KeptStore> m_store;
    spec::SweepSpec m_spec;
    store::SweepRow m_row;
    TrialRows m_rows;
    TrialRuns m_runs;
    TrialReports m_reports;
    CheckpointKeeper m_keeper;
    Adoptions m_adoptions;
    std::optional<SweepJournal> m_journal;
    std::optional<SpentMeter> m_meter;
    std::set<int> m_open;               // trials that may need something; the others are skipped
    std::map<int, Error> m_unmeasured;  // trials that are being stopped for it
    store::RunQuery* m_query = nullptr; // of m_store
    UniqueFd m_signals;
    std::optional<SlotCounter> m_slotCounter;
    std::vector<std::size_t> m_due;          // trials with a run that begin in this tick
    bool m_stop = false, m_anyEnded = false; // since the sweep's row was recorded
    bool m_lookAgain = false;                // at once
    bool m_anyOver = false;                  // since checkpoints were dropped
    double m_recordedAt = 0, m_droppedAt = 0;
    double m_rankCost = 0; // seconds
};

int SweepSupervisor::run() {
    auto outcome = begin();
    if (outcome) outcome = watchTrials();
    const auto status = outcome ? endStatus() : wire::RunStatus::Failed;
    m_row.finishedMs = wallClockMs();
    m_row.supervisorPid = 0;
    const auto recorded = store::patiently(kPatienceSeconds, [&] { return record(status); });
    forbidTakeover(m_folder);
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
        TY_TRY(allowTakeover(m_folder));
        TY_ASSIGN(m_query, m_store->reader());
        TY_ASSIGN(auto journal, SweepJournal::open(*m_query, m_row.id, m_spec));
        m_journal.emplace(std::move(journal));
        m_runs.resize(m_journal->judge().trials().size());
        openAll();
        m_meter.emplace(m_journal->judge().spent(), monotonicSeconds());
        return record(liveStatus());
    });
}

wire::RunStatus SweepSupervisor::liveStatus() const {
    return m_journal->judge().isPaused() ? wire::RunStatus::Paused : wire::RunStatus::Running;
}

const SlotCount& SweepSupervisor::slotCount() {
    const auto& judge = m_journal->judge();
    return m_slotCounter->of(judge.parallel().value_or(m_spec.parallel), judge.isOpenEnded() ? 0 : judge.planned());
}

// What people ask for, before anything else: it is recorded together with the answers to them.
Result<void> SweepSupervisor::takeRequests() {
    TY_ASSIGN(const bool any, m_journal->takeRequests(*m_store, m_runs.ids()));
    if (!any) return {};
    m_runs.takeBack(); // what was asked for may concern what comes next
    m_runs.resize(m_journal->judge().trials().size());
    openAll();
    return record(liveStatus());
}

// All but those that wait for the judge. A later one is open from what it is ordered, or its row changes.
void SweepSupervisor::openAll() {
    for (std::size_t trial = 0; trial < trials(); ++trial)
        if (wanted(trial) != Wanted::Waiting) m_open.insert(static_cast<int>(trial));
}

bool SweepSupervisor::isOpen(int number) const {
    const auto trial = static_cast<std::size_t>(number);
    const bool over = wanted(trial) == Wanted::Ended || wanted(trial) == Wanted::Stopped;
    const bool atRest = m_runs.ids()[trial].empty() ? !getsSlot(wanted(trial)) : m_runs.isDone(trial);
    return !over || !atRest || m_unmeasured.contains(number) || m_runs.isRunning(trial);
}

// Its last report had it stopped after its supervisor was found dead: the next look says so in its row.
bool SweepSupervisor::isUnsettled(int trial) {
    const TrialRow* const row = m_rows.find(trial);
    return wanted(static_cast<std::size_t>(trial)) == Wanted::Stopped && row != nullptr &&
           row->status == wire::RunStatus::Interrupted;
}

std::vector<TrialRow*> SweepSupervisor::openRows() {
    std::vector<TrialRow*> rows;
    for (const int trial : m_open)
        if (TrialRow* const row = m_rows.find(trial)) rows.push_back(row);
    return rows;
}

int SweepSupervisor::running() const {
    return static_cast<int>(std::count_if(
        m_open.begin(), m_open.end(), [this](int trial) { return m_runs.isRunning(static_cast<std::size_t>(trial)); }));
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
    TY_ASSIGN(const auto changed, m_rows.read(*m_query, trials()));
    m_open.insert(changed.begin(), changed.end());
    TY_TRY(markDead());
    TY_TRY(lookAtRuns());
    for (TrialRow* row : openRows()) TY_TRY(readTrial(*row));
    m_journal->take({.kind = Event::Kind::Tick, .spent = m_meter->spent(m_rows, monotonicSeconds())});
    if (!m_stop) TY_TRY(adoptStates());
    if (!m_stop) offerSlots();
    const auto ordered = m_journal->takeOrdered();
    m_open.insert(ordered.begin(), ordered.end());
    TY_TRY(recordOrders()); // nothing of it is done before
    stopTrials();
    if (!m_stop) TY_TRY(beginWanted());
    if (std::erase_if(m_open, [this](int trial) { return !isOpen(trial); }) > 0) m_anyOver = true;
    const bool continues = anyGoesOn();
    if (m_spec.rules.keep && m_anyOver && (!continues || rankingIsDue(m_droppedAt))) TY_TRY(dropCheckpoints());
    return continues;
}

bool SweepSupervisor::anyGoesOn() {
    for (const int number : m_open) {
        const auto trial = static_cast<std::size_t>(number);
        if (m_runs.isRunning(trial) || (!m_stop && (goesOn(wanted(trial)) || isUnsettled(number)))) return true;
    }
    return !m_stop && m_journal->judge().isPaused(); // waits for a resume request
}

// A supervisor that was killed leaves a row that claims to be active.
Result<void> SweepSupervisor::markDead() {
    auto rows = openRows();
    std::erase_if(rows, [this](const TrialRow* row) { return !m_runs.isDead(*row); });
    if (rows.empty()) return {};
    TY_ASSIGN(store::Store * store, m_store->writer());
    TY_ASSIGN([[maybe_unused]] const auto marked, store->markInterrupted(m_workspace));
    for (TrialRow* row : rows) {
        TY_ASSIGN(const auto whole, m_query->run(row->id));
        *row = TrialRow::of(whole);
    }
    return {};
}

// A trial that an earlier supervisor started and that still runs is left running.
Result<void> SweepSupervisor::lookAtRuns() {
    for (TrialRow* row : openRows()) {
        const auto trial = static_cast<std::size_t>(row->trial);
        const bool wasDone = m_runs.isDone(trial);
        TY_TRY(m_runs.look(*row, m_journal->judge().trials()[trial], m_stop));
        m_anyEnded = m_anyEnded || (m_runs.isDone(trial) && !wasDone);
    }
    return m_anyEnded && rankingIsDue(m_recordedAt) ? record(liveStatus()) : Result<void>();
}

// The judge receives every report before the end of the trial, which comes from the row.
Result<void> SweepSupervisor::readTrial(TrialRow& row) {
    const auto trial = static_cast<std::size_t>(row.trial);
    TY_TRY(readReports(row));
    if (m_unmeasured.contains(row.trial) && !wire::isActive(row.status)) { // it was stopped for that
        TY_TRY(m_runs.fail(row, m_unmeasured.at(row.trial)));
        m_unmeasured.erase(row.trial);
    }
    const bool live = wanted(trial) == Wanted::Running || wanted(trial) == Wanted::Paused;
    const bool counts = live || wanted(trial) == Wanted::Ending;
    if (!counts || !m_runs.isDone(trial) || m_stop || !m_reports.isReadToEnd(row.trial)) return {};
    m_reports.close(row.trial);
    if (live && row.status == wire::RunStatus::Finished) {
        TY_ASSIGN(const auto missing, m_reports.missingAtEnd(*m_query, row));
        if (missing) TY_TRY(m_runs.fail(row, *missing));
    }
    TY_ASSIGN(const auto end, m_reports.endOf(*m_query, row));
    m_journal->take(end);
    return {};
}

Result<void> SweepSupervisor::readReports(const TrialRow& row) {
    const Judge& judge = m_journal->judge();
    if (!judge.watches(row.trial)) {
        m_reports.close(row.trial);
        return {};
    }
    TY_ASSIGN(const auto events, m_reports.read(row));
    for (const Event& event : events) m_journal->take(event);
    const auto missing = m_reports.missing(row.trial, judge.nextReport(row.trial));
    if (!missing || !wire::isActive(row.status)) return {};
    m_unmeasured.emplace(row.trial, *missing);
    m_journal->take(
        {.kind = Event::Kind::Failed, .trial = row.trial, .failure = {missing->kind, missing->code, wallClockMs()}});
    return {};
}

// All trials are looked at for it: it takes the longer, the more there are.
bool SweepSupervisor::rankingIsDue(double since) const {
    return monotonicSeconds() >= since + std::max(kRankSeconds, m_rankCost / kRankShare);
}

// After one more trial is over, which may also have put another one out of the best.
Result<void> SweepSupervisor::dropCheckpoints() {
    const auto isOver = [this](int number) {
        const auto trial = static_cast<std::size_t>(number);
        return m_runs.isDone(trial) && (wanted(trial) == Wanted::Ended || wanted(trial) == Wanted::Stopped);
    };
    const double begun = monotonicSeconds();
    TY_ASSIGN(const auto ranked, m_reports.ranked(*m_query, m_rows.all()));
    const auto spare = CheckpointKeeper::spare(*m_spec.rules.keep, ranked, isOver);
    m_droppedAt = monotonicSeconds();
    m_rankCost = m_droppedAt - begun;
    TY_ASSIGN(const bool complete, m_keeper.prune(*m_store, spare));
    m_anyOver = !complete;
    return {};
}

// Those whose runs have stopped for it.
Result<void> SweepSupervisor::adoptStates() {
    for (const int number : m_open) {
        const auto trial = static_cast<std::size_t>(number);
        if (wanted(trial) != Wanted::Adopting || m_runs.isRunning(trial)) continue;
        TY_TRY(m_journal->record(*m_store, m_runs.ids()));
        const Adoption adoption = m_journal->judge().adoption(static_cast<int>(trial));
        const auto donor = static_cast<std::size_t>(adoption.donor);
        const bool donorGoesOn = m_runs.isRunning(donor) || (goesOn(wanted(donor)) && !m_runs.isDone(donor));
        TY_ASSIGN(const auto adopted, m_adoptions.advance(*m_query, static_cast<int>(trial), adoption,
                                                          {m_runs.ids()[trial], m_runs.ids()[donor], donorGoesOn}));
        if (!adopted) continue;
        m_runs.forgetEnd(trial);
        m_reports.forget(number);
        m_journal->take(*adopted);
    }
    return m_journal->record(*m_store, m_runs.ids());
}

bool SweepSupervisor::waitsForSlot(std::size_t trial) const {
    return getsSlot(wanted(trial)) && !m_runs.isDone(trial) && !m_runs.isRunning(trial);
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
    for (const int trial : m_open) free -= waitsForSlot(static_cast<std::size_t>(trial)) ? 1 : 0;
    for (; free > 0 && m_journal->take({.kind = Event::Kind::SlotFree}); --free) {}
}

// Gives the trials that wait for a slot what they need, while there are slots, and hosts with room: a host, and its
// files to one that has no run, before the transaction that says what is ordered, and that they are. What has not begun
// when a person pauses the sweep waits until it is resumed.
Result<void> SweepSupervisor::prepareWaiting() {
    m_due.clear();
    const Judge& judge = m_journal->judge();
    int free = room();
    for (const int number : firstLostHosts(judge, m_open)) {
        if (free <= 0 || !m_runs.haveRoom(slots(), judge.hasLostHost(number) ? 0 : claimedHosts())) break;
        const auto trial = static_cast<std::size_t>(number);
        if (!waitsForSlot(trial) || (judge.isPaused() && m_runs.isTakenBack(trial))) continue;
        if (m_runs.ids()[trial].empty()) {
            TY_TRY(m_runs.make(trial, judge.trials()[trial].params, slotCount()));
        } else {
            m_runs.reserve(trial, slotCount());
            m_due.push_back(trial);
        }
        --free;
    }
    return {};
}

Result<void> SweepSupervisor::recordOrders() {
    auto recorded = m_stop ? Result<void>() : prepareWaiting();
    if (recorded && !m_runs.haveMade()) recorded = m_journal->record(*m_store, m_runs.ids());
    else if (recorded)
        recorded =
            m_journal->record(*m_store, m_runs.ids(), [this](store::Store& store) { return m_runs.writeMade(store); });
    if (!recorded) m_runs.discardMade();
    return recorded;
}

Result<void> SweepSupervisor::beginWanted() {
    m_lookAgain = m_lookAgain || m_runs.madeAnyUnfit(); // there is room for others
    TY_TRY(m_runs.beginMade(slotCount()));
    for (const auto trial : m_due)
        if (waitsForSlot(trial)) TY_TRY(m_runs.begin(trial, slotCount()));
    return {};
}

void SweepSupervisor::stopTrials() {
    for (const int number : m_open) {
        const auto trial = static_cast<std::size_t>(number);
        if (const auto mode = stopFor(wanted(trial), m_stop)) m_runs.tellToStop(trial, *mode);
    }
}

bool SweepSupervisor::isOver() const {
    if (!m_journal) return false;
    for (std::size_t trial = 0; trial < trials(); ++trial)
        if (!sweep::isOver(wanted(trial), m_runs.isComplete(trial))) return false;
    return true;
}

void SweepSupervisor::wait() {
    std::vector<pollfd> entries{{m_signals.get(), POLLIN, 0}};
    for (const int fd : m_reports.fds()) entries.push_back({fd, POLLIN, 0});
    for (const int fd : m_runs.fds()) entries.push_back({fd, POLLIN, 0});
    ::poll(entries.data(), entries.size(), std::exchange(m_lookAgain, false) ? 0 : kTickMs);
    readSignals();
}

void SweepSupervisor::readSignals() {
    signalfd_siginfo info{};
    while (::read(m_signals.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info))
        if (info.ssi_signo != SIGCHLD && !std::exchange(m_stop, true)) forbidTakeover(m_folder);
}

Result<void> SweepSupervisor::record(wire::RunStatus status) {
    m_row.status = status;
    if (m_journal) {
        m_row.trials = m_journal->judge().isOpenEnded() ? m_runs.begun() : m_journal->judge().planned();
        TY_TRY(m_rows.read(*m_query, trials()));
        const double begun = monotonicSeconds();
        TY_ASSIGN(m_row.bestRun, m_reports.bestRun(*m_query, m_rows.all()));
        m_rankCost = monotonicSeconds() - begun;
    }
    m_anyEnded = false;
    m_recordedAt = monotonicSeconds();
    TY_ASSIGN(store::Store * store, m_store->writer());
    const auto outlives = status == wire::RunStatus::Running ? Outlives::Process : Outlives::PowerLoss;
    return store->together([&] { return store->updateSweep(m_row); }, outlives);
}

Result<SweepSupervisor> supervisorOf(const std::filesystem::path& folder) {
    TY_ASSIGN(const auto launch, readSweepLaunch(folder));
    TY_ASSIGN(auto workspace, store::Workspace::open(launch.workspace));
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(auto row, query->sweep(launch.sweep));
    TY_ASSIGN(auto spec, spec::parseSweepSpec(row.specJson, folder.string()));
    if (!launch.program) { TY_ASSIGN(spec, withEarlierSplit(std::move(spec))); }
    TY_ASSIGN(const auto length, lengthOf(spec));
    for (const auto& each : contraryModes(spec))
        std::fprintf(stderr, "trainyardctl: note: %s\n", contraryModeText(each).c_str());
    return SweepSupervisor(std::move(workspace), std::move(spec), std::move(row), length, launch.program);
}

Result<int> superviseFolder(const std::filesystem::path& folder) {
    TY_ASSIGN(const auto lock, run::lockOfSupervisor(folder));
    TY_ASSIGN(auto supervisor, store::patiently(kPatienceSeconds, [&] { return supervisorOf(folder); }));
    return supervisor.run();
}

} // namespace

int superviseSweep(const std::filesystem::path& folder) {
    const auto code = superviseFolder(folder);
    if (code) return *code;
    std::fprintf(stderr, "trainyardctl: %s\n", code.error().text().c_str());
    return exitCode(code.error().kind);
}

} // namespace trainyard::sweep
