// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/pool/asked_worker.h"

#include "engine/base/clock.h"
#include "engine/run/launch/child_environment.h"
#include "engine/run/launch/pool/pool_connection.h"
#include "engine/run/launch/socket_path.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <csignal>
#include <optional>

namespace trainyard::run {
namespace {

constexpr double kForkSeconds = 0.5; // a pool that is busy for longer is no faster than the program

bool computesPredictions(const std::vector<std::string>& arguments) {
    return arguments.front() == "predict" || arguments.front() == "evaluate";
}

// What the command of a pool writes, and what keeps it alive.
struct CommandPipes {
    UniqueFd nothing, output, outputEnd, errors, errorsEnd, life, lifeEnd;

    static std::optional<CommandPipes> make() {
        CommandPipes made;
        int out[2], err[2], pair[2];
        made.nothing.reset(::open("/dev/null", O_RDONLY | O_CLOEXEC));
        if (!made.nothing || ::pipe2(out, O_CLOEXEC) != 0) return std::nullopt;
        made.output.reset(out[0]);
        made.outputEnd.reset(out[1]);
        if (::pipe2(err, O_CLOEXEC) != 0) return std::nullopt;
        made.errors.reset(err[0]);
        made.errorsEnd.reset(err[1]);
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return std::nullopt;
        made.life.reset(pair[0]);
        made.lifeEnd.reset(pair[1]);
        return made;
    }
};

std::shared_ptr<PoolConnection> runningPool(const std::filesystem::path& worker) {
    const auto folder = socketFolder();
    return folder ? PoolConnection::find(ProgramFile(worker), workerVariables(), *folder) : nullptr;
}

// Nothing when it is not known how the process ended: the pool died before it.
std::optional<ExitStatus> exitWithin(PoolConnection& pool, pid_t pid, double until) {
    for (;;) {
        if (const auto status = pool.exitOf(pid)) return status;
        const double left = until - monotonicSeconds();
        if (pool.lost() || left <= 0) return std::nullopt;
        waitReadable(pool.fd(), left);
    }
}

// Nothing: no pool answers, and nothing has been done.
std::optional<Result<Captured>> askPool(const std::filesystem::path& worker, const std::vector<std::string>& arguments,
                                        double seconds) {
    const double until = monotonicSeconds() + seconds;
    const bool may = poolIsWanted({}) && !arguments.empty() && !computesPredictions(arguments);
    const auto pool = may ? runningPool(worker) : nullptr;
    auto pipes = pool ? CommandPipes::make() : std::nullopt;
    if (!pipes) return std::nullopt;
    std::error_code ignored;
    const auto request = encodePoolRequest(
        {arguments, environmentWith({}), std::filesystem::current_path(ignored).string(), std::string()});
    if (request.size() > kMaxPoolRequest) return std::nullopt;
    const auto started = pool->launch(
        request, {pipes->nothing.get(), pipes->outputEnd.get(), pipes->errorsEnd.get(), pipes->lifeEnd.get()},
        kForkSeconds);
    if (!started) return std::nullopt; // one that comes too late finds its lifeline closed
    for (auto* end : {&pipes->outputEnd, &pipes->errorsEnd, &pipes->lifeEnd}) end->reset();
    Captured captured;
    const bool ended = readToEnds(pipes->output, pipes->errors, captured, until);
    pipes->life.reset(); // whatever still runs goes now
    if (!ended) return tookTooLong(worker, seconds);
    const auto status = exitWithin(*pool, started->pid, until);
    if (!status) return environmentError("the pool of workers ended before its command", worker.string(), "try again");
    captured.exitCode = status->signalled ? 128 + status->code : status->code;
    return captured;
}

} // namespace

Result<Captured> askWorker(const std::filesystem::path& worker, const std::vector<std::string>& arguments,
                           double seconds) {
    if (auto answered = askPool(worker, arguments, seconds)) return std::move(*answered);
    return capture(worker, arguments, seconds, workerVariables());
}

} // namespace trainyard::run
