// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/searchers.h"

namespace trainyard::sweep {
namespace {

class Random final : public Searcher {
public:
    explicit Random(spec::SweepSpec spec) : m_spec(std::move(spec)) {}
    Suggestion suggest(int trial) const override { return {spec::randomParams(m_spec, trial)}; }
    void take(const Event&) override {}
    bool learns() const override { return false; }
    void setSpace(const std::vector<spec::Axis>& space) override { m_spec.space = space; }
    std::string state() const override { return "{}"; }

private:
    spec::SweepSpec m_spec;
};

Result<std::unique_ptr<Searcher>> makeRandom(const SearcherFrame& frame) {
    return std::unique_ptr<Searcher>(std::make_unique<Random>(frame.spec));
}

} // namespace

SearcherEntry randomSearcher() { return {{"random", "Random", "Independent draws."}, makeRandom}; }

} // namespace trainyard::sweep
