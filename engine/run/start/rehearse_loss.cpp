// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/start/rehearse_loss.h"

#include "engine/base/clock.h"
#include "engine/run/attach/run_follower.h"
#include "engine/run/record/series/source_series.h"
#include "engine/spec/run/run_spec.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <optional>

namespace trainyard::run {
namespace {

constexpr double kLateSeconds = 0.1; // for steps that are under way
constexpr int kRehearsalPollMs = 20;
constexpr double kStateSeconds = 10; // for a supervisor to tell of its ranks

const wire::WorkerState* workerOf(const wire::RunState& state, int rank) {
    if (state.workers.empty()) return nullptr;
    if (rank < 0) return &state.workers.back();
    const auto found = std::find_if(state.workers.begin(), state.workers.end(),
                                    [rank](const auto& worker) { return worker.rank == rank; });
    return found == state.workers.end() ? nullptr : &*found;
}

// The greatest step of the run's own points; -1 without one.
std::int64_t newestStep(const std::vector<wire::SeriesPoints>& points) {
    std::int64_t newest = -1;
    for (const auto& series : points)
        if (!series.points.empty() && tellsOfTraining(series.series))
            newest = std::max(newest, series.points.back().step);
    return newest;
}

Result<void> mustAllowRestarts(const store::Workspace& workspace, const std::string& run) {
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(const auto row, query->run(run));
    TY_ASSIGN(const auto spec, spec::parseRunSpec(row.specJson, "run " + row.name));
    if (spec.failure.maxRestarts > row.restarts) return {};
    return inputError("has no restarts left, so it would fail with the rank", "run " + row.name,
                      "start it with a larger failure.maxRestarts");
}

// The state of a run that trains.
Result<wire::RunState> trainingState(RunFollower& follower, std::int64_t& step) {
    const double until = monotonicSeconds() + kStateSeconds;
    std::optional<wire::RunState> state;
    while (monotonicSeconds() < until) {
        TY_ASSIGN(const auto update, follower.poll(kRehearsalPollMs));
        if (update.state) state = *update.state;
        step = std::max(step, newestStep(update.points));
        if (update.ended) break;
        const bool trains = state && state->status == wire::RunStatus::Running && state->phase == wire::Phase::Train;
        if (trains && step > 0 && !state->workers.empty()) return *state;
    }
    return inputError(std::string("does not train: it is ") + (state ? wire::toString(state->status) : "not running"),
                      "run", "a worker can be lost only while the run trains");
}

Result<void> endProcess(const wire::WorkerState& worker, const EndOnHost& endOnHost) {
    if (worker.pid <= 0)
        return inputError("rank " + std::to_string(worker.rank) + " has no process yet", "run",
                          "try again in a moment");
    if (!worker.host.empty()) return endOnHost(worker.host, worker.pid);
    if (::kill(static_cast<pid_t>(worker.pid), SIGKILL) != 0)
        return systemError("cannot end process " + std::to_string(worker.pid));
    return {};
}

bool allRun(const wire::RunState& state) {
    return std::all_of(state.workers.begin(), state.workers.end(),
                       [](const auto& worker) { return worker.status == wire::RankStatus::Running; });
}

// Watches a run after the loss. The next step is the one that ends the longest time without any: steps that were made
// before the loss may arrive after it, and even after the news of the restart.
class Recovery {
public:
    Recovery(std::int64_t step, int restarts, double now)
        : m_step(step), m_restarts(restarts), m_lost(now), m_before(now) {}

