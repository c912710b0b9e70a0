// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/sweep/space_point.h"

#include "engine/base/json_text.h"
#include "engine/base/nearest_word.h"
#include "engine/base/text/printable.h"
#include "engine/spec/run/check.h"
#include "engine/spec/values/value_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace trainyard::spec {
namespace {

constexpr std::string_view kBetween = "..";

double numberIn(const Value& value) {
    return Choice{{}, {{"v", value}}}.number("v", std::numeric_limits<double>::quiet_NaN());
}

bool isSame(const Value& a, const Value& b) { return a == b || numberIn(a) == numberIn(b); }

std::string valueText(const Value& value) { return printable(toText(value), 80); }

// Up to eight of them.
std::string listText(const std::vector<Value>& values) {
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(values.size(), 8); ++i)
        text += (i == 0 ? "" : ", ") + valueText(values[i]);
    return values.size() > 8 ? text + ", …" : text;
}

std::string rangeText(const Axis& axis) { return numberText(axis.from) + " to " + numberText(axis.to); }

std::optional<double> numberFrom(std::string_view text) {
    double number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
    return number;
}

std::vector<Value> valuesFrom(const std::string& text) {
    Errors errors;
    const Json tree = parseTree("{\"v\":" + text + "}", errors);
    if (!errors.empty() || tree.size() != 1 || !tree.contains("v"))
        return text.front() == '[' ? std::vector<Value>{} : std::vector<Value>{Value(text)};
    std::vector<Value> values;
    for (const Json& each : tree["v"].is_array() ? tree["v"] : Json::array({tree["v"]}))
        if (auto value = valueFromJson(each)) values.push_back(std::move(*value));
        else return {};
    return values;
}

Error unknownField(std::span<const Axis> space, const std::string& path, const std::string& value) {
    std::vector<std::string> paths;
    for (const Axis& axis : space) paths.push_back(axis.path);
    const std::string near = nearestWord(path, paths);
    return inputError("is not a field that the sweep varies, found " + value, printable(path, 120),
                      near.empty() ? "these are: " + joined(paths) : "did you mean " + inQuotes(near) + "?");
}

Result<Axis> restrictedToValues(const Axis& axis, const Restriction& restriction) {
    Axis part{
        .path = axis.path, .values = {}, .everyValue = axis.everyValue, .when = axis.when, .objects = axis.objects};
    for (const Value& given : restriction.values) {
        TY_ASSIGN(auto value, valueOf(axis, given));
        if (std::find(part.values.begin(), part.values.end(), value) == part.values.end())
            part.values.push_back(std::move(value));
    }
    return part;
}

Error leavesNothing(const Axis& axis, const Restriction& restriction) {
    const auto found = numberText(restriction.from) + " to " + numberText(restriction.to);
    return inputError("leaves nothing, found " + found, axis.path,
                      axis.isList() ? "keep one of its values: " + listText(axis.values)
                                    : "keep a part of " + rangeText(axis));
}

// Of a range with steps, or of whole numbers, from its first value within to its last.
Result<Axis> restrictedToRange(const Axis& axis, const Restriction& restriction) {
    if (restriction.from > restriction.to)
        return inputError("from must not be greater than to, found " + numberText(restriction.from) + " and " +
                              numberText(restriction.to),
                          axis.path, "swap the two");
    Axis part = axis;
    const double step = axis.step > 0 ? axis.step : axis.whole ? 1 : 0;
    const double first = axis.whole ? std::ceil(axis.from) : axis.from;
    part.from = std::max(axis.from, restriction.from);
    part.to = std::min(axis.to, restriction.to);
    if (step > 0 && axis.sd == 0) {
        part.from = first + std::ceil((part.from - first) / step - 1e-9) * step;
        part.to = first + std::floor((part.to - first) / step + 1e-9) * step;
    }
    if (part.from > part.to) return leavesNothing(axis, restriction);
    if (part.from < part.to) return part;
    const Value only = axis.whole ? Value(static_cast<std::int64_t>(std::llround(part.from))) : Value(part.from);
    return Axis{.path = axis.path, .values = {only}, .when = axis.when};
}

} // namespace

Result<Restriction> parseRestriction(std::string_view text) {
    const auto wrong = [&] {
        return inputError("has no PATH=RANGE, found " + inQuotes(std::string(text)), "restriction",
                          "for example: optimizer.lr=0.001..0.1, or batch.perRank=[16, 32]");
    };
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) return wrong();
    Restriction restriction{.path = std::string(text.substr(0, equals))};
    const std::string_view range = text.substr(equals + 1);
    if (const auto between = range.find(kBetween); between != std::string_view::npos) {
        const auto from = numberFrom(range.substr(0, between));
        const auto to = numberFrom(range.substr(between + kBetween.size()));
        if (!from || !to) return wrong();
        restriction.from = *from;
        restriction.to = *to;
        return restriction;
    }
    restriction.values = valuesFrom(std::string(range));
    if (restriction.values.empty()) return wrong();
    return restriction;
}

