// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/: one stream of a remote program, from the marker that shellCommand() puts before it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace trainyard::remote {

class MarkedStream {
public:
    // Without a marker all bytes are passed on.
    explicit MarkedStream(const std::string& marker) : m_marker("\n" + marker + " "), m_started(marker.empty()) {}

    // Takes bytes from the host. Returns the process id when it finds the marker, else 0.
    std::int64_t accept(std::string_view bytes);
    // Passes pending bytes to the reader; true if any moved.
    bool give(int fd);
    bool blocked() const { return !m_pending.empty(); }
    // Drops pending and later bytes.
    void drop();
    bool dropped() const { return m_dropped; }
    void append(std::string_view bytes) { m_pending += bytes; } // as if the host had said it
    bool talksTooMuch() const { return m_head.size() > kMaxChatter; }
    const std::string& head() const { return m_head; } // what came before the marker

private:
    static constexpr std::size_t kMaxChatter = 1u << 20; // a profile that prints more than this is no login
    std::string m_marker;
    bool m_started;
    std::string m_head;    // before the marker
    std::string m_pending; // taken from the channel, not yet by the reader
    std::size_t m_offset = 0;
    bool m_dropped = false; // the reader has closed its end
};

} // namespace trainyard::remote
