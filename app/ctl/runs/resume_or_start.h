// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/session.h"
#include "engine/run/start/run_start.h"

namespace trainyard::ctl {

// The options of `run` that belong to it.
struct ResumeOrStart {
    bool asked = false;
    std::string key; // names the run; empty: the number of the Slurm job that this is started in
    bool detach = false;
    std::string beginsWith{}, forkedFrom{}; // a checkpoint file and its run, of one that begins; empty: from scratch
    std::string from{};                     // RUN[@CHECKPOINT] instead, looked for only when the run begins
};

// What `run --resume-or-start` does: the run of the key begins where there is none, goes on where it was stopped,
// interrupted or has failed, and is left as it is where it has finished. Unless it is detached, the run's supervisor
// saves and stops when this process ends. Returns the exit code.
int resumeOrStart(const Session& session, spec::RunSpec spec, const ResumeOrStart& options);

// Where a run is resumed here and now, if not on the hosts of before: those that its file names by one word, such as
// the nodes of a Slurm job, are others in another job. Input where they mean nothing here.
Result<std::optional<std::vector<std::string>>> hostsHere(const store::RunRow& row);

} // namespace trainyard::ctl
