// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/arguments/python_value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace trainyard::program {
namespace {

std::string joined(const std::vector<Value>& values) {
    std::string text;
    for (const Value& each : values) text += (text.empty() ? "" : ", ") + pythonText(each);
    return text;
}

std::string quotedText(const std::string& text) {
    std::string quoted = "'";
    for (const char c : text) {
        if (c == '\n') {
            quoted += "\\n";
            continue;
        }
        if (c == '\'' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return quoted + "'";
}

std::string numberText(double number) {
    if (std::isnan(number)) return "nan";
    if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
    std::array<char, 400> digits{};
    const double size = std::fabs(number);
    const bool plain = size == 0 || (size >= 1e-4 && size < 1e16); // where Python's repr() has no exponent
    const auto style = plain ? std::chars_format::fixed : std::chars_format::scientific;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, style).ptr;
    std::string text(digits.data(), end);
    if (text.find_first_of(".e") == text.npos) text += ".0";
    return text;
}

struct Writer {
    std::string operator()(Value::None) const { return "None"; }
    std::string operator()(bool value) const { return value ? "True" : "False"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return numberText(value); }
    std::string operator()(const std::string& value) const { return quotedText(value); }
    std::string operator()(const Value::List& list) const { return "[" + joined(list) + "]"; }
    std::string operator()(const Value::Code& code) const { return code.text; }
    std::string operator()(const Value::Dict& dict) const {
        std::string text;
        for (std::size_t at = 0; at < dict.keys.size(); ++at)
            text += (at == 0 ? "" : ", ") + pythonText(dict.keys[at]) + ": " + pythonText(dict.values[at]);
        return "{" + text + "}";
    }
};

bool allLiteral(const std::vector<Value>& values) {
    return std::all_of(values.begin(), values.end(), [](const Value& each) { return each.isLiteral(); });
}

std::size_t sizeOf(const std::vector<Value>& values) {
    std::size_t size = 0;
    for (const Value& each : values) size += each.size();
    return size;
}

} // namespace

bool Value::isLiteral() const {
    if (std::holds_alternative<Code>(is)) return false;
    if (const auto* list = std::get_if<List>(&is)) return allLiteral(*list);
    if (const auto* dict = std::get_if<Dict>(&is)) return allLiteral(dict->keys) && allLiteral(dict->values);
    return true;
}

std::size_t Value::size() const {
    if (const auto* list = std::get_if<List>(&is)) return 1 + sizeOf(*list);
    if (const auto* dict = std::get_if<Dict>(&is)) return 1 + sizeOf(dict->keys) + sizeOf(dict->values);
    return 1;
}

std::string pythonText(const Value& value) { return std::visit(Writer{}, value.is); }

std::string plainText(const Value& value) {
    const auto* text = std::get_if<std::string>(&value.is);
    return text ? *text : pythonText(value);
}

} // namespace trainyard::program
