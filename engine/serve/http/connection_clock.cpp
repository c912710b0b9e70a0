// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/http/connection_clock.h"

#include <limits>

namespace trainyard::serve {

void ConnectionClock::bytesCame(double now) {
    if (m_phase == Phase::Idle && m_notices++ == 0) m_firstBytes = now;
}

void ConnectionClock::lineCame(double now) {
    if (m_phase != Phase::Idle) return;
    m_phase = Phase::Header;
    m_since = hasBegun() ? m_firstBytes : now;
}

void ConnectionClock::headCame(double now, std::optional<std::uint64_t> bytes) {
    m_phase = Phase::Body;
    m_since = now;
    m_allowed = secondsFor(bytes.value_or(m_limits->bodyBytes));
}

void ConnectionClock::bodyCame(double now) {
    m_phase = Phase::Waiting;
    m_since = now;
}

void ConnectionClock::answered(double now, std::size_t bytes) {
    m_phase = Phase::Sending;
    m_since = now;
    m_allowed = secondsFor(bytes);
}

void ConnectionClock::ended(double now) {
    m_phase = Phase::Idle;
    m_since = now;
    m_notices = 0;
    m_fresh = false;
}

double ConnectionClock::deadline() const {
    switch (m_phase) {
    case Phase::Idle:
        if (hasBegun()) return m_firstBytes + m_limits->headerSeconds;
        return m_since + m_limits->idleSeconds;
    case Phase::Header: return m_since + m_limits->headerSeconds;
    case Phase::Waiting: return std::numeric_limits<double>::infinity();
    case Phase::Body:
    case Phase::Sending: break;
    }
    return m_since + m_allowed;
}

double ConnectionClock::secondsFor(std::uint64_t bytes) const {
    return m_limits->bodySeconds + m_limits->secondsPerMegabyte * static_cast<double>(bytes) / 1e6;
}

} // namespace trainyard::serve
