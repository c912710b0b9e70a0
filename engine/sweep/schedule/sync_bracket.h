// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/values/event.h"
#include "engine/sweep/values/pareto.h"

#include <deque>
#include <map>

namespace trainyard::sweep {

// Trials that are halved together. At each rung they pause until all have arrived; then the best ⌈n/factor⌉ continue
// and the others stop. The bracket no longer waits for a trial that ends or fails; one that failed, or whose loss is
// not finite, still counts in n, as one that is stopped. With a deadline, counted from when half have arrived, absent
// trials are judged by their result at the previous rung; those without one stop.
class SyncBracket {
public:
    struct Options {
        double factor = 3;
        bool paired = false; // trials are compared by two series
        double deadline = 0; // seconds; 0: there is none
    };
    // `rule` is the scheduler's name, for the reasons.
    SyncBracket(std::string rule, std::vector<double> rungs, Options options)
        : m_rule(std::move(rule)), m_rungs(std::move(rungs)), m_options(options) {}

    void add(int trial) { m_live[trial] = {}; }
    bool anyReady() const { return !m_ready.empty(); }
    // A report at or after the next rung, an earlier one, or one of a paused trial: only the first kind has an effect.
    std::vector<Order> report(const Event& report);
    std::vector<Order> leave(const Event& event); // Ended, Failed or Stopped
    // The order to go on for the next trial that may; empty: none.
    std::vector<Order> resume();
    double nextReport(int trial) const;
    std::vector<Order> tick(double seconds); // that the sweep has taken
    double nextTick() const;                 // Scheduler::nextTick
    std::string state() const;               // JSON

private:
    static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    static constexpr LossPair kNone{kNan, kNan};
    struct Member {
        bool arrived = false;
        LossPair losses = kNone; // at the last rung that it came to
        int turn = 0;            // in which they arrived there
        bool wentWrong = false;  // it is being stopped for a loss that is no number
    };
    std::vector<std::pair<int, Member>> ranked() const;
    std::vector<Order> judgeWhenComplete(int lastTrial);
    std::vector<Order> judge(int lastTrial);

    std::string m_rule;
    std::vector<double> m_rungs;
    Options m_options;
    std::size_t m_rung = 0; // that all train to
    std::map<int, Member> m_live;
    std::size_t m_arrived = 0;
    std::size_t m_lost = 0; // failed or went wrong on the way to this rung
    int m_turn = 0;
    double m_judgeAt = kNever; // seconds; whoever has come by then
    std::deque<int> m_ready;   // pause, and may go on
};

} // namespace trainyard::sweep
