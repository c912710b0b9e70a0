// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serve/http/http_options.h"

#include <optional>

namespace trainyard::serve {

// The deadlines of one connection. libmicrohttpd knows silence alone: who sends a byte a second would hold a connection
// for ever. Times are monotonicSeconds().
class ConnectionClock {
public:
    enum class Phase { Idle, Header, Body, Waiting, Sending };

    ConnectionClock(const HttpLimits& limits, double now) : m_limits(&limits), m_since(now) {}

    // Something arrived. In an idle connection a request begins with it. Behind an answer the first such notice may be
    // of bytes of the request that was answered, so only a second one counts.
    void bytesCame(double now);
    void lineCame(double now);                                     // the request line is complete
    void headCame(double now, std::optional<std::uint64_t> bytes); // the header, with the length of the body
    void bodyCame(double now);                                     // from here on the handler's time runs
    void answered(double now, std::size_t bytes);                  // bytes of the answer
    void ended(double now);                                        // the answer is sent

    Phase phase() const { return m_phase; }
    // Whether nothing of a request has come.
    bool isIdle() const { return m_phase == Phase::Idle && !hasBegun(); }
    // When its time is over; infinite: while the handler works.
    double deadline() const;

private:
    double secondsFor(std::uint64_t bytes) const;
    bool hasBegun() const { return m_notices > (m_fresh ? 0 : 1); }

    const HttpLimits* m_limits;
    Phase m_phase = Phase::Idle;
    double m_since, m_firstBytes = 0, m_allowed = 0;
    int m_notices = 0;
    bool m_fresh = true; // no request has ended yet
};

} // namespace trainyard::serve
