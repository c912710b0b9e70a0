// SPDX-License-Identifier: GPL-3.0-or-later
// Workers on this computer. A worker is the leader of its own process group, gets a signal when the thread that started
// it dies (parent-death signal) and inherits nothing but its three standard descriptors.
#include "engine/base/error_json.h"
#include "engine/base/machine/cores.h"
#include "engine/base/unique_fd.h"
#include "engine/run/launch/child_environment.h"
#include "engine/run/launch/launcher.h"
#include "engine/run/launch/pool/asked_worker.h"
#include "engine/run/launch/pool/worker_pool.h"
#include "engine/run/launch/process_check.h"
#include "engine/run/launch/programs.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sched.h>

namespace trainyard::run {
namespace {

constexpr double kAskSeconds = 60;

class LocalWorker final : public WorkerProcess {
public:
    LocalWorker(pid_t pid, UniqueFd frames, UniqueFd log)
        : m_pid(pid), m_frames(std::move(frames)), m_log(std::move(log)) {}
    ~LocalWorker() override {
        signal(SIGKILL);
        if (m_exit) return;
        int status = 0;
        while (::waitpid(m_pid, &status, 0) < 0 && errno == EINTR) {}
    }
    int frameFd() const override { return m_frames.get(); }
    int logFd() const override { return m_log.get(); }
    void signal(int signalNumber) override {
        // Once the leader is reaped its number may be reused, unless members of its group still hold it.
        if (m_exit && (::kill(-m_pid, 0) != 0 || livingInGroups({m_pid}).empty())) return;
        // Once, never twice: a second signal ends a worker in the midst of telling what the first one was. Its group
        // may not exist yet.
        if (::kill(-m_pid, signalNumber) != 0 && !m_exit) ::kill(m_pid, signalNumber);
    }
    std::optional<ExitStatus> exitStatus() override {
        if (m_exit) return m_exit;
        int status = 0;
        const pid_t got = ::waitpid(m_pid, &status, WNOHANG);
        if (got == m_pid) m_exit = ExitStatus::ofWait(status);
        else if (got < 0 && errno == ECHILD) m_exit = ExitStatus{false, -1};
        return m_exit;
    }
    std::int64_t pid() const override { return m_pid; }

private:
    pid_t m_pid;
    UniqueFd m_frames, m_log;
    std::optional<ExitStatus> m_exit;
};

std::vector<char*> pointersTo(std::vector<std::string>& words) {
    std::vector<char*> pointers;
    for (auto& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

struct ChildPlan { // all of it made before fork, since the child may call only async-signal-safe functions
    const char* program;
    char* const* arguments;
    char* const* environment;
    int frames, log, failure;
    pid_t parent;
    int atParentsDeath; // signal
};

[[noreturn]] void becomeWorker(const ChildPlan& plan) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, plan.atParentsDeath);
    if (::getppid() != plan.parent) ::_exit(127); // the parent died before the line above took effect
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::signal(SIGPIPE, SIG_DFL);
    ::signal(SIGXFSZ, SIG_DFL);
    // Copies above the numbers they are going to, so that none overwrites another.
    const int failure = ::fcntl(plan.failure, F_DUPFD_CLOEXEC, 10);
    const int frames = ::fcntl(plan.frames, F_DUPFD_CLOEXEC, 10);
    const int log = ::fcntl(plan.log, F_DUPFD_CLOEXEC, 10);
    const bool ready =
        ::dup2(frames, 0) == 0 && ::dup2(frames, 1) == 1 && ::dup2(log, 2) == 2 && ::dup3(failure, 3, O_CLOEXEC) == 3;
    ::close_range(4, ~0U, 0); // nothing else of the supervisor's reaches the worker
    if (ready) ::execve(plan.program, plan.arguments, plan.environment);
    const int code = errno;
    [[maybe_unused]] const auto written = ::write(3, &code, sizeof code);
    ::_exit(127);
}

class LocalLauncher final : public Launcher {
public:
    LocalLauncher(std::filesystem::path worker, StartBy startBy) : m_worker(std::move(worker)) {
        if (startBy == StartBy::Pool) m_pool.emplace(m_worker);
    }

    Result<std::unique_ptr<WorkerProcess>> launch(const LaunchRequest& request) override {
        if (m_pool && m_pool->serves(request))
            if (auto worker = m_pool->launch(request)) return worker;
        return execute(request);
    }

