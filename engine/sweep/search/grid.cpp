// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/search/searchers.h"

namespace trainyard::sweep {
namespace {

// Every combination, the last axis changing fastest.
class Grid final : public Searcher {
public:
    explicit Grid(std::vector<spec::Params> points) : m_points(std::move(points)) {}
    Suggestion suggest(int trial) const override {
        return {m_points[static_cast<std::size_t>(trial) % m_points.size()]};
    }
    void take(const Event&) override {}
    bool learns() const override { return false; }
    std::string state() const override { return "{}"; }

private:
    std::vector<spec::Params> m_points;
};

Result<std::unique_ptr<Searcher>> makeGrid(const SearcherFrame& frame) {
    TY_ASSIGN(auto points, spec::foreseenConfigurations(frame.spec));
    return std::unique_ptr<Searcher>(std::make_unique<Grid>(std::move(points)));
}

} // namespace

SearcherEntry gridSearcher() { return {{"grid", "Grid", "Every combination of the values."}, makeGrid}; }

} // namespace trainyard::sweep
