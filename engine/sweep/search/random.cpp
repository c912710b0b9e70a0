// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/search/searchers.h"

#include <nlohmann/json.hpp>

#include <set>

namespace trainyard::sweep {
namespace {

class Random final : public Searcher {
public:
    explicit Random(spec::SweepSpec spec) : m_spec(std::move(spec)) {}
    Suggestion suggest(int trial) const override { return {spec::freshParams(m_spec, trial, m_taken)}; }
    void take(const Event& event) override {
        if (event.kind == Event::Kind::Started) m_taken.insert(event.params);
    }
    bool learns() const override { return false; }
    void setSpace(const std::vector<spec::Axis>& space) override { m_spec.space = space; }
    std::string state() const override { return nlohmann::json{{"taken", m_taken.size()}}.dump(); }

private:
    spec::SweepSpec m_spec;
    std::set<spec::Params> m_taken; // by trials that have begun, in the order of their numbers
};

Result<std::unique_ptr<Searcher>> makeRandom(const SearcherFrame& frame) {
    return std::unique_ptr<Searcher>(std::make_unique<Random>(frame.spec));
}

} // namespace

SearcherEntry randomSearcher() { return {{"random", "Random", "Independent draws."}, makeRandom}; }

} // namespace trainyard::sweep
