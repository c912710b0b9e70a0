// SPDX-License-Identifier: GPL-3.0-or-later
// slurm submit, slurm status, slurm cancel.
#include "app/ctl/session.h"
#include "engine/base/ids.h"
#include "engine/run/actions/run_start.h"
#include "engine/run/slurm/slurm_job.h"
#include "engine/spec/host_ranks.h"
#include "engine/spec/overrides.h"
#include "engine/spec/sweep_spec.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace trainyard::ctl {
namespace {

struct SlurmOptions {
    std::string file, run;
    std::vector<std::string> overrides;
    run::SlurmRequest request;
};

nlohmann::ordered_json toJson(const run::SlurmJob& job) {
    return {{"id", job.id}, {"name", job.name}, {"run", job.run}, {"job", job.job}, {"workspace", job.folder.string()}};
}

void describe(nlohmann::ordered_json& json, const run::Allocation& allocation) {
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
Result<spec::RunSpec> specOf(const SlurmOptions& options) {
    TY_ASSIGN(const auto text, spec::readWithOverrides(options.file, options.overrides));
    if (spec::isSweepFile(text))
        return inputError("is a sweep file, and only a run can be submitted", options.file,
                          "submit a run file for each trial, or start the sweep in a job: trainyardctl sweep FILE");
    TY_ASSIGN(auto spec, spec::parseRunSpec(text, options.file));
    TY_ASSIGN(spec, run::validated(std::move(spec), options.file));
    if (spec.hosts.empty() && options.request.nodes > 1) spec.hosts = {spec::kSlurmHost};
    if (spec.name.empty()) spec.name = newRunName();
    return spec;
}

int submit(const Session& session, const SlurmOptions& options) {
    const auto workspace = session.workspace();
    if (!workspace) return fail(workspace.error());
    const auto spec = specOf(options);
    if (!spec) return fail(spec.error());
    const auto job = run::submitToSlurm(workspace->root, *spec, options.request);
    if (!job) return fail(job.error());
    if (session.json) return printJson(toJson(*job));
    std::printf("%s is job %s\n  see what it does   trainyardctl slurm status %s\n"
                "  its workspace      %s\n",
                shownName(job->name).c_str(), job->job.c_str(), job->id.c_str(), job->folder.c_str());
    return 0;
}

Result<std::vector<run::SlurmJob>> chosen(const Session& session, const std::string& given) {
    TY_ASSIGN(const auto workspace, session.workspace());
    if (given.empty()) return run::slurmJobs(workspace.root);
    TY_ASSIGN(auto job, run::findSlurmJob(workspace.root, given));
    return std::vector{std::move(job)};
}

// One that Slurm does not know does not hide the others.
int showStatus(const Session& session, const SlurmOptions& options) {
    auto jobs = chosen(session, options.run);
    if (!jobs) return fail(jobs.error());
    auto json = nlohmann::ordered_json::array();
    std::vector<std::vector<std::string>> rows{{"ID", "NAME", "JOB", "STATE"}};
    for (auto& job : *jobs) {
        const auto allocation = run::askSlurm(job);
        if (!allocation && jobs->size() == 1) return fail(allocation.error());
        auto entry = toJson(job);
        if (allocation) describe(entry, *allocation);
        else entry["error"] = allocation.error().text();
        json.push_back(std::move(entry));
        rows.push_back({job.id, job.name, job.job, allocation ? run::toText(*allocation) : "is not known to Slurm"});
    }
    if (session.json) return printJson(options.run.empty() ? json : json.at(0));
    printTable(rows);
    return 0;
}

int cancel(const Session& session, const SlurmOptions& options) {
    const auto jobs = chosen(session, options.run);
    if (!jobs) return fail(jobs.error());
    const auto& job = jobs->front();
    const auto cancelled = run::cancelSlurmJob(job);
    if (!cancelled) return fail(cancelled.error());
    if (session.json) return printJson(toJson(job));
    std::printf("job %s of %s is cancelled; what it has trained is saved first\n", job.job.c_str(),
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
    command.add_option("--time", request.time, "time limit as of sbatch, such as 4:00:00; the run saves 120 s before")
        ->type_name("TIME");
    command.add_flag("--requeue", request.requeue,
                     "queue the job again when it is preempted or loses a node: it goes on with the same run");
}

} // namespace

void addSlurmCommands(CLI::App& app, Session& session) {
    const auto options = std::make_shared<SlurmOptions>();
    auto* slurm = app.add_subcommand("slurm", "runs as jobs of a Slurm cluster");
    slurm->require_subcommand(1);
    const auto act = [&session, options](CLI::App* command, int (*action)(const Session&, const SlurmOptions&)) {
        addCommonOptions(*command, session);
        command->callback([&session, options, action] {
            session.action = [&session, options, action] { return action(session, *options); };
        });
    };
    auto* submitCommand = slurm->add_subcommand("submit", "submit a run file as a job");
    submitCommand->add_option("FILE", options->file, "run file (JSON)")->required();
    submitCommand
        ->add_option("--set", options->overrides, "path=value: replaces one field of the file; may be repeated")
        ->type_name("PATH=VALUE")
        ->take_all();
    addRequestOptions(*submitCommand, options->request);
    act(submitCommand, submit);
    auto* status =
        slurm->add_subcommand("status", "what Slurm does with runs that were submitted (all, when none is named)");
    status->add_option("JOB", options->run, "id, beginning of an id, number of the job, or name of the run");
    act(status, showStatus);
    auto* cancelCommand = slurm->add_subcommand("cancel", "end the job of a run, which saves first");
    cancelCommand->add_option("JOB", options->run, "id, beginning of an id, number of the job, or name of the run")
        ->required();
    act(cancelCommand, cancel);
}

} // namespace trainyard::ctl
