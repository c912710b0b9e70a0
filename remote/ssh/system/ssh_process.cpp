// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/system/ssh_process.h"

#include "engine/base/clock.h"
#include "remote/book/ssh_config.h"
#include "remote/ssh/ssh_limits.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

extern char** environ;

namespace trainyard::remote {
namespace {

constexpr std::size_t kKeptWords = 16u << 10;

struct Call {
    char* const* arguments;
    char* const* environment;
    int error;
    bool onTerminal;
    pid_t parent;
};

// Only async-signal-safe calls: the parent has threads.
[[noreturn]] void become(const Call& call) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != call.parent) ::_exit(127);
    if (!call.onTerminal) ::setsid();
    const int nothing = ::open("/dev/null", O_RDWR);
    ::dup2(nothing, 0);
    ::dup2(nothing, 1);
    ::dup2(call.error, 2);
    ::close_range(3, ~0U, 0);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int signalNumber : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD}) ::signal(signalNumber, SIG_DFL);
    if (call.onTerminal) ::signal(SIGINT, SIG_IGN); // what Ctrl+C means is this program's to say
    ::execve(call.arguments[0], call.arguments, call.environment);
    ::_exit(127);
}

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> list;
    for (auto& word : words) list.push_back(word.data());
    list.push_back(nullptr);
    return list;
}

} // namespace

Result<SshProcess> SshProcess::start(const std::vector<std::string>& arguments, bool onTerminal,
                                     const std::vector<std::string>& asking) {
    int fds[2];
    if (::pipe2(fds, O_CLOEXEC | O_NONBLOCK) != 0) return systemError("a pipe cannot be made");
    UniqueFd ours(fds[0]), theirs(fds[1]);
    ::fcntl(theirs.get(), F_SETFL, 0); // ssh and what it starts write as usual
    std::vector<std::string> words{sshProgram()}, variables;
    words.insert(words.end(), arguments.begin(), arguments.end());
    if (words[0].empty())
        return environmentError("the system's ssh is not installed", "ssh",
                                "install it: sudo apt install openssh-client");
    for (char** each = environ; *each != nullptr; ++each)
        if (!std::string_view(*each).starts_with("SSH_ASKPASS")) variables.emplace_back(*each);
    if (asking.empty()) variables.emplace_back("SSH_ASKPASS_REQUIRE=never"); // no window of another program
    variables.insert(variables.end(), asking.begin(), asking.end());
    const auto argumentList = pointers(words), variableList = pointers(variables);
    const Call call{argumentList.data(), variableList.data(), theirs.get(), onTerminal, ::getpid()};
    const pid_t pid = ::fork();
    if (pid == 0) become(call);
    if (pid < 0) return systemError("the system's ssh cannot be started");
    return SshProcess(pid, std::move(ours));
}

SshProcess::SshProcess(SshProcess&& other) noexcept
    : m_pid(std::exchange(other.m_pid, 0)), m_error(std::move(other.m_error)), m_said(std::move(other.m_said)) {}

void SshProcess::terminate() {
    if (m_pid != 0) ::kill(m_pid, SIGTERM);
}

SshProcess::~SshProcess() {
    if (m_pid == 0) return;
    terminate();
    if (hasEnded(kTermSeconds)) return;
    ::kill(m_pid, SIGKILL);
    while (::waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) {}
}

void SshProcess::read() {
    std::array<char, 4096> buffer; // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the read
    ssize_t count;
    while ((count = ::read(m_error.get(), buffer.data(), buffer.size())) > 0)
        m_said.append(buffer.data(), static_cast<std::size_t>(count));
    if (m_said.size() > kKeptWords) m_said.erase(0, m_said.size() - kKeptWords);
}

bool SshProcess::hasEnded(double seconds) {
    const double deadline = monotonicSeconds() + seconds;
    for (;;) {
        if (m_pid == 0) return true;
        const pid_t ended = ::waitpid(m_pid, nullptr, WNOHANG);
        read();
        if (ended == m_pid || (ended < 0 && errno == ECHILD)) m_pid = 0;
        else if (monotonicSeconds() >= deadline) return false;
        else ::poll(nullptr, 0, 5);
    }
}

} // namespace trainyard::remote
