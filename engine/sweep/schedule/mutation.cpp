// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/schedule/mutation.h"

#include "engine/spec/sweep/space_point.h"

#include <algorithm>
#include <cmath>

namespace trainyard::sweep {
namespace {

constexpr double kDrawnAnew = 0.25, kSmaller = 0.8, kLarger = 1.2;

// The next of the axis's cells; at an end the one before it.
spec::Value neighbourOf(const spec::Axis& axis, const spec::Value& value, int cells, bool up) {
    const int cell = std::min(cells - 1, static_cast<int>(spec::placeOf(axis, value) * cells));
    int next = cell + (up ? 1 : -1);
    if (next < 0 || next >= cells) next = std::clamp(cell + (up ? -1 : 1), 0, cells - 1);
    return spec::valueAt(axis, (next + 0.5) / cells);
}

spec::Value changed(const spec::Axis& axis, const spec::Value& value, bool up) {
    const int cells = spec::cellsOf(axis);
    if (axis.isList()) return neighbourOf(axis, value, cells, up);
    const double number = spec::Choice{{}, {{"", value}}}.number("", axis.from);
    const double next = std::clamp(number * (up ? kLarger : kSmaller), axis.from, axis.to);
    if (cells == 0 && !axis.whole && axis.step == 0) return next;
    const spec::Value nearest = spec::valueAt(axis, spec::placeOf(axis, next));
    return nearest == value && cells > 1 ? neighbourOf(axis, value, cells, up) : nearest;
}

bool isGone(const spec::Axis& axis, const spec::Value& value) { return axis.isList() && !spec::contains(axis, value); }

} // namespace

spec::Params mutated(std::span<const spec::Axis> space, const std::vector<std::string>& fields, spec::Params params,
                     DrawStream draws) {
    for (const spec::Axis& axis : space) {
        const double choice = draws.next(), place = draws.next();
        const auto held = params.find(axis.path);
        const bool mutates = std::find(fields.begin(), fields.end(), axis.path) != fields.end();
        // One that did not count for the donor may do so now, by the value of another one.
        const bool anew = held == params.end() || (mutates && (choice < kDrawnAnew || isGone(axis, held->second)));
        if (anew) params[axis.path] = spec::valueAt(axis, place);
        else if (mutates) held->second = changed(axis, held->second, place >= 0.5);
    }
    return spec::activeParams(space, std::move(params));
}

} // namespace trainyard::sweep
