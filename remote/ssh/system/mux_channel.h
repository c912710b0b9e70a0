// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/ssh/system: one channel of a connection that the system's ssh keeps.
#pragma once

#include "remote/ssh/system/mux_protocol.h"
#include "remote/ssh/transport.h"

#include <functional>

namespace trainyard::remote {

class MuxChannel : public TransportChannel {
public:
    // Asks the master behind `control` for the requested channel; answers the request. `label`: the host's, for
    // errors. `masterEnded` is asked when a channel is over and the master has not said how its program ended.
    MuxChannel(UniqueFd control, OpenRequest request, std::string label, std::function<bool()> masterEnded);

    Outcome service() override;
    void addPollFds(std::vector<pollfd>& fds) const override;
    // Remembers it: ssh does not report which signal ended a program.
    void signalled(std::int64_t group, int signalNumber) override;
    void lose(const std::string& reason) override;

private:
    Result<void> ask();
    bool listen();
    bool receive(UniqueFd& from, MarkedStream& stream);
    void take(const mux::Message& message);
    void answer(Result<void> end);
    bool outIsOver() const { return !m_outFrom && !m_out.blocked(); }
    bool isOver() const { return !m_control && outIsOver() && !m_errFrom && !m_err.blocked(); }
    bool toldItsEnd() const { return m_exitCode || m_isConnection || !m_hasHolder || m_abandoned; }
    void recordEnd();
    void close();

    const std::string m_label;
    const std::function<bool()> m_masterEnded;
    OpenRequest m_request;
    UniqueFd m_control;            // ends with the channel
    UniqueFd m_outFrom, m_errFrom; // to which the master writes
    bool m_outPassed = false, m_answered = false, m_abandoned = false;
    mux::Reader m_reader;
    std::int64_t m_pid = 0;
    int m_signal = 0;
    std::optional<int> m_exitCode;
};

} // namespace trainyard::remote
