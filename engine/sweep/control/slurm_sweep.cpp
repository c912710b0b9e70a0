// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/control/slurm_sweep.h"

#include "engine/base/clock.h"
#include "engine/base/text/ids.h"
#include "engine/run/record/run_folder.h"
#include "engine/run/share/take_from_job.h"
#include "engine/run/share/task_news.h"
#include "engine/spec/run/host_ranks.h"
#include "engine/spec/values/params.h"
#include "engine/sweep/control/sweep_control.h"
#include "engine/sweep/judge/judge.h"
#include "engine/sweep/judge/slot_count.h"
#include "engine/sweep/results/sweep_result.h"
#include "engine/sweep/results/warm_start.h"
#include "engine/sweep/values/pinned_split.h"

#include <algorithm>

namespace fs = std::filesystem;

namespace trainyard::sweep {
namespace {

constexpr const char* kInOneJob = "start the sweep inside one job, as the last line of a script for sbatch: "
                                  "exec trainyardctl sweep FILE";

constexpr double kCollectSeconds = 60;

Error needsSupervisor(const char* field, const std::string& what) {
    return inputError(what + ", and the tasks of an array job know nothing of each other", field, kInOneJob);
}

// What a sweep's supervisor would do while it trains.
Result<void> needsNoSupervisor(const spec::SweepSpec& spec) {
    if (spec.scheduler.name != "fifo")
        return needsSupervisor("scheduler", "\"" + spec.scheduler.name + "\" compares trials while they train");
    if (spec::isOpenEnded(spec)) return needsSupervisor("trials", "their number follows from the budget");
    if (spec.bestSeeded > 0) return needsSupervisor("seeds.for", "the best are known once all have trained");
    if (!spec.rules.stop.empty()) return needsSupervisor("stop", "a rule watches the trials");
    if (spec.rules.budget.isLimited()) return needsSupervisor("budget", "it is spent by all trials together");
    if (spec.rules.failure.retries > 0) return needsSupervisor("failure.retries", "failed trials are tried again");
    if (spec.rules.keep) return needsSupervisor("keep", "checkpoints are dropped as better trials come");
    if (!hostsOfTrials(spec).empty()) return needsSupervisor("hosts", "trials are dealt to hosts");
    return {};
}

// On several nodes the ranks of each are dealt to all of them, unless the file says otherwise.
Result<run::SlurmArray> arrayOf(const spec::SweepSpec& spec, int nodes) {
    run::SlurmArray array{.id = newId(), .name = spec.name, .trials = {}, .parallel = spec.parallel};
    TY_ASSIGN(const auto params, trialsKnownBefore(spec));
    for (std::size_t number = 0; number < params.size(); ++number) {
        TY_ASSIGN(auto trial, runOfTrial(spec, params[number], static_cast<int>(number)));
        if (trial.hosts.empty() && nodes > 1) trial.hosts = {spec::kSlurmHost};
        array.trials.push_back(std::move(trial));
    }
    return array;
}

Result<void> recordSweep(const store::Workspace& workspace, const run::SlurmJob& job, const spec::SweepSpec& spec) {
    store::SweepRow row;
    row.id = job.id;
    row.name = spec.name;
    row.status = wire::RunStatus::Queued;
    row.specJson = spec::toJson(spec);
    row.createdMs = wallClockMs();
    row.trials = job.tasks;
    TY_ASSIGN(const auto store, store::Store::open(workspace));
    return store->createSweep(row);
}

// Of a task that has ended before its run began: it was refused, or could not be started.
store::RunRow unbegunRun(const run::SlurmJob& job, int task, const run::Ended& ended) {
    store::RunRow row;
    row.id = run::runOfTask(job, task);
    row.name = job.name + "-" + std::to_string(task);
    row.status = wire::RunStatus::Failed;
    row.createdMs = row.finishedMs = wallClockMs();
    row.folder = (run::workspaceOfTask(job, task).root / "runs" / row.id).string();
    const auto log = run::workspaceOfTask(job, task).root / "job.log";
    row.error = runError("its task " + run::toText(ended) + " before it began", "Slurm", "see " + log.string());
    return row;
}

// Another process may be at it, such as the one that the window has started.
Result<store::RunLock> onlyCollector(const fs::path& folder) {
    (void)store::RunLock::waitUntilFree(folder, kCollectSeconds);
    return store::RunLock::acquire(folder);
}

// Collects the trials of one sweep.
class Collector {
public:
    static Result<Collector> open(const store::Workspace& workspace, const run::SlurmJob& job);
    Result<void> collect(int task, const run::Ended& ended);
    Result<void> follow(const run::TaskAllocations& tasks);
    Result<void> recordSweep(const run::TaskAllocations& tasks);

private:
    Collector(store::Workspace workspace, const run::SlurmJob& job) : m_workspace(std::move(workspace)), m_job(job) {}
    void makeTrial(int task, store::RunRow& row) const;
    const store::RunRow* knownRow(int task) const;
    wire::RunStatus endStatus(const Ranking& ranking) const;

