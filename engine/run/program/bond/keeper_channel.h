// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/wire/messages.h"

#include <cstddef>
#include <vector>

namespace trainyard::run {

// A keeper's line to its supervisor, over a pair of descriptors that it does not own. Never blocks.
class KeeperChannel {
public:
    KeeperChannel(int readFd, int writeFd);

    int readFd() const { return m_readFd; }
    int writeFd() const { return m_writeFd; }
    // The descriptors are those of another supervisor's line now.
    void reopen();
    // Whole messages that have come. Sets isOver() at the end of the stream. Input: what came is no frame.
    Result<std::vector<wire::Message>> receive();
    void send(const wire::Message& message); // what cannot be sent now goes out with flush()
    void flush();
    bool hasUnsent() const { return m_sent < m_outgoing.size() && !m_isOver; }
    void close() { m_isOver = true; }        // nothing more is read or sent
    bool isHungUp() const;                   // the other end is closed, whether all was read or not
    bool isOver() const { return m_isOver; } // the supervisor, or the way to it, is gone
    // Waits until all is sent, at most these seconds; false if it is not.
    bool drain(double seconds);

private:
    int m_readFd, m_writeFd;
    wire::Decoder m_decoder;
    std::vector<std::byte> m_outgoing;
    std::size_t m_sent = 0;
    bool m_isOver = false;
};

} // namespace trainyard::run
