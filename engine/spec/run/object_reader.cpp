// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/run/object_reader.h"

#include "engine/base/json_text.h"
#include "engine/base/nearest_word.h"
#include "engine/base/text/printable.h"
#include "engine/base/text/quoted.h"
#include "engine/spec/run/check.h"
#include "engine/spec/values/value_json.h"

#include <nlohmann/json.hpp>

#include <array>
#include <limits>

namespace trainyard::spec {
namespace {

// A text is given for the list of texts at a path: ["a"] for a, and also for [a], which a shell makes of ["a"].
std::string insteadOfList(std::string_view text, const std::string& path) {
    if (text.size() > 2 && text.front() == '[' && text.back() == ']') text = text.substr(1, text.size() - 2);
    Json list = Json::array();
    for (std::size_t end = 0; end != text.npos; text.remove_prefix(end == text.npos ? text.size() : end + 1)) {
        end = text.find(',');
        list.push_back(std::string(text.substr(0, end)));
    }
    const std::string json = jsonText(list);
    return "write " + printable(json, 120) + ", or --set " + printable(shellWord(path + "=" + json), 160);
}

// What stands between commas and blanks.
std::vector<std::string> words(std::string_view text) {
    constexpr std::string_view kBetween = ", \t";
    std::vector<std::string> found;
    for (std::size_t at = text.find_first_not_of(kBetween); at != text.npos;) {
        const std::size_t end = text.find_first_of(kBetween, at);
        found.emplace_back(text.substr(at, end - at));
        at = text.find_first_not_of(kBetween, end);
    }
    return found;
}

std::optional<ArgumentValue> argumentFromJson(const Json& json) {
    if (auto value = valueFromJson(json))
        return std::visit([](auto& held) { return ArgumentValue(std::move(held)); }, *value);
    if (!json.is_array()) return std::nullopt;
    std::vector<std::string> texts;
    for (const Json& element : json) {
        if (!element.is_string()) return std::nullopt;
        texts.push_back(element.get<std::string>());
    }
    return texts;
}

} // namespace

ObjectReader::ObjectReader(const Json& object, std::string path, Errors& errors)
    : m_object(object), m_path(std::move(path)), m_errors(errors) {}

bool ObjectReader::has(const char* key) const { return m_object.contains(key); }

const Json* ObjectReader::at(const char* key) {
    m_known.insert(key);
    const auto found = m_object.find(key);
    return found == m_object.end() ? nullptr : &*found;
}

const Json* ObjectReader::objectAt(const char* key) {
    const Json* value = at(key);
    if (value == nullptr || value->is_object()) return value;
    wrongType(key, *value, Type::Object);
    return nullptr;
}

void ObjectReader::report(const std::string& path, const Json& value, std::string message, std::string remedy) {
    m_errors.push_back({path, shown(value), std::move(message), std::move(remedy)});
}

void ObjectReader::wrongType(const char* key, const Json& value, Type expected) {
    static constexpr std::array kWords = {"an object { … }",
                                          "a whole number",
                                          "a number",
                                          "true or false",
                                          "text",
                                          "a list of texts",
                                          "a name or an object with \"name\"",
                                          "an object, or a list of texts"}; // in the order of Type
    std::string remedy;
    if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        if (expected == Type::Flag) remedy = insteadOfText(text, ParamType::Flag);
        if (expected == Type::Whole) remedy = insteadOfText(text, ParamType::Integer);
        if (expected == Type::Number) remedy = insteadOfText(text, ParamType::Number);
        if (expected == Type::Texts && !text.empty()) remedy = insteadOfList(text, pathOf(key));
    }
    if (!value.is_string() && expected == Type::Text && value.is_primitive()) remedy = "write it in quotes";
    report(pathOf(key), value, std::string("must be ") + kWords[static_cast<std::size_t>(expected)], std::move(remedy));
}

std::optional<std::int64_t> ObjectReader::whole(const char* key, const Json& value) {
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) {
        report(pathOf(key), value, "is too large", "write a smaller number");
        return std::nullopt;
    }
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (value.is_number_float() && isWhole(value.get<double>())) return static_cast<std::int64_t>(value.get<double>());
    wrongType(key, value, Type::Whole);
    return std::nullopt;
}

void ObjectReader::operator()(const char* key, bool& out) {
    const Json* value = at(key);
    if (value == nullptr) return;
    if (value->is_boolean()) out = value->get<bool>();
    else wrongType(key, *value, Type::Flag);
}

void ObjectReader::operator()(const char* key, int& out) {
    const Json* value = at(key);
    if (value == nullptr) return;
    const auto number = whole(key, *value);
    if (!number) return;
    if (*number < std::numeric_limits<int>::min() || *number > std::numeric_limits<int>::max())
        report(pathOf(key), *value, "is too large", "write a smaller number");
    else out = static_cast<int>(*number);
}

void ObjectReader::operator()(const char* key, std::int64_t& out) {
    if (const Json* value = at(key))
        if (const auto number = whole(key, *value)) out = *number;
}

void ObjectReader::operator()(const char* key, std::optional<std::int64_t>& out) {
    const Json* value = at(key);
    if (value == nullptr) return;
    if (value->is_null()) out.reset();
    else if (const auto number = whole(key, *value)) out = *number;
}

void ObjectReader::operator()(const char* key, double& out) {
    const Json* value = at(key);
    if (value == nullptr) return;
    if (value->is_number()) out = value->get<double>();
    else wrongType(key, *value, Type::Number);
}

