// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/search/first_searcher.h"

namespace trainyard::sweep {
namespace {

class FirstSearcher final : public Searcher {
public:
    FirstSearcher(std::unique_ptr<Searcher> searcher, std::vector<spec::Params> first)
        : m_searcher(std::move(searcher)), m_first(std::move(first)) {}

    Suggestion suggest(int trial) const override {
        const auto number = static_cast<std::size_t>(trial);
        if (number < m_first.size()) return {m_first[number]};
        return m_searcher->suggest(trial - count());
    }
    void take(const Event& event) override {
        Event passed = event;
        if (event.trial >= 0) passed.trial -= count();
        m_searcher->take(passed);
    }
    bool learns() const override { return m_searcher->learns(); }
    void setSpace(const std::vector<spec::Axis>& space) override { m_searcher->setSpace(space); }
    std::string state() const override { return m_searcher->state(); }

private:
    int count() const { return static_cast<int>(m_first.size()); }

    std::unique_ptr<Searcher> m_searcher;
    std::vector<spec::Params> m_first;
};

} // namespace

std::unique_ptr<Searcher> withFirst(std::unique_ptr<Searcher> searcher, std::vector<spec::Params> first) {
    if (first.empty()) return searcher;
    return std::make_unique<FirstSearcher>(std::move(searcher), std::move(first));
}

Result<std::unique_ptr<Searcher>> makeAfterFirst(const SearcherEntry& entry, SearcherFrame frame) {
    auto first = spec::firstConfigurations(frame.spec);
    frame.spec.first.clear();
    for (auto& start : frame.spec.warmStart) start.best = 0;
    TY_ASSIGN(auto searcher, entry.make(frame));
    return withFirst(std::move(searcher), std::move(first));
}

} // namespace trainyard::sweep
