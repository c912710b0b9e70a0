// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/worker_pool.h"

#include "engine/base/clock.h"
#include "engine/run/launch/pool_protocol.h"
#include "engine/run/launch/process_check.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace trainyard::run {
namespace {

constexpr double kReplySeconds = 8; // a pool that is only just starting on a loaded computer answers within this
constexpr double kEndSeconds = 5;   // for a killed rank to be gone

sockaddr_un addressOf(const std::filesystem::path& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    return address;
}

UniqueFd packetSocket() { return UniqueFd(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0)); }

// Nothing when there is no listener, or it is another user's.
UniqueFd connectTo(const std::filesystem::path& path) {
    auto fd = packetSocket();
    const auto address = addressOf(path);
    if (!fd || ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return {};
    ucred peer{};
    socklen_t size = sizeof peer;
    if (::getsockopt(fd.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != ::geteuid()) return {};
    return fd;
}

// The socket is made here and handed to the pool, so that it can be connected to before the pool has loaded anything.
UniqueFd listenAt(const std::filesystem::path& path) {
    auto fd = packetSocket();
    const auto address = addressOf(path);
    ::unlink(path.c_str());
    if (!fd || ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(fd.get(), 64) != 0)
        return {};
    return fd;
}

struct PoolPlan { // made before fork: the child may call only async-signal-safe functions
    const char* program;
    char* const* arguments;
    char* const* environment;
    const char* log;
    int socket;
};

[[noreturn]] void becomePool(const PoolPlan& plan) {
    ::setsid();
    if (::fork() != 0) ::_exit(0); // reparented
    const int socket = ::fcntl(plan.socket, F_DUPFD, 10);
    const int nothing = ::open("/dev/null", O_RDWR);
    const int log = ::open(plan.log, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);
    ::dup2(nothing, 0);
    ::dup2(nothing, 1);
    ::dup2(log >= 0 ? log : nothing, 2);
    ::dup2(socket, 3);
    ::close_range(4, ~0U, 0);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD, SIGXFSZ}) ::signal(number, SIG_DFL);
    if (::chdir("/") == 0) ::execve(plan.program, plan.arguments, plan.environment);
    ::_exit(127);
}

void startPool(const std::filesystem::path& worker, std::vector<std::string> environment,
               const std::filesystem::path& path, int socket) {
    std::vector<std::string> words{worker.string(), "pool", path.string()};
    const auto pointers = [](std::vector<std::string>& texts) {
        std::vector<char*> all;
        for (auto& text : texts) all.push_back(text.data());
        all.push_back(nullptr);
        return all;
    };
    const auto arguments = pointers(words), variables = pointers(environment);
    const std::string log = std::filesystem::path(path).replace_extension(".log").string();
    const PoolPlan plan{words[0].c_str(), arguments.data(), variables.data(), log.c_str(), socket};
    const pid_t child = ::fork();
    if (child == 0) becomePool(plan);
    if (child > 0)
        while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {}
}

bool isReadable(int fd) {
    pollfd entry{fd, POLLIN, 0};
    return ::poll(&entry, 1, 0) > 0;
}

bool waitReadable(int fd, double seconds) {
    const double until = monotonicSeconds() + seconds;
    for (double left = seconds; left > 0; left = until - monotonicSeconds()) {
        pollfd entry{fd, POLLIN, 0};
        const int ready = ::poll(&entry, 1, static_cast<int>(std::ceil(left * 1000)));
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return false;
    }
    return false;
}

} // namespace

// The line to the pool. When it closes, the pool wakes the ranks it has started over it, so that they end.
class PoolConnection {
public:
    explicit PoolConnection(UniqueFd fd) : m_fd(std::move(fd)) {}

    struct Started {
        pid_t pid = 0;
        UniqueFd process; // pidfd
    };
    Result<Started> launch(const std::string& request, int frames, int log) {
        if (!sendWithFds(m_fd.get(), request.data(), request.size(), {frames, log})) {
            lose();
            return gone();
        }
        const double until = monotonicSeconds() + kReplySeconds;
        while (waitReadable(m_fd.get(), until - monotonicSeconds())) {
            std::vector<int> fds;
            const auto reply = receive(fds);
            UniqueFd process(fds.empty() ? -1 : fds.front());
            if (!reply) return gone();
            if (reply->kind == PoolReply::Started && !process) { // it leaves when its channel is closed
                errno = EMFILE;
                return systemError("cannot take a worker over from the pool", {}, limitRemedy(errno));
            }
            if (reply->kind == PoolReply::Started) return Started{reply->pid, std::move(process)};
            if (reply->kind == PoolReply::Failed) {
                errno = reply->value;
                return systemError("the pool of workers cannot start a worker");
            }
        }
        return environmentError("the pool of workers does not answer");
    }

