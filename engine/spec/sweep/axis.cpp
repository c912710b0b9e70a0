// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/sweep/axis.h"

#include "engine/base/math/statistics.h"
#include "engine/spec/values/value_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace trainyard::spec {
namespace {

double wholeStep(const Axis& axis) { return axis.step > 0 ? axis.step : axis.whole ? 1 : 0; }

// A range of whole numbers narrows to those within it.
double low(const Axis& axis) { return axis.whole ? std::ceil(axis.from) : axis.from; }
double high(const Axis& axis) { return axis.whole ? std::floor(axis.to) : axis.to; }

double shareBelow(const Axis& axis, double value) { return normalCdf((value - axis.mean) / axis.sd); }

double numberAt(const Axis& axis, double place) {
    const double from = low(axis), to = high(axis);
    if (place <= 0) return from; // exact at the ends
    if (place >= 1) return to;
    if (axis.sd > 0) {
        const double below = shareBelow(axis, from), above = shareBelow(axis, to);
        return std::clamp(axis.mean + axis.sd * normalQuantile(below + place * (above - below)), from, to);
    }
    if (axis.logScale) return std::exp(std::log(from) + place * (std::log(to) - std::log(from)));
    return from + place * (to - from);
}

double numberOf(const Value& value) { return Choice{{}, {{"v", value}}}.number("v", 0); }

Value stepped(const Axis& axis, double number) {
    const double step = wholeStep(axis), from = low(axis);
    if (step > 0) number = std::clamp(plainNumber(from + std::round((number - from) / step) * step), from, high(axis));
    if (axis.whole) return std::llround(number);
    return number;
}

} // namespace

int cellsOf(const Axis& axis) {
    if (axis.isList()) return static_cast<int>(axis.values.size());
    const double step = wholeStep(axis);
    if (step <= 0 || axis.logScale || axis.sd > 0) return 0;
    const double cells = std::round((high(axis) - low(axis)) / step) + 1;
    return cells <= 1e6 ? static_cast<int>(cells) : 0;
}

Value valueAt(const Axis& axis, double place) {
    const int cells = cellsOf(axis);
    if (cells == 0) return stepped(axis, numberAt(axis, place));
    const int cell = std::clamp(static_cast<int>(place * cells), 0, cells - 1);
    if (axis.isList()) return axis.values[static_cast<std::size_t>(cell)];
    return stepped(axis, low(axis) + cell * wholeStep(axis));
}

double placeOf(const Axis& axis, const Value& value) {
    const int cells = cellsOf(axis);
    if (axis.isList()) {
        const auto found = std::find(axis.values.begin(), axis.values.end(), value);
        const auto cell = found == axis.values.end() ? 0 : found - axis.values.begin();
        return (static_cast<double>(cell) + 0.5) / cells;
    }
    const double from = low(axis), to = high(axis), number = std::clamp(numberOf(value), from, to);
    if (cells > 0) return (std::round((number - from) / wholeStep(axis)) + 0.5) / cells;
    if (from == to) return 0.5;
    if (axis.sd > 0) {
        const double below = shareBelow(axis, from), above = shareBelow(axis, to);
        return (shareBelow(axis, number) - below) / (above - below);
    }
    if (axis.logScale) return (std::log(number) - std::log(from)) / (std::log(to) - std::log(from));
    return (number - from) / (to - from);
}

std::vector<Value> gridValues(const Axis& axis) {
    if (axis.isList()) return axis.values;
    std::vector<Value> values;
    if (axis.count == 0 && axis.step > 0)
        for (int cell = 0, cells = cellsOf(axis); cell < cells; ++cell)
            values.push_back(valueAt(axis, (cell + 0.5) / cells));
    for (int i = 0; i < axis.count; ++i) {
        const double place = axis.count == 1 ? 0 : static_cast<double>(i) / (axis.count - 1);
        const bool isEnd = place == 0 || place == 1; // and as it is written
        Value value = stepped(axis, isEnd ? numberAt(axis, place) : plainNumber(numberAt(axis, place)));
        if (values.empty() || values.back() != value) values.push_back(std::move(value)); // rounding makes some equal
    }
    return values;
}

const Axis* findAxis(std::span<const Axis> space, const std::string& path) {
    const auto found = std::find_if(space.begin(), space.end(), [&](const Axis& axis) { return axis.path == path; });
    return found == space.end() ? nullptr : &*found;
}

bool isActive(const Axis& axis, const Params& params) {
    return std::all_of(axis.when.begin(), axis.when.end(), [&](const Condition& condition) {
        const auto found = params.find(condition.path);
        return found != params.end() &&
               std::find(condition.values.begin(), condition.values.end(), found->second) != condition.values.end();
    });
}

// What is taken out may be what another one hangs on.
Params activeParams(std::span<const Axis> space, Params params) {
    for (bool changed = true; std::exchange(changed, false);)
        for (const Axis& axis : space)
            if (params.contains(axis.path) && !isActive(axis, params)) changed = params.erase(axis.path) > 0;
    return params;
}

} // namespace trainyard::spec
