// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/nearest_word.h"
#include "engine/base/text/printable.h"
#include "engine/spec/run/check.h"
#include "engine/spec/sweep/axis.h"
#include "engine/spec/values/value_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace trainyard::spec {
namespace {

constexpr double kMaxWhole = 9e15;

Result<void> checkEnds(const Axis& axis, const std::string& path) {
    const auto ends = numberText(axis.from) + " and " + numberText(axis.to);
    if (!std::isfinite(axis.from) || !std::isfinite(axis.to))
        return inputError("needs finite numbers from and to", path, "give two numbers");
    if (axis.from > axis.to) return inputError("from must not be greater than to, found " + ends, path, "swap the two");
    if (axis.from == axis.to)
        return inputError("from and to are the same, found " + ends, path,
                          "list the one value instead: [" + numberText(axis.from) + "]");
    if (axis.logScale && !(axis.from > 0))
        return inputError("a log scale needs numbers greater than 0, found " + numberText(axis.from), path,
                          "raise from, or, where the field takes such numbers, use a linear scale");
    if (axis.whole && (std::abs(axis.from) >= kMaxWhole || std::abs(axis.to) >= kMaxWhole))
        return inputError("is too wide a range", path, "narrow it");
    if (axis.whole && std::ceil(axis.from) > std::floor(axis.to))
        return inputError("there is no whole number from " + numberText(axis.from) + " to " + numberText(axis.to), path,
                          "widen the range");
    return {};
}

Result<void> checkStep(const Axis& axis, const std::string& where) {
    const std::string path = joinPath(where, "step");
    if (!std::isfinite(axis.step) || axis.step < 0)
        return inputError("must be greater than 0, found " + numberText(axis.step), path, "leave it out for any value");
    if (axis.step == 0 || axis.sd > 0) return {}; // a normal distribution is only rounded
    if (axis.whole && !isWhole(axis.step))
        return inputError("is a fraction, found " + numberText(axis.step) + ", and the field takes whole numbers", path,
                          "give a whole number");
    const double from = axis.whole ? std::ceil(axis.from) : axis.from, to = axis.whole ? std::floor(axis.to) : axis.to;
    const double steps = (to - from) / axis.step;
    if (steps < 1)
        return inputError("is larger than the range, found " + numberText(axis.step), path,
                          "take at most " + numberText(plainNumber(to - from)));
    if (std::abs(steps - std::round(steps)) > 1e-6)
        return inputError("does not lead from " + numberText(from) + " to " + numberText(to) + ", found " +
                              numberText(axis.step),
                          path, "end the range at " + numberText(plainNumber(from + std::floor(steps) * axis.step)));
    return {};
}

Result<void> checkAxis(const Axis& axis) {
    if (axis.path.empty())
        return inputError("a field of the space has no path", "space", "write one, such as optimizer.lr");
    if (axis.isList()) return {};
    const std::string path = joinPath("space", axis.path);
    if (axis.sd != 0 && !(axis.sd > 0 && std::isfinite(axis.sd) && std::isfinite(axis.mean)))
        return inputError("sd must be greater than 0, found " + numberText(axis.sd), path, "give its width, such as 1");
    TY_TRY(checkEnds(axis, path));
    return checkStep(axis, path);
}

Result<void> checkCondition(std::span<const Axis> space, const Axis& axis, const Condition& condition) {
    const std::string path = joinPath("space", axis.path) + ".when." + condition.path;
    const Axis* on = findAxis(space, condition.path);
    if (on == nullptr) {
        std::vector<std::string> paths;
        for (const Axis& each : space) paths.push_back(each.path);
        const std::string near = nearestWord(condition.path, paths);
        return inputError("is not a field of the space", path,
                          near.empty() ? "vary that field as well" : "did you mean " + inQuotes(near) + "?");
    }
    if (!on->isList())
        return inputError("is a range, and a condition needs a list of values", path,
                          "list the values of " + condition.path);
    if (condition.values.empty()) return inputError("has no values", path, "list at least one");
    for (const Value& value : condition.values)
        if (std::find(on->values.begin(), on->values.end(), value) == on->values.end())
            return inputError("is never " + printable(toText(value), 80), path,
                              "take one of the values of " + condition.path);
    return {};
}

// The first axis that hangs on itself; null when there is none. An axis is settled when all that it hangs on are.
const Axis* inCircle(std::span<const Axis> space) {
    std::set<std::string> settled;
    const auto isSettled = [&](const Axis& axis) {
        return std::all_of(axis.when.begin(), axis.when.end(),
                           [&](const Condition& condition) { return settled.contains(condition.path); });
    };
    for (bool changed = true; std::exchange(changed, false);)
        for (const Axis& axis : space)
            if (!settled.contains(axis.path) && isSettled(axis)) changed = settled.insert(axis.path).second;
    const auto found =
        std::find_if(space.begin(), space.end(), [&](const Axis& axis) { return !settled.contains(axis.path); });
    return found == space.end() ? nullptr : &*found;
}

} // namespace

Result<void> checkSpace(std::span<const Axis> space) {
    if (space.empty())
        return inputError("the space is empty: there is nothing to vary", "space",
                          "name a field and its values, such as \"optimizer.lr\": [0.01, 0.1]");
    for (const Axis& axis : space) TY_TRY(checkAxis(axis));
    for (const Axis& axis : space)
        for (const Condition& condition : axis.when) TY_TRY(checkCondition(space, axis, condition));
    if (const Axis* axis = inCircle(space))
        return inputError("its conditions lead back to itself", joinPath("space", axis->path) + ".when",
                          "leave at least one of the fields without a condition");
    return {};
}

} // namespace trainyard::spec
