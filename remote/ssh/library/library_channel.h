// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/ssh/library: one channel's bytes between libssh2 and plain descriptors.
#pragma once

#include "remote/ssh/transport.h"

struct _LIBSSH2_CHANNEL;

namespace trainyard::remote {

class RawSession;

class LibraryChannel : public TransportChannel {
public:
    // Answers the request. A TCP connection ends when the host ends it.
    LibraryChannel(RawSession& raw, _LIBSSH2_CHANNEL* channel, OpenRequest& request);

    Outcome service() override;
    void addPollFds(std::vector<pollfd>& fds) const override;
    bool wantsInbound() const override { return !blocked() || !m_input.empty() || m_closing; }

private:
    Outcome receive(MarkedStream& stream, int id); // of libssh2: 0 or 1
    Outcome sendInput();
    Outcome sendEof();
    Outcome finish();
    Outcome judge(long code) const;
    void recordEnd();

    RawSession& m_raw;
    _LIBSSH2_CHANNEL* m_channel;
    std::string m_input; // taken from the holder, not yet by the channel
    std::size_t m_inputOffset = 0;
    bool m_inputOpen, m_eofSent = false;
    bool m_closing = false;  // our side asked to close
    bool m_draining = false; // end of file was read, the exit status follows
};

} // namespace trainyard::remote
