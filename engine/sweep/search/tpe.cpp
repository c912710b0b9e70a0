// SPDX-License-Identifier: GPL-3.0-or-later
// The tree-structured Parzen estimator with kernels over all axes together (Bergstra and others 2011; Watanabe 2023,
// arXiv 2304.11127): what is common among the best and rare among the rest.
#include "engine/sweep/search/learning_searcher.h"
#include "engine/sweep/search/parzen.h"

#include <algorithm>
#include <cmath>

namespace trainyard::sweep {
namespace {

constexpr double kBestShare = 0.1;
constexpr std::size_t kMostBest = 25;
constexpr int kCandidates = 24;
constexpr std::size_t kNewest = 250, kOlder = 250; // of the rest, and of those that did not come as far

class Tpe final : public LearningSearcher {
public:
    using LearningSearcher::LearningSearcher;

private:
    Point propose(int trial, DrawStream& draws, std::vector<double>&) const override {
        const auto seen = static_cast<double>(history().level().size() + history().beaten().size());
        const auto count = static_cast<std::size_t>(std::ceil(kBestShare * seen - 1e-9));
        auto best = history().best(std::min(count, kMostBest));
        std::sort(best.begin(), best.end());
        std::vector<int> trials;
        for (const std::size_t index : best) trials.push_back(history().level()[index].trial);
        const Parzen good(space(), pointsOf(trials)), rest(space(), pointsOf(restBeside(best)));
        Point chosen;
        double highest = -kNever;
        for (int candidate = 0; candidate < kCandidates; ++candidate) {
            Point point = space().settled(good.draw(draws), trial);
            const double ratio = good.logDensity(point) - rest.logDensity(point);
            if (ratio <= highest) continue;
            highest = ratio;
            chosen = std::move(point);
        }
        return chosen;
    }

    std::vector<const Point*> pointsOf(const std::vector<int>& trials) const {
        std::vector<const Point*> points;
        for (const int trial : trials) points.push_back(&history().point(trial));
        return points;
    }

    // Those that are not among the best, those that did not come as far (else none of what is far from the best would
    // be known), and what still trains, as if it had turned out badly: so trials that run side by side keep apart.
    std::vector<int> restBeside(const std::vector<std::size_t>& best) const {
        std::vector<int> trials;
        const auto& level = history().level();
        for (const std::size_t index : chosenOf(level.size()))
            if (!std::binary_search(best.begin(), best.end(), index)) trials.push_back(level[index].trial);
        for (const std::size_t index : chosenOf(history().beaten().size())) trials.push_back(history().beaten()[index]);
        std::sort(trials.begin(), trials.end()); // by age
        for (const int trial : history().pending()) trials.push_back(trial);
        return trials;
    }

    // Of a list the newest, and an even choice of the older ones.
    static std::vector<std::size_t> chosenOf(std::size_t size) {
        const std::size_t older = size > kNewest ? size - kNewest : 0;
        std::vector<std::size_t> indices;
        for (std::size_t i = 0; i < std::min(older, kOlder); ++i)
            indices.push_back(older <= kOlder ? i : i * older / kOlder);
        for (std::size_t index = older; index < size; ++index) indices.push_back(index);
        return indices;
    }
};

Result<std::unique_ptr<Searcher>> makeTpe(const SearcherFrame& frame) {
    const auto startup = static_cast<std::size_t>(frame.spec.searcher.integer("startup", 10));
    return std::unique_ptr<Searcher>(std::make_unique<Tpe>(frame, startup));
}

} // namespace

SearcherEntry tpeSearcher() {
    return {{"tpe",
             Engine::tr("TPE"),
             Engine::tr("Samples near the best trials so far and away from the rest; for any space."),
             {startupInfo()}},
            makeTpe};
}

} // namespace trainyard::sweep
