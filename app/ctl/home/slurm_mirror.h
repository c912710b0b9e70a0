// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the runs that are jobs of Slurm into the copy here. While a job runs, only its node may read its record, so
// the feed is a step of the job; once it is over, its folder is read.
#pragma once

#include "app/ctl/home/host_mirror.h"
#include "engine/run/launch/launcher.h"
#include "engine/run/slurm/slurm_job.h"

#include <map>

namespace trainyard::ctl {

// Of one thread.
class SlurmMirror {
public:
    SlurmMirror(store::Workspace workspace, LinkBook& links);

    // Until no run is noted as a job of Slurm any more.
    void follow();

private:
    struct Job {
        run::SlurmJob record;
        std::string state{};                        // as it was told last, for people
        std::unique_ptr<run::WorkerProcess> feed{}; // null: none
        NewsReader news{};                          // of the feed
        bool over = false;                          // and told whole
        double nextLook = 0;                        // then: monotonic seconds
    };
    Result<void> followOnce();
    Result<void> askForAll(run::MirrorCopy& copy);
    Result<void> ask(run::MirrorCopy& copy, Job& job);
    Result<void> tellWaiting(run::MirrorCopy& copy, const Job& job, const std::string& why);
    Result<void> tellEnded(run::MirrorCopy& copy, const Job& job, const run::Ended& ended);
    Result<void> startFeed(run::MirrorCopy& copy, Job& job, const std::string& node);
    Result<void> take(run::MirrorCopy& copy, Job& job);
    void wait();

    store::Workspace m_workspace;
    LinkBook& m_links;
    std::unique_ptr<run::Launcher> m_local; // of the srun processes
    std::map<std::string, Job> m_jobs;      // by run
    int m_failures = 0;
};

} // namespace trainyard::ctl
