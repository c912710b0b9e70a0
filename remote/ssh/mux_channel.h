// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/: one channel of a connection that the system's ssh keeps, on the thread of that connection.
#pragma once

#include "remote/ssh/marked_stream.h"
#include "remote/ssh/mux_protocol.h"

#include <poll.h>

#include <optional>
#include <vector>

namespace trainyard::remote {

class MuxChannel {
public:
    // Asks the master behind `control` for what the request wants; the answer goes to the request. `label`: the host's,
    // for errors.
    MuxChannel(UniqueFd control, OpenRequest request, std::string label);

    // Moves what can be moved; true when something moved.
    bool service();
    void addPollFds(std::vector<pollfd>& fds) const;
    // The master has no more to say of it. Whether that was the end of the program, or of the master, it does not tell.
    bool over() const;
    // The master has told how the program ended, or that there is none.
    bool toldItsEnd() const { return m_exitCode.has_value() || m_isConnection || !m_hadDescriptors || m_abandoned; }
    // Records how the program ended.
    void recordEnd();
    // The link is gone: closes the descriptors and reports an exit status with hostLost.
    void lose(const std::string& reason);
    bool holdsDescriptors() const { return m_hadDescriptors; }
    // A signal is sent to this process group. Only so is it known which one ended a program: ssh does not tell.
    void signalled(std::int64_t pid, int signalNumber);

private:
    // One stream of the program: from the descriptor that the master writes to, to that of its reader.
    struct Stream {
        UniqueFd to, from;
        MarkedStream bytes;

        Result<UniqueFd> open(); // the master's end
        bool give() { return bytes.give(to.get()); }
        bool isOver() const { return !from && !bytes.blocked(); }
        void addPollFds(std::vector<pollfd>& fds, bool takesMore) const;
        void close();
    };
    Result<void> ask(const OpenRequest& request);
    bool listen();
    bool receive(Stream& stream);
    void take(const mux::Message& message);
    void answer(Result<void> end);
    Error refusal(const std::string& reason) const;
    void closeDescriptors();

    const std::string m_label, m_target; // of a TCP connection: "127.0.0.1 port 80"
    UniqueFd m_control;                  // ends with the channel
    Stream m_out, m_err;
    const bool m_hadDescriptors, m_isConnection;
    bool m_outPassed = false, m_answered = false, m_abandoned = false;
    std::shared_ptr<ChannelState> m_state;
    std::promise<Result<void>> m_opened;
    mux::Reader m_reader;
    std::int64_t m_pid = 0;
    int m_signal = 0;
    std::optional<int> m_exitCode;
};

} // namespace trainyard::remote
