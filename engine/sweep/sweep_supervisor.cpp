// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/sweep_supervisor.h"

#include "engine/base/clock.h"
#include "engine/base/cores.h"
#include "engine/base/unique_fd.h"
#include "engine/run/actions/run_start.h"
#include "engine/run/attach/run_control.h"
#include "engine/run/launch/spawn.h"
#include "engine/spec/sweep_spec.h"
#include "engine/store/patience.h"
#include "engine/store/run_query.h"
#include "engine/sweep/sweep_folder.h"
#include "engine/sweep/sweep_result.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <map>
#include <set>
#include <utility>

namespace trainyard::sweep {
namespace {

constexpr int kLookMs = 100;            // between looks at trials that are not children of this process
constexpr double kPatienceSeconds = 30; // with a store that cannot be read or written

class SweepSupervisor {
public:
    SweepSupervisor(store::Workspace workspace, spec::SweepSpec spec, store::SweepRow row)
        : m_workspace(std::move(workspace)), m_spec(std::move(spec)), m_row(std::move(row)) {}
    int run();

private:
    struct Trial {
        int number = 0;
        spec::Params params;
        std::string run;              // empty: not begun
        std::filesystem::path folder; // of the run: the sweep may keep its runs outside the workspace
        bool done = false;            // nothing more to do for it here
        bool complete = false;        // finished or failed: not to be resumed
        bool begunHere = false;
        bool toldToStop = false;
        pid_t child = 0; // 0: not begun, or adopted from an earlier supervisor
    };
    Result<void> begin();
    Result<void> watchTrials();
    Result<int> look();
    Result<void> refreshFromStore(const std::vector<store::RunRow>& rows);
    Result<void> beginTrial(Trial& trial);
    void wait();
    Result<void> giveUp(store::RunRow row);
    void reap();
    bool isRunning(const Trial& trial) const;
    void stopTrials();
    Result<void> record(wire::RunStatus status);
    Result<TrialScore> scoreOfTrial(const store::RunRow& row);

