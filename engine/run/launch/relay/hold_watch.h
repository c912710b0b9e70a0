// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

namespace trainyard::run {

// For how long a host holds a rank whose supervisor cannot be heard. A value: times are monotonic seconds that are
// handed to it.
class HoldWatch {
public:
    // `linkSeconds`: failure.linkSeconds. There is a channel.
    HoldWatch(double linkSeconds, double now) : m_linkSeconds(linkSeconds), m_heard(now) {}

    void heard(double now) { m_heard = now; }
    void attached(double now) { // a channel is there again
        m_ended.reset();
        m_heard = now;
    }
    void ended(double now) { // the channel has
        if (!m_ended) m_ended = now;
    }
    // When nobody is waited for any more. A channel that ends in silence was cut before that: the supervisor may well
    // live. One that ends while the supervisor is heard ends with it, or was reset: that is soon found out.
    double until() const;
    // The rank is to know that its supervisor is gone. While there is a channel, it finds out by itself (LinkWatch).
    bool isOver(double now) const { return m_ended && now >= until(); }

private:
    double m_linkSeconds, m_heard;
    std::optional<double> m_ended;
};

} // namespace trainyard::run
