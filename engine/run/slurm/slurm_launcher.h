// SPDX-License-Identifier: GPL-3.0-or-later
// Workers on the nodes of a Slurm job, each as a step of the job.
#pragma once

#include "engine/run/launch/launcher.h"

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

} // namespace trainyard::run
