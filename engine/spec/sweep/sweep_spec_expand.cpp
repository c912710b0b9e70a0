// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/math/hash_draw.h"
#include "engine/spec/run/check.h"
#include "engine/spec/run/run_fields.h"
#include "engine/spec/sweep/sweep_spec.h"
#include "engine/spec/values/value_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>
#include <set>

namespace trainyard::spec {
namespace {

using Points = std::vector<std::vector<Value>>;

// The point of a grid with this number: the last axis changes fastest.
Params pointAt(const std::vector<const Axis*>& axes, const Points& values, std::size_t number) {
    Params params;
    for (std::size_t a = axes.size(); a-- > 0; number /= values[a].size())
        params[axes[a]->path] = values[a][number % values[a].size()];
    return params;
}

// What does not count beside the other values is left out, and makes points equal.
std::vector<Params> withoutRepeats(const SweepSpec& spec, std::vector<Params> trials) {
    if (std::all_of(spec.space.begin(), spec.space.end(), [](const Axis& axis) { return axis.when.empty(); }))
        return trials;
    std::set<Params> seen;
    std::vector<Params> kept;
    for (Params& trial : trials) {
        trial = activeParams(spec.space, std::move(trial));
        if (seen.insert(trial).second) kept.push_back(std::move(trial));
    }
    return kept;
}

Result<std::vector<Params>> gridTrials(const SweepSpec& spec) {
    std::vector<const Axis*> axes;
    Points values;
    std::size_t total = 1;
    for (const Axis& axis : spec.space) {
        if (!axis.isListed() || axis.count > kMaxTrials)
            return inputError("count must be 1 to 100000 for a grid, found " + std::to_string(axis.count),
                              joinPath("space", axis.path), "say how many points the range has");
        axes.push_back(&axis);
        values.push_back(gridValues(axis));
        total *= values.back().size();
        if (total > std::size_t{kMaxTrials})
            return inputError("the grid has more than 100000 points", "space",
                              "take fewer values, or search at random");
    }
    std::vector<Params> trials(total);
    for (std::size_t t = 0; t < total; ++t) trials[t] = pointAt(axes, values, t);
    trials = withoutRepeats(spec, std::move(trials));
    if (spec.trials > 0) trials.resize(std::min(trials.size(), static_cast<std::size_t>(spec.trials)));
    return trials;
}

// How many different points the space has; 0: more than can be counted off.
std::size_t countPoints(const SweepSpec& spec) {
    std::size_t points = 1;
    for (const Axis& axis : spec.space) {
        points *= static_cast<std::size_t>(cellsOf(axis));
        if (!axis.when.empty() || points == 0 || points > std::size_t{kMaxTrials}) return 0;
    }
    return points;
}

// The same values side by side, as the axis draws them whatever their distribution.
Axis evenly(Axis axis) {
    axis.logScale = false;
    axis.sd = 0;
    return axis;
}

// How many values an axis has; 0: any number is one.
std::size_t countValues(const Axis& axis) { return static_cast<std::size_t>(cellsOf(evenly(axis))); }

// Of the axes that are drawn, or of all, together; 0: more than can be gone through.
std::size_t countCells(const SweepSpec& spec, bool all) {
    std::size_t cells = 1;
    for (const Axis& axis : spec.space) {
        if (all || !axis.everyValue) cells *= countValues(axis);
        if (cells > std::size_t{kMaxTrials}) return 0;
    }
    return cells;
}

Params cellAt(const SweepSpec& spec, int configuration, std::size_t number) {
    Params params = combinationOf(spec, configuration);
    for (const Axis& axis : spec.space) {
        if (axis.everyValue) continue;
        const std::size_t cells = countValues(axis);
        const double place = (static_cast<double>(number % cells) + 0.5) / static_cast<double>(cells);
        params[axis.path] = valueAt(evenly(axis), place);
        number /= cells;
    }
    return activeParams(spec.space, std::move(params));
}

// How many different configurations can be drawn at random; 0: more than can be counted off.
std::size_t countDrawn(const SweepSpec& spec) {
    constexpr std::size_t kMostListed = 10'000;
    const std::size_t all = countCells(spec, true), drawn = countCells(spec, false);
    const bool depends =
        std::any_of(spec.space.begin(), spec.space.end(), [](const Axis& axis) { return !axis.when.empty(); });
    if (!depends || all == 0 || all > kMostListed) return depends ? 0 : all;
    std::set<Params> points;
    for (std::size_t combination = 0; combination < all / drawn; ++combination)
        for (std::size_t number = 0; number < drawn; ++number)
            points.insert(cellAt(spec, static_cast<int>(combination), number));
    return points.size();
}

} // namespace

bool isGrid(const SweepSpec& spec) {
    if (spec.searcher.name != "auto") return spec.searcher.name == "grid";
    return spec.trials == 0 &&
           std::all_of(spec.space.begin(), spec.space.end(), [](const Axis& axis) { return axis.isListed(); });
}

bool isOpenEnded(const SweepSpec& spec) { return spec.trials == 0 && spec.rules.budget.isLimited() && !isGrid(spec); }

Params combinationOf(const SweepSpec& spec, int configuration) {
    std::vector<const Axis*> axes;
    Points values;
    for (const Axis& axis : spec.space) {
        if (!axis.everyValue) continue;
        axes.push_back(&axis);
        values.push_back(axis.values);
    }
    return pointAt(axes, values, static_cast<std::size_t>(configuration));
}

Result<int> countConfigurations(const SweepSpec& spec) {
    const std::size_t first = firstConfigurations(spec).size();
    if (isGrid(spec)) {
        TY_ASSIGN(const auto trials, gridTrials(spec));
        return static_cast<int>(std::min(trials.size() + first, std::size_t{kMaxTrials}));
    }
    std::size_t trials = isOpenEnded(spec) ? 1 : static_cast<std::size_t>(spec.trials);
    for (const Axis& axis : spec.space) {
        if (axis.everyValue) trials *= axis.values.size();
        if (trials > std::size_t{kMaxTrials})
            return inputError("are more than 100000 together with every value of " + axis.path, "trials",
                              "take fewer trials, or fewer values");
    }
    if (isOpenEnded(spec))
        trials *= std::max<std::size_t>(1, std::size_t{kMaxTrials} / (trials * std::size_t(seedsOfEach(spec))));
    const std::size_t points = spec.searcher.name == "random" ? countDrawn(spec) : countPoints(spec);
    return static_cast<int>(points == 0 ? trials : std::min(points, trials));
}

Result<int> countSearched(const SweepSpec& spec) {
    TY_ASSIGN(const int configurations, countConfigurations(spec));
    return configurations * seedsOfEach(spec);
}

Result<int> countTrials(const SweepSpec& spec) {
    TY_ASSIGN(const int configurations, countConfigurations(spec));
    const auto all = std::int64_t{configurations} * seedsOfEach(spec) +
                     std::int64_t{std::min(configurations, spec.bestSeeded)} * spec.seeds;
    if (all <= kMaxTrials) return static_cast<int>(all);
    return inputError("is too many: " + std::to_string(configurations) + " configurations with " +
                          std::to_string(spec.seeds) + " seeds are more than 100000 trials",
                      "seeds.count", "take fewer seeds, or fewer trials");
}

Params randomParams(const SweepSpec& spec, int configuration, int redraw) {
    const auto seed = static_cast<std::uint64_t>(spec.seed), number = static_cast<std::uint64_t>(configuration);
    Params params = combinationOf(spec, configuration);
    std::uint64_t count = static_cast<std::uint64_t>(redraw) * spec.space.size();
    for (const Axis& axis : spec.space) {
        const double place = unitDraw(seed, Draw::Configuration, number, count++);
        if (!axis.everyValue) params[axis.path] = valueAt(axis, place);
    }
    return activeParams(spec.space, std::move(params));
}

Params freshParams(const SweepSpec& spec, int configuration, const std::set<Params>& taken) {
    constexpr int kRedraws = 32;
    Params params = randomParams(spec, configuration);
    if (std::any_of(spec.space.begin(), spec.space.end(), [](const Axis& axis) { return countValues(axis) == 0; }))
        return params;
    for (int redraw = 1; redraw <= kRedraws && taken.contains(params); ++redraw)
        params = randomParams(spec, configuration, redraw);
    if (!taken.contains(params)) return params;
    const std::size_t cells = countCells(spec, false);
    if (cells == 0) return params;
    // Each configuration goes through the cells in an order of its own: in one order for all, the first ones are taken.
    const auto draw = [&](std::uint64_t count) {
        return hashDraw(static_cast<std::uint64_t>(spec.seed), Draw::Configuration,
                        static_cast<std::uint64_t>(configuration), (kRedraws + 1) * spec.space.size() + count) %
               cells;
    };
    const std::size_t first = draw(0);
    std::size_t stride = 1 + draw(1);
    while (std::gcd(stride, cells) != 1) ++stride;
    for (std::size_t at = 0; at < cells; ++at)
        if (Params free = cellAt(spec, configuration, (first + at * stride) % cells); !taken.contains(free))
            return free;
    return params;
}

std::vector<Params> edgeConfigurations(const SweepSpec& spec, std::size_t atMost) {
    const auto edges = [](const Axis& axis) {
        return axis.isList() ? axis.values : std::vector<Value>{valueAt(axis, 0), valueAt(axis, 1)};
    };
    Params first;
    for (const Axis& axis : spec.space) first[axis.path] = edges(axis).front();
    std::vector<Params> trials{activeParams(spec.space, first)};
    std::set<Params> seen{trials.front()};
    for (const Axis& axis : spec.space)
        for (Value& value : edges(axis)) {
            if (trials.size() >= atMost) return trials;
            Params params = first;
            params[axis.path] = std::move(value);
            for (const Condition& condition : axis.when) params[condition.path] = condition.values.front();
            params = activeParams(spec.space, std::move(params));
            if (seen.insert(params).second) trials.push_back(std::move(params));
        }
    return trials;
}

Result<std::vector<Params>> foreseenConfigurations(const SweepSpec& spec, int atMost) {
    TY_TRY(checkSpace(spec.space));
    TY_TRY(countTrials(spec));
    TY_ASSIGN(const int count, countConfigurations(spec));
    auto trials = firstConfigurations(spec);
    std::vector<Params> others;
    if (isGrid(spec)) {
        TY_ASSIGN(others, gridTrials(spec));
    } else if (spec.searcher.name != "random" || isOpenEnded(spec)) {
        others = edgeConfigurations(spec, static_cast<std::size_t>(atMost));
    } else {
        const int drawn = std::min(count, atMost) - static_cast<int>(trials.size());
        std::set<Params> taken(trials.begin(), trials.end());
        for (int trial = 0; trial < drawn; ++trial) {
            others.push_back(freshParams(spec, trial, taken));
            taken.insert(others.back());
        }
    }
    trials.insert(trials.end(), others.begin(), others.end());
    return trials;
}

std::vector<JudgedConfiguration> judgedConfigurations(const SweepSpec& spec, const std::vector<Params>& foreseen,
                                                      std::size_t atMost) {
    std::vector<JudgedConfiguration> judged;
    const std::size_t count = std::min(foreseen.size(), atMost);
    if (count < foreseen.size())
        for (Params& edge : edgeConfigurations(spec)) judged.push_back({std::nullopt, std::move(edge)});
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = count < 2 ? i : i * (foreseen.size() - 1) / (count - 1);
        judged.push_back({static_cast<int>(at), foreseen[at]});
    }
    return judged;
}

} // namespace trainyard::spec