    store::Workspace m_workspace;
    spec::SweepSpec m_spec;
    store::SweepRow m_row;
    std::vector<Trial> m_trials;
    std::map<std::string, TrialScore> m_scores; // of trials that ended, by run: their series are read once
    std::unique_ptr<store::RunQuery> m_query;
    UniqueFd m_signals;
    int m_slots = 1;
    bool m_stop = false;
};

int SweepSupervisor::run() {
    auto outcome = begin();
    if (outcome) outcome = watchTrials();
    const bool complete =
        std::all_of(m_trials.begin(), m_trials.end(), [](const Trial& trial) { return trial.complete; });
    const auto status = !outcome              ? wire::RunStatus::Failed
                        : m_stop || !complete ? wire::RunStatus::Stopped
                                              : wire::RunStatus::Finished;
    m_row.finishedMs = wallClockMs();
    m_row.supervisorPid = 0;
    const auto recorded = store::patiently(kPatienceSeconds, [&] { return record(status); });
    for (const Result<void>* result : {&std::as_const(outcome), &recorded}) {
        if (result->ok()) continue;
        std::fprintf(stderr, "trainyardctl: %s\n", result->error().text().c_str());
        return exitCode(result->error().kind);
    }
    return status == wire::RunStatus::Stopped ? exitCode(ErrorKind::Stopped) : 0;
}

Result<void> SweepSupervisor::begin() {
    sigset_t set;
    sigemptyset(&set);
    for (const int number : {SIGTERM, SIGINT, SIGCHLD}) sigaddset(&set, number);
    ::sigprocmask(SIG_BLOCK, &set, nullptr);
    ::signal(SIGHUP, SIG_IGN);
    m_signals = UniqueFd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    TY_ASSIGN(const auto trials, spec::expandTrials(m_spec));
    for (const auto& params : trials) {
        Trial trial;
        trial.number = static_cast<int>(m_trials.size());
        trial.params = params;
        m_trials.push_back(std::move(trial));
    }
    TY_ASSIGN(const auto first, spec::trialSpec(m_spec, trials.front(), 0));
    m_slots = m_spec.parallel > 0 ? m_spec.parallel : slotsFor(first.scaling.workers);
    m_row.trials = static_cast<int>(m_trials.size());
    m_row.supervisorPid = ::getpid();
    m_row.finishedMs = 0;
    return store::patiently(kPatienceSeconds, [&]() -> Result<void> {
        TY_ASSIGN(m_query, store::RunQuery::open(m_workspace));
        return record(wire::RunStatus::Running);
    });
}

// What fails once, on a drive that is away or a full disk, may go well at a later look: the trials wait for it too.
Result<void> SweepSupervisor::watchTrials() {
    double lastGood = monotonicSeconds();
    for (bool told = false;;) {
        const auto running = look();
        const double now = monotonicSeconds();
        if (running) {
            if (*running == 0) return {};
            lastGood = now;
            told = false;
        } else {
            const auto& error = running.error();
            if (error.kind != ErrorKind::Environment || now > lastGood + kPatienceSeconds) return error;
            if (!std::exchange(told, true))
                std::fprintf(stderr, "trainyardctl: %s; trying again\n", error.text().c_str());
        }
        wait();
    }
}

// Takes stock and begins what there is room for. The number of trials that run.
Result<int> SweepSupervisor::look() {
    reap();
    TY_ASSIGN(const auto rows, m_query->trials(m_row.id));
    TY_TRY(refreshFromStore(rows));
    int running = 0;
    for (const auto& trial : m_trials) running += isRunning(trial) ? 1 : 0;
    for (auto& trial : m_trials) {
        if (m_stop || running >= m_slots) break;
        if (trial.done || isRunning(trial)) continue;
        TY_TRY(beginTrial(trial));
        ++running;
    }
    if (m_stop) stopTrials();
    return running;
}

// What the store says of each trial. A trial of an earlier supervisor that goes on by itself is left to do so.
Result<void> SweepSupervisor::refreshFromStore(const std::vector<store::RunRow>& rows) {
    bool ended = false;
    for (const auto& row : rows) {
        if (row.trial < 0 || row.trial >= static_cast<int>(m_trials.size())) continue;
        auto& trial = m_trials[static_cast<std::size_t>(row.trial)];
        trial.run = row.id;
        trial.folder = row.folder;
        trial.complete = row.status == wire::RunStatus::Finished || row.status == wire::RunStatus::Failed;
        const bool endedHere = trial.begunHere && trial.child == 0;
        // Its supervisor ended without a word in the store; another one would fare no better.
        const bool neverBegan =
            endedHere && row.status == wire::RunStatus::Queued && !store::RunLock::isHeld(trial.folder);
        if (neverBegan && !trial.done && !m_stop) {
            TY_TRY(giveUp(row));
            trial.complete = true;
        }
        // One that somebody stopped is not begun again behind his back.
        const bool over = trial.complete || neverBegan || (endedHere && !wire::isActive(row.status));
        ended = ended || (over && !trial.done);
        trial.done = over;
    }
    return ended ? record(wire::RunStatus::Running) : Result<void>();
}

bool SweepSupervisor::isRunning(const Trial& trial) const {
    if (trial.child > 0) return true;
    return !trial.run.empty() && !trial.done && store::RunLock::isHeld(trial.folder);
}

Result<void> SweepSupervisor::beginTrial(Trial& trial) {
    std::optional<run::PreparedRun> prepared;
    if (trial.run.empty()) {
        TY_ASSIGN(auto spec, spec::trialSpec(m_spec, trial.params, trial.number));
        run::StartOptions options;
        options.sweep = m_row.id;
        options.trial = trial.number;
        options.params = trial.params;
        TY_ASSIGN(prepared, run::prepareRun(m_workspace, std::move(spec), options));
    } else {
        TY_ASSIGN(prepared, run::prepareResume(m_workspace, trial.run, 0));
    }
    trial.run = prepared->id;
    trial.folder = prepared->folder.root;
    trial.begunHere = true;
    TY_ASSIGN(trial.child,
              run::spawnSupervisor("supervise", prepared->folder.root, run::Detachment::OwnChild, &prepared->lock));
    return {};
}

Result<void> SweepSupervisor::giveUp(store::RunRow row) {
    row.status = wire::RunStatus::Failed;
    row.finishedMs = wallClockMs();
    row.supervisorPid = 0;
    row.setFailure(environmentError("its supervisor ended before it could begin", row.folder,
                                    "see supervisor.log in that folder for the cause")
                       .withCode(ErrorCode::SupervisorLost));
    TY_ASSIGN(const auto store, store::Store::open(m_workspace));
    return store->updateRun(row);
}

void SweepSupervisor::wait() {
    pollfd entry{m_signals.get(), POLLIN, 0};
    ::poll(&entry, 1, kLookMs);
    signalfd_siginfo info{};
    while (::read(m_signals.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info))
        if (info.ssi_signo != SIGCHLD) m_stop = true;
}

void SweepSupervisor::reap() {
    for (auto& trial : m_trials)
        if (trial.child > 0 && ::waitpid(trial.child, nullptr, WNOHANG) == trial.child) trial.child = 0;
    if (!m_query) return;
    // A supervisor that was killed leaves a row that claims to be active.
    const auto rows = m_query->trials(m_row.id);
    if (!rows) return;
    for (const auto& row : *rows) {
        const bool supervised = std::any_of(m_trials.begin(), m_trials.end(),
                                            [&](const Trial& trial) { return trial.run == row.id && trial.child > 0; });
        if (supervised || !wire::isActive(row.status) || store::RunLock::isHeld(row.folder)) continue;
        if (auto store = store::Store::open(m_workspace)) (void)(*store)->markInterrupted(m_workspace);
        return;
    }
}

// One that cannot be told yet, as its supervisor is only starting, is told at a later look.
void SweepSupervisor::stopTrials() {
    for (auto& trial : m_trials)
        if (!trial.toldToStop && isRunning(trial))
            trial.toldToStop = run::stopRun(m_workspace, trial.run, wire::StopMode::SaveAndStop).ok();
}

Result<void> SweepSupervisor::record(wire::RunStatus status) {
    m_row.status = status;
    if (m_query) {
        TY_ASSIGN(const auto rows, m_query->trials(m_row.id));
        std::vector<Standing> standings;
        for (const auto& row : rows) {
            TY_ASSIGN(const auto score, scoreOfTrial(row));
            standings.push_back({row.status, score.value});
        }
        const auto order = rank(standings, scoreOf(m_spec).better);
        m_row.bestRun = order.hasBest ? rows[order.indices.front()].id : std::string();
    }
    TY_ASSIGN(const auto store, store::Store::open(m_workspace));
    return store->updateSweep(m_row);
}

Result<TrialScore> SweepSupervisor::scoreOfTrial(const store::RunRow& row) {
    if (wire::isActive(row.status)) m_scores.erase(row.id); // one that was stopped is resumed
    else if (const auto known = m_scores.find(row.id); known != m_scores.end()) return known->second;
    TY_ASSIGN(const auto summaries, m_query->summaries(row.id));
    const auto score = scoreTrial(summaries, scoreOf(m_spec));
    if (!wire::isActive(row.status)) m_scores[row.id] = score;
    return score;
}

Result<SweepSupervisor> supervisorOf(const std::filesystem::path& folder) {
    TY_ASSIGN(const auto launch, readSweepLaunch(folder));
    TY_ASSIGN(auto workspace, store::Workspace::open(launch.workspace));
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(auto row, query->sweep(launch.sweep));
    TY_ASSIGN(auto spec, spec::parseSweepSpec(row.specJson, folder.string()));
    return SweepSupervisor(std::move(workspace), std::move(spec), std::move(row));
}

Result<int> superviseFolder(const std::filesystem::path& folder) {
    TY_ASSIGN(const auto lock, run::lockOfSupervisor(folder));
    TY_ASSIGN(auto supervisor, store::patiently(kPatienceSeconds, [&] { return supervisorOf(folder); }));
    return supervisor.run();
}

} // namespace

int slotsFor(int workers) { return std::max(1, availableCores() / std::max(1, workers)); }

int superviseSweep(const std::filesystem::path& folder) {
    const auto code = superviseFolder(folder);
    if (code) return *code;
    std::fprintf(stderr, "trainyardctl: %s\n", code.error().text().c_str());
    return exitCode(code.error().kind);
}

} // namespace trainyard::sweep
