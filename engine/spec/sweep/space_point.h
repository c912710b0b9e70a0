// SPDX-License-Identifier: GPL-3.0-or-later
// What a person gives of a space that is being searched: one of its points, or a part of one of its axes.
#pragma once

#include "engine/spec/sweep/axis.h"

#include <string_view>

namespace trainyard::spec {

// What is left of an axis: these values, or where there are none the range from `from` to `to`.
struct Restriction {
    std::string path;
    std::vector<Value> values{};
    double from = 0, to = 0;
    bool operator==(const Restriction&) const = default;
};

// "optimizer.lr=0.001..0.1", "batch.perRank=[16, 32]" or, of one value, "optimizer.name=adam", and back. Input: it is
// none of these.
Result<Restriction> parseRestriction(std::string_view text);
std::string toText(const Restriction& restriction);
// A path and its value: "optimizer.lr=0.05", "model.params.hidden=[64,64]". Input: it is no such thing.
Result<std::pair<std::string, Value>> parseSetting(std::string_view text);
// The axis with what the restriction leaves of it. Input, with path, value and remedy: that is nothing.
Result<Axis> restricted(const Axis& axis, const Restriction& restriction);
// The space with that axis in place of its own. Input besides: it has no such axis.
Result<std::vector<Axis>> restricted(std::span<const Axis> space, const Restriction& restriction);

// Whether the axis takes the value, but for rounding and steps.
bool contains(const Axis& axis, const Value& value);
// The axis's own value that equals the one given: 1 is 1.0. Input: the axis does not take it.
Result<Value> valueOf(const Axis& axis, const Value& given);
// The point with a value for every axis that counts. Input: a field that the space does not have or that does not count
// beside the others, one that is missing, a value outside.
Result<Params> pointOf(std::span<const Axis> space, const Params& given);

} // namespace trainyard::spec
