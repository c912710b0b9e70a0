// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/relay/relay.h"

#include "engine/base/clock.h"
#include "engine/run/launch/child_environment.h"
#include "engine/run/launch/pool/pool_connection.h"
#include "engine/run/launch/pool/worker_pool.h"
#include "engine/run/launch/private_socket.h"
#include "engine/run/launch/relay/rank_holder.h"
#include "engine/run/launch/socket_path.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace trainyard::run {
namespace {

constexpr std::size_t kMaxRunFile = kMaxPoolRequest / 2; // the environment has to fit in as well
constexpr int kCannotExecute = 127, kExitUnknown = 255;
constexpr double kAskedSeconds = 2; // to tell the end of a rank that was asked to end

// Signals that are held back from this process, to be passed on.
class HeldSignals {
public:
    HeldSignals() {
        sigset_t held;
        sigemptyset(&held);
        for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCONT}) sigaddset(&held, number);
        ::sigprocmask(SIG_BLOCK, &held, &m_before);
        m_fd.reset(::signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK));
    }
    ~HeldSignals() { ::sigprocmask(SIG_SETMASK, &m_before, nullptr); }
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;

    int fd() const { return m_fd.get(); }
    // True when it was asked to end.
    bool passOnTo(pid_t group) const {
        bool ends = false;
        while (const int number = next()) {
            ::kill(-group, number);
            ends = ends || number == SIGTERM;
        }
        return ends;
    }
    int next() const { // 0: none
        signalfd_siginfo info{};
        const bool came = ::read(m_fd.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info);
        return came ? static_cast<int>(info.ssi_signo) : 0;
    }

private:
    sigset_t m_before{};
    UniqueFd m_fd;
};

// Beside the program: a folder that outlives every sign-in of its user, unlike $XDG_RUNTIME_DIR.
Result<std::filesystem::path> poolFolder(const ProgramFile& worker) {
    const auto folder = worker.path().parent_path();
    TY_TRY(checkPrivate(folder));
    return folder;
}

// By which the host's processes of a run are found.
class Marks {
public:
    Marks() {
        for (const char* name : {kLaunchVariable, kRunVariable})
            if (const char* value = std::getenv(name)) m_values.emplace_back(name, value);
    }
    void restore() const {
        for (const auto& [name, value] : m_values) ::setenv(name.c_str(), value.c_str(), 1);
    }

private:
    std::vector<std::pair<std::string, std::string>> m_values;
};

// They are of this launch, not of what else the pool will be used for.
void forgetMarks() {
    for (const char* mark : {kLaunchVariable, kRunVariable}) ::unsetenv(mark);
}

Result<std::shared_ptr<PoolConnection>> readyPool(const ProgramFile& worker, const std::string& request) {
    if (request.size() > kMaxPoolRequest) return environmentError("the environment is too large for the pool");
    TY_ASSIGN(const auto folder, poolFolder(worker));
    TY_ASSIGN(auto pool, PoolConnection::open(worker, {}, folder));
    const auto ready = pool->waitUntilReady();
    if (!ready && !pool->lost()) return ready.error();
    if (ready) return pool;
    TY_ASSIGN(pool, PoolConnection::open(worker, {}, folder)); // that one was just ending
    TY_TRY(pool->waitUntilReady());
    return pool;
}

// Waits for the end of the rank and passes signals on meanwhile. Nothing: it has ended, and the pool cannot tell how.
std::optional<ExitStatus> waitForEnd(PoolConnection& pool, const PoolConnection::Started& rank,
                                     const HeldSignals& signals) {
    for (bool ended = false;;) {
        if (const auto status = pool.exitOf(rank.pid)) return status;
        if (ended && pool.lost()) return std::nullopt;
        std::array<pollfd, 3> entries{
            {{signals.fd(), POLLIN, 0}, {pool.fd(), POLLIN, 0}, {ended ? -1 : rank.process.get(), POLLIN, 0}}};
        if (::poll(entries.data(), entries.size(), -1) < 0 && errno != EINTR) return std::nullopt;
        ended = ended || entries[2].revents != 0;
        if (!ended) signals.passOnTo(rank.pid);
    }
}

[[noreturn]] void endAs(const ExitStatus& status) {
    if (status.signalled) {
        const rlimit noCore{0, 0}; // it would be of the relay
        ::setrlimit(RLIMIT_CORE, &noCore);
        sigset_t none;
        sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        ::signal(status.code, SIG_DFL);
        ::raise(status.code);
    }
    ::_exit(status.signalled ? 128 + status.code : status.code);
}

