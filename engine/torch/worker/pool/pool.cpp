// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/pool/pool.h"

#include "engine/base/clock.h"
#include "engine/base/result.h"
#include "engine/base/unique_fd.h"
#include "engine/run/launch/pool/pool_protocol.h"
#include "engine/spec/run/run_spec.h"
#include "engine/torch/data/dataset_cache.h"
#include "engine/torch/kernels/memory_pool.h"
#include "engine/torch/worker/pool/pool_spares.h"
#include "engine/torch/worker/pool/rank.h"

#include <ATen/Parallel.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <initializer_list>
#include <malloc.h>
#include <map>
#include <optional>
#include <thread>
#include <utility>

namespace trainyard::train {
namespace {

constexpr double kIdleSeconds = 600; // without a client or a rank
constexpr double kDeafSeconds = 1;
constexpr int kLookEveryMs = 2000; // at the socket's file
constexpr int kQuietMs = 1500;     // no work for so long: the ranks have their data, and there is time to load it here
constexpr int kIdleMs = 20;        // the same, when no rank is at work and the data are there

bool sameFile(const struct stat& a, const struct stat& b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
           a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

// As the kernel shows the processes to those who look for ranks: a pool and its spares are none.
constexpr const char *kPoolName = "trainyard-pool", *kRankName = "trainyard-worke"; // a program's, cut as ever

// From now on the kernel kills this process when the other end of the line is closed, whatever it is doing then. False
// when that has happened.
bool endsWith(int lifeline) {
    if (::fcntl(lifeline, F_SETFD, FD_CLOEXEC) != 0 || ::fcntl(lifeline, F_SETOWN, ::getpid()) != 0 ||
        ::fcntl(lifeline, F_SETSIG, SIGKILL) != 0 || ::fcntl(lifeline, F_SETFL, O_ASYNC) != 0)
        return false;
    pollfd entry{lifeline, POLLIN, 0};
    return ::poll(&entry, 1, 0) == 0;
}

// Only a process of one thread can be forked into another program's life.
bool oneThread() {
    struct stat tasks{}; // a folder has a link for itself, one in its parent's list, and one for each folder in it
    return ::stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == 3;
}

// The first of these variables that is a number, else that of the cores: what a library takes when it is loaded.
int threadsBy(std::initializer_list<const char*> names) {
    for (const char* name : names) {
        const char* value = std::getenv(name);
        if (const int threads = value ? std::atoi(value) : 0; threads > 0) return threads;
    }
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// As many threads as a program that was started has, and not the pool's one: what it computes is the same to the bit.
void applyThreadsOfProgram() {
    at::set_num_threads(threadsBy({"OMP_NUM_THREADS", "MKL_NUM_THREADS"}));
    auto* const set = reinterpret_cast<void (*)(int)>(::dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
    if (set) set(threadsBy({"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"}));
}

UniqueFd childSignals() {
    ::signal(SIGPIPE, SIG_IGN);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &set, nullptr);
    return UniqueFd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

class Pool {
public:
    Pool(std::string path, char* shownAs, PoolCommand command)
        : m_path(std::move(path)), m_shownAs(shownAs), m_command(command),
          m_spares([this](std::string_view message, const run::RankFds& fds) { becomeRankOf(message, fds); },
                   [this] { showAs("spare"); }) {
        ::stat(m_path.c_str(), &m_socketFile);
        ::stat("/proc/self/exe", &m_program);
    }

    int serve() {
        m_signals = childSignals();
        double busy = monotonicSeconds();
        while (isWanted() && monotonicSeconds() - busy < kIdleSeconds) {
            wait();
            reap();
            if (!m_clients.empty() || !m_ranks.empty()) busy = monotonicSeconds();
        }
        struct stat now{};
        if (::stat(m_path.c_str(), &now) == 0 && sameFile(now, m_socketFile)) ::unlink(m_path.c_str());
        m_spares.letGo();
        m_listening.reset();                             // clients still queued find it closed and start another pool
        while (!m_clients.empty() || !m_ranks.empty()) { // ranks at work are watched over to the end
            wait();
            reap();
        }
        return 0;
    }

private:
    struct Rank {
        int client = -1; // its descriptor; -1: gone
    };

    // The program of this process may have been replaced by another version; its ranks then come from another pool.
    bool isWanted() const {
        struct stat file{}, program{};
        std::error_code ignored;
        const auto exe = std::filesystem::read_symlink("/proc/self/exe", ignored);
        return ::stat(m_path.c_str(), &file) == 0 && sameFile(file, m_socketFile) &&
               ::stat(exe.c_str(), &program) == 0 && sameFile(program, m_program);
    }

    void wait() {
        std::vector<pollfd> entries{{m_signals.get(), POLLIN, 0}};
        for (const auto& [fd, client] : m_clients) entries.push_back({fd, POLLIN, 0});
        if (m_listening && monotonicSeconds() >= m_deafUntil) entries.push_back({m_listening.get(), POLLIN, 0});
        if (::poll(entries.data(), entries.size(), patience()) == 0) makeReady();
        signalfd_siginfo info{};
        while (::read(m_signals.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {}
        for (const auto& entry : entries) {
            if (entry.revents == 0 || entry.fd == m_signals.get()) continue;
            if (m_listening && entry.fd == m_listening.get()) accept();
            else if (m_clients.contains(entry.fd)) handleClient(entry.fd);
        }
    }

    // The dataset of the newest run, so that a rank that is replaced and the next run find it in memory, and spares for
    // them.
    void makeReady() {
        const auto run = std::exchange(m_newest, {});
        const auto task = run ? taskFromString(run->task) : Result<TaskKind>(inputError("none"));
        if (!task || !m_listening) return;
        try {
            m_dataOf = {run->dataset, run->seed};
            data::cacheDataset(run->dataset, run->seed, *task, run->data);
        } catch (const std::exception& e) { std::fprintf(stderr, "the pool cannot hold a dataset: %s\n", e.what()); }
        if (oneThread()) m_spares.keepFor(*run);
    }

    int patience() const {
        if (!m_newest) return kLookEveryMs;
        return m_ranks.empty() && m_dataOf == std::pair(m_newest->dataset, m_newest->seed) ? kIdleMs : kQuietMs;
    }

    void accept() {
        UniqueFd client(::accept4(m_listening.get(), nullptr, nullptr, SOCK_CLOEXEC));
        if (!client && errno != EINTR && errno != ECONNABORTED)
            m_deafUntil = monotonicSeconds() + kDeafSeconds; // a pending connection would keep waking poll()
        ucred peer{};
        socklen_t size = sizeof peer;
        if (!client || ::getsockopt(client.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 ||
            peer.uid != ::geteuid())
            return;
        const int fd = client.get();
        m_clients.emplace(fd, std::move(client));
    }

    void handleClient(int client) {
        std::vector<int> fds;
        const auto got = run::receiveWithFds(client, m_buffer.data(), m_buffer.size(), fds);
        std::vector<UniqueFd> owned;
        for (const int fd : fds) owned.emplace_back(fd);
        if (got <= 0) return dropClient(client);
        const std::string_view message(m_buffer.data(), static_cast<std::size_t>(got));
        const auto request = run::decodePoolRequest(message);
        if (!request) return dropClient(client);
        if (request->arguments.empty()) return reply(client, run::PoolReply::Ready, 0);
        const auto its = run::RankFds::of(fds);
        if (!its) return refuse(client, EMFILE); // they did not come in; its other ranks go on
        start(client, message, *its, *request);
        if (auto run = spec::parseRunSpec(request->runJson)) m_newest = std::move(*run);
    }

    // The supervisor is gone: its ranks find that their channels have ended, save and end (dead_mans_switch.h). One
    // that is stopped could not find out by itself.
    void dropClient(int client) {
        for (auto& [pid, rank] : m_ranks) {
            if (rank.client != client) continue;
            ::kill(-pid, SIGCONT);
            rank.client = -1;
        }
        m_clients.erase(client);
    }

    void reply(int client, run::PoolReply::Kind kind, int value) {
        const run::PoolReply words{kind, 0, value};
        if (!run::sendWithFds(client, &words, sizeof words, {})) dropClient(client);
    }

    void refuse(int client, int code) { reply(client, run::PoolReply::Failed, code); }

    void start(int client, std::string_view message, const run::RankFds& fds, const run::PoolRequest& request) {
        pid_t pid = request.arguments.front() == "rank" ? m_spares.give(message, fds) : -1;
        if (pid < 0) {
            if (!oneThread()) return refuse(client, EDEADLK);
            pid = ::fork();
            if (pid < 0) return refuse(client, errno);
        }
        if (pid == 0) {
            ::setpgid(0, 0);
            becomeRankOf(message, fds);
        }
        ::setpgid(pid, pid); // both sides set it, so that it holds whichever runs first
        m_ranks[pid] = {client};
        const UniqueFd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
        if (!process) {
            const int code = errno;
            m_ranks[pid].client = -1; // no client; still reaped
            ::kill(-pid, SIGKILL);
            return refuse(client, code);
        }
        const run::PoolReply started{run::PoolReply::Started, pid, 0};
        if (!run::sendWithFds(client, &started, sizeof started, {process.get()})) dropClient(client);
    }

    void reap() {
        int status = 0;
        for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
            const auto rank = m_ranks.find(pid);
            if (rank == m_ranks.end()) {
                m_spares.forget(pid);
                continue;
            }
            const run::PoolReply exited{run::PoolReply::Exited, pid, status};
            const int client = rank->second.client;
            m_ranks.erase(rank);
            // What a rank has started itself must not outlive it.
            if (client < 0) ::kill(-pid, SIGKILL);
            else if (::send(client, &exited, sizeof exited, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) dropClient(client);
        }
    }

    // The name fits in the place of "pool" and the path behind it.
    void showAs(std::string_view name) {
        std::memset(m_shownAs, 0, 4 + 1 + m_path.size());
        std::memcpy(m_shownAs, name.data(), std::min(name.size(), 4 + m_path.size()));
    }

    [[noreturn]] void becomeRankOf(std::string_view message, const run::RankFds& fds) {
        const auto request = run::decodePoolRequest(message);
        if (!request) ::_exit(127);
        becomeRank(*request, fds);
    }

    [[noreturn]] void becomeRank(const run::PoolRequest& request, const run::RankFds& fds) {
        const double begun = monotonicSeconds();
        if (::dup2(fds.in, 0) < 0 || ::dup2(fds.out, 1) < 0 || ::dup2(fds.log, 2) < 0) ::_exit(127);
        const bool tied = fds.lifeline >= 0;
        if (tied && (::dup2(fds.lifeline, 3) < 0 || !endsWith(3))) ::_exit(127);
        ::close_range(tied ? 4 : 3, ~0U, 0);
        ::prctl(PR_SET_NAME, kRankName);
        sigset_t none;
        sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        ::signal(SIGPIPE, SIG_DFL);
        ::clearenv();
        for (const auto& variable : request.environment) ::putenv(::strdup(variable.c_str()));
        if (!request.folder.empty() && ::chdir(request.folder.c_str()) != 0) ::_exit(127);
        showAs(request.arguments.front());
        if (request.arguments == std::vector<std::string>{"rank"}) ::_exit(rankCommand({}, begun));
        applyThreadsOfProgram();
        const int code = m_command(request.arguments);
        std::fflush(nullptr);
        ::_exit(code);
    }

    const std::string m_path;
    char* const m_shownAs;
    const PoolCommand m_command;
    struct stat m_socketFile{}, m_program{};
    UniqueFd m_signals, m_listening{3};
    std::map<int, UniqueFd> m_clients;
    std::map<pid_t, Rank> m_ranks;
    double m_deafUntil = 0; // monotonic seconds: no client can be let in before
    StandbyWorkers m_spares;
    std::optional<spec::RunSpec> m_newest;          // whose dataset and spares are still to be made
    std::pair<spec::Choice, std::int64_t> m_dataOf; // and seed, of the dataset that is held, if it could be
    std::array<char, run::kMaxPoolRequest> m_buffer{};
};

} // namespace

int poolCommand(const std::vector<std::string>& arguments, char* shownAs, PoolCommand command) {
    struct stat socket{};
    if (arguments.size() != 1 || ::fstat(3, &socket) != 0 || !S_ISSOCK(socket.st_mode)) {
        std::fprintf(stderr,
                     "pool is started by a supervisor: pool SOCKET, with the listening socket as descriptor 3\n");
        return exitCode(ErrorKind::Input);
    }
    ::fcntl(3, F_SETFD, FD_CLOEXEC);
    ::prctl(PR_SET_NAME, kPoolName);
    kernels::useMemoryPool();
    ::mallopt(M_MMAP_THRESHOLD, 1 << 30);
    ::mallopt(M_TRIM_THRESHOLD, -1);
    try {
        warmUp();
    } catch (const std::exception& e) {
        std::fprintf(stderr, "the pool cannot warm up: %s\n", e.what());
        return exitCode(ErrorKind::Environment);
    }
    if (!oneThread()) {
        std::fprintf(stderr, "the pool has threads after its start, so it cannot fork ranks\n");
        return exitCode(ErrorKind::Environment);
    }
    auto pool = std::make_unique<Pool>(arguments.front(), shownAs, command);
    const int code = pool->serve();
    std::fflush(nullptr);
    ::_exit(code);
}

} // namespace trainyard::train
