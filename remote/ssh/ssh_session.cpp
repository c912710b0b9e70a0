// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/ssh_session.h"

#include "engine/base/machine/mutex.h"
#include "engine/base/math/sha256.h"
#include "engine/base/text/printable.h"
#include "remote/book/shell_quote.h"
#include "remote/ssh/channel_thread.h"
#include "remote/ssh/ssh_limits.h"

#include <sys/socket.h>

#include <array>
#include <chrono>
#include <csignal>
#include <random>

namespace trainyard::remote {
namespace {

constexpr std::array<std::pair<int, const char*>, 15> kSignals{{{SIGABRT, "ABRT"},
                                                                {SIGALRM, "ALRM"},
                                                                {SIGFPE, "FPE"},
                                                                {SIGHUP, "HUP"},
                                                                {SIGILL, "ILL"},
                                                                {SIGINT, "INT"},
                                                                {SIGKILL, "KILL"},
                                                                {SIGPIPE, "PIPE"},
                                                                {SIGQUIT, "QUIT"},
                                                                {SIGSEGV, "SEGV"},
                                                                {SIGTERM, "TERM"},
                                                                {SIGUSR1, "USR1"},
                                                                {SIGUSR2, "USR2"},
                                                                {SIGSTOP, "STOP"},
                                                                {SIGCONT, "CONT"}}};

std::string newMarker() {
    std::random_device random;
    std::string bytes;
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>(random() & 0xff);
    return "trainyard-" + toHex(bytes);
}

struct Ends {
    UniqueFd ours, theirs;
};

Result<Ends> socketPair() {
    int fds[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds) != 0)
        return systemError("a socket pair cannot be made");
    const int size = 1 << 20;
    for (const int fd : fds) ::setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    return Ends{UniqueFd(fds[0]), UniqueFd(fds[1])};
}

} // namespace

std::string signalName(int signalNumber) {
    for (const auto& [number, name] : kSignals)
        if (number == signalNumber) return name;
    return "KILL";
}

int signalFromName(const std::string& name) {
    for (const auto& [number, each] : kSignals)
        if (name == each) return number;
    return 0;
}

SshChannel::SshChannel(std::shared_ptr<ChannelState> state, int dataFd, int logFd)
    : m_state(std::move(state)), m_dataFd(dataFd), m_logFd(logFd) {}

SshChannel::~SshChannel() {
    {
        const MutexLock lock(m_state->mutex);
        m_state->abandoned = true;
    }
    // Closing our ends wakes the session's thread.
    ::close(m_logFd);
    ::close(m_dataFd);
}

std::int64_t SshChannel::pid() const {
    const MutexLock lock(m_state->mutex);
    return m_state->pid;
}

void SshChannel::endInput() { ::shutdown(m_dataFd, SHUT_WR); }

std::optional<run::ExitStatus> SshChannel::exitStatus() const {
    const MutexLock lock(m_state->mutex);
    return m_state->ended ? std::optional(m_state->status) : std::nullopt;
}

std::string SshChannel::lossReason() const {
    const MutexLock lock(m_state->mutex);
    return m_state->lossReason;
}

bool SshChannel::waitForEnd(double seconds) const {
    MutexLock lock(m_state->mutex);
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (!m_state->ended && m_state->changed.waitUntil(lock, until)) {}
    return m_state->ended;
}

SshSession::SshSession(HostEntry host, SshFacts facts, std::unique_ptr<ChannelThread> thread)
    : m_host(std::move(host)), m_facts(std::move(facts)), m_thread(std::move(thread)) {}

SshSession::~SshSession() = default;

Result<std::unique_ptr<SshChannel>> SshSession::openChannel(OpenRequest request) {
    TY_ASSIGN(Ends data, socketPair());
    TY_ASSIGN(Ends log, socketPair());
    request.data = std::move(data.theirs);
    request.log = std::move(log.theirs);
    const auto state = request.state;
    TY_TRY(m_thread->open(std::move(request)).get());
    return std::make_unique<SshChannel>(state, data.ours.release(), log.ours.release());
}

Result<std::unique_ptr<SshChannel>> SshSession::start(const std::vector<std::string>& arguments,
                                                      const std::map<std::string, std::string>& environment,
                                                      unsigned windowBytes) {
    OpenRequest request;
    request.marker = newMarker();
    request.windowBytes = windowBytes;
    TY_ASSIGN(request.command, shellCommand(arguments, environment, request.marker));
    const auto state = request.state;
    TY_ASSIGN(auto channel, openChannel(std::move(request)));
    MutexLock lock(state->mutex);
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(kStartSeconds);
    while (state->pid == 0 && !state->ended && state->changed.waitUntil(lock, until)) {}
    const bool answered = state->pid != 0 || state->ended;
    if (state->pid != 0) return channel;
    std::string_view chatter = state->chatter;
    while (!chatter.empty() && (chatter.back() == '\n' || chatter.back() == '\r')) chatter.remove_suffix(1);
    const std::string said = printable(chatter, 300);
    if (!answered)
        return environmentError("the login shell did not start the command within " +
                                    std::to_string(static_cast<int>(kStartSeconds)) + " s",
                                m_host.label(), "look for something in the shell's profile that waits for input");
    if (!state->lossReason.empty()) return connectionLost(state->lossReason, m_host.label());
    return environmentError("the login shell ran no command" + (said.empty() ? std::string() : "; it said: " + said),
                            m_host.label(), "check the account's shell and its profile on the host");
}

Result<std::unique_ptr<SshChannel>> SshSession::connectTo(const std::string& address, int port) {
    OpenRequest request;
    request.address = address;
    request.port = port;
    return openChannel(std::move(request));
}

void SshSession::signalGroup(std::int64_t pid, int signalNumber) {
    if (pid <= 1) return;
    OpenRequest request;
    request.marker = newMarker();
    auto command =
        shellCommand({"/bin/sh", "-c", "kill -s \"$0\" -- \"-$1\"", signalName(signalNumber), std::to_string(pid)}, {},
                     request.marker);
    if (!command) return;
    request.command = std::move(command).value();
    request.signalledGroup = pid;
    request.signalNumber = signalNumber;
    m_thread->open(std::move(request));
}

Result<ExecResult> SshSession::script(const std::string& text, const std::vector<std::string>& parameters,
                                      const ExecOptions& options) {
    // What it prints is read by programs, so it speaks the same language on every host.
    std::vector<std::string> arguments{"/bin/sh", "-c", "export LC_ALL=C; " + text, "trainyard"};
    arguments.insert(arguments.end(), parameters.begin(), parameters.end());
    return exec(arguments, options);
}

bool SshSession::alive() const { return m_thread->alive(); }
std::string SshSession::lossReason() const { return m_thread->lossReason(); }
int SshSession::openChannels() const { return m_thread->channels(); }

} // namespace trainyard::remote
