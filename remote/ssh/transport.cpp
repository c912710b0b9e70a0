// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/transport.h"

namespace trainyard::remote {

bool ChannelState::isAbandoned() {
    const MutexLock lock(mutex);
    return abandoned;
}

void ChannelState::recordStart(std::int64_t process) {
    const MutexLock lock(mutex);
    pid = process;
    changed.notifyAll();
}

void ChannelState::recordEnd(const run::ExitStatus& how, std::string said) {
    const MutexLock lock(mutex);
    ended = true;
    status = how;
    chatter = std::move(said);
    changed.notifyAll();
}

void ChannelState::recordLoss(const std::string& reason) {
    const MutexLock lock(mutex);
    ended = true;
    status = {false, 255, true};
    lossReason = reason;
    changed.notifyAll();
}

Error channelRefused(const OpenRequest& request, const std::string& label, const std::string& said) {
    if (request.connects())
        return environmentError("nothing answers at " + request.address + " port " + std::to_string(request.port) +
                                    " of the host",
                                label, "start what listens there; sshd may also forbid AllowTcpForwarding");
    return environmentError("the host allows no further channel on this connection" +
                                (said.empty() ? std::string() : " (" + said + ")"),
                            label, "raise MaxSessions in the host's sshd_config");
}

Error commandRefused(const std::string& label, const std::string& said) {
    return environmentError("the host did not run a command" + (said.empty() ? std::string() : ": " + said), label,
                            "check that the account may run programs (its shell, ForceCommand)");
}

TransportChannel::TransportChannel(OpenRequest& request)
    : m_state(request.state), m_data(std::move(request.data)), m_log(std::move(request.log)),
      m_hasHolder(static_cast<bool>(m_data)), m_isConnection(request.connects()), m_out(request.marker),
      m_err(request.marker) {
    if (m_hasHolder) return;
    m_out.drop();
    m_err.drop();
}

bool TransportChannel::give() {
    const bool out = m_out.give(m_data.get());
    return m_err.give(m_log.get()) || out;
}

void TransportChannel::closeDescriptors() {
    m_data.reset();
    m_log.reset();
    m_out.drop();
    m_err.drop();
}

void TransportChannel::lose(const std::string& reason) {
    // The cause is the last line of the program's log.
    if (!m_err.dropped()) m_err.append("trainyard: connection lost: " + reason + "\n");
    give();
    m_state->recordLoss(reason);
    closeDescriptors();
}

} // namespace trainyard::remote
