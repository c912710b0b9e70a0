// SPDX-License-Identifier: GPL-3.0-or-later
// slurm submit, slurm status, slurm cancel: of runs, and of sweeps as array jobs.
#include "app/ctl/run_file.h"
#include "app/ctl/session.h"
#include "engine/base/json_text.h"
#include "engine/base/text/ids.h"
#include "engine/run/slurm/slurm_array.h"
#include "engine/run/start/run_start.h"
#include "engine/spec/run/host_ranks.h"
#include "engine/spec/sweep/overrides.h"
#include "engine/spec/sweep/sweep_spec.h"
#include "engine/sweep/control/slurm_sweep.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace trainyard::ctl {
namespace {

struct SlurmOptions {
    std::string file, run, from;
    std::vector<std::string> overrides;
    run::SlurmRequest request;
    int task = -1; // of an array; -1: all of them
};

Json toJson(const run::SlurmJob& job) {
    if (job.isArray())
        return {{"id", job.id}, {"name", job.name}, {"sweep", job.id}, {"job", job.job}, {"trials", job.tasks}};
    return {{"id", job.id}, {"name", job.name}, {"run", job.run}, {"job", job.job}, {"workspace", job.folder.string()}};
}

void describe(Json& json, const run::Allocation& allocation) {
    if (const auto* pending = std::get_if<run::Pending>(&allocation)) {
        json["state"] = "pending";
        json["reason"] = pending->reason;
    } else if (const auto* granted = std::get_if<run::Granted>(&allocation)) {
        json["state"] = "granted";
        json["nodes"] = granted->nodes;
    } else if (const auto* ended = std::get_if<run::Ended>(&allocation)) {
        json["state"] = "ended";
        json["reason"] = run::toString(ended->reason);
        json["code"] = ended->code;
    }
}

// On several nodes the ranks are dealt to all of them, unless the file says otherwise.
Result<spec::RunSpec> runToSubmit(const std::string& text, const SlurmOptions& options) {
    TY_ASSIGN(auto spec, spec::parseRunSpec(text, options.file));
    TY_ASSIGN(spec, run::validated(std::move(spec), options.file));
    if (spec.hosts.empty() && options.request.nodes > 1) spec.hosts = {spec::kSlurmHost};
    if (spec.name.empty()) spec.name = newRunName();
    return spec;
}

// Also of a run that a job trains, where that file was fetched.
Result<run::SlurmFork> forkOf(const Session& session, const std::string& from) {
    if (from.empty()) return run::SlurmFork();
    TY_ASSIGN(const auto checkpoint, findCheckpoint(session, from));
    TY_ASSIGN(const auto source, runOf(session, from));
    return run::SlurmFork{checkpoint.path, source.id};
}

Result<run::SlurmJob> submitted(const Session& session, const store::Workspace& workspace,
                                const SlurmOptions& options) {
    TY_ASSIGN(const auto text, spec::readWithOverrides(options.file, options.overrides));
    if (spec::isSweepFile(text)) {
        if (!options.from.empty())
            return inputError("is a sweep file, and its trials begin from scratch", options.file, "leave --from out");
        TY_ASSIGN(auto sweep, spec::parseSweepSpec(text, options.file));
        return sweep::submitSweep(workspace, std::move(sweep), options.request);
    }
    TY_ASSIGN(const auto spec, runToSubmit(text, options));
    TY_ASSIGN(const auto fork, forkOf(session, options.from));
    return run::submitToSlurm(workspace.root, spec, options.request, fork);
}

int submit(const Session& session, const SlurmOptions& options) {
    const auto workspace = session.workspace();
    if (!workspace) return fail(workspace.error());
    const auto job = submitted(session, *workspace, options);
    if (!job) return fail(job.error());
    if (session.json) return printJson(toJson(*job));
    std::printf("%s is job %s\n  see what it does   trainyardctl slurm status %s\n", shownName(job->name).c_str(),
                job->job.c_str(), job->id.c_str());
    if (job->isArray()) std::printf("  its %d trials      trainyardctl sweep trials %s\n", job->tasks, job->id.c_str());
    else std::printf("  its workspace      %s\n", job->folder.c_str());
    return 0;
}

Result<std::vector<run::SlurmJob>> chosen(const store::Workspace& workspace, const std::string& given) {
    if (given.empty()) return run::slurmJobs(workspace.root);
    TY_ASSIGN(auto job, run::findSlurmJob(workspace.root, given));
    return std::vector{std::move(job)};
}

struct JobState {
    Json json;
    std::string text;
    run::TaskAllocations tasks{}; // of an array
};

Result<JobState> stateOf(const store::Workspace& workspace, run::SlurmJob& job) {
    JobState state{.json = toJson(job), .text = {}};
    if (!job.isArray()) {
        TY_ASSIGN(const auto allocation, run::askSlurm(job));
        describe(state.json, allocation);
        state.text = run::toText(allocation);
        return state;
    }
    TY_ASSIGN(state.tasks, sweep::collectSweep(workspace, job));
    describe(state.json, run::allocationOfAll(state.tasks));
    state.text = run::toText(state.tasks);
    auto& list = state.json["tasks"] = Json::array();
    for (const auto& [task, allocation] : state.tasks) {
        list.push_back({{"task", task}, {"run", run::runOfTask(job, task)}});
        describe(list.back(), allocation);
    }
    return state;
}

void printTasks(const run::SlurmJob& job, const run::TaskAllocations& tasks) {
    std::vector<std::vector<std::string>> rows{{"TASK", "RUN", "STATE"}};
    for (const auto& [task, allocation] : tasks)
        rows.push_back({std::to_string(task), run::runOfTask(job, task), run::toText(allocation)});
    printTable(rows);
}

// One that Slurm does not know does not hide the others.
int showStatus(const Session& session, const SlurmOptions& options) {
    const auto workspace = session.workspace();
    if (!workspace) return fail(workspace.error());
    auto jobs = chosen(*workspace, options.run);
    if (!jobs) return fail(jobs.error());
    auto json = Json::array();
    std::vector<std::vector<std::string>> rows{{"ID", "NAME", "JOB", "STATE"}};
    for (auto& job : *jobs) {
        auto state = stateOf(*workspace, job);
        if (!state && jobs->size() == 1) return fail(state.error());
        json.push_back(state ? state->json : toJson(job));
        if (!state) json.back()["error"] = state.error().text();
        rows.push_back({job.id, job.name, job.job, state ? state->text : "is not known to Slurm"});
        if (session.json || options.run.empty() || !job.isArray()) continue;
        printTable(rows);
        printTasks(job, state->tasks);
        return 0;
    }
    if (session.json) return printJson(options.run.empty() ? json : json.at(0));
    printTable(rows);
    return 0;
}

int cancel(const Session& session, const SlurmOptions& options) {
    const auto workspace = session.workspace();
    if (!workspace) return fail(workspace.error());
    auto jobs = chosen(*workspace, options.run);
    if (!jobs) return fail(jobs.error());
    auto& job = jobs->front();
    if (const auto found = run::findJobNumber(job); !found) return fail(found.error());
    if (options.task >= 0 && !job.isArray())
        return fail(inputError("is the job of one run, which has no tasks", "--task", "leave --task out"));
    const auto cancelled = options.task >= 0 ? run::cancelSlurmTask(job, options.task) : run::cancelSlurmJob(job);
    if (!cancelled) return fail(cancelled.error());
    if (session.json) return printJson(toJson(job));
    const auto task = options.task >= 0 ? "task " + std::to_string(options.task) + " of " : std::string();
    std::printf("%sjob %s of %s is cancelled; it saves a checkpoint first\n", task.c_str(), job.job.c_str(),
                shownName(job.name).c_str());
    return 0;
}

void addRequestOptions(CLI::App& command, run::SlurmRequest& request) {
    command.add_option("--nodes", request.nodes, "how many nodes")->check(CLI::Range(1, 4096))->capture_default_str();
    command.add_option("--gpus-per-node", request.gpusPerNode, "GPUs on each node")->check(CLI::Range(0, 64));
    command.add_option("--cpus-per-node", request.cpusPerNode, "cores on each node (default: what Slurm gives)")
        ->check(CLI::Range(0, 4096));
    command.add_option("--partition", request.partition, "partition of the cluster")->type_name("NAME");
    command.add_option("--account", request.account, "account that the time is charged to")->type_name("NAME");
    command
        .add_option("--time", request.time, "time limit as for sbatch, such as 4:00:00; the run saves 120 s before it")
        ->type_name("TIME");
    command.add_flag(
        "--requeue", request.requeue,
        "requeue the job when it is preempted, loses a node or reaches its time limit; it continues the same run");
}

} // namespace