    store::Workspace m_workspace;
    const run::SlurmJob& m_job;
    store::SweepRow m_row;
    spec::SweepSpec m_spec;
    std::vector<spec::Params> m_params;
    std::unique_ptr<store::RunQuery> m_query;
    std::unique_ptr<store::Store> m_store;
    std::vector<store::RunRow> m_known;
};

Result<Collector> Collector::open(const store::Workspace& workspace, const run::SlurmJob& job) {
    Collector collector(workspace, job);
    TY_ASSIGN(collector.m_query, store::RunQuery::open(workspace));
    TY_ASSIGN(collector.m_row, collector.m_query->sweep(job.id));
    TY_ASSIGN(collector.m_spec, specOf(collector.m_row));
    TY_ASSIGN(collector.m_params, trialsKnownBefore(collector.m_spec));
    TY_ASSIGN(collector.m_known, collector.m_query->trials(job.id));
    TY_ASSIGN(collector.m_store, store::Store::open(workspace));
    return collector;
}

void Collector::makeTrial(int task, store::RunRow& row) const {
    row.sweep = m_row.id;
    row.trial = task;
    row.paramsJson = spec::paramsToText(m_params[static_cast<std::size_t>(task)]);
}

// What is here of the task's run; null: nothing.
const store::RunRow* Collector::knownRow(int task) const {
    const auto found = std::ranges::find(m_known, run::runOfTask(m_job, task), &store::RunRow::id);
    return found == m_known.end() ? nullptr : &*found;
}

// One that was cancelled before it began leaves nothing, as the trials that a stopped sweep has not begun. One that
// trained before has left its record here as far as it was told; if it is trained here by now, it has a supervisor.
Result<void> Collector::collect(int task, const run::Ended& ended) {
    const auto run = run::runOfTask(m_job, task);
    if (const auto* known = knownRow(task)) {
        const bool isLeft = wire::isActive(known->status) && known->supervisorPid == 0;
        if (!isLeft || store::RunLock::isHeld(known->folder)) return {};
        const auto complete = [&](store::RunRow& row) {
            makeTrial(task, row);
            run::endWithJob(row, ended, "its task");
        };
        return run::takeRest(run::workspaceOfTask(m_job, task), run, complete, m_workspace, *m_query, *m_store);
    }
    TY_ASSIGN(const auto from, store::RunQuery::open(run::workspaceOfTask(m_job, task)));
    auto row = from->run(run);
    if (!row && row.error().code != ErrorCode::RunUnknown) return std::move(row).error();
    if (!row && ended.reason == run::EndReason::Cancelled) return {};
    if (!row) {
        auto unbegun = unbegunRun(m_job, task, ended);
        TY_ASSIGN(const auto trial, runOfTrial(m_spec, m_params[static_cast<std::size_t>(task)], task));
        unbegun.specJson = spec::toJson(trial);
        makeTrial(task, unbegun);
        return m_store->createRun(unbegun);
    }
    run::endWithJob(*row, ended, "its task");
    makeTrial(task, *row);
    TY_TRY(run::takeFromJob(run::workspaceOfTask(m_job, task), *from, *row, m_workspace, *m_store));
    return {};
}

// Trials that train, as far as their tasks tell, and those whose tasks wait once more. What has ended is taken once
// Slurm says so, too.
Result<void> Collector::follow(const run::TaskAllocations& tasks) {
    std::map<int, run::TaskQuestion> questions;
    for (const auto& [task, allocation] : tasks) {
        const auto* granted = std::get_if<run::Granted>(&allocation);
        if (granted && !granted->nodes.empty()) questions[task].node = granted->nodes.front();
        const auto* known = knownRow(task);
        if (!known || !std::holds_alternative<run::Pending>(allocation) || !run::isInTask(m_workspace, *known))
            continue;
        auto row = *known;
        row.status = wire::RunStatus::Queued;
        if (known->status != row.status) TY_TRY(m_store->updateRun(row));
    }
    if (!run::mayAskTasks(m_job, questions.size())) return {};
    for (auto& [task, question] : questions) {
        TY_ASSIGN(question.known, run::requestOf(*m_query, run::runOfTask(m_job, task)));
    }
    for (const auto& [task, news] : run::askTasks(m_job, questions)) {
        const auto last = std::find_if(news.rbegin(), news.rend(), [](const auto& each) { return bool(each.row); });
        if (last != news.rend() && !wire::isActive(last->row->status)) continue;
        const auto complete = [&, task = task](store::RunRow& row) { makeTrial(task, row); };
        TY_TRY(run::takeNews(run::workspaceOfTask(m_job, task), news, complete, *m_query, *m_store));
    }
    return {};
}

wire::RunStatus Collector::endStatus(const Ranking& ranking) const {
    const auto isOver = [](const TrialResult& trial) {
        return trial.row.status == wire::RunStatus::Finished || trial.row.status == wire::RunStatus::Failed;
    };
    const bool all = std::ssize(ranking.trials) == m_job.tasks && std::ranges::all_of(ranking.trials, isOver);
    return all ? wire::RunStatus::Finished : wire::RunStatus::Stopped;
}

Result<void> Collector::recordSweep(const run::TaskAllocations& tasks) {
    TY_ASSIGN(const auto ranking, rankTrials(*m_query, m_row.id, m_spec));
    const auto before = std::tuple(m_row.status, m_row.bestRun, m_row.finishedMs);
    const auto all = run::allocationOfAll(tasks);
    const bool anyEnded =
        std::ranges::any_of(tasks, [](const auto& task) { return std::holds_alternative<run::Ended>(task.second); });
    if (std::holds_alternative<run::Ended>(all)) {
        m_row.status = endStatus(ranking);
        if (m_row.finishedMs == 0) m_row.finishedMs = wallClockMs();
    } else {
        const bool waits = std::holds_alternative<run::Pending>(all) && !anyEnded;
        m_row.status = waits ? wire::RunStatus::Queued : wire::RunStatus::Running;
    }
    m_row.bestRun = ranking.best;
    return before == std::tuple(m_row.status, m_row.bestRun, m_row.finishedMs) ? Result<void>()
                                                                               : m_store->updateSweep(m_row);
}

Result<Judge> judgeOfArray(const spec::SweepSpec& spec) {
    TY_TRY(needsNoSupervisor(spec));
    TY_ASSIGN(Judge judge, Judge::make(spec));
    if (!judge.knowsNext())
        return needsSupervisor("searcher", "\"" + spec.searcher.name + "\" learns from the trials that have ended");
    return judge;
}

} // namespace

Result<void> mayBeArray(const spec::SweepSpec& spec) {
    TY_TRY(judgeOfArray(spec));
    return {};
}

Result<std::vector<spec::Params>> trialsKnownBefore(const spec::SweepSpec& spec) {
    TY_ASSIGN(Judge judge, judgeOfArray(spec));
    std::vector<spec::Params> params(judge.trials().size());
    for (auto orders = judge.take({.kind = Event::Kind::SlotFree}); !orders.empty();
         orders = judge.take({.kind = Event::Kind::SlotFree}))
        for (auto& order : orders) params[static_cast<std::size_t>(order.trial)] = std::move(order.params);
    return params;
}

Result<run::SlurmJob> submitSweep(const store::Workspace& workspace, spec::SweepSpec given,
                                  const run::SlurmRequest& request) {
    TY_TRY(needsNoSupervisor(given));
    TY_ASSIGN(given, withPinnedSplit(std::move(given)));
    TY_ASSIGN(given, withEarlierResults(workspace, std::move(given)));
    TY_ASSIGN(auto valid, validated(std::move(given)));
    if (valid.spec.name.empty()) valid.spec.name = newRunName();
    TY_ASSIGN(const auto array, arrayOf(valid.spec, request.nodes));
    const run::ArrayNotes notes{
        .note = [&](const run::SlurmJob& job) { return recordSweep(workspace, job, valid.spec); },
        .forget =
            [&](const run::SlurmJob& job) {
                if (const auto store = store::Store::open(workspace)) (void)(*store)->takeBackSweep(job.id);
            },
    };
    return run::submitArrayToSlurm(workspace.root, array, request, notes);
}

Result<run::TaskAllocations> collectSweep(const store::Workspace& workspace, run::SlurmJob& job) {
    TY_ASSIGN(const auto lock, onlyCollector(job.folder));
    TY_ASSIGN(auto tasks, run::askSlurmTasks(job));
    TY_ASSIGN(auto collector, Collector::open(workspace, job));
    for (const auto& [task, allocation] : tasks)
        if (const auto* ended = std::get_if<run::Ended>(&allocation)) TY_TRY(collector.collect(task, *ended));
    TY_TRY(collector.follow(tasks));
    TY_TRY(collector.recordSweep(tasks));
    return tasks;
}

void collectSweeps(const store::Workspace& workspace) {
    const auto query = store::RunQuery::open(workspace);
    const auto rows = query ? (*query)->activeSweeps() : Result<std::vector<store::SweepRow>>(query.error());
    if (!rows) return;
    for (const auto& row : *rows) {
        if (!run::isSlurmJob(workspace.root, row.id)) continue;
        auto job = run::findSlurmJob(workspace.root, row.id);
        if (job) (void)collectSweep(workspace, *job);
    }
}

} // namespace trainyard::sweep
