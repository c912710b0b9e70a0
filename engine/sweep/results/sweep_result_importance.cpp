// SPDX-License-Identifier: GPL-3.0-or-later
// PED-ANOVA (arXiv 2304.10255); the equations are those of its section 4.
#include "engine/spec/values/params.h"
#include "engine/sweep/results/sweep_analysis.h"
#include "engine/sweep/results/sweep_result.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace trainyard::sweep {
namespace {

constexpr int kImportanceCells = 50; // of an axis without cells of its own
constexpr double kTopShare = 0.1;    // the paper's gamma'
constexpr double kEvenWeight = 1;    // of an even density, in trials: no cell is impossible
constexpr double kScott = 1.059;     // Scott's rule for a normal kernel

// The chance of each cell of an axis.
using Density = std::vector<double>;

double normalShare(double from, double to, double mean, double sigma) {
    const auto below = [&](double at) { return 0.5 * std::erfc((mean - at) / (sigma * std::sqrt(2.0))); };
    return below(to) - below(from);
}

// Scott's bandwidth on [0, 1], by the smaller of deviation and interquartile range.
double bandwidthOf(const std::vector<int>& counts, double total) {
    const auto cells = static_cast<double>(counts.size());
    const auto middle = [&](std::size_t cell) { return (static_cast<double>(cell) + 0.5) / cells; };
    const auto quantile = [&](double share) {
        double seen = 0;
        for (std::size_t cell = 0; cell < counts.size(); ++cell)
            if ((seen += counts[cell]) >= share * total) return middle(cell);
        return 1.0;
    };
    double mean = 0, square = 0;
    for (std::size_t cell = 0; cell < counts.size(); ++cell) mean += counts[cell] * middle(cell) / total;
    for (std::size_t cell = 0; cell < counts.size(); ++cell)
        square += counts[cell] * std::pow(middle(cell) - mean, 2) / std::max(1.0, total - 1);
    const double spread = std::min(std::sqrt(square), (quantile(0.75) - quantile(0.25)) / 1.34);
    return std::max(kScott * spread * std::pow(total, -0.2), 0.5 / cells);
}

// Where trials lie on an axis: a kernel for each, cut at both ends, and the even prior. Choices have no neighbours, so
// theirs are counts.
Density densityOf(const std::vector<int>& counts, bool choices) {
    const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
    const auto cells = static_cast<double>(counts.size());
    Density density(counts.size(), kEvenWeight / cells);
    const double sigma = choices || total == 0 ? 0 : bandwidthOf(counts, total);
    for (std::size_t at = 0; at < counts.size(); ++at) {
        if (counts[at] == 0) continue;
        if (sigma == 0) {
            density[at] += counts[at];
            continue;
        }
        const double mean = (static_cast<double>(at) + 0.5) / cells, whole = normalShare(0, 1, mean, sigma);
        for (std::size_t cell = 0; cell < counts.size(); ++cell)
            density[cell] +=
                counts[at] / whole *
                normalShare(static_cast<double>(cell) / cells, static_cast<double>(cell + 1) / cells, mean, sigma);
    }
    for (double& chance : density) chance /= total + kEvenWeight;
    return density;
}

// The Pearson divergence of the best from all: the paper's local variance, up to a factor that all axes share.
double divergence(const Density& best, const Density& all) {
    double sum = 0;
    for (std::size_t cell = 0; cell < all.size(); ++cell) sum += all[cell] * std::pow(best[cell] / all[cell] - 1, 2);
    return sum;
}

double varianceOf(const spec::Axis& axis, std::span<const Observation* const> trials, double cut) {
    const int own = spec::cellsOf(axis);
    const auto cells =
        static_cast<std::size_t>(own > 0 && (own <= kImportanceCells || axis.isList()) ? own : kImportanceCells);
    std::vector<int> best(cells, 0), all(cells, 0);
    for (const Observation* trial : trials) {
        const auto value = trial->params.find(axis.path);
        if (value == trial->params.end()) continue;
        const double place = spec::placeOf(axis, value->second) * static_cast<double>(cells);
        const auto cell = static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(cells) - 1));
        ++all[cell];
        if (trial->loss <= cut) ++best[cell];
    }
    return divergence(densityOf(best, axis.isList()), densityOf(all, axis.isList()));
}

} // namespace

Result<std::vector<AxisImportance>> importanceOf(std::span<const spec::Axis> space,
                                                 std::span<const Observation> trials) {
    std::vector<const Observation*> finite;
    for (const Observation& trial : trials)
        if (std::isfinite(trial.loss)) finite.push_back(&trial);
    if (finite.size() < kLeastForImportance)
        return inputError("importance needs " + std::to_string(kLeastForImportance) + " trials with a score, found " +
                              std::to_string(finite.size()),
                          {}, "let the sweep train more trials");
    std::vector<double> losses;
    for (const Observation* trial : finite) losses.push_back(trial->loss);
    const auto count = static_cast<std::size_t>(std::ceil(kTopShare * static_cast<double>(finite.size())));
    std::nth_element(losses.begin(), losses.begin() + static_cast<std::ptrdiff_t>(count - 1), losses.end());
    const double cut = losses[count - 1];
    std::vector<AxisImportance> axes;
    double sum = 0;
    for (const spec::Axis& axis : space) {
        axes.push_back({axis.path, varianceOf(axis, finite, cut)});
        sum += axes.back().share;
    }
    if (sum > 0)
        for (AxisImportance& axis : axes) axis.share /= sum;
    std::stable_sort(axes.begin(), axes.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
    return axes;
}

Result<SweepImportance> importanceOfTrials(std::span<const spec::Axis> space, spec::Better better,
                                           const std::vector<TriedParams>& trials) {
    std::vector<Observation> results;
    std::vector<int> sizes;
    std::map<int, std::size_t> places; // of configurations
    for (const auto& [params, standing] : trials) {
        if (!standing.score || standing.fresh || standing.status == wire::RunStatus::Failed) continue;
        const double loss = lossOf(*standing.score, better);
        const auto known = standing.configuration < 0 ? places.end() : places.find(standing.configuration);
        if (known != places.end()) {
            results[known->second].loss += loss;
            ++sizes[known->second];
            continue;
        }
        if (standing.configuration >= 0) places[standing.configuration] = results.size();
        results.push_back({params, loss});
        sizes.push_back(1);
    }
    for (std::size_t i = 0; i < results.size(); ++i) results[i].loss /= sizes[i];
    TY_ASSIGN(auto axes, importanceOf(space, results));
    return SweepImportance{results.size(), std::move(axes)};
}

Result<SweepImportance> importanceOfSweep(const spec::SweepSpec& spec, const Ranking& ranking) {
    std::vector<TriedParams> trials;
    for (const TrialResult& trial : ranking.trials)
        trials.push_back({spec::paramsFromText(trial.row.paramsJson), trial.standing});
    return importanceOfTrials(spec.space, ranking.scores.first.better, trials);
}

} // namespace trainyard::sweep