Result<std::pair<std::string, Value>> parseSetting(std::string_view text) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size())
        return inputError("has no path=value, found " + inQuotes(std::string(text)), "set",
                          "for example: optimizer.lr=0.05");
    const std::string value(text.substr(equals + 1));
    Errors errors;
    const Json tree = parseTree("{\"v\":" + value + "}", errors);
    const std::optional<Value> parsed =
        errors.empty() && tree.size() == 1 && tree.contains("v") ? valueFromJson(tree["v"]) : Value(value);
    if (!parsed)
        return inputError("is not a value that a field can take, found " + inQuotes(value),
                          std::string(text.substr(0, equals)), "give a number, a word or a list of numbers");
    return std::pair{std::string(text.substr(0, equals)), *parsed};
}

std::string toText(const Restriction& restriction) {
    if (restriction.values.empty())
        return restriction.path + "=" + numberText(restriction.from) + std::string(kBetween) +
               numberText(restriction.to);
    Json list = Json::array();
    for (const Value& value : restriction.values) list.push_back(valueToJson(value));
    return restriction.path + "=" + jsonText(list);
}

Result<Axis> restricted(const Axis& axis, const Restriction& restriction) {
    if (!restriction.values.empty()) return restrictedToValues(axis, restriction);
    if (!axis.isList()) return restrictedToRange(axis, restriction);
    Axis part = axis;
    std::erase_if(part.values, [&](const Value& value) {
        const double number = numberIn(value);
        return !(number >= restriction.from && number <= restriction.to);
    });
    if (part.values.empty()) return leavesNothing(axis, restriction);
    return part;
}

Result<std::vector<Axis>> restricted(std::span<const Axis> space, const Restriction& restriction) {
    const Axis* axis = findAxis(space, restriction.path);
    if (axis == nullptr) return unknownField(space, restriction.path, toText(restriction));
    TY_ASSIGN(auto part, restricted(*axis, restriction));
    std::vector<Axis> axes(space.begin(), space.end());
    axes[static_cast<std::size_t>(axis - space.data())] = std::move(part);
    return axes;
}

bool contains(const Axis& axis, const Value& value) {
    if (axis.isList())
        return std::any_of(axis.values.begin(), axis.values.end(),
                           [&](const Value& each) { return isSame(each, value); });
    const double number = numberIn(value), slack = 1e-9 * (axis.to - axis.from);
    return number >= axis.from - slack && number <= axis.to + slack;
}

Result<Value> valueOf(const Axis& axis, const Value& given) {
    if (axis.isList()) {
        for (const Value& value : axis.values)
            if (isSame(value, given)) return value;
        return inputError("is outside of the space, found " + valueText(given), axis.path,
                          "take one of " + listText(axis.values));
    }
    const double number = numberIn(given);
    if (!std::isfinite(number))
        return inputError("must be a number, found " + valueText(given), axis.path, "take one of " + rangeText(axis));
    if (number < axis.from || number > axis.to)
        return inputError("is outside of the space, found " + valueText(given), axis.path,
                          "take a value of " + rangeText(axis));
    if (!axis.whole && axis.step == 0) return Value(number);
    const Value nearest = valueAt(axis, placeOf(axis, given));
    if (std::abs(numberIn(nearest) - number) > 1e-9 * std::max(1.0, std::abs(number)))
        return inputError("lies between two values of the space, found " + valueText(given), axis.path,
                          "take " + valueText(nearest));
    return nearest;
}

Result<Params> pointOf(std::span<const Axis> space, const Params& given) {
    Params point;
    for (const auto& [path, value] : given) {
        const Axis* axis = findAxis(space, path);
        if (axis == nullptr) return unknownField(space, path, valueText(value));
        TY_ASSIGN(point[path], valueOf(*axis, value));
    }
    for (const Axis& axis : space) {
        const bool counts = isActive(axis, point), has = point.contains(axis.path);
        if (counts && !has)
            return inputError("is missing", axis.path,
                              "give a value for each field that the sweep varies, such as " + axis.path + "=" +
                                  valueText(valueAt(axis, 0.5)));
        if (!counts && has)
            return inputError("does not apply with the other values, found " + valueText(point.at(axis.path)),
                              axis.path, "leave it out");
    }
    return point;
}

} // namespace trainyard::spec
