// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/sweep/sweep_space.h"

#include "engine/spec/run/check.h"
#include "engine/spec/run/object_reader.h"
#include "engine/spec/run/sections.h"
#include "engine/spec/sweep/space_objects.h"
#include "engine/spec/values/value_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard::spec {
namespace {

constexpr double kNormalWidth = 4; // standard deviations on either side, where no ends are given

// Fields of the run file that only take whole numbers: a range over them is rounded.
bool isWholeField(const std::string& path) {
    static const auto fields = [] {
        std::set<std::string> whole{"batch.perRank", "batch.global", "batch.accumulate", "epochs", "steps", "seed"};
        for (const Section& section : runSections())
            for (const ParamInfo& info : section.params)
                if (info.type == ParamType::Integer) whole.insert(info.name);
        return whole;
    }();
    return fields.contains(path);
}

// A word of Ray Tune and the range it means. The upper end of its plain whole numbers does not belong to them.
struct TuneWord {
    const char* name;
    std::size_t numbers; // two ends (or mean and deviation), and a step
    bool log = false, whole = false, withoutEnd = false, normal = false;
};
constexpr std::array kTuneWords = {
    TuneWord{"uniform", 2},
    TuneWord{"quniform", 3},
    TuneWord{.name = "loguniform", .numbers = 2, .log = true},
    TuneWord{.name = "qloguniform", .numbers = 3, .log = true},
    TuneWord{.name = "randint", .numbers = 2, .whole = true, .withoutEnd = true},
    TuneWord{.name = "qrandint", .numbers = 3, .whole = true},
    TuneWord{.name = "lograndint", .numbers = 2, .log = true, .whole = true, .withoutEnd = true},
    TuneWord{.name = "qlograndint", .numbers = 3, .log = true, .whole = true},
    TuneWord{.name = "randn", .numbers = 2, .normal = true},
    TuneWord{.name = "qrandn", .numbers = 3, .normal = true},
};

void setNormal(Axis& axis, double mean, double sd) {
    axis.mean = mean;
    axis.sd = sd;
    axis.from = mean - kNormalWidth * sd;
    axis.to = mean + kNormalWidth * sd;
}

// Ray rounds to multiples of the step: whole ends narrow to such, others have to be some, and those of a normal
// distribution, which are our own, widen.
void toMultiples(const TuneWord& word, const std::string& path, Errors& errors, Axis& axis) {
    const double step = axis.step, from = axis.from / step, to = axis.to / step;
    const auto isMultiple = [](double ratio) { return std::abs(ratio - std::round(ratio)) <= 1e-9 * std::abs(ratio); };
    const auto multiple = [&](double ratio) { return plainNumber(ratio * step); };
    if (word.normal) {
        axis.from = multiple(std::floor(from + 1e-9));
        axis.to = multiple(std::ceil(to - 1e-9));
        return;
    }
    const double least = std::ceil(from - 1e-9), most = std::floor(to + 1e-9);
    const bool exact = isMultiple(from) && isMultiple(to);
    if (least > most || (!word.whole && !exact))
        return errors.push_back(
            {path, numberText(axis.from) + " and " + numberText(axis.to),
             least > most ? "there is no multiple of the step " + numberText(step) + " between these"
                          : "the ends must be multiples of the step " + numberText(step) + ", as in Ray Tune",
             least < most ? "end it at " + numberText(multiple(least)) + " and " + numberText(multiple(most))
                          : "take a smaller step"});
    axis.from = multiple(least);
    axis.to = multiple(most);
}

void readTuneWord(const TuneWord& word, const Json& given, const std::string& path, Errors& errors, Axis& axis) {
    const auto value = valueFromJson(given);
    const auto* numbers = value ? std::get_if<std::vector<double>>(&*value) : nullptr;
    if (numbers == nullptr || numbers->size() != word.numbers) {
        errors.push_back({path, shown(given), "must be a list of " + std::to_string(word.numbers) + " numbers",
                          word.numbers == 3 ? "the last one is the step" : ""});
        return;
    }
    const auto fraction = std::find_if_not(numbers->begin(), numbers->end(), isWhole);
    if (word.whole && fraction != numbers->end())
        return errors.push_back({path, numberText(*fraction), "takes whole numbers", "round it, or use uniform"});
    axis.logScale = word.log;
    axis.whole = axis.whole || word.whole;
    if (word.normal) setNormal(axis, numbers->at(0), numbers->at(1));
    else {
        axis.from = numbers->at(0);
        axis.to = numbers->at(1) - (word.withoutEnd ? 1 : 0);
    }
    if (word.numbers < 3) return;
    axis.step = numbers->at(2);
    if (!(axis.step > 0))
        return errors.push_back({path, numberText(axis.step), "the step must be greater than 0",
                                 std::string("give one, or use ") + (word.name + 1) + " without a step"});
    toMultiples(word, path, errors, axis);
}

void readRange(ObjectReader& reader, const std::string& path, Errors& errors, Axis& axis) {
    std::string scale = "linear";
    if (reader.has("mean") || reader.has("sd")) {
        double mean = 0, sd = 0;
        reader("mean", mean);
        reader("sd", sd);
        setNormal(axis, mean, sd);
        if (!(sd > 0)) errors.push_back({joinPath(path, "sd"), numberText(sd), "must be greater than 0", ""});
    }
    reader("from", axis.from);
    reader("to", axis.to);
    reader("scale", scale);
    reader("count", axis.count);
    reader("step", axis.step);
    if (reader.has("step") && axis.step <= 0)
        errors.push_back({joinPath(path, "step"), numberText(axis.step), "must be greater than 0",
                          "leave it out for any value of the range"});
    Checker check(errors);
    check.word(joinPath(path, "scale"), scale, {"linear", "log"});
    axis.logScale = scale == "log";
    if (axis.logScale && axis.sd > 0)
        errors.push_back({joinPath(path, "scale"), "\"log\"", "does not go with mean and sd", "leave one of them out"});
}

void checkRangeIsWhole(const ObjectReader& reader, const std::string& path, Errors& errors) {
    const bool normal = reader.has("mean") || reader.has("sd");
    if (normal && !reader.has("mean")) errors.push_back({joinPath(path, "mean"), "", "is missing", "give mean and sd"});
    for (const char* key : {"from", "to"})
        if (!normal && !reader.has(key)) errors.push_back({joinPath(path, key), "", "is missing", "give from and to"});
}

// After all axes are known: a condition may name objects of another one.
void readConditions(const Json& when, const std::string& path, Errors& errors, std::span<const Axis> space,
                    Axis& axis) {
    for (const auto& [on, given] : when.items()) {
        const std::string at = path + "." + on;
        const Axis* other = findAxis(space, on);
        const Axis unknown;
        Condition condition{on, {}};
        const Json list = given.is_array() ? given : Json::array({given});
        if (list.empty()) errors.push_back({at, "[]", "has no values", "list at least one"});
        for (std::size_t i = 0; i < list.size(); ++i) {
            auto values = readValuesOf(other == nullptr ? unknown : *other, list[i]);
            if (values.empty())
                errors.push_back({at + "." + std::to_string(i), shown(list[i]), "is not a value of " + on,
                                  "take one that space." + on + " has"});
            for (Value& value : values) condition.values.push_back(std::move(value));
        }
        axis.when.push_back(std::move(condition));
    }
}

// {"choice": […]}, {"grid": […]}, one of Tune's words, or a range.
void readAxis(const Json& given, const std::string& path, Errors& errors, Axis& axis) {
    ObjectReader reader(given, path, errors);
    int kinds = 0;
    for (const char* key : {"choice", "grid", "grid_search"}) {
        const Json* list = reader.at(key);
        if (list == nullptr) continue;
        ++kinds;
        axis.everyValue = std::string_view(key) != "choice";
        if (list->is_array()) readAxisValues(*list, joinPath(path, key), errors, axis);
        else errors.push_back({joinPath(path, key), shown(*list), "must be a list of values", ""});
    }
    for (const TuneWord& word : kTuneWords)
        if (const Json* numbers = reader.at(word.name)) {
            ++kinds;
            readTuneWord(word, *numbers, joinPath(path, word.name), errors, axis);
        }
    if (kinds > 1) errors.push_back({path, shown(given), "gives its values in two ways", "keep one of them"});
    (void)reader.objectAt("when"); // read once all axes are
    reader("whole", axis.whole);
    if (kinds == 0) readRange(reader, path, errors, axis);
    const auto before = errors.size();
    reader.finish();
    if (kinds == 0 && errors.size() == before) checkRangeIsWhole(reader, path, errors);
}

Json rangeJson(const Axis& axis) {
    Json range = {
        {"from", axis.from}, {"to", axis.to}, {"scale", axis.logScale ? "log" : "linear"}, {"count", axis.count}};
    if (axis.sd > 0) {
        range.erase("scale");
        range["mean"] = axis.mean;
        range["sd"] = axis.sd;
    }
    if (axis.step > 0) range["step"] = axis.step;
    if (axis.whole) range["whole"] = true;
    return range;
}

} // namespace

