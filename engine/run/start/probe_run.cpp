// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/start/probe_run.h"

#include "engine/base/clock.h"
#include "engine/base/machine/cores.h"
#include "engine/base/machine/cpu_use.h"
#include "engine/run/attach/run_follower.h"
#include "engine/run/record/straggler.h"
#include "engine/run/share/temporary_workspace.h"
#include "engine/run/start/run_start.h"

#include <algorithm>
#include <cmath>

namespace trainyard::run {
namespace {

constexpr int kPollMs = 20;

// What else used this computer's cores while the ranks trained. Looked at from time to time, since a rank that has
// ended no longer tells what it used.
class OthersMeter {
public:
    void look(const wire::RunState& state) {
        std::vector<std::int64_t> pids;
        for (const auto& worker : state.workers)
            if (worker.host.empty() && worker.pid > 0) pids.push_back(worker.pid);
        if (pids.empty()) return;
        if (pids != m_pids) {
            m_pids = std::move(pids);
            m_first = m_last = cpuUse(m_pids);
        } else if (monotonicSeconds() - m_last.at > kLookSeconds) {
            m_last = cpuUse(m_pids);
        }
    }
    double share() const { return othersShare(m_first, m_last, availableCores()); }

private:
    static constexpr double kLookSeconds = 0.1;
    std::vector<std::int64_t> m_pids;
    CpuUse m_first, m_last;
};

struct Followed {
    wire::RunState state;
    double othersShare = 0;
};

// Follows the run until it has ended, and asks it to when it has trained for long enough.
Result<Followed> follow(const store::Workspace& workspace, const std::string& run, const BriefLimits& limits,
                        const std::function<bool()>& interrupted) {
    TY_ASSIGN(const auto follower, RunFollower::open(workspace, run));
    wire::RunState state, training; // the newest, and the newest with every rank's shares
    OthersMeter others;
    double begun = 0;
    bool asked = false, given = false;
    for (;;) {
        TY_ASSIGN(const auto update, follower->poll(kPollMs));
        if (update.state) state = *update.state;
        if (state.status == wire::RunStatus::Running && !state.workers.empty()) training = state;
        if (update.ended) break;
        if (!given && interrupted()) {
            given = true;
            (void)follower->stop(wire::StopMode::Kill);
        }
        if (begun == 0 && state.phase >= wire::Phase::Train) begun = monotonicSeconds();
        if (begun > 0 && !asked && state.phase == wire::Phase::Train) others.look(state);
        const bool enough = (limits.steps > 0 && state.step >= limits.steps) ||
                            (begun > 0 && monotonicSeconds() - begun >= limits.seconds);
        // Asked once: it may have ended meanwhile, which the next poll tells.
        if (enough && !std::exchange(asked, true)) (void)follower->stop(wire::StopMode::StopNow);
    }
    if (given) return stoppedError("stopped");
    if (!training.workers.empty()) state.workers = training.workers;
    return Followed{std::move(state), others.share()};
}

// The mean of a series, without its first fifth. Points may stand for windows of different lengths: by step.
double meanOf(const std::vector<wire::Point>& points) {
    if (points.empty()) return 0;
    double sum = 0, steps = 0;
    std::int64_t before = points.front().step - 1;
    const std::size_t skipped = points.size() > 1 ? std::max<std::size_t>(1, points.size() / 5) : 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto count = static_cast<double>(points[i].step - before);
        before = points[i].step;
        if (i < skipped) continue;
        sum += points[i].value * count;
        steps += count;
    }
    return steps > 0 ? sum / steps : 0;
}

Result<void> readTimes(store::RunQuery& query, const std::string& run, BriefTimes& times) {
    TY_ASSIGN(const auto names, query.seriesNames(run));
    double rest = 0;
    for (const auto& name : names) {
        if (!name.starts_with("time/")) continue;
        TY_ASSIGN(const auto points, query.points(RunId(run), name));
        const double mean = meanOf(points);
        if (name == "time/step") {
            times.stepSeconds = mean;
            times.steps = points.empty() ? 0 : points.back().step;
        } else {
            times.parts[name.substr(5)] = mean;
            rest += mean;
        }
    }
    if (!times.parts.contains("compute")) times.parts["compute"] = std::max(0.0, times.stepSeconds - rest);
    return {};
}

std::string percent(double share) { return std::to_string(std::lround(100 * share)) + "%"; }

} // namespace

