// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

namespace trainyard::run {

// How long a host holds a rank whose supervisor is silent. A value: times are monotonic seconds passed to it.
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
    // The time after which nobody is waited for. A channel that ends in silence was cut before, and the supervisor may
    // live. One that ends while the supervisor is heard ended with it or was reset, which shows soon.
    double until() const;
    // Tell the rank that its supervisor is gone. While there is a channel, the rank finds out by itself (LinkWatch).
    bool isOver(double now) const { return m_ended && now >= until(); }

private:
    double m_linkSeconds, m_heard;
    std::optional<double> m_ended;
};

} // namespace trainyard::run
