// SPDX-License-Identifier: GPL-3.0-or-later
// Many runs as one array job of Slurm, a task for each. A task has a workspace of its own, `slurm/ID/tasks/N`.
#pragma once

#include "engine/run/slurm/slurm_job.h"
#include "engine/store/store.h"

#include <functional>

namespace trainyard::run {

struct SlurmArray {
    std::string id, name; // of the sweep
    std::vector<spec::RunSpec> trials;
    int parallel = 0; // tasks that run at the same time; 0: as many as Slurm lets
};

// The words after `sbatch` for the tasks in this folder.
std::vector<std::string> sbatchArrayArguments(const SlurmRequest& request, const std::filesystem::path& folder,
                                              const std::string& name, int tasks, int parallel);
// Where else to record a submission. `note` is called before Slurm knows of the job, so that it is recorded whatever
// dies meanwhile; `forget`, if Slurm refuses.
struct ArrayNotes {
    std::function<Result<void>(const SlurmJob&)> note;
    std::function<void(const SlurmJob&)> forget;
};
// Makes the folders and the record, and submits the job; holds the lock of its folder meanwhile. Environment with what
// sbatch says when it refuses; the folder is gone then.
Result<SlurmJob> submitArrayToSlurm(const std::filesystem::path& workspace, const SlurmArray& array,
                                    const SlurmRequest& request, const ArrayNotes& notes);

store::Workspace workspaceOfTask(const SlurmJob& job, int task);
std::string runOfTask(const SlurmJob& job, int task); // the id of its run, once it has begun

// Rule: whether a trial trains in a task of an array job.
// Whether a task still has this run of the workspace, a trial of a sweep: the copy here follows the task's record.
bool isInTask(const store::Workspace& workspace, const store::RunRow& row);

// What Slurm says of each task, noted of those that are over. One that Slurm has forgotten is over as its run tells.
// Those of a job that was never submitted are cancelled, or pending for the time that sbatch may take.
// Environment when Slurm does not answer.
Result<TaskAllocations> askSlurmTasks(SlurmJob& job);
// Ends one task, as cancelSlurmJob(). Input: there is no such task.
Result<void> cancelSlurmTask(const SlurmJob& job, int task);

// All tasks as one: pending while each is, ended when each has, by the worst end.
Allocation allocationOfAll(const TaskAllocations& tasks);
// "4 tasks: 1 pending (Resources), 2 running, 1 ended": for people.
std::string toText(const TaskAllocations& tasks);

} // namespace trainyard::run