double BriefTimes::share(const std::string& part) const {
    const auto found = parts.find(part);
    return found == parts.end() || stepSeconds <= 0 ? 0 : found->second / stepSeconds;
}

Result<BriefTimes> measureBriefly(spec::RunSpec spec, const BriefLimits& limits,
                                  const std::function<bool()>& interrupted) {
    TY_ASSIGN(const auto workspace, TemporaryWorkspace::make("trainyard-brief"));
    const bool byEpochs = !spec.steps.has_value();
    if (!byEpochs) spec.steps = std::max(*spec.steps, limits.steps);
    spec.checkpoint.everyEpochs = 0;
    spec.checkpoint.everySteps = 0;
    spec.tensorBoard = false;
    spec.storage.clear();
    BriefTimes times;
    times.workers = spec.scaling.workers;
    const std::int64_t global = spec.globalBatch();
    TY_ASSIGN(const auto run, startRun(*workspace, std::move(spec)));
    TY_ASSIGN(const auto followed, follow(*workspace, run, limits, interrupted));
    const wire::RunState& state = followed.state;
    times.othersShare = followed.othersShare;
    if (state.status == wire::RunStatus::Failed) return state.error;
    TY_ASSIGN(const auto query, store::RunQuery::open(*workspace));
    TY_ASSIGN(const auto row, query->run(run));
    TY_TRY(readTimes(*query, run, times));
    if (times.steps < 1 || times.stepSeconds <= 0)
        return runError("no step ended within " + std::to_string(std::lround(limits.seconds)) + " s", "brief run",
                        "give it more time with --seconds");
    times.totalSteps = state.totalSteps;
    times.launchSeconds = row.launchToFirstStep;
    times.samplesPerSecond = static_cast<double>(global) / times.stepSeconds;
    times.ranks = state.workers;
    for (const auto& rank : times.ranks) times.residentBytes = std::max(times.residentBytes, rank.beat.residentBytes);
    return times;
}

namespace {

std::string stragglerText(const std::vector<wire::WorkerState>& ranks) {
    std::vector<RankWait> waits;
    for (const auto& rank : ranks) waits.push_back({rank.rank, rank.host, rank.beat.commShare});
    const auto found = stragglerOf(waits);
    if (!found) return {};
    return "rank " + std::to_string(found->rank) + (found->host.empty() ? "" : " (" + found->host + ")");
}

// What grew most against the first count; of the first, what takes longest.
std::string bindsOf(const BriefTimes& times, const BriefTimes& first, double ideal, double efficiency) {
    constexpr double kGood = 0.95;
    std::string part;
    double most = 0;
    for (const auto& [name, seconds] : times.parts) {
        const auto before = first.parts.find(name);
        const double grown =
            &times == &first || before == first.parts.end() ? seconds : seconds - ideal * before->second;
        if (grown > most) {
            most = grown;
            part = name;
        }
    }
    const std::string share = part.empty() || times.stepSeconds <= 0 ? "" : ", " + percent(most / times.stepSeconds);
    if (&times == &first || efficiency >= kGood || part.empty()) return "computing";
    if (part == "comm") return "communication" + share + " of a step";
    if (part == "data") return "data" + share + " of a step more than alone";
    return "computing: the workers share cores, caches or memory" + share + " of a step";
}

} // namespace

std::vector<ScalingPoint> scalingCard(const std::vector<BriefTimes>& times, bool globalBatch) {
    std::vector<ScalingPoint> card;
    for (const BriefTimes& each : times) {
        const BriefTimes& first = times.front();
        ScalingPoint point;
        point.times = each;
        const double more = static_cast<double>(each.workers) / static_cast<double>(std::max(1, first.workers));
        point.speedUp = first.samplesPerSecond > 0 ? each.samplesPerSecond / first.samplesPerSecond : 0;
        point.efficiency = more > 0 ? point.speedUp / more : 0;
        point.binds = bindsOf(each, first, globalBatch ? 1.0 / more : 1.0, point.efficiency);
        point.straggler = stragglerText(each.ranks);
        card.push_back(std::move(point));
    }
    return card;
}

} // namespace trainyard::run
