// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/base/arguments.h"

#include "engine/base/nearest_word.h"
#include "engine/base/text/printable.h"

#include <algorithm>
#include <cmath>

namespace trainyard::train {

using spec::ParamInfo;
using spec::ParamType;
using spec::Value;

namespace {

std::string numberText(double number) { return spec::toText(Value(number)); }

bool isWhole(double number) { return std::isfinite(number) && std::nearbyint(number) == number; }

// The numbers that a value stands for; false when it is not of the type.
bool numbersOf(const Value& value, ParamType type, std::vector<double>& numbers) {
    if (type == ParamType::IntegerList || type == ParamType::NumberList) {
        const auto* list = std::get_if<std::vector<double>>(&value);
        if (!list) return false;
        numbers = *list;
        return type == ParamType::NumberList || std::all_of(list->begin(), list->end(), isWhole);
    }
    if (const auto* whole = std::get_if<std::int64_t>(&value)) numbers = {static_cast<double>(*whole)};
    else if (const auto* real = std::get_if<double>(&value)) numbers = {*real};
    else return false;
    return type != ParamType::Integer || isWhole(numbers.front());
}

const char* typeName(ParamType type) {
    switch (type) {
    case ParamType::Flag: return "true or false";
    case ParamType::Integer: return "a whole number";
    case ParamType::Number: return "a number";
    case ParamType::IntegerList: return "a list of whole numbers";
    case ParamType::NumberList: return "a list of numbers";
    case ParamType::Text:
    case ParamType::Option:
    case ParamType::Path: return "a text";
    }
    return "a value";
}

std::string joined(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) {
        if (!line.empty()) line += ", ";
        line += word;
    }
    return line;
}

std::string rangeProblem(const ParamInfo& info, double number) {
    if (!std::isfinite(number)) return "must be finite";
    if (info.min && (info.minExclusive ? number <= *info.min : number < *info.min))
        return std::string(info.minExclusive ? "must be greater than " : "must be at least ") + numberText(*info.min);
    if (info.max && number > *info.max) return "must be at most " + numberText(*info.max);
    return {};
}

} // namespace

Arguments::Arguments(const spec::Choice& choice, const spec::Entry& entry, std::string field)
    : m_choice(choice), m_entry(entry), m_field(std::move(field)) {}

std::string Arguments::path(const std::string& name) const {
    const bool nested = m_field == "model" || m_field == "dataset"; // the others' parameters stand beside their name
    return m_field + (nested ? ".params." : ".") + name;
}

Result<void> Arguments::check() const {
    for (const auto& [name, value] : m_choice.params) TY_TRY(checkOne(name, value));
    return {};
}

Result<void> Arguments::checkOne(const std::string& name, const Value& found) const {
    const std::string where = path(printable(name));
    const ParamInfo* info = m_entry.find(name);
    if (!info) {
        std::vector<std::string> names;
        for (const ParamInfo& one : m_entry.params) names.push_back(one.name);
        return inputError("is not a parameter of " + m_entry.name, where, "known: " + joined(names));
    }
    const std::string text = printable(spec::toText(found));
    if (info->type == ParamType::Flag || info->type == ParamType::Text || info->type == ParamType::Path ||
        info->type == ParamType::Option) {
        const bool fits = info->type == ParamType::Flag ? std::holds_alternative<bool>(found)
                                                        : std::holds_alternative<std::string>(found);
        if (!fits) return inputError(text + " is not " + typeName(info->type), where);
        if (info->type == ParamType::Option &&
            std::find(info->options.begin(), info->options.end(), std::get<std::string>(found)) == info->options.end())
            return inputError("\"" + text + "\" is not known", where, "one of: " + joined(info->options));
        return {};
    }
    if (const auto* word = std::get_if<std::string>(&found); word && !info->options.empty()) { // in place of numbers
        if (std::find(info->options.begin(), info->options.end(), *word) != info->options.end()) return {};
        return inputError("\"" + text + "\" is not known", where, "numbers, or " + joined(info->options));
    }
    std::vector<double> numbers;
    if (!numbersOf(found, info->type, numbers)) return inputError(text + " is not " + typeName(info->type), where);
    for (const double number : numbers)
        if (const std::string problem = rangeProblem(*info, number); !problem.empty())
            return inputError(numberText(number) + " " + problem, where);
    return {};
}

Value Arguments::value(const char* name) const {
    if (const auto found = m_choice.params.find(name); found != m_choice.params.end()) return found->second;
    const ParamInfo* info = m_entry.find(name);
    return info ? info->defaultValue : Value(0.0);
}

double Arguments::number(const char* name) const {
    const Value found = value(name);
    if (const auto* whole = std::get_if<std::int64_t>(&found)) return static_cast<double>(*whole);
    const auto* real = std::get_if<double>(&found);
    return real ? *real : 0.0;
}

std::int64_t Arguments::integer(const char* name) const {
    const Value found = value(name);
    if (const auto* whole = std::get_if<std::int64_t>(&found)) return *whole;
    const auto* real = std::get_if<double>(&found);
    return real ? static_cast<std::int64_t>(*real) : 0;
}

bool Arguments::flag(const char* name) const {
    const Value found = value(name);
    const bool* set = std::get_if<bool>(&found);
    return set && *set;
}

std::string Arguments::text(const char* name) const {
    const Value found = value(name);
    const auto* words = std::get_if<std::string>(&found);
    return words ? *words : std::string();
}

std::vector<std::int64_t> Arguments::integers(const char* name) const {
    const Value found = value(name);
    std::vector<std::int64_t> whole;
    if (const auto* list = std::get_if<std::vector<double>>(&found))
        for (const double number : *list) whole.push_back(static_cast<std::int64_t>(number));
    return whole;
}

std::vector<double> Arguments::numbers(const char* name) const {
    const Value found = value(name);
    const auto* list = std::get_if<std::vector<double>>(&found);
    return list ? *list : std::vector<double>();
}

Result<std::size_t> findName(const std::vector<std::string>& names, const std::string& name, const std::string& field) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    const std::string near = nearestWord(name, names);
    return inputError('"' + printable(name) + "\" is not known", field + ".name",
                      near.empty() ? "one of: " + joined(names) : "did you mean \"" + near + "\"?");
}

} // namespace trainyard::train
