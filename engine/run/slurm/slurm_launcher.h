// SPDX-License-Identifier: GPL-3.0-or-later
// Workers on the nodes of a Slurm job, each as a step of the job.
#pragma once

#include "engine/base/result.h"
#include "engine/run/launch/launcher.h"

#include <string>
#include <vector>

namespace trainyard::run {

struct SlurmLauncherOptions {
    std::string job;                     // id of the job whose nodes these are; empty: every call is refused
    std::vector<std::string> nodes;      // of it
    std::filesystem::path workerProgram; // the nodes have it at the same path
};

// A launcher whose hosts are nodes of a job ("slurm:n1"). The frames of a worker travel through the `srun` of its step;
// a signal goes to the step through Slurm, which reaches it without that srun as well. The nodes and this computer
// share the file system of the run's folder, of the worker program and of the data: nothing is copied. Calls block for
// the time of a step, 50 ms and more.
std::unique_ptr<Launcher> makeSlurmLauncher(SlurmLauncherOptions options);

// The words after `srun` that make a command a step on one node, beside what else runs there; `name` is the step's.
std::vector<std::string> slurmStepArguments(const std::string& job, const std::string& node, const std::string& name);

// How the worker of a step ended, from the end of its srun.
ExitStatus slurmStepExit(const ExitStatus& srun);

// The hosts with all nodes of a job in the place of the first that is Slurm's, and without the others that are. Those
// of an earlier job go that way, too. `nodeList`: $SLURM_JOB_NODELIST. Input when there is such a host and no list.
Result<std::vector<std::string>> withSlurmNodes(const std::vector<std::string>& hosts, const std::string& nodeList);
// The address that the others reach a node at: what its name stands for, if that is one of its own, which it prints
// with `hostname -I`; else the first of those. Empty: it has none.
std::string slurmNodeAddress(const std::string& resolved, const std::string& own);

} // namespace trainyard::run
