// SPDX-License-Identifier: GPL-3.0-or-later
// Bayesian optimisation: a Gaussian process of the losses, and next the point from which most is expected.
#include "engine/base/json_text.h"
#include "engine/base/math/statistics.h"
#include "engine/sweep/search/gaussian_process.h"
#include "engine/sweep/search/learning_searcher.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace trainyard::sweep {
namespace {

constexpr int kRandomCandidates = 1000, kNearCandidates = 100; // drawn anywhere, and about the best so far
constexpr double kNearWidth = 0.05;
constexpr std::size_t kPolished = 5; // of the candidates
constexpr int kRounds = 40;
constexpr double kWeightOfSum = 0.05;                 // in the scalar that stands for two losses
constexpr double kFirstStep = 0.05, kLastStep = 1e-4; // of the pattern search

struct Candidate {
    double gain = -kNever; // logarithm
    Point point{};
};

class Gp final : public LearningSearcher {
public:
    using LearningSearcher::LearningSearcher;
    void take(const Event& event) override {
        LearningSearcher::take(event);
        if (event.kind == Event::Kind::Started && !event.memo.empty()) m_parameters = event.memo;
    }

    std::string state() const override {
        return jsonText(nlohmann::json{{"history", LearningSearcher::state()}, {"parameters", m_parameters}});
    }

private:
    Point propose(int trial, DrawStream& draws, std::vector<double>& memo) const override {
        const auto seenLosses = losses(draws);
        GaussianProcess process(space(), seen(), standardised(seenLosses), m_parameters);
        memo = process.parameters();
        std::vector<Point> pending;
        for (const int each : history().pending()) pending.push_back(filled(history().point(each)));
        process.addAtMean(pending);
        auto candidates = drawn(process, trial, draws, bestOf(seenLosses));
        std::partial_sort(candidates.begin(), candidates.begin() + kPolished, candidates.end(),
                          [](const Candidate& a, const Candidate& b) { return a.gain > b.gain; });
        Candidate best;
        for (std::size_t i = 0; i < kPolished; ++i) {
            auto polished = polish(process, trial, std::move(candidates[i]));
            if (polished.gain > best.gain) best = std::move(polished);
        }
        return best.point;
    }

    // An axis that does not count at a point stands in its middle there.
    static Point filled(Point point) {
        for (double& place : point)
            if (place < 0) place = 0.5;
        return point;
    }

    std::vector<Point> seen() const {
        std::vector<Point> points;
        for (const auto& each : history().level()) points.push_back(filled(history().point(each.trial)));
        for (const int trial : history().beaten()) points.push_back(filled(history().point(trial)));
        return points;
    }

    // One number for each pair of losses, by weights that are drawn anew for each proposal, so that in time all parts
    // of the front are sought: the augmented Chebyshev function of ParEGO (Knowles 2006, doi 10.1109/TEVC.2005.851274).
    std::vector<double> scalarised(double weight) const {
        double least[2] = {kNever, kNever}, greatest[2] = {-kNever, -kNever};
        for (const auto& each : history().level()) {
            if (!std::isfinite(each.loss)) continue;
            const double pair[2] = {each.loss, each.second};
            for (int i = 0; i < 2; ++i) {
                least[i] = std::min(least[i], pair[i]);
                greatest[i] = std::max(greatest[i], pair[i]);
            }
        }
        const auto share = [&](double loss, int i) {
            return greatest[i] > least[i] ? (loss - least[i]) / (greatest[i] - least[i]) : 0.0;
        };
        std::vector<double> list;
        for (const auto& each : history().level()) {
            const double first = weight * share(each.loss, 0), second = (1 - weight) * share(each.second, 1);
            const double scalar = std::max(first, second) + kWeightOfSum * (first + second);
            list.push_back(std::isfinite(each.loss) ? scalar : std::nan(""));
        }
        return list;
    }

    std::vector<double> ownLosses(DrawStream& draws) const {
        if (history().isPaired()) return scalarised(draws.next());
        std::vector<double> list;
        for (const auto& each : history().level()) list.push_back(each.loss);
        return list;
    }