    // How a rank ended, when the pool has told.
    std::optional<int> exitOf(pid_t pid) {
        while (!m_lost && isReadable(m_fd.get())) {
            std::vector<int> fds;
            (void)receive(fds);
            for (const int fd : fds) ::close(fd);
        }
        const auto found = m_exits.find(pid);
        return found == m_exits.end() ? std::nullopt : std::optional(found->second);
    }
    bool lost() const { return m_lost; }

private:
    // Ranks outlive the pool that started them and hold on to this object: not to a descriptor of a dead pool too.
    void lose() {
        m_lost = true;
        m_fd.reset();
    }
    static Error gone() { return environmentError("the pool of workers is gone"); }
    std::optional<PoolReply> receive(std::vector<int>& fds) {
        PoolReply reply;
        if (receiveWithFds(m_fd.get(), &reply, sizeof reply, fds) != static_cast<std::ptrdiff_t>(sizeof reply)) {
            lose();
            return std::nullopt;
        }
        if (reply.kind == PoolReply::Exited) m_exits[reply.pid] = reply.value;
        return reply;
    }

    UniqueFd m_fd;
    std::map<pid_t, int> m_exits;
    bool m_lost = false;
};

namespace {

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
        const auto status = m_pool->exitOf(m_pid);
        if (status && WIFSIGNALED(*status)) m_exit = ExitStatus{true, WTERMSIG(*status)};
        else if (status) m_exit = ExitStatus{false, WEXITSTATUS(*status)};
        else if (m_pool->lost() && ended()) m_exit = ExitStatus{false, -1};
        return m_exit;
    }
    std::int64_t pid() const override { return m_pid; }

private:
    bool ended() const { return isReadable(m_process.get()); }

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

WorkerPool::WorkerPool(const ProgramFile& worker) : m_worker(worker) {
    const char* wish = std::getenv("TRAINYARD_POOL");
    m_failed = wish && std::string_view(wish) == "off";
}
WorkerPool::~WorkerPool() = default;

bool WorkerPool::serves(const LaunchRequest& request) const {
    const char* preloaded = std::getenv("LD_PRELOAD");
    return !m_failed && request.arguments == std::vector<std::string>{"rank"} && !(preloaded && *preloaded) &&
           !request.environment.contains("LD_PRELOAD");
}

Result<void> WorkerPool::connect(const LaunchRequest& request) {
    if (m_worker.replaced()) return environmentError("the worker program was replaced", m_worker.path().string());
    auto variables = request.environment; // a process with threads cannot be forked; a rank makes its own
    for (const char* threads : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"}) variables[threads] = "1";
    const auto environment = environmentWith(variables);
    TY_ASSIGN(const auto path, poolSocket(m_worker.path(), environment));
    auto fd = connectTo(path);
    if (!fd) {
        // One of several programs that come at once starts the pool; the others then find it.
        const auto lockFile = std::filesystem::path(path).replace_extension(".lock");
        const UniqueFd lock(::open(lockFile.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
        if (!lock || ::flock(lock.get(), LOCK_EX) != 0) return systemError("cannot lock", lockFile.string());
        fd = connectTo(path);
        if (!fd) {
            const auto listening = listenAt(path);
            if (!listening) return systemError("cannot make the socket of the pool of workers", path.string());
            startPool(m_worker.path(), environment, path, listening.get());
            m_startedIt = true;
            fd = connectTo(path);
        }
    }
    if (!fd) return environmentError("the pool of workers cannot be reached", path.string());
    m_connection = std::make_shared<PoolConnection>(std::move(fd));
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
        auto started = m_connection->launch(text, channels.workerFrames.get(), channels.workerLog.get());
        if (started) {
            m_startedIt = false;
            return std::unique_ptr<WorkerProcess>(std::make_unique<PoolWorker>(
                m_connection, std::move(*started), std::move(channels.frames), std::move(channels.log)));
        }
        const bool lost = m_connection->lost();
        m_connection.reset();
        if (lost && attempt == 0 && !m_startedIt) continue;
        m_failed = true; // one that has only just been started, or that says why not, will fail again
        return std::move(started).error();
    }
}

} // namespace trainyard::run
