// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

namespace trainyard::run {

// Rule: when a program counts as hung.
// It prints nothing, reports nothing and computes nothing for the limit; or it has reported regularly, and reports
// nothing for the limit and for 20 times as long as usual, though it computes: NCCL spins while it waits. Before its
// first metric it may take its time, and for half an hour a warning is all that comes. A limit of 0: never. A value:
// times are monotonic seconds.
class HangWatch {
public:
    enum class Verdict { Fine, Warn, Hung };

    // `limit`: failure.heartbeatSeconds.
    HangWatch(double limit, double now)
        : m_limit(limit), m_begun(now), m_reported(now), m_printed(now), m_computed(now) {}

    void reported(double now);
    void printed(double now) { m_printed = now; }
    void computed(double now) { m_computed = now; } // it took processor time
    // These seconds do not count: it was paused, or nobody looked.
    void passOver(double seconds);
    // Warn at most once until the next sign of life.
    Verdict look(double now);
    double stillSeconds(double now) const; // for how long nothing has come
    double quietSeconds(double now) const; // the same, and nothing has been computed

private:
    double m_limit, m_begun, m_reported, m_printed, m_computed;
    double m_usual = 0; // between two reports, a mean over the last ones; 0: there were fewer than two
    bool m_hasReported = false, m_warned = false;
};

} // namespace trainyard::run