    void take(const RunFollower::Update& update, double now) {
        const bool known = m_restarted;
        const auto isWarning = [](const wire::LogLine& line) { return line.level == "warning"; };
        const bool isWarned = std::any_of(update.log.begin(), update.log.end(), isWarning);
        if (update.state) m_restarted = m_restarted || update.state->restarts > m_restarts;
        if (m_noticed < 0 && (isWarned || m_restarted)) m_noticed = now;
        if (m_regrouped < 0 && m_restarted && update.state && allRun(*update.state)) m_regrouped = now;
        if (update.rewoundTo) {
            m_stepsLost = std::max(m_stepsLost, m_step - *update.rewoundTo);
            m_step = std::max<std::int64_t>(*update.rewoundTo, 0);
        }
        const std::int64_t newest = newestStep(update.points);
        if (newest <= m_step) return;
        if (now - m_before > m_longest) {
            m_longest = now - m_before;
            m_next = now;
            m_last = m_step + m_stepsLost; // where it went back to, and what it repeats
        }
        m_before = now;
        m_step = newest;
        if (known && m_knownAt < 0) m_knownAt = now;
        m_done = knows() && now - m_knownAt >= kLateSeconds;
    }
    bool knows() const { return m_knownAt >= 0; } // a step came once the restart was known
    bool done() const { return m_done; }          // and no earlier one can arrive any more
    // Their order is certain, but the news of them may have come together, and before that of the loss.
    void tell(Rehearsal& rehearsal) const {
        rehearsal.step = m_last;
        rehearsal.secondsToNextStep = m_next - m_lost;
        rehearsal.secondsToRegroup = (m_regrouped < 0 ? m_next : std::min(m_regrouped, m_next)) - m_lost;
        rehearsal.secondsToNotice = std::min(m_noticed - m_lost, rehearsal.secondsToRegroup);
        rehearsal.stepsLost = m_stepsLost;
    }

private:
    std::int64_t m_step, m_last = 0, m_stepsLost = 0;
    int m_restarts;
    double m_lost, m_before, m_longest = 0, m_next = 0, m_knownAt = -1;
    double m_noticed = -1, m_regrouped = -1;
    bool m_restarted = false, m_done = false;
};

} // namespace

std::string Rehearsal::text() const {
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.2f", secondsToNextStep);
    const std::string lost = stepsLost == 0   ? "no step was lost"
                             : stepsLost == 1 ? "1 step had to be repeated"
                                              : std::to_string(stepsLost) + " steps had to be repeated";
    return "rank " + std::to_string(rank) + " was lost at step " + std::to_string(step) +
           ": the next step came after " + seconds + " s, " + lost;
}

Result<Rehearsal> rehearseLoss(const store::Workspace& workspace, const std::string& run, int rank, double seconds,
                               const std::function<bool()>& interrupted, const EndOnHost& endOnHost) {
    TY_TRY(mustAllowRestarts(workspace, run));
    TY_ASSIGN(const auto follower, RunFollower::open(workspace, run));
    Rehearsal rehearsal;
    TY_ASSIGN(const auto state, trainingState(*follower, rehearsal.step));
    const auto* worker = workerOf(state, rank);
    if (!worker)
        return inputError("has no rank " + std::to_string(rank), "run " + run,
                          "its ranks are 0 to " + std::to_string(state.workers.size() - 1));
    rehearsal.rank = worker->rank;
    rehearsal.host = worker->host;
    TY_TRY(endProcess(*worker, endOnHost));
    const double lost = monotonicSeconds();
    Recovery recovery(rehearsal.step, state.restarts, lost);
    while (monotonicSeconds() - lost < seconds) {
        if (interrupted()) return stoppedError("stopped");
        TY_ASSIGN(const auto update, follower->poll(kRehearsalPollMs));
        recovery.take(update, monotonicSeconds());
        if (recovery.done() || (update.ended && recovery.knows())) {
            recovery.tell(rehearsal);
            return rehearsal;
        }
        if (!update.ended) continue;
        return runError("ended before it made another step", "run " + run, "look at its log: trainyardctl logs " + run);
    }
    return runError("has made no step within " + std::to_string(static_cast<int>(seconds)) +
                        " s after the loss of rank " + std::to_string(rehearsal.rank),
                    "run " + run, "look at its log: trainyardctl logs " + run);
}

} // namespace trainyard::run