    // The index of the least one in the level; nothing when none is finite.
    std::optional<std::size_t> bestOf(const std::vector<double>& losses) const {
        if (!history().isPaired()) {
            const auto best = history().best(1);
            return best.empty() ? std::nullopt : std::optional(best.front());
        }
        const auto end = losses.begin() + static_cast<std::ptrdiff_t>(history().level().size());
        const auto least = std::min_element(losses.begin(), end);
        return history().best(1).empty() ? std::nullopt
                                         : std::optional(static_cast<std::size_t>(least - losses.begin()));
    }

    // Of a trial that was stopped earlier the loss is put beyond the worst of the level, by as much as it was behind
    // when it was stopped: so it is still known which way is better. What failed counts as the worst of all.
    std::vector<double> losses(DrawStream& draws) const {
        std::vector<double> list = ownLosses(draws);
        for (const int trial : history().beaten()) list.push_back(history().worstFinite() + history().behind(trial));
        double worst = history().isPaired() ? 0 : history().worstFinite();
        for (const double loss : list)
            if (std::isfinite(loss)) worst = std::max(worst, loss);
        for (double& loss : list)
            if (!std::isfinite(loss)) loss = worst;
        return list;
    }

    // Larger is better from here on.
    static std::vector<double> standardised(std::vector<double> values) {
        const auto count = static_cast<double>(values.size());
        const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
        double squares = 0;
        for (const double value : values) squares += (value - mean) * (value - mean);
        const double deviation = std::sqrt(std::max(squares / count, 1e-20));
        for (double& value : values) value = (mean - value) / deviation;
        return values;
    }

    Candidate judged(const GaussianProcess& process, int trial, Point point) const {
        point = space().settled(std::move(point), trial);
        return {process.logExpectedImprovement(filled(point)), point};
    }

    // `best`: of the level.
    std::vector<Candidate> drawn(const GaussianProcess& process, int trial, DrawStream& draws,
                                 std::optional<std::size_t> best) const {
        std::vector<Candidate> candidates;
        for (int i = 0; i < kRandomCandidates; ++i) {
            Point point(space().size());
            for (double& place : point) place = draws.next();
            candidates.push_back(judged(process, trial, std::move(point)));
        }
        for (int i = 0; i < kNearCandidates && best; ++i) {
            Point point = filled(history().point(history().level()[*best].trial));
            for (std::size_t j = 0; j < point.size(); ++j)
                if (!space().isChoice(j))
                    point[j] = std::clamp(point[j] + kNearWidth * normalQuantile(draws.next()), 0.0, 1.0);
            candidates.push_back(judged(process, trial, std::move(point)));
        }
        return candidates;
    }

    // One step up and down each axis in turn, smaller ones when none leads on.
    Candidate polish(const GaussianProcess& process, int trial, Candidate best) const {
        double step = kFirstStep;
        for (int round = 0; round < kRounds && step >= kLastStep; ++round) {
            bool better = false;
            for (std::size_t j = 0; j < space().size(); ++j)
                for (const double sign : {-1.0, 1.0}) {
                    if (best.point[j] < 0) continue;
                    Point point = best.point;
                    point[j] = moved(j, point[j], sign, step);
                    auto tried = judged(process, trial, std::move(point));
                    if (tried.gain <= best.gain) continue;
                    best = std::move(tried);
                    better = true;
                }
            if (!better) step /= 2;
        }
        return best;
    }

    double moved(std::size_t axis, double place, double sign, double step) const {
        const int cells = space().cells(axis);
        if (cells == 0) return std::clamp(place + sign * step, 0.0, 1.0);
        const double next = place + sign / cells;
        if (space().isChoice(axis)) return next < 0 ? next + 1 : next >= 1 ? next - 1 : next; // in a ring
        return std::clamp(next, 0.5 / cells, 1 - 0.5 / cells);
    }

    std::vector<double> m_parameters; // where the next fit begins
};

Result<std::unique_ptr<Searcher>> makeGp(const SearcherFrame& frame) {
    const auto startup = static_cast<std::size_t>(frame.spec.searcher.integer("startup", 10));
    return std::unique_ptr<Searcher>(std::make_unique<Gp>(frame, startup));
}

} // namespace

SearcherEntry gpSearcher() {
    return {{"gp",
             Engine::tr("Gaussian process"),
             Engine::tr("Models the loss over the space; best with few axes and trials."),
             {startupInfo()}},
            makeGp};
}

} // namespace trainyard::sweep
