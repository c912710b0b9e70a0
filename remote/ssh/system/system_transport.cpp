// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/system/system_transport.h"

#include "engine/base/clock.h"
#include "engine/run/launch/socket_path.h"
#include "remote/ssh/channel_thread.h"
#include "remote/ssh/link_loss.h"
#include "remote/ssh/ssh_limits.h"
#include "remote/ssh/system/left_open.h"
#include "remote/ssh/system/mux_channel.h"
#include "remote/ssh/system/ssh_client.h"
#include "remote/ssh/system/ssh_master.h"
#include "remote/ssh/system/ssh_process.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>

namespace fs = std::filesystem;

namespace trainyard::remote {
namespace {

constexpr int kGraceMs = 50; // between the first descriptor that an ending master closes and the last

class SystemTransport : public Transport {
public:
    // `left`: the connection belongs to another process, and stays when this one is done with it.
    SystemTransport(const HostEntry& host, ConnectOptions options, fs::path socket, bool left)
        : m_host(host), m_label(host.label()), m_options(std::move(options)), m_socket(std::move(socket)),
          m_left(left) {}

    // The master is a child of this thread, with which it ends.
    Result<void> begin() override;
    void end(bool lost) override;
    Result<std::unique_ptr<TransportChannel>> open(OpenRequest& request) override;
    void addPollFds(std::vector<pollfd>& fds, const TransportChannels& channels) override;
    std::optional<std::string> check(std::span<const pollfd> happened) override;
    double secondsUntilCheck() const override { return kProbeSeconds; }
    std::string whyLost() override;

private:
    Result<void> signInOnce(bool onTerminal);
    bool masterEnded(int milliseconds) const;

    const HostEntry m_host;
    const std::string m_label;
    const ConnectOptions m_options;
    const fs::path m_socket;
    const bool m_left;
    std::optional<SshProcess> m_master;
    UniqueFd m_keeper; // a connection to the master, which ends with it
};

Error leftHasEnded(const std::string& label) {
    return environmentError("the connection that was left open has ended", label).withCode(ErrorCode::ConnectionLost);
}

Result<void> SystemTransport::begin() {
    if (m_left) {
        auto keeper = connectToMaster(m_socket);
        if (!keeper) return leftHasEnded(m_label);
        m_keeper = std::move(*keeper);
        return {};
    }
    auto end = signInOnce(false);
    if (!end && end.error().code == ErrorCode::HostKeyUnknown) {
        TY_TRY(acceptKeys(m_host, m_options));
        end = signInOnce(false);
    }
    if (!end && end.error().code == ErrorCode::SignInRefused && m_options.terminal) end = signInOnce(true);
    return end;
}

Result<void> SystemTransport::signInOnce(bool onTerminal) {
    TY_ASSIGN(const auto config, sshConfigFile(sshConfigText(m_options, onTerminal)));
    std::vector<std::string> words{"-F", config.string(), "-N", "-T", "-M", "-S", m_socket.string()};
    words.insert(words.end(), {"-o", "ControlPersist=no", "-o", "ForkAfterAuthentication=no"});
    const auto destination = sshDestination(m_host);
    words.insert(words.end(), destination.begin(), destination.end());
    std::optional<MutexLock> terminal;
    if (onTerminal) terminal.emplace(terminalMutex());
    TY_ASSIGN(auto master, SshProcess::start(words, onTerminal));
    const double deadline = monotonicSeconds() + (onTerminal ? kTerminalSeconds : 3 * m_options.timeoutSeconds);
    while (!master.hasEnded(0.005)) {
        if (auto keeper = connectToMaster(m_socket)) {
            m_keeper = std::move(*keeper);
            m_master.emplace(std::move(master));
            return {};
        }
        if (monotonicSeconds() > deadline) return sshError(m_host, "Connection timed out while signing in");
    }
    return sshError(m_host, master.said());
}

// A signal that comes between ssh's look for one and its wait is seen only at the end of that wait, seconds later. The
// end of the connection wakes it.
void SystemTransport::end(bool /*lost*/) {
    if (m_master) m_master->terminate();
    m_keeper.reset();
    m_master.reset();
    std::error_code ignored;
    if (!m_left) fs::remove(m_socket, ignored); // of one that had to be killed
}

Result<std::unique_ptr<TransportChannel>> SystemTransport::open(OpenRequest& request) {
    if (auto control = connectToMaster(m_socket))
        return std::unique_ptr<TransportChannel>(std::make_unique<MuxChannel>(
            std::move(*control), std::move(request), m_label, [this] { return masterEnded(kGraceMs); }));
    Error error = environmentError("the system's ssh does not answer", m_label);
    return masterEnded(kGraceMs) ? std::move(error).withCode(ErrorCode::ConnectionLost) : error;
}

void SystemTransport::addPollFds(std::vector<pollfd>& fds, const TransportChannels& /*channels*/) {
    fds.push_back({m_keeper.get(), POLLIN, 0});
    if (m_master) fds.push_back({m_master->errorFd(), POLLIN, 0});
}

std::optional<std::string> SystemTransport::check(std::span<const pollfd> /*happened*/) {
    if (m_master) m_master->hasEnded(0); // takes what it says
    return masterEnded(0) ? std::optional(whyLost()) : std::nullopt;
}

// True when the master has closed the connection to it that is kept open; what it says there is its greeting.
bool SystemTransport::masterEnded(int milliseconds) const {
    pollfd waiting{m_keeper.get(), POLLIN, 0};
    while (::poll(&waiting, 1, milliseconds) == 1) {
        std::array<char, 256> greeting; // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the read
        const ssize_t count = ::recv(m_keeper.get(), greeting.data(), greeting.size(), MSG_DONTWAIT);
        if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) return true;
    }
    return false;
}

std::string SystemTransport::whyLost() {
    if (!m_master) return leftHasEnded(m_label).message;
    m_master->hasEnded(1);
    switch (sshTrouble(m_master->said())) {
    case SshTrouble::LinkCut:
    case SshTrouble::Unreachable: return kHostIsSilent;
    case SshTrouble::LinkReset: return kHostReset;
    default: return kHostClosed;
    }
}

} // namespace

Result<std::shared_ptr<SshSession>> connectOverSystem(const HostEntry& host, const ConnectOptions& options,
                                                      ChannelReason reason) {
    TY_TRY(validateHost(host));
    const bool left = reason == ChannelReason::LeftOpen;
    TY_ASSIGN(auto socket, left ? leftMaster(host) : run::socketFolder());
    if (!left) socket /= privateName();
    const double start = monotonicSeconds();
    auto transport = std::make_unique<SystemTransport>(host, options, std::move(socket), left);
    TY_ASSIGN(auto thread, ChannelThread::start(std::move(transport), host.label()));
    SshFacts facts;
    facts.overSystem = reason;
    facts.authMethod = channelText(reason);
    facts.signInSeconds = monotonicSeconds() - start;
    return std::make_shared<SshSession>(host, std::move(facts), std::move(thread));
}

} // namespace trainyard::remote
