// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/: one channel's bytes between libssh2 and plain descriptors, on the session's thread.
#pragma once

#include "remote/ssh/marked_stream.h"

#include <poll.h>

#include <vector>

struct _LIBSSH2_CHANNEL;

namespace trainyard::remote {

class RawSession;

// Moves bytes between an SSH channel and a local descriptor.
class ChannelPump {
public:
    // Without descriptors (both empty) the program's output is dropped. Without a marker all bytes are passed on, and
    // the channel ends when the host ends it: a TCP connection.
    ChannelPump(RawSession& raw, _LIBSSH2_CHANNEL* channel, std::shared_ptr<ChannelState> state, std::string marker,
                UniqueFd data, UniqueFd log);

    enum class Outcome { Idle, Progress, Ended, LinkLost };
    Outcome service();
    // Adds the descriptors that this pump waits for.
    void addPollFds(std::vector<pollfd>& fds) const;
    // Whether it can take bytes from the host now. With a slow reader they stay in the channel's window.
    bool wantsInbound() const { return !blocked() || !m_input.empty() || m_closing; }
    // After the link is lost: closes the descriptors and reports an exit status with hostLost.
    void lose(const std::string& reason);
    bool holdsDescriptors() const { return m_hadDescriptors; }

private:
    bool blocked() const { return m_out.blocked() || m_err.blocked(); }
    Outcome receive(MarkedStream& stream, int id); // of libssh2: 0 or 1
    Outcome sendInput();
    Outcome sendEof();
    Outcome finish();
    Outcome judge(long code) const;
    void recordEnd();
    void closeDescriptors();

    RawSession& m_raw;
    _LIBSSH2_CHANNEL* m_channel;
    std::shared_ptr<ChannelState> m_state;
    UniqueFd m_data, m_log;
    bool m_hadDescriptors;
    const bool m_isConnection;
    MarkedStream m_out, m_err;
    std::string m_input; // taken from the holder, not yet by the channel
    std::size_t m_inputOffset = 0;
    bool m_inputOpen = true, m_eofSent = false;
    bool m_closing = false;  // our side asked to close
    bool m_draining = false; // end of file was read, the exit status follows
};

} // namespace trainyard::remote
