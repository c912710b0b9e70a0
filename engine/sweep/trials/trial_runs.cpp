// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/trials/trial_runs.h"

#include "engine/base/clock.h"
#include "engine/base/lost_host.h"
#include "engine/base/text/ids.h"
#include "engine/run/attach/run_control.h"
#include "engine/run/start/run_start.h"
#include "engine/spec/values/params_text.h"
#include "engine/store/run_query.h"
#include "engine/sweep/trials/run_of_trial.h"
#include "engine/sweep/values/sweep_limits.h"

#include <cstdio>

namespace trainyard::sweep {
namespace {

constexpr int kMaxSlotsLost = 5;       // by one trial, which is then given up
constexpr double kBriefSeconds = 0.25; // of a trial, to which the way to its sweep's supervisor and back is long

} // namespace

void TrialRuns::resize(std::size_t trials) {
    m_trials.resize(trials);
    m_ids.resize(trials);
}

bool TrialRuns::isRunning(std::size_t trial) const {
    const Trial& each = m_trials[trial];
    if (m_slots.has(static_cast<int>(trial))) return true;
    if (isTakenBack(trial)) return false; // this process has its lock
    return !m_ids[trial].empty() && !each.standing.done && store::RunLock::isHeld(each.folder);
}

bool TrialRuns::isDead(const TrialRow& row) const {
    return !m_slots.has(row.trial) && wire::isActive(row.status) && !store::RunLock::isHeld(row.folder);
}

// One that was lost is found without a supervisor, as if an earlier one of the sweep had left it: it is begun again.
void TrialRuns::reap(int slots) {
    for (auto& [number, lost, seconds, notBegun] : m_slots.takeEnded()) {
        if (notBegun) {
            hold(number, std::move(*notBegun));
            continue;
        }
        m_lastEnded = number;
        m_lastSeconds = seconds;
        m_lastFinished = false;
        Trial& trial = m_trials[static_cast<std::size_t>(number)];
        if (lost && ++trial.slotsLost < kMaxSlotsLost) trial.begunHere = false;
    }
    takeBack(slots);
}

void TrialRuns::hold(int trial, run::PreparedRun run) {
    m_trials[static_cast<std::size_t>(trial)].begunHere = false;
    m_takenBack.emplace(trial, std::move(run));
}

// Where no slot can be started now, such as for want of processes, it is begun at a later look.
Result<void> TrialRuns::give(int trial, run::PreparedRun run, const SlotCount& count) {
    auto given = m_slots.give(trial, std::move(run), count, m_hosts.placeOf(trial));
    if (given) m_trials[static_cast<std::size_t>(trial)].begunHere = true;
    else hold(trial, std::move(run));
    return given;
}

void TrialRuns::takeBack(int slots) {
    while (auto waiting = m_slots.takeBackFor(slots)) hold(waiting->trial, std::move(waiting->run));
}

bool TrialRuns::mayGiveAhead(int running) const {
    return m_lastFinished && m_lastSeconds < kBriefSeconds && running == m_slots.trials() && !m_hosts.areChosen();
}

Result<void> TrialRuns::look(TrialRow& row, const Judge::Trial& judged, bool stopping) {
    const auto number = static_cast<std::size_t>(row.trial);
    Trial& trial = m_trials[number];
    if (m_ids[number] != row.id) {
        m_ids[number] = row.id;
        trial.folder = row.folder;
    }
    leaveHost(row);
    TY_TRY(findHost(row));
    if (row.status == wire::RunStatus::Running) m_hosts.trains(row.trial);
    if (row.trial == m_lastEnded) m_lastFinished = row.status == wire::RunStatus::Finished;
    if (isTakenBack(number) && (stopping || judged.wanted != Wanted::Running)) {
        TY_TRY(end(row, wire::RunStatus::Stopped, wallClockMs(), {})); // before it began
        m_takenBack.erase(row.trial);
        trial.begunHere = true; // it needs nothing more here
    }
    const bool endedHere = trial.begunHere && !m_slots.has(row.trial);
    const bool held = endedHere && row.status == wire::RunStatus::Queued && store::RunLock::isHeld(trial.folder);
    const bool triedAgain = judged.failedMs != 0 && judged.failedMs == row.finishedMs;
    auto standing = standingOf({row.status, endedHere, held, trial.toldToStop, triedAgain}, judged.wanted);
    if (standing.neverBegan && !trial.standing.done && !stopping) {
        TY_TRY(fail(row, environmentError("its supervisor ended before it could begin", row.folder,
                                          "see supervisor.log in that folder for the cause")
                             .withCode(ErrorCode::SupervisorLost)));
        standing.complete = true;
    }
    trial.standing = standing;
    if (judged.wanted != Wanted::Stopped || row.status != wire::RunStatus::Interrupted) return {};
    return end(row, wire::RunStatus::Stopped, row.finishedMs, {}); // so it was meant to be, whatever has ended it
}

bool TrialRuns::haveRoom(int slots, int claimed) const { return m_hosts.haveRoom(slots, monotonicSeconds(), claimed); }

int TrialRuns::claims(const Judge& judge, const std::set<int>& open) const {
    if (!m_hosts.areChosen()) return 0;
    return static_cast<int>(std::count_if(open.begin(), open.end(), [&](int trial) {
        return judge.hasLostHost(trial) && (!m_hosts.has(trial) || m_hosts.isTrying(trial));
    }));
}

// One that an earlier supervisor has begun takes room on its host.
Result<void> TrialRuns::findHost(const TrialRow& row) {
    if (!m_hosts.areChosen() || !wire::isActive(row.status) || m_hosts.has(row.trial)) return {};
    TY_ASSIGN(store::RunQuery * query, m_store->reader());
    TY_ASSIGN(const auto whole, query->run(row.id));
    TY_ASSIGN(const auto spec, spec::parseRunSpec(whole.specJson, row.folder));
    if (spec.hosts.size() != 1) return {};
    TY_ASSIGN(const auto workers, query->workers(row.id));
    int place = -1;
    if (workers.size() == 1) (void)std::sscanf(workers.front().device.c_str(), "cuda:%d", &place);
    m_hosts.occupy(row.trial, spec.hosts.front(), place);
    return {};
}

// A trial that has ended makes room on its host.
void TrialRuns::leaveHost(const TrialRow& row) {
    if (m_slots.has(row.trial) || wire::isActive(row.status)) return;
    const bool lost = row.status == wire::RunStatus::Failed && isLostHost(row.errorCode);
    m_hosts.leave(row.trial, lost, monotonicSeconds());
}

// In place of the hosts of the run file; empty: those.
std::string TrialRuns::hostFor(int trial, const SlotCount& count) {
    return m_hosts.areChosen() ? m_hosts.assign(trial, count.slots, monotonicSeconds()) : std::string();
}

Result<run::NewRun> TrialRuns::makeRun(std::size_t number, const spec::Params& params, const std::string& host) {
    const auto program = m_program ? TrialProgram::Own : TrialProgram::Worker;
    TY_ASSIGN(auto made, runOfTrial(m_spec, params, static_cast<int>(number), program));
    if (!host.empty()) {
        made.hosts = {host};
        made.spareHosts.clear(); // the sweep itself finds it another one
    }
    run::StartOptions options;
    options.sweep = m_sweep.id;
    options.trial = static_cast<int>(number);
    options.params = params;
    options.program = m_program;
    options.store = m_store.get();
    return run::makeRun(m_workspace, std::move(made), options);
}

Result<void> TrialRuns::make(std::size_t number, const spec::Params& params, const SlotCount& count) {
    const auto id = static_cast<int>(number);
    auto made = makeRun(number, params, hostFor(id, count));
    if (made) {
        m_made.push_back({id, std::move(made->row), std::move(made->run)});
        return {};
    }
    m_hosts.leave(id, false, monotonicSeconds());
    if (made.error().kind != ErrorKind::Input) return made.error();
    m_made.push_back({id, unfitRow(number, params, made.error())});
    return {};
}

Result<void> TrialRuns::writeMade(store::Store& store) {
    for (Made& made : m_made) TY_TRY(store.createRun(made.row));
    return {};
}

bool TrialRuns::madeAnyUnfit() const {
    return std::any_of(m_made.begin(), m_made.end(), [](const Made& made) { return !made.run; });
}

void TrialRuns::reserve(std::size_t number, const SlotCount& count) {
    const auto id = static_cast<int>(number);
    if (!m_hosts.areChosen() || m_hosts.has(id)) return;
    (void)hostFor(id, count);
    m_reserved.push_back(id);
}

void TrialRuns::discardMade() {
    for (const int trial : std::exchange(m_reserved, {})) m_hosts.leave(trial, false, monotonicSeconds());
    for (const Made& made : m_made) {
        if (!made.run) continue;
        run::discard(*made.run);
        m_hosts.leave(made.trial, false, monotonicSeconds());
    }
    m_made.clear();
}

Result<void> TrialRuns::beginMade(const SlotCount& count) {
    Result<void> begun;
    m_reserved.clear();
    for (Made& made : std::exchange(m_made, {})) {
        Trial& trial = m_trials[static_cast<std::size_t>(made.trial)];
        m_ids[static_cast<std::size_t>(made.trial)] = made.row.id;
        trial.folder = made.row.folder;
        trial.begunHere = false;
        trial.toldToStop = false;
        trial.standing.done = trial.standing.complete = !made.run;
        if (!made.run) continue;
        if (begun) begun = give(made.trial, std::move(*made.run), count);
        else hold(made.trial, std::move(*made.run)); // there is no slot for this one either
    }
    return begun;
}

Result<void> TrialRuns::begin(std::size_t number, const SlotCount& count) {
    const auto id = static_cast<int>(number);
    if (auto held = m_takenBack.extract(id)) return give(id, std::move(held.mapped()), count);
    run::ResumeChanges changes;
    if (const auto host = m_hosts.hostOf(id); !host.empty()) changes.hosts = {host};
    auto prepared = run::prepareResume(m_workspace, m_ids[number], changes);
    if (!prepared) {
        m_hosts.leave(id, false, monotonicSeconds());
        if (isSettled(m_ids[number], prepared.error())) return {};
        return prepared.error();
    }
    Trial& trial = m_trials[number];
    trial.folder = prepared->folder.root;
    trial.toldToStop = false;
    return give(id, std::move(*prepared), count);
}

// The run has ended since its row was read, or has another supervisor: the next tick sees that in its row.
bool TrialRuns::isSettled(const std::string& run, const Error& error) const {
    if (error.code == ErrorCode::AlreadyRunning) return true;
    const auto query = store::RunQuery::open(m_workspace);
    const auto row = query ? (*query)->run(run) : Result<store::RunRow>(query.error());
    return row && row->status == wire::RunStatus::Finished;
}

void TrialRuns::tellToStop(std::size_t trial, wire::StopMode mode) {
    const auto number = static_cast<int>(trial);
    if (auto waiting = m_slots.takeBack(number)) return hold(number, std::move(*waiting));
    if (m_trials[trial].toldToStop || !isRunning(trial)) return;
    m_trials[trial].toldToStop = run::stopRun(m_workspace, m_ids[trial], mode).ok();
}

void TrialRuns::forgetEnd(std::size_t trial) {
    m_trials[trial].standing = {};
    m_trials[trial].begunHere = m_trials[trial].toldToStop = false;
}

// The trial fails before it begins, and the others go on.
store::RunRow TrialRuns::unfitRow(std::size_t number, const spec::Params& params, const Error& error) const {
    store::RunRow row;
    row.id = newId();
    row.name = m_sweep.name + "-" + std::to_string(number);
    row.status = wire::RunStatus::Failed;
    row.specJson = m_spec.runJson;
    row.sweep = m_sweep.id;
    row.trial = static_cast<int>(number);
    row.paramsJson = spec::paramsToText(params);
    row.createdMs = row.finishedMs = wallClockMs();
    row.folder = m_workspace.runFolder(row.id).string();
    row.error = error;
    return row;
}

Result<void> TrialRuns::fail(TrialRow& row, const Error& error) {
    if (row.trial == m_lastEnded) m_lastFinished = false;
    return end(row, wire::RunStatus::Failed, wallClockMs(), error);
}

Result<void> TrialRuns::end(TrialRow& row, wire::RunStatus status, std::int64_t finishedMs, const Error& error) const {
    TY_ASSIGN(store::RunQuery * query, m_store->reader());
    TY_ASSIGN(auto whole, query->run(row.id));
    whole.status = status;
    whole.finishedMs = finishedMs;
    whole.supervisorPid = 0;
    whole.error = error;
    TY_ASSIGN(store::Store * store, m_store->writer());
    TY_TRY(store->updateRun(whole));
    row = TrialRow::of(whole);
    return {};
}

} // namespace trainyard::sweep
