// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/machine/confined_program.h"

#include "engine/base/clock.h"
#include "engine/base/unique_fd.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>

namespace trainyard {
namespace {

constexpr double kMostHeldUp = 9; // times its limit

// How long a process may still take. What it has waited for a core does not count, so that a busy computer ends nothing
// that an idle one would let go on.
class TimeLeft {
public:
    TimeLeft(pid_t pid, double seconds) : m_pid(pid), m_seconds(seconds), m_begun(monotonicSeconds()) {}
    double seconds() const {
        const double left = m_seconds - (monotonicSeconds() - m_begun);
        return left > 0 ? left : left + std::min(heldUp(), kMostHeldUp * m_seconds);
    }

private:
    double heldUp() const {
        std::ifstream file("/proc/" + std::to_string(m_pid) + "/schedstat");
        double computed = 0, waited = 0; // ns
        file >> computed >> waited;
        return file ? waited / 1e9 : 0;
    }

    pid_t m_pid;
    double m_seconds, m_begun;
};

constexpr int kNoSandbox = 125, kNotStarted = 126; // exit codes before the program is there

std::vector<char*> pointersTo(const std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (const auto& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

// All that the child needs, so that it allocates nothing: another thread may have held the lock of the heap.
struct Child {
    const char* folder;
    char* const* words;
    char* const* environment;
    int input, output, errors;
    const ProgramSandbox* sandbox; // null: none
};

[[noreturn]] void become(const Child& child) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::signal(SIGPIPE, SIG_DFL);
    ::setpgid(0, 0); // Ctrl+C is for the one that asks
    if (::chdir(child.folder) != 0) ::_exit(kNotStarted);
    if (::dup2(child.input, 0) < 0 || ::dup2(child.output, 1) < 0 || ::dup2(child.errors, 2) < 0) ::_exit(kNotStarted);
    if (child.sandbox && !child.sandbox->enter()) ::_exit(kNoSandbox);
    ::execve(child.words[0], child.words, child.environment);
    ::_exit(kNotStarted);
}

void readAll(int output, const TimeLeft& time, std::size_t most, ConfinedAnswer& answer) {
    for (;;) {
        const double left = time.seconds();
        pollfd entry{output, POLLIN, 0};
        const int ready = left > 0 ? ::poll(&entry, 1, static_cast<int>(left * 1000) + 1) : 0;
        if ((ready < 0 && errno == EINTR) || (ready == 0 && left > 0)) continue;
        answer.isLate = ready <= 0;
        if (answer.isLate) return;
        std::array<char, 1 << 16> piece;
        const ssize_t got = ::read(output, piece.data(), piece.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return;
        answer.output.append(piece.data(), static_cast<std::size_t>(got));
        answer.isTooLong = answer.output.size() > most;
        if (answer.isTooLong) return;
    }
}

// One that has closed its output may still run.
void awaitEnd(pid_t pid, const TimeLeft& time, ConfinedAnswer& answer) {
    const timespec pause{0, 2'000'000};
    bool isKilled = answer.isLate || answer.isTooLong;
    const auto kill = [pid] { // with what it has started
        ::kill(-pid, SIGKILL);
        ::kill(pid, SIGKILL); // before it has a group of its own
    };
    if (isKilled) kill();
    for (;;) {
        const pid_t ended = ::waitpid(pid, &answer.status, isKilled ? 0 : WNOHANG);
        if (ended == pid || (ended < 0 && errno != EINTR)) return;
        if (!isKilled && time.seconds() <= 0) {
            answer.isLate = isKilled = true;
            kill();
        }
        if (!isKilled) ::nanosleep(&pause, nullptr);
    }
}

} // namespace

Result<ConfinedAnswer> runConfined(const ConfinedProgram& program) {
    const auto words = pointersTo(program.words), environment = pointersTo(program.environment);
    const std::string& file = program.words.front();
    const ProgramSandbox sandbox(words[0], program.limits);
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return systemError("cannot be started", file);
    const UniqueFd output(ends[0]);
    UniqueFd written(ends[1]);
    const UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    if (!nothing) return systemError("cannot be opened", "/dev/null");
    const Child child{program.folder.c_str(),
                      words.data(),
                      environment.data(),
                      nothing.get(),
                      written.get(),
                      nothing.get(),
                      program.isTrusted ? nullptr : &sandbox};
    const pid_t pid = ::fork();
    if (pid < 0) return systemError("cannot be started", file);
    if (pid == 0) become(child);
    written.reset();
    ConfinedAnswer answer;
    const TimeLeft time(pid, program.limits.wallSeconds);
    readAll(output.get(), time, program.mostOutput, answer);
    awaitEnd(pid, time, answer);
    const int code = WIFEXITED(answer.status) ? WEXITSTATUS(answer.status) : 0;
    if (code == kNoSandbox) return environmentError("the kernel offers no seccomp filter", "sandbox");
    if (code == kNotStarted && answer.output.empty())
        return environmentError("cannot be started in " + program.folder.string(), file, "check that both are there");
    return answer;
}

} // namespace trainyard
