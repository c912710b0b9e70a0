// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/evaluation_examples.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace trainyard::run {
namespace {

bool isWorse(const Example& a, const Example& b) {
    const auto rank = [](const Example& one) {
        return std::isnan(one.loss) ? std::numeric_limits<double>::infinity() : one.loss;
    };
    const double left = rank(a), right = rank(b);
    return left != right ? left > right : a.index < b.index;
}

} // namespace

std::vector<Example> chooseExamples(std::vector<Example> all, const ExampleLimits& limits) {
    std::sort(all.begin(), all.end(), isWorse);
    struct Kept {
        std::size_t turn; // its place within its cell; 0 for the most wrong of all
        std::size_t at;
    };
    std::vector<Kept> kept;
    std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> ofCell;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool counts = !all[i].hasClasses() || all[i].isWrong();
        const bool mostWrong = counts && wrong < limits.mostWrong;
        wrong += counts;
        const std::size_t turn = all[i].hasClasses() ? ofCell[{all[i].truth, all[i].predicted}]++ : limits.perCell;
        if (mostWrong || turn < limits.perCell) kept.push_back({mostWrong ? 0 : turn, i});
    }
    if (kept.size() > limits.all) {
        std::stable_sort(kept.begin(), kept.end(), [](const Kept& a, const Kept& b) { return a.turn < b.turn; });
        kept.resize(limits.all);
        std::sort(kept.begin(), kept.end(), [](const Kept& a, const Kept& b) { return a.at < b.at; });
    }
    std::vector<Example> chosen;
    chosen.reserve(kept.size());
    for (const Kept& each : kept) chosen.push_back(std::move(all[each.at]));
    return chosen;
}

} // namespace trainyard::run
