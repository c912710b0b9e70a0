// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/slurm/slurm_array.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/files/disk_room.h"
#include "engine/base/text/ids.h"
#include "engine/run/launch/programs.h"
#include "engine/run/slurm/slurm_programs.h"
#include "engine/store/run_query.h"

#include <algorithm>
#include <csignal>

namespace fs = std::filesystem;

namespace trainyard::run {
namespace {

// $1 trainyardctl, $2 the folder of the job, $3 its id. A trial that has ended belongs to the sweep's workspace.
constexpr const char* kTaskScript =
    "#!/bin/sh\n"
    "# Started by trainyardctl slurm submit: trains one trial of a sweep, or goes on with it.\n"
    "task=$2/tasks/$SLURM_ARRAY_TASK_ID\n"
    "[ -e \"$2/number\" ] || echo \"$SLURM_ARRAY_JOB_ID\" > \"$2/number\"\n" // also where its submission was cut short
    "echo \"$SLURM_JOB_ID\" > \"$task/number\"\n"                            // srun takes no other name of a task
    "if [ -e \"$task/collected\" ]; then echo 'this trial was over: resume its run instead' >&2; exit 1; fi\n"
    "exec \"$1\" run \"$task/run.json\" --resume-or-start --key=\"$3-$SLURM_ARRAY_TASK_ID\" --workspace=\"$task\"\n";

fs::path taskFolder(const fs::path& folder, int task) { return folder / "tasks" / std::to_string(task); }

Result<void> makeTasks(const fs::path& folder, const std::vector<spec::RunSpec>& trials) {
    for (std::size_t task = 0; task < trials.size(); ++task) {
        const auto place = taskFolder(folder, static_cast<int>(task));
        std::error_code failure;
        fs::create_directories(place, failure);
        if (failure) return notMadeError("cannot create the folder of a task", place, failure);
        TY_TRY(writeFileAtomic(place / "run.json", spec::toJson(trials[task]), Outlives::Process));
    }
    return writeFileAtomic(folder / "job.sh", std::string_view(kTaskScript));
}

// From here on the job is known, with or without a number. sbatch may have been heard although it gave no answer.
Result<void> submitNoted(SlurmJob& job, const SlurmArray& array, const SlurmRequest& request) {
    auto number = callSbatch(sbatchArrayArguments(request, job.folder, array.name, job.tasks, array.parallel));
    if (!number && findJobNumber(job).valueOr(false)) return {};
    if (!number) return std::move(number).error();
    job.job = std::move(*number);
    (void)recordSlurmJob(job); // else it is found by its folder
    return {};
}

Result<SlurmJob> submitArrayFrom(const fs::path& folder, const SlurmArray& array, const SlurmRequest& request,
                                 const ArrayNotes& notes) {
    SlurmJob job{.folder = folder, .id = array.id, .name = array.name, .run = {}, .job = {}};
    job.tasks = static_cast<int>(array.trials.size());
    TY_ASSIGN(const auto lock, store::RunLock::acquire(folder)); // who looks for its trials waits for it
    TY_TRY(makeTasks(folder, array.trials));
    TY_TRY(recordSlurmJob(job));
    auto submitted = notes.note(job);
    if (submitted) {
        submitted = submitNoted(job, array, request);
        if (!submitted) notes.forget(job);
    }
    if (!submitted) return std::move(submitted).error();
    return job;
}

// By its own programs; nothing of those that it has forgotten. Environment when it does not answer.
Result<TaskAllocations> knownToSlurm(const std::string& job) {
    // Its list of tasks is cut otherwise.
    TY_ASSIGN(const auto shown, askSlurmProgram({"SLURM_BITSTR_LEN=0", "scontrol", "show", "job", job}));
    if (shown.exitCode == 0) return parseScontrolTasks(shown.output);
    const auto kept = askSlurmProgram({"sacct", "--noheader", "--parsable2", "--allocations", "--jobs=" + job,
                                       "--format=JobID,State,ExitCode,Reason,NodeList"});
    if (kept && kept->exitCode == 0) {
        TY_ASSIGN(auto tasks, parseSacctTasks(kept->output));
        if (!tasks.empty()) return tasks; // else it may not have heard of it yet
    }
    // There is no accounting. A controller that answers others has forgotten the job.
    TY_ASSIGN(const auto others, askSlurmProgram({"squeue", "--me", "--noheader", "--format=%i"}));
    if (others.exitCode == 0) return TaskAllocations();
    return slurmIsSilent(job, shown);
}

// A task that waits is forgotten at once when it is cancelled, and any other one after MinJobAge.
Ended endByRun(const SlurmJob& job, int task) {
    const auto query = store::RunQuery::open(workspaceOfTask(job, task));
    const auto row = query ? (*query)->run(runOfTask(job, task)) : Result<store::RunRow>(query.error());
    if (!row) return {EndReason::Cancelled, 0};
    switch (row->status) {
    case wire::RunStatus::Finished: return {EndReason::Exited, 0};
    case wire::RunStatus::Stopped: return {EndReason::Cancelled, SIGTERM};
    case wire::RunStatus::Failed: return {EndReason::Exited, 1};
    default: return {EndReason::Signalled, SIGKILL}; // it would have said how it ended
    }
}

} // namespace

std::vector<std::string> sbatchArrayArguments(const SlurmRequest& request, const fs::path& folder,
                                              const std::string& name, int tasks, int parallel) {
    auto words = sbatchOptions(request, folder, "tasks/%a/job.log", name);
    words.push_back("--array=0-" + std::to_string(tasks - 1) +
                    (parallel > 0 ? "%" + std::to_string(parallel) : std::string()));
    for (const auto& word : {(folder / "job.sh").string(), (programFolder() / "trainyardctl").string(), folder.string(),
                             folder.filename().string()})
        words.push_back(word);
    return words;
}

Result<SlurmJob> submitArrayToSlurm(const fs::path& workspace, const SlurmArray& array, const SlurmRequest& request,
                                    const ArrayNotes& notes) {
    TY_TRY(checkRequest(request));
    TY_ASSIGN(const auto folder, makeSlurmFolder(workspace, array.id));
    auto job = submitArrayFrom(folder, array, request, notes);
    std::error_code ignored;
    if (!job) fs::remove_all(folder, ignored);
    return job;
}

store::Workspace workspaceOfTask(const SlurmJob& job, int task) { return {taskFolder(job.folder, task)}; }

std::string runOfTask(const SlurmJob& job, int task) { return idOfKey(job.id + "-" + std::to_string(task)); }

bool isInTask(const store::Workspace& workspace, const store::RunRow& row) {
    if (row.sweep.empty() || row.trial < 0 || row.supervisorPid != 0 || !wire::isActive(row.status)) return false;
    std::error_code ignored;
    return isSlurmJob(workspace.root, row.sweep) &&
           !fs::exists(taskFolder(workspace.slurmFolder(row.sweep), row.trial) / kTakenFile, ignored);
}

Result<TaskAllocations> askSlurmTasks(SlurmJob& job) {
    TaskAllocations tasks;
    for (const auto& [task, ended] : job.endedTasks) tasks[task] = ended;
    if (std::ssize(tasks) == job.tasks) return tasks;
    TY_ASSIGN(const bool isSubmitted, findJobNumber(job));
    if (!isSubmitted) {
        for (int task = 0; task < job.tasks; ++task) tasks[task] = whileUnsubmitted(job);
        return tasks;
    }
    TY_ASSIGN(const auto known, knownToSlurm(job.job));
    for (int task = 0; task < job.tasks; ++task) {
        const auto found = known.find(task);
        if (found != known.end()) tasks[task] = found->second;
        else if (!tasks.contains(task)) tasks[task] = endByRun(job, task);
        if (const auto* ended = std::get_if<Ended>(&tasks[task])) job.endedTasks[task] = *ended;
        else job.endedTasks.erase(task); // it was queued again
    }
    (void)recordSlurmJob(job); // best effort: it was answered
    return tasks;
}

Result<void> cancelSlurmTask(const SlurmJob& job, int task) {
    if (task < 0 || task >= job.tasks)
        return inputError("there is no task " + std::to_string(task) + ": they are 0 to " +
                              std::to_string(job.tasks - 1),
                          "job " + job.job);
    SlurmJob one = job;
    one.job += "_" + std::to_string(task);
    return cancelSlurmJob(one);
}

Allocation allocationOfAll(const TaskAllocations& tasks) {
    std::optional<Granted> granted;
    std::optional<Pending> pending;
    Ended worst;
    for (const auto& [task, allocation] : tasks) {
        if (const auto* waits = std::get_if<Pending>(&allocation); waits && !pending) pending = *waits;
        if (const auto* runs = std::get_if<Granted>(&allocation)) {
            if (!granted) granted.emplace();
            for (const auto& node : runs->nodes)
                if (std::ranges::find(granted->nodes, node) == granted->nodes.end()) granted->nodes.push_back(node);
        }
        const auto* ended = std::get_if<Ended>(&allocation);
        if (ended && std::pair(ended->reason, ended->code) > std::pair(worst.reason, worst.code)) worst = *ended;
    }
    if (granted) return *granted;
    if (pending) return *pending;
    return worst;
}

std::string toText(const TaskAllocations& tasks) {
    int running = 0, ended = 0, waiting = 0;
    std::string reason;
    for (const auto& [task, allocation] : tasks) {
        running += std::holds_alternative<Granted>(allocation) ? 1 : 0;
        ended += std::holds_alternative<Ended>(allocation) ? 1 : 0;
        const auto* waits = std::get_if<Pending>(&allocation);
        if (waits && waiting++ == 0) reason = waits->reason;
    }
    std::string text = std::to_string(tasks.size()) + " tasks:";
    const auto add = [&](int count, const std::string& what) {
        if (count > 0) text += (text.ends_with(':') ? " " : ", ") + std::to_string(count) + " " + what;
    };
    add(waiting, "pending (" + reason + ")");
    add(running, "running");
    add(ended, "ended");
    return text;
}

} // namespace trainyard::run
