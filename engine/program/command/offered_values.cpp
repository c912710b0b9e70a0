// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/command/offered_values.h"

#include "engine/program/checkpoints/resume_words.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace trainyard::program {
namespace {

std::optional<spec::ArgumentValue> listOffered(const Value::List& list) {
    std::vector<double> numbers;
    std::vector<std::string> texts;
    for (const auto& each : list) {
        if (const auto* whole = std::get_if<std::int64_t>(&each.is)) numbers.push_back(static_cast<double>(*whole));
        else if (const auto* number = std::get_if<double>(&each.is)) numbers.push_back(*number);
        else if (const auto* text = std::get_if<std::string>(&each.is)) texts.push_back(*text);
        else return std::nullopt;
    }
    if (list.empty() || (!numbers.empty() && !texts.empty())) return std::nullopt;
    return numbers.empty() ? spec::ArgumentValue(std::move(texts)) : spec::ArgumentValue(std::move(numbers));
}

std::optional<spec::ArgumentValue> offered(const Value& value) {
    if (const auto* truth = std::get_if<bool>(&value.is)) return *truth;
    if (const auto* whole = std::get_if<std::int64_t>(&value.is)) return *whole;
    if (const auto* number = std::get_if<double>(&value.is); number && std::isfinite(*number)) return *number;
    if (const auto* text = std::get_if<std::string>(&value.is)) return *text;
    if (const auto* list = std::get_if<Value::List>(&value.is)) return listOffered(*list);
    return std::nullopt;
}

} // namespace

spec::ArgumentValues offeredValues(const ScriptArguments& known) {
    const auto suggested = suggestionsFor(known);
    const auto isOutput = [&](const Argument& each) {
        return std::ranges::find(suggested.output, each.name, &SuggestedArgument::name) != suggested.output.end();
    };
    spec::ArgumentValues values;
    for (const auto& each : known.arguments) {
        if (!each.subcommand.empty() || each.name == suggested.resumeArgument) continue;
        if (isOutput(each)) values[each.name] = "{output}";
        else if (each.byDefault) {
            if (auto value = offered(*each.byDefault)) values[each.name] = std::move(*value);
        }
        if (each.required && !values.contains(each.name)) values[each.name] = "";
    }
    return values;
}

} // namespace trainyard::program
