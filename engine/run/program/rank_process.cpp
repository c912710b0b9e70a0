// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/rank_process.h"

#include "engine/base/clock.h"
#include "engine/base/unique_fd.h"
#include "engine/run/launch/child_environment.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>

namespace trainyard::run {
namespace {

std::vector<pid_t> childrenOf(pid_t pid) {
    std::vector<pid_t> children;
    std::error_code failure;
    const auto tasks = std::filesystem::path("/proc") / std::to_string(pid) / "task";
    for (std::filesystem::directory_iterator task(tasks, failure), end; !failure && task != end;
         task.increment(failure)) {
        std::ifstream file(task->path() / "children");
        for (pid_t child = 0; file >> child;) children.push_back(child);
    }
    return children;
}

// A process that has ended and waits to be collected holds nothing.
bool hasEnded(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    if (!std::getline(file, line)) return true;
    const auto name = line.rfind(')'); // which may hold anything
    return name == line.npos || line.size() < name + 3 || line[name + 2] == 'Z' || line[name + 2] == 'X';
}

std::vector<char*> pointersOf(std::vector<std::string>& words) {
    std::vector<char*> pointers;
    for (auto& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

// In the child. Step 1: the folder, 2: the program.
[[noreturn]] void becomeProgram(const RankCommand& command, char* const* words, char* const* environment, int printed,
                                int failure, pid_t parent) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(127);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int number : {SIGPIPE, SIGXFSZ, SIGHUP, SIGINT, SIGTERM}) ::signal(number, SIG_DFL);
    const UniqueFd input(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    ::dup2(input.get(), 0);
    ::dup2(printed, 1);
    ::dup2(printed, 2);
    int told[2] = {1, 0};
    if (::chdir(command.folder.c_str()) == 0) {
        told[0] = 2;
        ::execvpe(words[0], words, environment);
    }
    told[1] = errno;
    [[maybe_unused]] const auto written = ::write(failure, told, sizeof told);
    ::_exit(127);
}

Error notStarted(const RankCommand& command, int step, int code) {
    errno = code;
    if (step == 1)
        return inputError("the program cannot run there: " + std::string(::strerror(code)), command.folder.string(),
                          "set program.folder to a folder of this host")
            .withCode(code == ENOENT ? ErrorCode::FileMissing : ErrorCode::General);
    if (code == ENOENT || code == EACCES || code == ENOEXEC)
        return inputError(code == ENOENT ? "there is no such program"
                                         : "cannot be run: " + std::string(::strerror(code)),
                          command.words.front(),
                          code == ENOENT   ? "name an installed program, a file by its path, or a package with -m"
                          : code == EACCES ? "make it executable: chmod +x FILE"
                                           : "give the program that runs it as the first word")
            .withCode(code == ENOENT ? ErrorCode::FileMissing : ErrorCode::General);
    return systemError("cannot start the program", command.words.front(), limitRemedy(code));
}

} // namespace

void adoptOrphans() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }

std::vector<pid_t> descendants(pid_t of) {
    std::vector<pid_t> all = childrenOf(of > 0 ? of : ::getpid());
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const pid_t child : childrenOf(all[i])) all.push_back(child);
    std::erase_if(all, hasEnded);
    return all;
}

int endDescendants(double seconds, pid_t counted, pid_t of) {
    const double until = monotonicSeconds() + seconds;
    std::set<pid_t> seen;
    for (;;) {
        const auto left = descendants(of);
        for (const pid_t pid : left) {
            if (pid != counted) seen.insert(pid);
            ::kill(pid, SIGKILL);
        }
        while (::waitpid(-1, nullptr, WNOHANG) > 0) {}
        if (left.empty() || monotonicSeconds() > until) return static_cast<int>(seen.size());
        ::poll(nullptr, 0, 1); // a process that forks faster than it is killed is stopped by its parent's end
    }
}

std::vector<std::string> environmentOf(const RankCommand& command) {
    auto variables = environmentWith(command.environment);
    std::erase_if(variables,
                  [&](const std::string& each) { return command.unset.contains(each.substr(0, each.find('='))); });
    return variables;
}

Result<RankProcess> RankProcess::start(const RankCommand& command) {
    const UniqueFd printed(::open(command.printed.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    if (!printed) return systemError("cannot be written", command.printed.string());
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return notStarted(command, 0, errno);
    UniqueFd failureRead(ends[0]), failureWrite(ends[1]);
    auto words = command.words;
    auto variables = environmentOf(command);
    const auto arguments = pointersOf(words), environment = pointersOf(variables);
    const pid_t parent = ::getpid(), pid = ::fork();
    if (pid < 0) return notStarted(command, 0, errno);
    if (pid == 0)
        becomeProgram(command, arguments.data(), environment.data(), printed.get(), failureWrite.get(), parent);
    ::setpgid(pid, pid); // both sides set it, so that it holds whichever runs first
    failureWrite.reset();
    int told[2] = {};
    ssize_t got = 0;
    do got = ::read(failureRead.get(), told, sizeof told);
    while (got < 0 && errno == EINTR);
    RankProcess process(pid);
    if (got != static_cast<ssize_t>(sizeof told)) return process;
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {}
    return notStarted(command, told[0], told[1]);
}

int RankProcess::endFamily(double seconds) {
    const int strays = endDescendants(seconds, 0, m_forked ? m_forked->holder() : 0);
    if (m_forked) m_forked->release(seconds);
    return strays;
}

std::optional<ExitStatus> RankProcess::exitStatus() {
    if (m_exit) return m_exit;
    if (m_forked) return m_exit = m_forked->exitStatus();
    int status = 0;
    const pid_t got = ::waitpid(m_pid, &status, WNOHANG);
    if (got == m_pid) m_exit = ExitStatus::ofWait(status);
    else if (got < 0 && errno == ECHILD) m_exit = ExitStatus{false, -1};
    return m_exit;
}

void RankProcess::signal(int number, bool group) {
    if (m_exit) return; // its number may be another's by now
    ::kill(group ? -m_pid : m_pid, number);
}

} // namespace trainyard::run
