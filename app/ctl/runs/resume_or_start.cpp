// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/runs/resume_or_start.h"

#include "app/ctl/launchers.h"
#include "app/ctl/run_file.h"
#include "app/ctl/runs/follow.h"
#include "engine/base/clock.h"
#include "engine/base/text/ids.h"
#include "engine/run/slurm/slurm_job.h"
#include "engine/store/workspace.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace trainyard::ctl {
namespace {

constexpr double kLeftSeconds = 100;

// Slurm keeps the number of a job when it queues the job again, and each task of an array has its own.
Result<std::string> keyOf(const std::string& given) {
    if (!given.empty()) return given;
    const char* job = std::getenv("SLURM_JOB_ID");
    const char* cluster = std::getenv("SLURM_CLUSTER_NAME");
    if (job != nullptr && *job != '\0') return "slurm/" + std::string(cluster ? cluster : "") + "/" + job;
    return inputError("this is not a Slurm job, so the run has no key", "--resume-or-start",
                      "give it a name that stays the same: --key NAME");
}

// Nothing where there is none.
Result<std::optional<store::RunRow>> runOfKey(store::RunQuery& query, const std::string& id) {
    auto row = query.run(id);
    if (row) return row->id == id ? std::optional(std::move(*row)) : std::nullopt;
    if (row.error().code != ErrorCode::RunUnknown) return std::move(row).error();
    return std::optional<store::RunRow>();
}

// What a job has left may still be saving, and a file server holds the lock of a lost computer for a while.
Result<run::PreparedRun> resumed(const store::Workspace& workspace, const std::string& id,
                                 const run::ResumeChanges& changes) {
    const double until = monotonicSeconds() + kLeftSeconds;
    for (bool told = false;;) {
        auto prepared = run::prepareResume(workspace, id, changes);
        if (prepared || prepared.error().code != ErrorCode::AlreadyRunning || monotonicSeconds() > until)
            return prepared;
        if (!std::exchange(told, true))
            std::fprintf(stderr, "trainyardctl: waiting for an earlier supervisor of the run to end\n");
        ::sleep(1);
    }
}

Result<run::PreparedRun> prepare(const Session& session, const store::Workspace& workspace,
                                 const std::optional<store::RunRow>& before, const std::string& id, spec::RunSpec spec,
                                 const ResumeOrStart& options) {
    if (before) {
        TY_ASSIGN(auto hosts, hostsHere(*before));
        return resumed(workspace, id, {0, std::move(hosts), {}});
    }
    TY_TRY(expandHostsOf(spec));
    TY_TRY(signInToHostsOf(spec));
    run::StartOptions start;
    start.id = id;
    start.resumeFrom = options.beginsWith;
    start.forkedFrom = options.forkedFrom;
    if (!options.from.empty()) {
        TY_ASSIGN(const auto checkpoint, findCheckpoint(session, options.from));
        TY_ASSIGN(const auto source, runOf(session, options.from));
        start.resumeFrom = checkpoint.path;
        start.forkedFrom = source.id;
    }
    return run::prepareRun(workspace, std::move(spec), start);
}

int showFinished(const Session& session, store::RunQuery& query, const store::RunRow& row) {
    std::fprintf(stderr, "trainyardctl: %s has finished; there is nothing left to do\n", shownName(row.name).c_str());
    const auto printed = printResult(session, query, row);
    return printed ? 0 : fail(printed.error());
}

} // namespace

Result<std::optional<std::vector<std::string>>> hostsHere(const store::RunRow& row) {
    std::optional<std::vector<std::string>> hosts;
    auto spec = spec::readRunSpec(run::RunFolder{row.folder}.runFile());
    if (!spec) return hosts; // what resumes it says why, or makes the file anew
    const auto before = spec->hosts;
    TY_TRY(expandHostsOf(*spec));
    if (spec->hosts != before) hosts = std::move(spec->hosts);
    return hosts;
}

int resumeOrStart(const Session& session, spec::RunSpec spec, const ResumeOrStart& options) {
    const auto key = keyOf(options.key);
    if (!key) return fail(key.error());
    const auto id = idOfKey(*key);
    const auto open = OpenWorkspace::open(session);
    if (!open) return fail(open.error());
    const auto before = runOfKey(*open->query, id);
    if (!before) return fail(before.error());
    if (*before && (*before)->status == wire::RunStatus::Finished) return showFinished(session, *open->query, **before);
    auto prepared = prepare(session, open->workspace, *before, id, std::move(spec), options);
    if (!prepared) return fail(prepared.error());
    const auto detachment = options.detach ? run::Detachment::Full : run::Detachment::Tied;
    const auto supervisor = run::supervisePrepared(open->workspace, *prepared, detachment);
    if (!supervisor) return fail(supervisor.error());
    const int code = afterStart(session, open->workspace, id, options.detach);
    // A batch system ends what is left when this process is gone.
    while (!options.detach && ::waitpid(*supervisor, nullptr, 0) < 0 && errno == EINTR) {}
    const bool isJob = !options.detach && store::submittedFrom(open->workspace).has_value();
    if (isJob && code == exitCode(ErrorKind::Stopped) && run::requeueAtTimeLimit())
        std::fprintf(stderr, "trainyardctl: the job has reached its time limit; it is requeued, and will continue\n");
    return code;
}

} // namespace trainyard::ctl
