// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::run {

// Rule: when a keeper counts its supervisor as gone.
// It has heard nothing for failure.linkSeconds: a link that is cut in silence never ends. A value: times are monotonic
// seconds.
class SupervisorWatch {
public:
    SupervisorWatch(double linkSeconds, double now) : m_linkSeconds(linkSeconds), m_heard(now) {}

    void heard(double now) { m_heard = now; }
    bool isGone(double now) const { return now - m_heard >= m_linkSeconds; }

private:
    double m_linkSeconds, m_heard;
};

} // namespace trainyard::run