// The channel is the rank's alone from now on: it ends when the rank's descriptors are closed.
void leaveChannel() {
    const UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    for (int fd = 0; fd <= 2; ++fd) ::dup2(nothing.get(), fd);
}

Result<std::optional<ExitStatus>> relay(PoolConnection& pool, const std::string& request, const HeldSignals& signals) {
    std::array<int, 2> line{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line.data()) != 0)
        return systemError("cannot start a worker", {}, limitRemedy(errno));
    const UniqueFd mine(line[0]); // closed by the end of this process, however it comes
    UniqueFd its(line[1]);
    TY_ASSIGN(const auto rank, pool.launch(request, {0, 1, 2, its.get()}));
    its.reset();
    leaveChannel();
    const auto status = waitForEnd(pool, rank, signals);
    ::kill(-rank.pid, SIGKILL); // what it has started itself must not outlive it
    return status;
}

// A rank that outlives its channel: forked by the pool, or a child of this process where there is no pool.
struct HeldRank {
    pid_t pid = 0;
    UniqueFd process; // pidfd
    std::shared_ptr<PoolConnection> pool;

    int fd() const { return pool ? pool->fd() : -1; } // readable when its end may be known
    // `ended`: it has. 255: the pool cannot tell how.
    std::optional<ExitStatus> end(bool ended) const {
        if (pool) {
            auto status = pool->exitOf(pid);
            return status || !(ended && pool->lost()) ? status : ExitStatus{false, kExitUnknown};
        }
        int status = 0;
        if (!ended || ::waitpid(pid, &status, WNOHANG) != pid) return std::nullopt;
        return ExitStatus::ofWait(status);
    }
};

[[noreturn]] void becomeProgram(const std::string& worker, const WorkerChannels& channels, pid_t parent) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(kCannotExecute);
    ::dup2(channels.workerFrames.get(), 0);
    ::dup2(channels.workerFrames.get(), 1);
    ::dup2(channels.workerLog.get(), 2);
    ::close_range(3, ~0U, 0);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::signal(SIGPIPE, SIG_DFL);
    ::execl(worker.c_str(), worker.c_str(), "rank", nullptr);
    std::perror("trainyard-relay: cannot start a worker process");
    ::_exit(kCannotExecute);
}

Result<HeldRank> startChild(const std::string& worker, const WorkerChannels& channels) {
    const pid_t parent = ::getpid(), pid = ::fork();
    if (pid == 0) becomeProgram(worker, channels, parent);
    if (pid < 0) return systemError("cannot start a worker process", worker, limitRemedy(errno));
    ::setpgid(pid, pid); // both sides set it, so that it holds whichever runs first
    HeldRank rank{pid, UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))), nullptr};
    if (rank.process) return rank;
    ::kill(-pid, SIGKILL);
    return systemError("cannot watch a worker process", worker);
}

Result<HeldRank> startHeld(const ProgramFile& worker, const std::string& request, const WorkerChannels& channels,
                           int lifeline) {
    if (!isKeeper(worker.path()) && mayComeFromPool({{}, {"rank"}, {}}))
        if (auto pool = readyPool(worker, request)) {
            const int frames = channels.workerFrames.get();
            TY_ASSIGN(auto started, (*pool)->launch(request, {frames, frames, channels.workerLog.get(), lifeline}));
            return HeldRank{started.pid, std::move(started.process), std::move(*pool)};
        }
    return startChild(worker.path().string(), channels);
}

// Until the rank has ended, and that is told or cannot be.
ExitStatus serveHeld(const HeldRank& rank, RankHolder& holder, const HeldSignals& signals) {
    std::optional<ExitStatus> status;
    bool asked = false;
    for (bool ended = false, toldGone = false; !(status = rank.end(ended));) {
        std::vector<pollfd> entries{
            {signals.fd(), POLLIN, 0}, {rank.fd(), POLLIN, 0}, {ended ? -1 : rank.process.get(), POLLIN, 0}};
        holder.serve(entries);
        ended = ended || entries[2].revents != 0;
        if (!ended) asked = signals.passOnTo(rank.pid) || asked;
        // One that is stopped could not find out.
        if (holder.hasLetGo() && !std::exchange(toldGone, true)) ::kill(-rank.pid, SIGCONT);
    }
    ::kill(-rank.pid, SIGKILL); // what it has started itself must not outlive it
    holder.tellEnd(*status);
    // Who has asked may be another supervisor, which waits until nothing is left here.
    const double until = monotonicSeconds() + kAskedSeconds;
    while (!holder.isDone() && !(asked && monotonicSeconds() >= until)) {
        std::vector<pollfd> entries{{signals.fd(), POLLIN, 0}};
        holder.serve(entries);
        if (const int number = signals.next(); number != 0 && number != SIGCONT) break; // there is nothing more to save
    }
    return *status;
}

