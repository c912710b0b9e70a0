// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/spawn.h"

#include "engine/base/clock.h"
#include "engine/base/unique_fd.h"
#include "engine/run/launch/programs.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

extern char** environ;

namespace trainyard::run {
namespace {

constexpr int kReportFd = 3, kGivenFd = 4; // in the new process
constexpr double kLockSeconds = 5;

struct Report {    // sent over the pipe: the pid first, then errno if exec fails
    pid_t pid = 0; // 0: there is none, and the code says why
    int code = 0;
};

struct SpawnPlan {
    char* const* arguments;
    const char* log;
    int report;
    int given; // handed over; -1: nothing is
    pid_t parent;
};

// Only async-signal-safe calls from here on: the parent may have threads.
[[noreturn]] void becomeSupervisor(const SpawnPlan& plan) {
    const int report = ::fcntl(plan.report, F_DUPFD_CLOEXEC, 10);
    const int given = plan.given < 0 ? -1 : ::fcntl(plan.given, F_DUPFD_CLOEXEC, 10);
    Report message{::getpid(), 0};
    [[maybe_unused]] auto written = ::write(report, &message, sizeof message);
    const int nothing = ::open("/dev/null", O_RDONLY);
    const int log = ::open(plan.log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    ::dup2(nothing, 0);
    ::dup2(log >= 0 ? log : nothing, 1);
    ::dup2(log >= 0 ? log : nothing, 2);
    ::dup3(report, kReportFd, O_CLOEXEC);
    const bool handedOver = given >= 0 && ::dup2(given, kGivenFd) == kGivenFd;
    ::close_range(handedOver ? kGivenFd + 1 : kGivenFd, ~0U, 0);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int signalNumber : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD}) ::signal(signalNumber, SIG_DFL);
    if (::chdir("/") == 0) ::execve(plan.arguments[0], plan.arguments, environ);
    message.code = errno;
    written = ::write(kReportFd, &message, sizeof message);
    ::_exit(127);
}

[[noreturn]] void childSide(const SpawnPlan& plan, Detachment detachment) {
    ::setsid();
    if (detachment == Detachment::Tied) {
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (::getppid() != plan.parent) ::_exit(1); // it ended before the line above took effect
    }
    if (detachment == Detachment::Full) {
        const pid_t second = ::fork();
        const Report failed{0, errno};
        if (second < 0 && ::write(plan.report, &failed, sizeof failed) < 0) ::_exit(2);
        if (second != 0) ::_exit(second < 0 ? 1 : 0);
    }
    becomeSupervisor(plan);
}

bool readReport(int fd, Report& report) {
    ssize_t got = 0;
    do got = ::read(fd, &report, sizeof report);
    while (got < 0 && errno == EINTR);
    return got == static_cast<ssize_t>(sizeof report);
}

Result<pid_t> spawn(std::string program, const std::string& command, const std::filesystem::path& folder,
                    Detachment detachment, int given) {
    std::string verb = command, where = std::filesystem::absolute(folder).string();
    const std::string log = where + "/supervisor.log";
    char* const arguments[] = {program.data(), verb.data(), where.data(), nullptr};
    int pipeFds[2];
    const auto cannotStart = [&] { return systemError("cannot start a supervisor", program, limitRemedy(errno)); };
    if (::pipe2(pipeFds, O_CLOEXEC) != 0) return cannotStart();
    UniqueFd reading(pipeFds[0]), writing(pipeFds[1]);
    const SpawnPlan plan{arguments, log.c_str(), writing.get(), given, ::getpid()};
    const pid_t child = ::fork();
    if (child < 0) return cannotStart();
    if (child == 0) childSide(plan, detachment);
    writing.reset();
    if (detachment == Detachment::Full)
        while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {}
    Report started, failed;
    if (!readReport(reading.get(), started)) return environmentError("cannot start a supervisor", program);
    if (started.pid == 0) { // the second fork has failed
        errno = started.code;
        return cannotStart();
    }
    if (readReport(reading.get(), failed)) {
        if (detachment != Detachment::Full)
            while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {}
        errno = failed.code;
        return systemError("cannot start the supervisor", program,
                           "install trainyardctl beside this program, or set TRAINYARD_BIN");
    }
    return started.pid;
}

std::string ctlProgram() { return (programFolder() / "trainyardctl").string(); }

} // namespace

Result<pid_t> spawnSupervisor(const std::string& command, const std::filesystem::path& folder, Detachment detachment,
                              const store::RunLock* lock) {
    return spawn(ctlProgram(), command, folder, detachment, lock ? lock->fd() : -1);
}

Result<pid_t> spawnSlot(const std::filesystem::path& folder, int line) {
    // A slot speaks with this program, so it is the same one, also when an upgrade has replaced the file since.
    std::error_code failure;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", failure).string();
    const bool replaced =
        !failure && self.ends_with(" (deleted)") && programFolder() == std::filesystem::path(self).parent_path();
    return spawn(replaced ? "/proc/self/exe" : ctlProgram(), "supervise-slot", folder, Detachment::OwnChild, line);
}

Result<pid_t> spawnGuard(const std::filesystem::path& folder, int line) {
    static_assert(kGuardLine == kGivenFd);
    return spawn(relayProgram().string(), "guard", folder, Detachment::Full, line);
}

Result<UniqueFd> lineOfSlot() {
    int type = 0;
    socklen_t size = sizeof type;
    if (::getsockopt(kGivenFd, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_SEQPACKET)
        return inputError("was not started by a sweep", "supervise-slot", "start the sweep: trainyardctl sweep FILE");
    ::fcntl(kGivenFd, F_SETFD, FD_CLOEXEC);
    return UniqueFd(kGivenFd);
}

// Where it was not handed over, the starter may hold it still, and others probe it: so a few tries.
Result<store::RunLock> lockOfSupervisor(const std::filesystem::path& folder) {
    if (auto handedOver = store::RunLock::adopt(kGivenFd, folder)) return std::move(*handedOver);
    const double deadline = monotonicSeconds() + kLockSeconds;
    for (;;) {
        auto lock = store::RunLock::acquire(folder);
        if (lock || monotonicSeconds() > deadline) return lock;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

} // namespace trainyard::run
