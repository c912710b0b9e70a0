// SPDX-License-Identifier: GPL-3.0-or-later
// Bayesian optimisation: a Gaussian process of the losses, and next the point from which most is expected.
#include "engine/base/normal.h"
#include "engine/sweep/gaussian_process.h"
#include "engine/sweep/learning_searcher.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard::sweep {
namespace {

constexpr int kRandomCandidates = 1000, kNearCandidates = 100; // drawn anywhere, and about the best so far
constexpr double kNearWidth = 0.05;
constexpr std::size_t kPolished = 5; // of the candidates
constexpr int kRounds = 40;
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
        return nlohmann::json{{"history", LearningSearcher::state()}, {"parameters", m_parameters}}.dump();
    }

private:
    Point propose(int trial, DrawStream& draws, std::vector<double>& memo) const override {
        GaussianProcess process(space(), seen(), standardised(), m_parameters);
        memo = process.parameters();
        std::vector<Point> pending;
        for (const int each : history().pending()) pending.push_back(filled(history().point(each)));
        process.addAtMean(pending);
        auto candidates = drawn(process, trial, draws);
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
        for (const auto& [trial, loss] : history().level()) points.push_back(filled(history().point(trial)));
        for (const int trial : history().beaten()) points.push_back(filled(history().point(trial)));
        return points;
    }

    // Of a trial that was stopped earlier the loss is put beyond the worst of the level, by as much as it was behind
    // when it was stopped: so it is still known which way is better. What failed counts as the worst of all.
    std::vector<double> losses() const {
        std::vector<double> list;
        for (const auto& [trial, loss] : history().level()) list.push_back(loss);
        for (const int trial : history().beaten()) list.push_back(history().worstFinite() + history().behind(trial));
        double worst = history().worstFinite();
        for (const double loss : list)
            if (std::isfinite(loss)) worst = std::max(worst, loss);
        for (double& loss : list)
            if (!std::isfinite(loss)) loss = worst;
        return list;
    }

    // Larger is better from here on.
    std::vector<double> standardised() const {
        auto values = losses();
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

    std::vector<Candidate> drawn(const GaussianProcess& process, int trial, DrawStream& draws) const {
        std::vector<Candidate> candidates;
        for (int i = 0; i < kRandomCandidates; ++i) {
            Point point(space().size());
            for (double& place : point) place = draws.next();
            candidates.push_back(judged(process, trial, std::move(point)));
        }
        const auto best = history().best(1);
        for (int i = 0; i < kNearCandidates && !best.empty(); ++i) {
            Point point = filled(history().point(history().level()[best.front()].trial));
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
    return {
        {"gp", "Gaussian process", "Models the loss over the space; best with few axes and trials.", {startupInfo()}},
        makeGp};
}

} // namespace trainyard::sweep
