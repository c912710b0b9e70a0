// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/pool/worker_pool.h"

#include "engine/run/launch/child_environment.h"
#include "engine/run/launch/pool/pool_connection.h"
#include "engine/run/launch/process_check.h"
#include "engine/run/launch/socket_path.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <cerrno>
#include <csignal>

namespace trainyard::run {
namespace {

constexpr double kEndSeconds = 5; // for a killed rank to be gone

class PoolWorker final : public WorkerProcess {
public:
    PoolWorker(std::shared_ptr<PoolConnection> pool, PoolConnection::Started started, UniqueFd frames, UniqueFd log)
        : m_pool(std::move(pool)), m_pid(started.pid), m_process(std::move(started.process)),
          m_frames(std::move(frames)), m_log(std::move(log)) {}
    ~PoolWorker() override {
        signal(SIGKILL);
        if (!m_exit) waitReadable(m_process.get(), kEndSeconds);
    }
    int frameFd() const override { return m_frames.get(); }
    int logFd() const override { return m_log.get(); }
    void signal(int number) override {
        // Once it is reaped its number may be another process's, unless members of its group still hold it. Mostly
        // there is no such group, which is sooner known than who is in it.
        if (ended() && (::kill(-m_pid, 0) != 0 || livingInGroups({m_pid}).empty())) return;
        ::kill(-m_pid, number);
    }
    std::optional<ExitStatus> exitStatus() override {
        if (m_exit) return m_exit;
        m_exit = m_pool->exitOf(m_pid);
        if (!m_exit && m_pool->lost() && ended()) m_exit = ExitStatus{false, -1};
        return m_exit;
    }
    std::int64_t pid() const override { return m_pid; }

private:
    bool ended() const { return waitReadable(m_process.get(), 0); }

    std::shared_ptr<PoolConnection> m_pool;
    pid_t m_pid;
    UniqueFd m_process, m_frames, m_log;
    std::optional<ExitStatus> m_exit;
};

} // namespace

Result<WorkerChannels> WorkerChannels::make() {
    int pair[2], pipe[2];
    const auto failed = [] { return systemError("cannot start a worker process", {}, limitRemedy(errno)); };
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return failed();
    WorkerChannels made;
    made.frames.reset(pair[0]);
    made.workerFrames.reset(pair[1]);
    if (::pipe2(pipe, O_CLOEXEC) != 0) return failed();
    made.log.reset(pipe[0]);
    made.workerLog.reset(pipe[1]);
    ::fcntl(pair[0], F_SETFL, O_NONBLOCK);
    ::fcntl(pipe[0], F_SETFL, O_NONBLOCK);
    return made;
}

WorkerPool::WorkerPool(const ProgramFile& worker) : m_worker(worker) {}
WorkerPool::~WorkerPool() = default;

bool WorkerPool::serves(const LaunchRequest& request) const { return !m_failed && mayComeFromPool(request); }

Result<void> WorkerPool::connect(const LaunchRequest& request) {
    TY_ASSIGN(const auto folder, socketFolder());
    TY_ASSIGN(m_connection, PoolConnection::open(m_worker, request.environment, folder));
    return {};
}

Result<std::unique_ptr<WorkerProcess>> WorkerPool::launch(const LaunchRequest& request) {
    std::error_code ignored;
    const std::string text = encodePoolRequest({request.arguments, environmentWith(request.environment),
                                                std::filesystem::current_path(ignored).string(), request.runJson});
    if (text.size() > kMaxPoolRequest) return environmentError("the environment is too large for the pool of workers");
    // A pool that was idle for long may exit just as it is asked; a new one does not.
    for (int attempt = 0;; ++attempt) {
        if (!m_connection || m_connection->lost()) {
            auto connected = connect(request);
            if (!connected) {
                m_failed = true;
                return std::move(connected).error();
            }
        }
        TY_ASSIGN(auto channels, WorkerChannels::make()); // anew: a rank that came too late must not speak on them
        const int frames = channels.workerFrames.get();
        auto started = m_connection->launch(text, {frames, frames, channels.workerLog.get()});
        if (started)
            return std::unique_ptr<WorkerProcess>(std::make_unique<PoolWorker>(
                m_connection, std::move(*started), std::move(channels.frames), std::move(channels.log)));
        const bool again = m_connection->lost() && !m_connection->isNew();
        m_connection.reset();
        if (again && attempt == 0) continue;
        m_failed = true; // one that has only just been started, or that says why not, will fail again
        return std::move(started).error();
    }
}

} // namespace trainyard::run
