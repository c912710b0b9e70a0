// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/config/edit_config.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/nearest_word.h"
#include "engine/base/text/printable.h"
#include "engine/program/config/json_config.h"
#include "engine/program/config/toml_config.h"
#include "engine/program/config/yaml_config.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <type_traits>

namespace trainyard::program {
namespace {

// What is named so, as often as it is there.
void findAll(const ConfigNode& in, std::string_view path, std::vector<const ConfigNode*>& found) {
    for (const auto& child : in.children) {
        if (path == child.key) found.push_back(&child);
        else if (path.size() > child.key.size() && path[child.key.size()] == '.' && path.starts_with(child.key))
            findAll(child, path.substr(child.key.size() + 1), found);
    }
}

void collectNames(const ConfigNode& in, const std::string& above, std::vector<std::string>& names) {
    for (const auto& child : in.children) {
        const auto name = above.empty() ? child.key : above + "." + child.key;
        if (child.children.empty()) names.push_back(name);
        else collectNames(child, name, names);
    }
}

std::string quotedText(std::string_view text) {
    static constexpr std::string_view kHex = "0123456789abcdef";
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (c == '\n') out += "\\n";
        else if (c == '\t') out += "\\t";
        else if (c == '\r') out += "\\r";
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            out += std::string("\\u00") + kHex[static_cast<unsigned char>(c) >> 4] +
                   kHex[static_cast<unsigned char>(c) & 15];
        else out += c;
    }
    return out + '"';
}

// With a point and a sign: YAML 1.1, as Python reads it, takes 1e-05 for a text.
Result<std::string> numberText(double value, ConfigFormat format) {
    if (!std::isfinite(value)) {
        if (format == ConfigFormat::Json) return inputError("JSON has no such number: " + std::to_string(value));
        const std::string dot = format == ConfigFormat::Yaml ? "." : "";
        return std::isnan(value) ? dot + "nan" : (value < 0 ? "-" : "") + dot + "inf";
    }
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    std::string text(buffer.data(), end);
    const auto exponent = text.find('e');
    if (text.find('.') == text.npos) text.insert(std::min(exponent, text.size()), ".0");
    return text;
}

Result<std::string> valueText(const spec::ArgumentValue& value, ConfigFormat format) {
    return std::visit(
        [&]<class T>(const T& each) -> Result<std::string> {
            if constexpr (std::is_same_v<T, bool>) return std::string(each ? "true" : "false");
            else if constexpr (std::is_same_v<T, std::int64_t>) return std::to_string(each);
            else if constexpr (std::is_same_v<T, double>) return numberText(each, format);
            else if constexpr (std::is_same_v<T, std::string>) return quotedText(each);
            else {
                std::string text = "[";
                for (const auto& one : each) {
                    TY_ASSIGN(const auto part, valueText(one, format));
                    text += (text.size() > 1 ? ", " : "") + part;
                }
                return text + "]";
            }
        },
        value);
}

struct Edit {
    std::size_t begin = 0, end = 0;
    std::string text;
};

Error notThere(const ConfigNode& root, const std::string& name, const std::string& file) {
    std::vector<std::string> names;
    collectNames(root, {}, names);
    const auto nearest = nearestWord(name, names);
    return inputError("has no \"" + printable(name, 100) + "\"", file,
                      nearest.empty() ? "add it to the file, or take it out of program.config.set"
                                      : "the nearest is \"" + printable(nearest, 100) + "\"; or add it to the file");
}

Result<Edit> editOf(const ConfigNode& root, const std::string& name, const spec::ArgumentValue& value,
                    ConfigFormat format, const std::string& file) {
    std::vector<const ConfigNode*> found;
    findAll(root, name, found);
    if (found.empty()) return notThere(root, name, file);
    const auto& node = *found.back();
    const auto where = file + ", line " + std::to_string(node.line);
    if (found.size() > 1)
        return inputError("\"" + printable(name, 100) + "\" is there twice", where, "leave one of them out");
    if (node.kind == ConfigNode::Kind::Table)
        return inputError("\"" + printable(name, 100) + "\" is a group of values", where, "set the values in it");
    if (!node.isOnePiece || node.kind == ConfigNode::Kind::Fixed)
        return inputError("\"" + printable(name, 100) +
                              "\" cannot be set: it has an anchor, a tag or an alias, or is written over several lines",
                          where, "write its value behind its name, a list as [1, 2]");
    TY_ASSIGN(auto text, valueText(value, format));
    if (node.begin == node.end) text.insert(0, " "); // nothing stood there
    return Edit{node.begin, node.end, std::move(text)};
}

Result<ConfigNode> readConfig(std::string_view text, ConfigFormat format, const std::string& file) {
    switch (format) {
    case ConfigFormat::Yaml: return readYamlConfig(ConfigText(text, file));
    case ConfigFormat::Json: return readJsonConfig(ConfigText(text, file));
    case ConfigFormat::Toml: break;
    }
    return readTomlConfig(ConfigText(text, file));
}

} // namespace

std::optional<ConfigFormat> configFormatOf(std::string_view name) {
    if (name.ends_with(".yaml") || name.ends_with(".yml")) return ConfigFormat::Yaml;
    if (name.ends_with(".json")) return ConfigFormat::Json;
    if (name.ends_with(".toml")) return ConfigFormat::Toml;
    return std::nullopt;
}

Result<std::string> withSettings(std::string_view text, ConfigFormat format, const spec::ArgumentValues& set,
                                 const std::string& file) {
    TY_ASSIGN(const auto root, readConfig(text, format, file));
    std::vector<Edit> edits;
    for (const auto& [name, value] : set) {
        TY_ASSIGN(auto edit, editOf(root, name, value, format, file));
        edits.push_back(std::move(edit));
    }
    std::ranges::sort(edits, {}, &Edit::begin);
    std::string out;
    std::size_t at = 0;
    for (const auto& edit : edits) {
        if (edit.begin < at)
            return inputError("a value and a part of it are both to be set", file,
                              "take one of them out of program.config.set");
        out.append(text.substr(at, edit.begin - at)).append(edit.text);
        at = edit.end;
    }
    return out.append(text.substr(at));
}

Result<std::string> withSettings(const std::filesystem::path& file, const spec::ArgumentValues& set) {
    constexpr std::size_t kLargest = 1u << 20;
    const auto format = configFormatOf(file.filename().string());
    if (!format)
        return inputError("is no file of settings, by its name", printable(file.string(), 300),
                          "program.config takes .yaml, .yml, .json and .toml");
    TY_ASSIGN(const auto text, readFile(file, kLargest));
    return withSettings(text, *format, set, printable(file.string(), 300));
}

} // namespace trainyard::program
