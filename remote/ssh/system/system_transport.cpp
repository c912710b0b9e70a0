// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/system/system_transport.h"

#include "engine/base/clock.h"
#include "engine/base/machine/mutex.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>

namespace trainyard::remote {
namespace {

constexpr int kGraceMs = 50; // between the first descriptor that an ending master closes and the last

} // namespace

Result<std::unique_ptr<MuxThread>> MuxThread::start(MasterPlan plan) {
    std::unique_ptr<MuxThread> thread(new MuxThread(std::move(plan)));
    std::promise<Result<void>> ready;
    auto end = ready.get_future();
    thread->m_thread =
        std::thread([&self = *thread, promise = std::move(ready)]() mutable { self.run(std::move(promise)); });
    TY_TRY(end.get());
    return thread;
}

MuxThread::MuxThread(MasterPlan plan) : m_plan(std::move(plan)), m_label(m_plan.host.label()), m_queue(m_label) {}

MuxThread::~MuxThread() {
    m_queue.stop();
    if (m_thread.joinable()) m_thread.join();
}

void MuxThread::signalled(std::int64_t pid, int signalNumber) {
    const MutexLock lock(m_mutex);
    m_signals.emplace_back(pid, signalNumber);
}

// The master is a child of this thread, with which it ends.
void MuxThread::run(std::promise<Result<void>> ready) {
    auto end = signIn();
    const bool works = end.ok();
    if (!works) {
        endMaster();
        lose(end.error().message);
    }
    ready.set_value(std::move(end));
    if (works) loop();
    endMaster();
}

// A signal that comes between its look for one and its wait is seen only at the end of that wait, seconds later. The
// end of the connection wakes it.
void MuxThread::endMaster() {
    if (m_master) m_master->terminate();
    m_keeper.reset();
    m_master.reset();
    std::error_code ignored;
    if (!m_plan.exists) std::filesystem::remove(m_plan.socket, ignored); // of one that had to be killed
}

Result<void> MuxThread::signIn() {
    if (m_plan.exists) {
        auto keeper = connectToMaster(m_plan.socket);
        if (!keeper)
            return environmentError("the connection that was left open has ended", m_label)
                .withCode(ErrorCode::ConnectionLost);
        m_keeper = std::move(*keeper);
        return {};
    }
    auto end = signInOnce(false);
    if (!end && end.error().code == ErrorCode::HostKeyUnknown) {
        TY_TRY(acceptKeys(m_plan.host, m_plan.options));
        end = signInOnce(false);
    }
    if (!end && end.error().code == ErrorCode::SignInRefused && m_plan.options.terminal) end = signInOnce(true);
    return end;
}

Result<void> MuxThread::signInOnce(bool onTerminal) {
    TY_ASSIGN(const auto config, sshConfigFile(sshConfigText(m_plan.options, onTerminal)));
    std::vector<std::string> words{"-F", config.string(), "-N", "-T", "-M", "-S", m_plan.socket.string()};
    words.insert(words.end(), {"-o", "ControlPersist=no", "-o", "ForkAfterAuthentication=no"});
    const auto destination = sshDestination(m_plan.host);
    words.insert(words.end(), destination.begin(), destination.end());
    std::optional<MutexLock> terminal;
    if (onTerminal) terminal.emplace(terminalMutex());
    TY_ASSIGN(auto master, SshProcess::start(words, onTerminal));
    const double deadline = monotonicSeconds() + (onTerminal ? kTerminalSeconds : 3 * m_plan.options.timeoutSeconds);
    while (!master.hasEnded(0.005)) {
        if (auto keeper = connectToMaster(m_plan.socket)) {
            m_keeper = std::move(*keeper);
            m_master.emplace(std::move(master));
            return {};
        }
        if (monotonicSeconds() > deadline) return sshError(m_plan.host, "Connection timed out while signing in");
    }
    return sshError(m_plan.host, master.said());
}

void MuxThread::loop() {
    bool busy = true;
    while (!done()) {
        waitForWork(busy);
        if (m_queue.lost()) continue;
        if (masterEnded(0)) {
            lose(whyLost());
            continue;
        }
        passSignals();
        busy = openNext();
        busy |= serviceAll();
    }
    lose("the connection was closed");
}

// Channels with a holder are not waited for.
bool MuxThread::done() {
    return m_queue.mayEnd(std::ranges::any_of(m_pumps, [](const auto& pump) { return !pump->holdsDescriptors(); }));
}

void MuxThread::waitForWork(bool busy) {
    std::vector<pollfd> fds{{m_queue.wakeFd(), POLLIN, 0}};
    if (!m_queue.lost()) {
        fds.push_back({m_keeper.get(), POLLIN, 0});
        if (m_master) fds.push_back({m_master->errorFd(), POLLIN, 0});
        for (const auto& pump : m_pumps) pump->addPollFds(fds);
    }
    constexpr int kLongestMs = 2000, kStoppingMs = 50;
    ::poll(fds.data(), fds.size(), busy ? 0 : m_queue.stopping() ? kStoppingMs : kLongestMs);
    m_queue.drainWake();
    if (m_master) m_master->hasEnded(0); // takes what it says
}

// True when the master has closed the connection to it that is kept open; what it says there is its greeting.
bool MuxThread::masterEnded(int milliseconds) {
    pollfd waiting{m_keeper.get(), POLLIN, 0};
    while (::poll(&waiting, 1, milliseconds) == 1) {
        std::array<char, 256> greeting; // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the read
        const ssize_t count = ::recv(m_keeper.get(), greeting.data(), greeting.size(), MSG_DONTWAIT);
        if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) return true;
    }
    return false;
}

std::string MuxThread::whyLost() {
    if (!m_master) return "the connection that was left open has ended";
    m_master->hasEnded(1);
    switch (sshTrouble(m_master->said())) {
    case SshTrouble::LinkCut:
    case SshTrouble::Unreachable: return "the host does not answer any more (link cut or host off)";
    case SshTrouble::LinkReset: return "the host reset the connection";
    default: return "the host closed the connection";
    }
}

void MuxThread::passSignals() {
    const MutexLock lock(m_mutex);
    for (const auto& [pid, signalNumber] : m_signals)
        for (const auto& pump : m_pumps) pump->signalled(pid, signalNumber);
    m_signals.clear();
}

bool MuxThread::openNext() {
    auto request = m_queue.next();
    if (!request) return false;
    auto control = connectToMaster(m_plan.socket);
    if (!control) {
        m_queue.channelEnded();
        request->opened.set_value(environmentError("the system's ssh does not answer", m_label));
        if (masterEnded(kGraceMs)) lose(whyLost());
        return false;
    }
    m_pumps.push_back(std::make_unique<MuxChannel>(std::move(*control), std::move(*request), m_label));
    return true;
}

bool MuxThread::serviceAll() {
    bool moved = false;
    for (std::size_t i = 0; i < m_pumps.size();) {
        moved |= m_pumps[i]->service();
        if (!m_pumps[i]->over()) {
            ++i;
            continue;
        }
        if (!m_pumps[i]->toldItsEnd() && masterEnded(kGraceMs)) {
            lose(whyLost());
            return false;
        }
        m_pumps[i]->recordEnd();
        m_pumps.erase(m_pumps.begin() + static_cast<std::ptrdiff_t>(i));
        m_queue.channelEnded();
    }
    return moved || !m_queue.empty();
}

void MuxThread::lose(const std::string& reason) {
    m_queue.lose(reason);
    for (const auto& pump : m_pumps) pump->lose(reason);
    m_pumps.clear();
}

} // namespace trainyard::remote
