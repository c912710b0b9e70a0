// SPDX-License-Identifier: GPL-3.0-or-later
// Runs and sweeps that are submitted to Slurm. Each has a folder of its own, `slurm/ID` of the workspace. That of a run
// is the workspace of its job; in that of a sweep each task of its array job has one: SQLite does not let several
// computers write one database, even where they share its file system.
#pragma once

#include "engine/run/slurm/allocation.h"
#include "engine/spec/run/run_spec.h"

#include <filesystem>
#include <map>

namespace trainyard::run {

// What sbatch is asked for; what is empty or 0 is left to Slurm.
struct SlurmRequest {
    std::string partition{}, account{}, time{};
    int nodes = 1, gpusPerNode = 0, cpusPerNode = 0;
    bool requeue = false; // the job is queued again when it loses a node or is preempted
};

// Input: the time limit leaves no time to train, since a run saves kNoticeSeconds before it.
Result<void> checkRequest(const SlurmRequest& request);
// The request as options of `trainyardctl slurm submit`.
std::vector<std::string> submitOptions(const SlurmRequest& request);

// A run or a sweep that was submitted, as its folder records it.
struct SlurmJob {
    std::filesystem::path folder;
    std::string id;                    // of the folder, and of the sweep
    std::string name;                  // of the run or the sweep
    std::string run;                   // its id, once the job has begun; empty: a sweep
    std::string job;                   // its number; empty: its submission was cut short (findJobNumber)
    std::optional<Ended> ended{};      // as it was last seen; Slurm forgets jobs that are over
    int tasks = 0;                     // of an array job; 0: the job of a run
    std::map<int, Ended> endedTasks{}; // those that are over
    bool isArray() const { return tasks > 0; }
};

bool isJobNumber(const std::string& text);
// The options of sbatch that follow from the request; what the job prints goes to `log`.
std::vector<std::string> sbatchOptions(const SlurmRequest& request, const std::filesystem::path& folder,
                                       const std::string& log, const std::string& name);
// The words after `sbatch` for the run in this folder. `forkedFrom`: the run whose checkpoint it begins from, which is
// in the folder; empty: from scratch.
std::vector<std::string> sbatchArguments(const SlurmRequest& request, const std::filesystem::path& folder,
                                         const std::string& name, const std::string& forkedFrom = {});

// In the folder of a job or task whose run was fetched: it no longer trains, though Slurm may start it again.
inline constexpr const char* kTakenFile = "collected";

// Makes the folder of a job, `slurm/ID`. Environment: it cannot be made.
Result<std::filesystem::path> makeSlurmFolder(const std::filesystem::path& workspace, const std::string& id);
// In a submitted job whose run has just saved and stopped: requeues the job if that is allowed and the time limit was
// the reason. True: it is queued.
bool requeueAtTimeLimit();
// Gives the words to sbatch and returns the job's number. Environment with what sbatch says when it refuses.
Result<std::string> callSbatch(std::vector<std::string> words);
// Records a job in its folder. Environment: it cannot be written.
Result<void> recordSlurmJob(const SlurmJob& job);

// Looks for the number of a job whose submission was cut short, by its folder, and records it. False: Slurm has no such
// job. Environment when Slurm does not answer.
Result<bool> findJobNumber(SlurmJob& job);
// Of one that Slurm does not have: pending for the time that sbatch may take, then cancelled.
Allocation whileUnsubmitted(const SlurmJob& job);

// Another run's checkpoint that a run begins from; empty: from scratch.
struct SlurmFork {
    std::filesystem::path checkpoint{};
    std::string run{}; // the id of that run
};

// Makes the folder, notes the run as one that lives elsewhere (spec::kSlurmHost), and submits the job: it is known,
// whatever dies meanwhile. A checkpoint is copied into the folder first. Environment with what sbatch says when it
// refuses; folder and note are gone then.
Result<SlurmJob> submitToSlurm(const std::filesystem::path& workspace, const spec::RunSpec& spec,
                               const SlurmRequest& request, const SlurmFork& fork = {});
// All that were submitted from a workspace, oldest first. Removes what killed submissions have left, a minute after.
// Environment: a folder cannot be read.
Result<std::vector<SlurmJob>> slurmJobs(const std::filesystem::path& workspace);
// Whether the run or sweep of this id was submitted: its supervisor, if any, is on a node of the cluster.
bool isSlurmJob(const std::filesystem::path& workspace, const std::string& id);
// The one of this id, beginning of an id, number of a job, or name (the newest of that name). Input: there is none.
Result<SlurmJob> findSlurmJob(const std::filesystem::path& workspace, const std::string& given);

// What Slurm says of the job of a run, noted when it is over; of one that it does not have, whileUnsubmitted().
// Environment when Slurm does not answer, or does not know it any more.
Result<Allocation> askSlurm(SlurmJob& job);
// Ends the job: what runs in it saves first, in the time that Slurm gives it (KillWait). Returns once Slurm has taken
// the request.
Result<void> cancelSlurmJob(const SlurmJob& job);

} // namespace trainyard::run
