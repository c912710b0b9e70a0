// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/home/slurm_call.h"

#include "engine/run/launch/programs.h"
#include "engine/run/slurm/slurm_job.h"
#include "engine/run/slurm/slurm_launcher.h"

#include <nlohmann/json.hpp>

#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace trainyard::ctl {
namespace {

// With the standard descriptors of this process; the terminal sends its Ctrl+C to both.
Result<int> runToEnd(const std::vector<std::string>& words) {
    std::vector<char*> arguments;
    for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    pid_t pid = 0;
    if (const int failure = ::posix_spawnp(&pid, arguments.front(), nullptr, nullptr, arguments.data(), environ))
        return environmentError(std::string("cannot be started: ") + std::strerror(failure), words.front());
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

Result<int> cancelJob(const Session& session, const run::SlurmJob& job) {
    TY_TRY(run::cancelSlurmJob(job)); // askSlurm() has looked for its number
    if (session.json) return printJson({{"run", job.run}, {"job", job.job}});
    std::printf("job %s of %s is cancelled; it saves a checkpoint first\n", job.job.c_str(),
                shownName(job.name).c_str());
    return 0;
}

} // namespace

Result<int> callInJob(const Session& session, const std::string& run, std::vector<std::string> words) {
    TY_ASSIGN(const auto workspace, session.workspace());
    TY_ASSIGN(auto job, run::findSlurmJob(workspace.root, run));
    const auto allocation = run::askSlurm(job);
    const bool isOver = !allocation || std::holds_alternative<run::Ended>(*allocation);
    const auto& command = words.front();
    if (!isOver && (command == "stop" || command == "kill")) return cancelJob(session, job);
    if (command == "resume" || command == "continue")
        return inputError("is a Slurm job, and would train on this computer", "run " + job.name,
                          "queue it again: scontrol requeue " + job.job);
    std::error_code ignored;
    if (!std::filesystem::exists(store::Workspace{job.folder}.database(), ignored))
        return inputError("has not begun: its job " +
                              (allocation ? run::toText(*allocation) : std::string("is not known to Slurm")),
                          "run " + shownName(job.name), "see: trainyardctl slurm status " + job.id)
            .withCode(ErrorCode::NotRunning);
    // It has no supervisor then, and is not lost.
    if (allocation && std::holds_alternative<run::Pending>(*allocation) && command == "show")
        words.push_back("--waiting=job " + job.job + " " + run::toText(*allocation) + " and goes on with it");
    words.insert(words.begin(), (run::programFolder() / "trainyardctl").string());
    words.push_back("--workspace=" + job.folder.string());
    const auto* granted = isOver ? nullptr : std::get_if<run::Granted>(&*allocation);
    if (granted == nullptr || granted->nodes.empty()) return runToEnd(words);
    auto step = run::slurmStepArguments(job.job, granted->nodes.front(), "trainyard-call");
    step.insert(step.begin(), "srun");
    step.insert(step.end(), words.begin(), words.end());
    return runToEnd(step);
}

} // namespace trainyard::ctl
