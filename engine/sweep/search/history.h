// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/values/event.h"
#include "engine/sweep/values/space.h"

#include <map>
#include <set>

namespace trainyard::sweep {

// Observations of a learning searcher: the points of trials, and their losses at each rung of the scheduler and at
// their ends. Losses of different rungs are not comparable, so it learns from one level at a time: the highest one
// with enough losses.
class History {
public:
    struct Loss {
        int trial = -1;
        double loss = 0;                                          // not finite: failed, or no number
        double second = std::numeric_limits<double>::quiet_NaN(); // where there are two series
    };
    using Level = std::vector<Loss>; // in the order in which they came

    // `enough`: the number of losses that a level needs to be used. `paired`: ends have losses of two series, and a
    // trial without one of them has none.
    History(const Space& space, std::vector<double> rungs, std::size_t enough, bool paired = false);

    void take(const Event& event);
    // The space has other axes than `before`: forgets trials outside them.
    void moveFrom(const Space& before);
    // Results of an earlier sweep, before any event of this one. Comparable losses count as those of ends; otherwise
    // only their order is used, until a level has enough losses of its own.
    void recall(const spec::WarmStart& earlier);
    // The level to learn from; the lowest one while none has enough.
    const Level& level() const { return used().losses; }
    // Whether the losses of the level are pairs.
    bool isPaired() const { return m_paired && &used() != &m_recalled; }
    // Indices into level() of the best `count` losses; fewer if fewer are finite. bestFirst() orders pairs.
    std::vector<std::size_t> best(std::size_t count) const;
    double worstFinite() const; // of the level; 0 when no loss is
    // Trials that stopped or failed before this level: worse than all that reached it.
    const std::vector<int>& beaten() const { return m_beaten; }
    // The trial's loss at its last rung minus the least loss there. NaN: it has none, or none that is finite.
    double behind(int trial) const;
    const Point& point(int trial) const { return m_trials.at(trial).point; }
    // Trials that train or pause without a loss at this level yet.
    std::vector<int> pending() const;
    const std::set<Point>& points() const { return m_points; } // of all trials
    std::string state() const;                                 // JSON

private:
    struct TrialRecord {
        Point point;
        std::size_t next = 0; // the first level it has no loss at and may still get one
        double best = kNever; // of its reports
        double last = std::numeric_limits<double>::quiet_NaN(); // its loss at the level before `next`
    };
    struct Losses {
        Level losses;
        std::set<std::pair<double, std::size_t>> ranked; // the finite ones, with their index
        void rank();
    };
    const Losses& used() const {
        const Losses& own = m_levels[m_use];
        return own.losses.size() >= m_enough || m_recalled.losses.empty() ? own : m_recalled;
    }
    void record(int trial, std::size_t level, double loss, double second = std::numeric_limits<double>::quiet_NaN());
    void leave(int trial);
    void rejoin(int trial);
    void findBeaten();

    const Space& m_space;
    std::vector<double> m_rungs;
    std::size_t m_enough;
    bool m_paired;
    std::map<int, TrialRecord> m_trials;
    std::set<int> m_running;
    std::set<Point> m_points;
    std::vector<Losses> m_levels; // one for each rung, and the ends
    Losses m_recalled;            // ranks in place of losses
    int m_recalls = 0;
    std::size_t m_use = 0;
    std::vector<int> m_over, m_beaten; // of those that were stopped or failed, all and the beaten ones
};

} // namespace trainyard::sweep
