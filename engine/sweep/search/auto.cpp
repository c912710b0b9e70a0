// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/search/searchers.h"

#include <algorithm>

namespace trainyard::sweep {
namespace {

// Above these a Gaussian process costs more than it gives.
constexpr std::size_t kMaxGpAxes = 20;
constexpr int kMaxGpTrials = 500;

Result<std::unique_ptr<Searcher>> makeChosen(const SearcherFrame& frame) {
    const auto chosen = chooseSearcher(frame.spec);
    const auto& all = searchers();
    const auto entry =
        std::find_if(all.begin(), all.end(), [&](const SearcherEntry& each) { return each.info.name == chosen.name; });
    return entry->make(frame);
}

} // namespace

AutoChoice chooseSearcher(const spec::SweepSpec& spec) {
    if (spec::isGrid(spec)) return {"grid", "every axis lists its values, and no number of trials is given"};
    const auto conditional =
        std::find_if(spec.space.begin(), spec.space.end(), [](const spec::Axis& axis) { return !axis.when.empty(); });
    if (conditional != spec.space.end()) return {"tpe", conditional->path + " is conditional"};
    if (spec.space.size() > kMaxGpAxes) return {"tpe", std::to_string(spec.space.size()) + " axes, more than 20"};
    const int trials = spec::countConfigurations(spec).valueOr(spec.trials);
    if (trials > kMaxGpTrials) return {"tpe", std::to_string(trials) + " trials, more than 500"};
    return {"gp", "no more than 20 axes and 500 trials"};
}

SearcherEntry autoSearcher() {
    return {{"auto", "Automatic", "Chooses grid, gp or tpe from the space and the number of trials."}, makeChosen};
}

} // namespace trainyard::sweep
