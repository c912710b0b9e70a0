// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/ids.h"
#include "engine/spec/check.h"
#include "engine/spec/run_fields.h"
#include "engine/spec/sweep_spec.h"
#include "engine/spec/value_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <random>

namespace trainyard::spec {
namespace {

// The point at `share` (0 to 1) of a range.
Value pointOf(const Axis& axis, double share) {
    double value = axis.logScale ? std::exp(std::log(axis.from) + share * (std::log(axis.to) - std::log(axis.from)))
                                 : axis.from + share * (axis.to - axis.from);
    if (share <= 0) value = axis.from; // exact at the ends
    if (share >= 1) value = axis.to;
    if (axis.whole)
        return std::clamp(std::llround(value), std::llround(std::ceil(axis.from)), std::llround(std::floor(axis.to)));
    return value;
}

Result<void> checkAxis(const Axis& axis, bool grid) {
    const std::string path = joinPath("space", axis.path);
    if (axis.path.empty())
        return inputError("a field of the space has no path", "space", "write one, such as optimizer.lr");
    if (!axis.values.empty()) return {};
    const auto wrong = [&](const std::string& message, std::string remedy = {}) {
        return inputError(message, path, std::move(remedy));
    };
    if (!std::isfinite(axis.from) || !std::isfinite(axis.to))
        return wrong("needs finite numbers from and to", "give two numbers");
    if (axis.from > axis.to)
        return wrong("from must not be greater than to, found " + numberText(axis.from) + " and " + numberText(axis.to),
                     "swap the two");
    if (axis.logScale && !(axis.from > 0))
        return wrong("a log scale needs numbers greater than 0, found " + numberText(axis.from),
                     "raise from, or use a linear scale");
    if (axis.whole && std::abs(axis.to) < 9e15 && std::ceil(axis.from) > std::floor(axis.to))
        return wrong("there is no whole number from " + numberText(axis.from) + " to " + numberText(axis.to),
                     "widen the range");
    if (axis.whole && (std::abs(axis.from) >= 9e15 || std::abs(axis.to) >= 9e15))
        return wrong("is too wide a range", "narrow it");
    if (grid && (axis.count < 1 || axis.count > kMaxTrials))
        return wrong("count must be 1 to 100000 for a grid, found " + std::to_string(axis.count),
                     "say how many points the range has");
    return {};
}

std::vector<Value> gridValues(const Axis& axis) {
    if (!axis.values.empty()) return axis.values;
    std::vector<Value> values;
    for (int i = 0; i < axis.count; ++i) {
        Value value = pointOf(axis, axis.count == 1 ? 0 : static_cast<double>(i) / (axis.count - 1));
        if (values.empty() || values.back() != value) values.push_back(std::move(value)); // rounding makes some equal
    }
    return values;
}

Result<std::vector<Params>> grid(const SweepSpec& spec) {
    std::vector<std::vector<Value>> axes;
    std::size_t total = 1;
    for (const Axis& axis : spec.space) {
        axes.push_back(gridValues(axis));
        total *= axes.back().size();
        if (total > std::size_t{kMaxTrials})
            return inputError("the grid has more than 100000 points", "space",
                              "take fewer values, or search at random");
    }
    if (spec.trials > 0) total = std::min(total, static_cast<std::size_t>(spec.trials));
    std::vector<Params> trials(total);
    for (std::size_t t = 0; t < total; ++t) {
        std::size_t rest = t;
        for (std::size_t a = axes.size(); a-- > 0; rest /= axes[a].size()) // the last field changes fastest
            trials[t][spec.space[a].path] = axes[a][rest % axes[a].size()];
    }
    return trials;
}

// The same draws on every computer: only the engine's bits are used, and not the library's distributions.
std::vector<Params> random(const SweepSpec& spec) {
    std::mt19937_64 engine(static_cast<std::uint64_t>(spec.seed));
    std::vector<Params> trials(static_cast<std::size_t>(spec.trials));
    for (Params& params : trials)
        for (const Axis& axis : spec.space) {
            const double share = static_cast<double>(engine() >> 11) * 0x1p-53;
            if (axis.values.empty()) params[axis.path] = pointOf(axis, share);
            else
                params[axis.path] =
                    axis.values[static_cast<std::size_t>(share * static_cast<double>(axis.values.size()))];
        }
    return trials;
}

} // namespace

Result<std::vector<Params>> expandTrials(const SweepSpec& spec) {
    if (spec.space.empty())
        return inputError("the space is empty: there is nothing to vary", "space",
                          "name a field and its values, such as \"optimizer.lr\": [0.01, 0.1]");
    const bool isGrid = spec.search == "grid";
    if (!isGrid && spec.search != "random")
        return inputError("search must be grid or random, found " + inQuotes(spec.search), "search");
    for (const Axis& axis : spec.space) TY_TRY(checkAxis(axis, isGrid));
    if (isGrid) return grid(spec);
    if (spec.trials < 1 || spec.trials > kMaxTrials)
        return inputError("a random search needs 1 to 100000 trials, found " + std::to_string(spec.trials), "trials",
                          "give trials");
    return random(spec);
}

Result<RunSpec> trialSpec(const SweepSpec& spec, const Params& params, int index) {
    const std::string where = "trial " + std::to_string(index);
    Errors errors;
    Json tree = parseTree(spec.runJson, errors);
    upgradeRun(tree, "", errors);
    if (!errors.empty()) return toError(errors, where);
    for (const auto& [path, value] : params) {
        const std::string problem = setField(tree, path, valueToJson(value));
        if (!problem.empty())
            return toError({{printable(path, 120), printable(toText(value), 80), problem, ""}}, where);
    }
    RunSpec run = readRun(tree, "", errors);
    if (!errors.empty()) return toError(errors, where);
    const std::string base = !spec.name.empty() ? spec.name : run.name;
    run.name = (base.empty() ? "trial" : base) + "-" + std::to_string(index);
    return run;
}

} // namespace trainyard::spec