void ObjectReader::operator()(const char* key, std::optional<double>& out) {
    const Json* value = at(key);
    if (value == nullptr) return;
    if (value->is_null()) out.reset();
    else (*this)(key, out.emplace());
}

void ObjectReader::operator()(const char* key, std::string& out) {
    const Json* value = at(key);
    if (value == nullptr) return;
    if (value->is_string()) out = value->get<std::string>();
    else wrongType(key, *value, Type::Text);
}

void ObjectReader::operator()(const char* key, std::vector<std::string>& out) {
    const Json* value = at(key);
    if (value == nullptr) return;
    if (!value->is_array()) return wrongType(key, *value, Type::Texts);
    out.clear();
    for (std::size_t i = 0; i < value->size(); ++i) {
        const Json& element = (*value)[i];
        if (element.is_string()) out.push_back(element.get<std::string>());
        else report(pathOf(key) + "." + std::to_string(i), element, "must be text");
    }
}

void ObjectReader::operator()(const char* key, std::map<std::string, std::string>& out) {
    const Json* value = objectAt(key);
    if (value == nullptr) return;
    out.clear();
    for (const auto& [name, text] : value->items()) {
        if (text.is_string()) out[name] = text.get<std::string>();
        else report(joinPath(pathOf(key), name), text, "must be text", text.is_primitive() ? "write it in quotes" : "");
    }
}

void ObjectReader::operator()(const char* key, std::map<std::string, double>& out) {
    const Json* value = objectAt(key);
    if (value == nullptr) return;
    out.clear();
    for (const auto& [name, number] : value->items()) {
        if (number.is_number()) out[name] = number.get<double>();
        else report(joinPath(pathOf(key), name), number, "must be a number");
    }
}

void ObjectReader::operator()(const char* key, ArgumentValues& out) {
    const Json* value = objectAt(key);
    if (value == nullptr) return;
    out.clear();
    for (const auto& [name, argument] : value->items()) {
        if (auto read = argumentFromJson(argument)) out[name] = std::move(*read);
        else
            report(joinPath(pathOf(key), name), argument,
                   "must be a number, true, false, text or a list of numbers or of texts");
    }
}

void ObjectReader::operator()(const char* key, Arguments<ArgumentValues, std::vector<std::string>> out) {
    const Json* value = at(key);
    if (value == nullptr) return;
    if (value->is_array()) return (*this)(key, out.words);
    if (!value->is_object()) return wrongType(key, *value, Type::Arguments);
    (*this)(key, out.byName);
}

void ObjectReader::operator()(const char* key, Patterns<std::vector<std::string>> out) {
    const Json* value = at(key);
    if (value == nullptr) return;
    if (!value->is_string()) return (*this)(key, out.patterns);
    out.patterns = words(value->get_ref<const std::string&>());
}

// True when there is more to read than the name.
bool ObjectReader::readName(const char* key, const Json& value, Choice& out) {
    if (value.is_string()) {
        out = {value.get<std::string>(), {}};
        return false;
    }
    if (!value.is_object()) {
        wrongType(key, value, Type::Choice);
        return false;
    }
    out.params.clear();
    const auto name = value.find("name");
    if (name == value.end()) return true; // the default one, with these parameters
    if (name->is_string()) out.name = name->get<std::string>();
    else report(joinPath(pathOf(key), "name"), *name, "must be text");
    return true;
}

void ObjectReader::readParams(const Json& object, const std::string& path, bool skipName, Choice& out) {
    for (const auto& [name, value] : object.items()) {
        if (skipName && name == "name") continue;
        if (auto read = valueFromJson(value)) {
            out.params[name] = std::move(*read);
            continue;
        }
        std::string remedy;
        if (skipName && name == "params" && value.is_object()) remedy = "write the parameters beside \"name\"";
        report(joinPath(path, name), value, "must be a number, true, false, text or a list of numbers",
               std::move(remedy));
    }
}

void ObjectReader::operator()(const char* key, Flat<Choice> out) {
    const Json* value = at(key);
    if (value != nullptr && readName(key, *value, out.choice)) readParams(*value, pathOf(key), true, out.choice);
}

void ObjectReader::operator()(const char* key, Nested<Choice> out) { readNested(key, out.choice); }

// The object, if it is one. `beside`: a key of it that is read elsewhere.
const Json* ObjectReader::readNested(const char* key, Choice& out, std::string_view beside) {
    const Json* value = at(key);
    if (value == nullptr || !readName(key, *value, out)) return nullptr;
    for (const auto& [name, inner] : value->items()) {
        const std::string path = joinPath(pathOf(key), name);
        if (name == "name" || name == beside) continue;
        if (name != "params")
            report(path, inner, "is not a known key", "parameters of the " + std::string(key) + " go into \"params\"");
        else if (inner.is_object()) readParams(inner, path, false, out);
        else report(path, inner, "must be an object { … }");
    }
    return value;
}

void ObjectReader::finish(const std::set<std::string>& elsewhere, const std::string& remedy) {
    for (const auto& [key, value] : m_object.items()) {
        if (m_known.contains(key)) continue;
        const std::string near = nearestWord(key, m_known);
        std::string known;
        for (const std::string& each : m_known) known += (known.empty() ? "known: " : ", ") + each;
        report(pathOf(key), value, "is not a known key",
               elsewhere.contains(key) ? remedy
               : near.empty()          ? known
                                       : "did you mean \"" + near + "\"?");
    }
}

} // namespace trainyard::spec