std::vector<Axis> readSpace(const Json& space, Errors& errors) {
    std::vector<Axis> axes;
    for (const auto& [field, given] : space.items()) {
        const std::string path = joinPath("space", field);
        Axis axis;
        axis.path = field;
        axis.whole = isWholeField(field);
        if (given.is_object()) readAxis(given, path, errors, axis);
        else if (given.is_array()) readAxisValues(given, path, errors, axis);
        else
            errors.push_back(
                {path, shown(given), "must be a list of values or {\"from\", \"to\", \"scale\", \"count\"}", ""});
        axes.push_back(std::move(axis));
    }
    for (Axis& axis : axes) {
        const Json& given = space[axis.path];
        const auto when = given.is_object() ? given.find("when") : given.end();
        if (when != given.end() && when->is_object())
            readConditions(*when, joinPath("space", axis.path) + ".when", errors, axes, axis);
    }
    return axes;
}

Json spaceJson(const std::vector<Axis>& space) {
    Json tree = Json::object();
    for (const Axis& axis : space) {
        Json& slot = tree[axis.path];
        if (!axis.isList()) slot = rangeJson(axis);
        else {
            Json list = Json::array();
            for (const Value& value : axis.values) list.push_back(jsonOf(axis, value));
            if (axis.everyValue || !axis.when.empty()) slot[axis.everyValue ? "grid" : "choice"] = std::move(list);
            else slot = std::move(list);
        }
        for (const Condition& condition : axis.when) {
            Json& values = slot["when"][condition.path] = Json::array();
            for (const Value& value : condition.values) values.push_back(valueToJson(value));
        }
    }
    return tree;
}

} // namespace trainyard::spec
