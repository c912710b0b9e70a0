// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <optional>

namespace trainyard::run {

// Rule: what a keeper does whose supervisor is gone.
// Its program goes on. Rank 0 starts another supervisor after a short pause, another rank a second later for each rank
// before it, unless somebody has; at most 5 in ten minutes. After 60 s without one the program is asked to end. A
// value: times are monotonic seconds that are handed to it.
class LostSupervisor {
public:
    enum class Action { Wait, Start, GiveUp };

    // `mayStart`: false for a trial, whose sweep gives it to another slot, and for ranks on several hosts.
    LostSupervisor(int rank, bool mayStart) : m_rank(rank), m_mayStart(mayStart) {}

    void lost(double now);
    void found() { m_lostAt.reset(); } // another one has adopted this keeper
    bool isLost() const { return m_lostAt.has_value(); }
    bool isGivenUp() const { return m_isGivenUp; }

    // What is due now. After Start, started() or taken() says what came of it.
    Action next(double now);
    void started(double now); // one was, and may have its time
    void taken(double now);   // somebody else supervises the run, or starts to
    double due() const;       // when to ask again; only while it is lost

private:
    bool maySpend(double now);

    int m_rank;
    bool m_mayStart, m_isGivenUp = false;
    std::optional<double> m_lostAt;
    double m_startDue = 0, m_pause = 0;
    std::deque<double> m_starts; // of the last ten minutes
};

} // namespace trainyard::run
