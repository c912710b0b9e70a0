// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/math/hash_draw.h"
#include "engine/sweep/search/history.h"
#include "engine/sweep/search/searchers.h"

namespace trainyard::sweep {

// A searcher with a model of its observations. Draws at random until it has enough of them, and repeats a point only
// when no other is left.
class LearningSearcher : public Searcher {
public:
    LearningSearcher(const SearcherFrame& frame, std::size_t startup);

    Suggestion suggest(int trial) const override;
    void take(const Event& event) override { m_history.take(event); }
    // Forgets what was tried outside of them.
    void setSpace(const std::vector<spec::Axis>& space) override;
    std::string state() const override { return m_history.state(); }

protected:
    // A point that the model rates as good. There are at least `startup` losses. `memo` goes into the suggestion.
    virtual Point propose(int trial, DrawStream& draws, std::vector<double>& memo) const = 0;
    const Space& space() const { return m_space; }
    const History& history() const { return m_history; }

private:
    Space m_space;
    History m_history;
    std::size_t m_startup;
    std::uint64_t m_seed;
    int m_randomEvery;
};

} // namespace trainyard::sweep