    Result<std::unique_ptr<WorkerProcess>> execute(const LaunchRequest& request) {
        auto channels = WorkerChannels::make();
        if (!channels) return std::move(channels).error();
        int failurePipe[2];
        if (::pipe2(failurePipe, O_CLOEXEC) != 0) return cannotStart();
        UniqueFd failureRead(failurePipe[0]), failureWrite(failurePipe[1]);

        const std::string program = m_worker.source().string();
        std::vector<std::string> words{m_worker.path().string()};
        words.insert(words.end(), request.arguments.begin(), request.arguments.end());
        auto variables = environmentWith(request.environment);
        const auto arguments = pointersTo(words);
        const auto environment = pointersTo(variables);
        const ChildPlan plan{program.c_str(),
                             arguments.data(),
                             environment.data(),
                             channels->workerFrames.get(),
                             channels->workerLog.get(),
                             failureWrite.get(),
                             ::getpid(),
                             request.endsItself ? SIGCONT
                                                : SIGKILL}; // a stopped one could not see that its channel ends
        const pid_t pid = ::fork();
        if (pid < 0) return cannotStart();
        if (pid == 0) becomeWorker(plan);
        ::setpgid(pid, pid); // both sides set it, so that it holds whichever runs first
        auto worker = std::make_unique<LocalWorker>(pid, std::move(channels->frames), std::move(channels->log));
        channels->workerFrames.reset();
        channels->workerLog.reset();
        failureWrite.reset();
        int code = 0;
        if (readFailure(failureRead.get(), code)) {
            errno = code;
            return cannotStart();
        }
        return std::unique_ptr<WorkerProcess>(std::move(worker));
    }

    Result<std::string> stage(const HostName&, const std::filesystem::path& local) override { return local.string(); }

    Result<void> fetch(const HostName&, const std::string& remote, const std::filesystem::path& local) override {
        std::error_code failure;
        if (std::filesystem::equivalent(remote, local, failure)) return {};
        const auto temporary = local.string() + ".tmp";
        std::filesystem::copy_file(remote, temporary, std::filesystem::copy_options::overwrite_existing, failure);
        if (!failure) std::filesystem::rename(temporary, local, failure);
        if (failure) return environmentError("cannot copy to " + local.string() + ": " + failure.message(), remote);
        return {};
    }

    Result<std::string> ask(const HostName&, const std::vector<std::string>& words) override {
        TY_ASSIGN(const auto said, askWorker(m_worker.source(), words, kAskSeconds));
        if (said.exitCode == 0) return said.output;
        return programError(m_worker.path().filename().string(), said.exitCode, said.output, said.errors);
    }

    Result<void> fetchTree(const HostName&, const std::string& remote, const std::filesystem::path& local) override {
        std::error_code failure;
        std::filesystem::create_directories(local.parent_path(), failure);
        std::filesystem::copy(
            remote, local, std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing,
            failure);
        if (failure) return environmentError("cannot copy to " + local.string() + ": " + failure.message(), remote);
        return {};
    }

    Result<void> remove(const HostName&, const std::vector<std::string>& files) override {
        Result<void> removed;
        for (const auto& file : files) {
            std::error_code failure;
            std::filesystem::remove(file, failure);
            if (failure) removed = environmentError("cannot be removed: " + failure.message(), file);
        }
        return removed;
    }

    Result<HostInfo> prepare(const HostName&, const RunId&) override {
        if (::access(m_worker.source().c_str(), X_OK) != 0)
            return systemError("the worker program cannot be run", m_worker.path().string(),
                               "install Trainyard with its training engine, or set TRAINYARD_BIN");
        return HostInfo{"127.0.0.1", "", availableCores(), 0};
    }

    Result<std::vector<std::string>> list(const HostName&, const std::string& folder) override {
        std::vector<std::string> names;
        std::error_code failure;
        for (const auto& entry : std::filesystem::directory_iterator(folder, failure))
            names.push_back(entry.path().filename().string());
        return names;
    }

    Result<int> signalAll(const HostName&, const RunId&, int) override { return 0; }

private:
    Error cannotStart() const {
        return systemError("cannot start a worker process", m_worker.path().string(), limitRemedy(errno));
    }
    // True when exec failed; blocks for the time of the exec.
    static bool readFailure(int fd, int& code) {
        ssize_t got = 0;
        do got = ::read(fd, &code, sizeof code);
        while (got < 0 && errno == EINTR);
        return got == static_cast<ssize_t>(sizeof code);
    }

    const ProgramFile m_worker;
    std::optional<WorkerPool> m_pool;
};

} // namespace

std::unique_ptr<Launcher> makeLocalLauncher(std::filesystem::path workerProgram, StartBy startBy) {
    return std::make_unique<LocalLauncher>(std::move(workerProgram), startBy);
}

} // namespace trainyard::run
