// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/trials/trial_runs.h"

#include "engine/base/clock.h"
#include "engine/base/error_code.h"
#include "engine/base/text/ids.h"
#include "engine/run/attach/run_control.h"
#include "engine/run/start/run_start.h"
#include "engine/spec/values/params.h"
#include "engine/store/run_query.h"
#include "engine/sweep/trials/run_of_trial.h"
#include "engine/sweep/values/sweep_limits.h"

#include <algorithm>
#include <cstdio>

namespace trainyard::sweep {
namespace {

constexpr int kMaxSlotsLost = 5;       // by one trial, which is then given up
constexpr double kBriefSeconds = 0.25; // of a trial, to which the way to its sweep's supervisor and back is long

TrialHosts::Leaves howItLeaves(const TrialEntry& trial) {
    if (trial.status != wire::RunStatus::Failed) return TrialHosts::Leaves::Well;
    if (isLostHost(trial.errorCode)) return TrialHosts::Leaves::Lost;
    return trial.step == 0 ? TrialHosts::Leaves::FailedAtOnce : TrialHosts::Leaves::Well;
}

} // namespace

bool TrialRuns::isRunning(const TrialEntry& trial) const {
    if (m_slots.has(trial.number)) return true;
    if (trial.held) return false; // this process has its lock
    return trial.hasRun() && !trial.isDone() && store::RunLock::isHeld(trial.folder);
}

bool TrialRuns::isDead(const TrialEntry& trial) const {
    return !m_slots.has(trial.number) && wire::isActive(trial.status) && !store::RunLock::isHeld(trial.folder);
}

// One that was lost is found without a supervisor, as if an earlier one of the sweep had left it: it is begun again.
void TrialRuns::reap(int slots) {
    for (auto& [number, lost, seconds, notBegun] : m_slots.takeEnded()) {
        TrialEntry& trial = m_trials[number];
        if (notBegun) {
            hold(trial, std::move(*notBegun));
            continue;
        }
        m_lastEnded = number;
        m_lastSeconds = seconds;
        m_lastFinished = false;
        if (lost && ++trial.slotsLost < kMaxSlotsLost) trial.begunHere = false;
    }
    takeBack(slots);
}

void TrialRuns::hold(TrialEntry& trial, run::PreparedRun run) {
    trial.begunHere = false;
    trial.held = std::make_unique<run::PreparedRun>(std::move(run));
}

// Where no slot can be started now, such as for want of processes, it is begun at a later look.
Result<void> TrialRuns::give(TrialEntry& trial, run::PreparedRun run, const SlotCount& count) {
    auto given = m_slots.give(trial.number, std::move(run), count, m_hosts.placeOf(trial.number));
    if (given) trial.begunHere = true;
    else hold(trial, std::move(run));
    return given;
}

void TrialRuns::takeBack(int slots) {
    while (auto waiting = m_slots.takeBackFor(slots)) hold(m_trials[waiting->trial], std::move(waiting->run));
}

bool TrialRuns::mayGiveAhead(int running) const {
    return m_lastFinished && m_lastSeconds < kBriefSeconds && running == m_slots.trials() && !m_hosts.areChosen();
}

// A trial that has ended makes room on its host.
Result<void> TrialRuns::look(TrialEntry& trial, const Judge::Trial& judged, bool stopping) {
    const bool hasSlot = m_slots.has(trial.number);
    if (!hasSlot && !wire::isActive(trial.status)) TY_TRY(leaveItsHost(trial));
    TY_TRY(findHost(trial));
    if (trial.status == wire::RunStatus::Running) m_hosts.trains(trial.number);
    if (trial.number == m_lastEnded) m_lastFinished = trial.status == wire::RunStatus::Finished;
    if (trial.held && (stopping || judged.wanted != Wanted::Running)) {
        TY_TRY(end(trial, wire::RunStatus::Stopped, wallClockMs(), {})); // before it began
        trial.held.reset();
        trial.begunHere = true; // it needs nothing more here
    }
    const bool mayBeHeld = trial.begunHere && !hasSlot && trial.status == wire::RunStatus::Queued;
    auto stage = stageOf(trial, judged, hasSlot, mayBeHeld && store::RunLock::isHeld(trial.folder));
    if (stage == Stage::NeverBegan && !trial.isDone() && !stopping) {
        TY_TRY(fail(trial, environmentError("its supervisor ended before it could begin", trial.folder,
                                            "see supervisor.log in that folder for the cause")
                               .withCode(ErrorCode::SupervisorLost)));
        stage = Stage::Complete;
    }
    trial.stage = stage;
    if (judged.wanted != Wanted::Stopped || trial.status != wire::RunStatus::Interrupted) return {};
    return end(trial, wire::RunStatus::Stopped, trial.finishedMs, {}); // so it was meant to be, whatever has ended it
}

bool TrialRuns::haveRoom(int slots, int claimed) const { return m_hosts.haveRoom(slots, monotonicSeconds(), claimed); }

int TrialRuns::claims(const Judge& judge) const {
    if (!m_hosts.areChosen()) return 0;
    const auto& open = m_trials.openNumbers();
    return static_cast<int>(std::count_if(open.begin(), open.end(), [&](int trial) {
        return judge.hasLostHost(trial) && (!m_hosts.has(trial) || m_hosts.isTrying(trial));
    }));
}

// One that an earlier supervisor has begun takes room on its host.
Result<void> TrialRuns::findHost(const TrialEntry& trial) {
    if (!m_hosts.areChosen() || !wire::isActive(trial.status) || m_hosts.has(trial.number)) return {};
    TY_ASSIGN(store::RunQuery * query, m_store->reader());
    TY_ASSIGN(const auto row, query->run(trial.id));
    TY_ASSIGN(const auto spec, spec::parseRunSpec(row.specJson, trial.folder));
    if (spec.hosts.size() != 1) return {};
    TY_ASSIGN(const auto workers, query->workers(trial.id));
    int place = -1;
    if (workers.size() == 1) (void)std::sscanf(workers.front().device.c_str(), "cuda:%d", &place);
    m_hosts.occupy(trial.number, spec.hosts.front(), place);
    return {};
}

void TrialRuns::leaveHost(int trial) { m_hosts.leave(trial, TrialHosts::Leaves::Well, monotonicSeconds()); }

// Of a trial that is over. What it failed of then says that its host gets no more.
Result<void> TrialRuns::leaveItsHost(TrialEntry& trial) {
    if (!m_hosts.has(trial.number)) return {};
    const auto host = m_hosts.hostOf(trial.number);
    if (!m_hosts.leave(trial.number, howItLeaves(trial), monotonicSeconds())) return {};
    TY_ASSIGN(store::RunQuery * query, m_store->reader());
    TY_ASSIGN(const auto row, query->run(trial.id));
    Error error = row.error;
    error.remedy += (error.remedy.empty() ? "" : "; ") + host + " gets no more trials of this sweep: three in a row " +
                    "have failed there before their first step";
    std::fprintf(stderr, "trainyardctl: trial %d: %s\n", trial.number, error.text().c_str());
    return end(trial, row.status, row.finishedMs, error);
}

// No other trial takes the room.
bool TrialRuns::placeOnHost(int trial, const SlotCount& count) {
    if (!m_hosts.areChosen() || m_hosts.has(trial)) return false;
    m_hosts.assign(trial, count.slots, monotonicSeconds());
    return true;
}

Result<run::NewRun> TrialRuns::makeRun(int trial, const spec::Params& params) {
    const auto program = m_program ? TrialProgram::Own : TrialProgram::Worker;
    TY_ASSIGN(auto made, runOfTrial(m_spec, params, trial, program));
    if (const auto host = m_hosts.hostOf(trial); !host.empty()) { // in place of those of the run file
        made.hosts = {host};
        made.spareHosts.clear(); // the sweep itself finds it another one
    }
    run::StartOptions options;
    options.sweep = m_sweep.id;
    options.trial = trial;
    options.params = params;
    options.program = m_program;
    options.code = m_code;
    options.store = m_store.get();
    return run::makeRun(m_workspace, std::move(made), options);
}

Result<void> TrialRuns::prepare(TrialEntry& trial, const spec::Params& params, const SlotCount& count) {
    Prepared prepared{.trial = &trial, .placed = placeOnHost(trial.number, count)};
    if (!trial.hasRun()) {
        auto made = makeRun(trial.number, params);
        if (!made) leaveHost(trial.number);
        if (!made && made.error().kind != ErrorKind::Input) return made.error();
        prepared.row = made ? std::move(made->row) : unfitRow(trial.number, params, made.error());
        if (made) prepared.run = std::move(made->run);
    }
    m_prepared.push_back(std::move(prepared));
    return {};
}

bool TrialRuns::haveNew() const {
    return std::any_of(m_prepared.begin(), m_prepared.end(), [](const Prepared& each) { return each.row.has_value(); });
}

bool TrialRuns::haveUnfit() const {
    return std::any_of(m_prepared.begin(), m_prepared.end(), [](const Prepared& each) { return each.isUnfit(); });
}

Result<void> TrialRuns::writeNew(store::Store& store) {
    for (Prepared& each : m_prepared)
        if (each.row) TY_TRY(store.createRun(*each.row));
    return {};
}

void TrialRuns::discardPrepared() {
    for (const Prepared& each : std::exchange(m_prepared, {})) {
        if (each.run) run::discard(*each.run);
        if (each.placed) leaveHost(each.trial->number);
    }
}

// New ones first. Where there is no slot for one of them, there is none for the next either.
Result<void> TrialRuns::beginPrepared(const SlotCount& count) {
    auto all = std::exchange(m_prepared, {});
    std::stable_partition(all.begin(), all.end(), [](const Prepared& each) { return each.row.has_value(); });
    Result<void> begun;
    for (Prepared& each : all) {
        TrialEntry& trial = *each.trial;
        if (each.row) {
            m_trials.learn(trial, *each.row);
            trial.begunHere = trial.toldToStop = false;
            trial.stage = each.isUnfit() ? Stage::Complete : Stage::Open;
        }
        if (each.run && begun) begun = give(trial, std::move(*each.run), count);
        else if (each.run) hold(trial, std::move(*each.run));
        else if (!each.row && begun) begun = resume(trial, count);
    }
    return begun;
}

// A run that a trial has, again: in a slot, and on the host that was found for it.
Result<void> TrialRuns::resume(TrialEntry& trial, const SlotCount& count) {
    if (const auto held = std::exchange(trial.held, nullptr)) return give(trial, std::move(*held), count);
    run::ResumeChanges changes;
    if (const auto host = m_hosts.hostOf(trial.number); !host.empty()) changes.hosts = {host};
    auto prepared = run::prepareResume(m_workspace, trial.id, changes);
    if (!prepared) {
        leaveHost(trial.number);
        if (isSettled(trial.id, prepared.error())) return {};
        return prepared.error();
    }
    trial.toldToStop = false;
    return give(trial, std::move(*prepared), count);
}

// The run has ended since its row was read, or has another supervisor: the next tick sees that in its row.
bool TrialRuns::isSettled(const std::string& run, const Error& error) const {
    if (error.code == ErrorCode::AlreadyRunning) return true;
    const auto query = store::RunQuery::open(m_workspace);
    const auto row = query ? (*query)->run(run) : Result<store::RunRow>(query.error());
    return row && row->status == wire::RunStatus::Finished;
}

void TrialRuns::tellToStop(TrialEntry& trial, wire::StopMode mode) {
    if (auto waiting = m_slots.takeBack(trial.number)) return hold(trial, std::move(*waiting));
    if (trial.toldToStop || !isRunning(trial)) return;
    trial.toldToStop = run::stopRun(m_workspace, trial.id, mode).ok();
}

// The trial fails before it begins, and the others go on.
store::RunRow TrialRuns::unfitRow(int trial, const spec::Params& params, const Error& error) const {
    store::RunRow row;
    row.id = newId();
    row.name = m_sweep.name + "-" + std::to_string(trial);
    row.status = wire::RunStatus::Failed;
    row.specJson = m_spec.runJson;
    row.sweep = m_sweep.id;
    row.trial = trial;
    row.paramsJson = spec::paramsToText(params);
    row.createdMs = row.finishedMs = wallClockMs();
    row.folder = m_workspace.runFolder(row.id).string();
    row.error = error;
    return row;
}

Result<void> TrialRuns::fail(TrialEntry& trial, const Error& error) {
    if (trial.number == m_lastEnded) m_lastFinished = false;
    return end(trial, wire::RunStatus::Failed, wallClockMs(), error);
}

Result<void> TrialRuns::end(TrialEntry& trial, wire::RunStatus status, std::int64_t finishedMs, const Error& error) {
    TY_ASSIGN(store::RunQuery * query, m_store->reader());
    TY_ASSIGN(auto row, query->run(trial.id));
    row.status = status;
    row.finishedMs = finishedMs;
    row.supervisorPid = 0;
    row.error = error;
    TY_ASSIGN(store::Store * store, m_store->writer());
    TY_TRY(store->updateRun(row));
    m_trials.learn(trial, row);
    return {};
}

} // namespace trainyard::sweep
