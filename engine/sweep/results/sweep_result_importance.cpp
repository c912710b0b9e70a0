// SPDX-License-Identifier: GPL-3.0-or-later
// PED-ANOVA (arXiv 2304.10255); the equations are those of its section 4.
#include "engine/spec/values/params.h"
#include "engine/sweep/results/sweep_analysis.h"
#include "engine/sweep/results/sweep_result.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

namespace trainyard::sweep {
namespace {

constexpr int kImportanceCells = 50; // of an axis without cells of its own
constexpr double kTopShare = 0.1;    // the paper's gamma'
constexpr double kEvenWeight = 1;    // of an even density, in trials: no cell is impossible
constexpr double kScott = 1.059;     // Scott's rule for a normal kernel
constexpr std::size_t kResamples = 100;

// The chance of each cell of an axis.
using Density = std::vector<double>;

double normalBelow(double at, double mean, double sigma) {
    return 0.5 * std::erfc((mean - at) / (sigma * std::sqrt(2.0)));
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
        const double mean = (static_cast<double>(at) + 0.5) / cells;
        double below = normalBelow(0, mean, sigma);
        const double whole = normalBelow(1, mean, sigma) - below;
        for (std::size_t cell = 0; cell < counts.size(); ++cell) { // each edge once
            const double next = normalBelow(static_cast<double>(cell + 1) / cells, mean, sigma);
            density[cell] += counts[at] / whole * (next - below);
            below = next;
        }
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

// The cells that the trials have on an axis; -1: the axis does not count for that trial.
struct AxisCells {
    bool isList = false;
    std::size_t cells = 0;
    std::vector<int> ofTrials;
};

AxisCells cellsOfTrials(const spec::Axis& axis, std::span<const Observation* const> trials) {
    const int own = spec::cellsOf(axis);
    const int cells = own > 0 && (own <= kImportanceCells || axis.isList()) ? own : kImportanceCells;
    AxisCells found{axis.isList(), static_cast<std::size_t>(cells), {}};
    for (const Observation* trial : trials) {
        const auto value = trial->params.find(axis.path);
        const double place = value == trial->params.end() ? -1 : spec::placeOf(axis, value->second) * cells;
        found.ofTrials.push_back(value == trial->params.end() ? -1
                                                              : static_cast<int>(std::clamp(place, 0.0, cells - 1.0)));
    }
    return found;
}

double varianceOf(const AxisCells& axis, std::span<const double> losses, std::span<const std::size_t> chosen,
                  double cut) {
    std::vector<int> best(axis.cells, 0), all(axis.cells, 0);
    for (const std::size_t trial : chosen) {
        if (axis.ofTrials[trial] < 0) continue;
        const auto cell = static_cast<std::size_t>(axis.ofTrials[trial]);
        ++all[cell];
        if (losses[trial] <= cut) ++best[cell];
    }
    return divergence(densityOf(best, axis.isList), densityOf(all, axis.isList));
}

// The shares of the axes by some of the trials, which may repeat.
std::vector<double> sharesOf(std::span<const AxisCells> axes, std::span<const double> losses,
                             std::span<const std::size_t> chosen) {
    std::vector<double> sorted;
    for (const std::size_t trial : chosen) sorted.push_back(losses[trial]);
    const auto count = static_cast<std::size_t>(std::ceil(kTopShare * static_cast<double>(sorted.size())));
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(count - 1), sorted.end());
    std::vector<double> shares;
    for (const AxisCells& axis : axes) shares.push_back(varianceOf(axis, losses, chosen, sorted[count - 1]));
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    if (sum > 0)
        for (double& share : shares) share /= sum;
    return shares;
}

// The ends of the middle four fifths of the shares in sets drawn from the trials. The same trials give the same ends.
void addIntervals(std::vector<AxisImportance>& found, std::span<const AxisCells> axes, std::span<const double> losses) {
    std::vector<std::vector<double>> drawn(axes.size());
    std::vector<std::size_t> chosen(losses.size());
    std::mt19937 random; // the same on every computer
    for (std::size_t set = 0; set < kResamples; ++set) {
        for (auto& trial : chosen) trial = random() % losses.size();
        const auto shares = sharesOf(axes, losses, chosen);
        for (std::size_t axis = 0; axis < axes.size(); ++axis) drawn[axis].push_back(shares[axis]);
    }
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        std::sort(drawn[axis].begin(), drawn[axis].end());
        found[axis].low = drawn[axis][kResamples / 10];
        found[axis].high = drawn[axis][kResamples - 1 - kResamples / 10];
    }
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
    std::vector<AxisCells> cells;
    for (const spec::Axis& axis : space) cells.push_back(cellsOfTrials(axis, finite));
    std::vector<std::size_t> all(finite.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const auto shares = sharesOf(cells, losses, all);
    std::vector<AxisImportance> axes;
    for (std::size_t axis = 0; axis < space.size(); ++axis) axes.push_back({space[axis].path, shares[axis]});
    addIntervals(axes, cells, losses);
    std::stable_sort(axes.begin(), axes.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
    return axes;
}

bool tellsImportance(std::span<const AxisImportance> axes) {
    const double even = 1.0 / static_cast<double>(std::max<std::size_t>(1, axes.size()));
    return axes.size() == 1 || std::ranges::any_of(axes, [even](const auto& axis) { return axis.low > even; });
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
