// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/: one channel of a connection that the system's ssh keeps, on the thread of that connection.
#pragma once

#include "remote/ssh/marked_stream.h"
#include "remote/ssh/system/mux_protocol.h"

#include <poll.h>

#include <optional>
#include <vector>

namespace trainyard::remote {

class MuxChannel {
public:
    // Asks the master behind `control` for the requested channel; answers the request. `label`: the host's, for
    // errors.
    MuxChannel(UniqueFd control, OpenRequest request, std::string label);

    // Moves available bytes; true if any moved.
    bool service();
    void addPollFds(std::vector<pollfd>& fds) const;
    // The master has finished with the channel. Does not say whether the program or the master ended.
    bool over() const;
    // The master reported the program's end, or there is no program.
    bool toldItsEnd() const { return m_exitCode.has_value() || m_isConnection || !m_hadDescriptors || m_abandoned; }
    // Records how the program ended.
    void recordEnd();
    // After the link is lost: closes the descriptors and reports an exit status with hostLost.
    void lose(const std::string& reason);
    bool holdsDescriptors() const { return m_hadDescriptors; }
    // Remembers a signal sent to this process group: ssh does not report which signal ended a program.
    void signalled(std::int64_t pid, int signalNumber);

private:
    // One stream of the program: from the descriptor that the master writes to, to its reader's.
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
