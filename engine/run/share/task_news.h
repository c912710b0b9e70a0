// SPDX-License-Identifier: GPL-3.0-or-later
// What runs that train in tasks of a job of Slurm have to tell meanwhile. Only their nodes may read their records, so a
// short step of each task tells it, as the feed of a single job does.
#pragma once

#include "engine/run/mirror/mirror_line.h"
#include "engine/run/slurm/slurm_array.h"

#include <map>

namespace trainyard::run {

// What is known of the run of a task, and where the task trains.
struct TaskQuestion {
    std::string node;
    MirrorRequest known;
};

// Whether it is time to ask so many tasks, and notes that they are asked now: every step is work for Slurm's
// controller, so the more train the longer is waited, whoever asks. For who holds the lock of the job's folder.
bool mayAskTasks(const SlurmJob& job, std::size_t tasks);

// Asks the tasks, some side by side; what is new, by task. One that does not answer has nothing new.
std::map<int, std::vector<MirrorNews>> askTasks(const SlurmJob& job, const std::map<int, TaskQuestion>& questions);

} // namespace trainyard::run