void addSlurmCommands(CLI::App& app, Session& session) {
    const auto options = std::make_shared<SlurmOptions>();
    auto* slurm = app.add_subcommand("slurm", "runs and sweeps as jobs of a Slurm cluster");
    slurm->require_subcommand(1);
    const auto act = [&session, options](CLI::App* command, int (*action)(const Session&, const SlurmOptions&)) {
        addCommonOptions(*command, session);
        command->callback([&session, options, action] {
            session.action = [&session, options, action] { return action(session, *options); };
        });
    };
    auto* submitCommand =
        slurm->add_subcommand("submit", "submit a run file as a job, or a sweep file as an array of jobs");
    submitCommand->add_option("FILE", options->file, "run or sweep file (JSON)")->required();
    submitCommand
        ->add_option("--set", options->overrides, "path=value: replaces one field of the file; may be repeated")
        ->type_name("PATH=VALUE")
        ->take_all();
    submitCommand
        ->add_option("--from", options->from, "RUN[@CHECKPOINT]: begin from that checkpoint instead of from scratch")
        ->type_name("CHECKPOINT");
    addRequestOptions(*submitCommand, options->request);
    act(submitCommand, submit);
    auto* status = slurm->add_subcommand("status", "show the state of submitted jobs (default: all)");
    status->add_option("JOB", options->run, "id, beginning of an id, number of the job, or name");
    act(status, showStatus);
    auto* cancelCommand = slurm->add_subcommand("cancel", "cancel a job; its run saves first");
    cancelCommand->add_option("JOB", options->run, "id, beginning of an id, number of the job, or name")->required();
    cancelCommand->add_option("--task", options->task, "cancel only the job of this trial of a sweep")
        ->check(CLI::Range(0, 1'000'000));
    act(cancelCommand, cancel);
}

} // namespace trainyard::ctl