Result<ExitStatus> hold(const ProgramFile& worker, const std::string& runJson, double linkSeconds) {
    const HeldSignals signals;
    ::signal(SIGPIPE, SIG_IGN);
    const char* launch = std::getenv(kLaunchVariable);
    std::error_code ignored;
    const std::string request =
        encodePoolRequest({{"rank"}, environmentWith({}), std::filesystem::current_path(ignored).string(), runJson});
    const auto folder = poolFolder(worker);
    std::filesystem::path socket;
    if (folder && launch) socket = holderSocket(worker.path(), launch);
    if (!fitsSocket(socket)) socket.clear();
    forgetMarks();
    TY_ASSIGN(auto channels, WorkerChannels::make());
    std::array<int, 2> line{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line.data()) != 0)
        return systemError("cannot start a worker", {}, limitRemedy(errno));
    const UniqueFd mine(line[0]); // closed by the end of this process, however it comes
    UniqueFd its(line[1]);
    TY_ASSIGN(const auto rank, startHeld(worker, request, channels, its.get()));
    its.reset();
    channels.workerFrames.reset();
    channels.workerLog.reset();
    RankHolder holder(std::move(channels.frames), std::move(channels.log), RankHolder::Channel::standard(),
                      std::move(socket), linkSeconds);
    leaveChannel();
    return serveHeld(rank, holder, signals);
}

std::optional<double> secondsIn(const std::string& word) {
    double seconds = 0;
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), seconds);
    if (problem != std::errc() || end != word.data() + word.size() || !(seconds > 0)) return std::nullopt;
    return seconds;
}

} // namespace

std::string relayHead(const std::string& runJson) {
    const bool fits = runJson.size() <= kMaxRunFile;
    return fits ? std::to_string(runJson.size()) + '\n' + runJson : "0\n";
}

Result<std::string> readRelayHead(int fd) {
    const auto read = [fd](char* to) {
        ssize_t got = 0;
        do got = ::read(fd, to, 1);
        while (got < 0 && errno == EINTR);
        return got == 1;
    };
    const auto wrong = [] { return inputError("does not begin with a run file", "standard input"); };
    std::string digits;
    for (char byte = 0; digits.size() < 8; digits += byte) {
        if (!read(&byte)) return wrong();
        if (byte == '\n') break;
    }
    std::size_t size = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
    if (problem != std::errc() || end != digits.data() + digits.size() || size > kMaxRunFile) return wrong();
    std::string text(size, '\0');
    for (std::size_t have = 0; have < size;) {
        const ssize_t got = ::read(fd, text.data() + have, size - have);
        if (got == 0 || (got < 0 && errno != EINTR)) return wrong();
        if (got > 0) have += static_cast<std::size_t>(got);
    }
    return text;
}

int relayCommand(const std::vector<std::string>& words) {
    const auto say = [](const Error& error) {
        std::fprintf(stderr, "trainyard-relay: %s\n", error.text().c_str());
        return exitCode(error.kind);
    };
    if (words.size() == 3 && words[0] == "attach")
        return bringChannel(holderSocket(words[1], words[2])) ? 0 : kNothingHeld;
    const auto linkSeconds = words.size() == 3 ? secondsIn(words[2]) : std::nullopt;
    if (words.size() < 2 || words[1] != "rank" || (words.size() > 2 && !linkSeconds))
        return say(inputError("is started by a launcher: WORKER rank [SECONDS], or attach WORKER LAUNCH"));
    const ProgramFile worker(words[0]);
    const auto run = readRelayHead(STDIN_FILENO);
    if (!run) return say(run.error());
    if (linkSeconds) {
        const auto status = hold(worker, *run, *linkSeconds);
        if (!status) return say(status.error());
        endAs(*status);
    }
    if (mayComeFromPool({{}, {"rank"}, {}})) {
        const HeldSignals signals;
        std::error_code ignored;
        const std::string request =
            encodePoolRequest({{"rank"}, environmentWith({}), std::filesystem::current_path(ignored).string(), *run});
        const Marks marks;
        forgetMarks();
        if (const auto pool = readyPool(worker, request)) {
            const auto status = relay(**pool, request, signals);
            if (!status) return say(status.error()); // not once more: a rank may speak over these descriptors
            if (!*status) return kExitUnknown;
            endAs(**status);
        }
        marks.restore();
    }
    ::execl(words[0].c_str(), words[0].c_str(), words[1].c_str(), nullptr);
    say(systemError("cannot start a worker process", words[0]));
    return kCannotExecute;
}

} // namespace trainyard::run
