// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/probe/probe_answer.h"

#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard::program {
namespace {

constexpr std::size_t kMostArguments = 20'000, kMostValues = 5'000, kMostText = 8'192, kMostNotes = 200;
constexpr int kMostValueDepth = 8;

std::string textOf(const Json& json, const char* key) {
    const auto found = json.find(key);
    if (found == json.end() || !found->is_string()) return {};
    return printable(found->get<std::string>(), kMostText);
}

std::vector<std::string> textsOf(const Json& json, const char* key, std::size_t most) {
    std::vector<std::string> texts;
    const auto found = json.find(key);
    if (found == json.end() || !found->is_array()) return texts;
    for (const auto& each : *found)
        if (each.is_string() && texts.size() < most) texts.push_back(printable(each.get<std::string>(), kMostText));
    return texts;
}

Value valueOf(const Json& json, int depth = 0);

Value objectOf(const Json& json, int depth) {
    if (const auto code = json.find("code"); code != json.end() && code->is_string())
        return {Value::Code{printable(code->get<std::string>(), kMostText)}};
    if (const auto number = json.find("float"); number != json.end() && number->is_string()) {
        const auto& text = number->get_ref<const std::string&>();
        if (text == "nan") return {std::numeric_limits<double>::quiet_NaN()};
        const double infinity = std::numeric_limits<double>::infinity();
        return {text.starts_with('-') ? -infinity : infinity};
    }
    Value::Dict dict;
    const auto pairs = json.find("dict");
    if (pairs == json.end() || !pairs->is_array()) return {Value::Code{"?"}};
    for (const auto& pair : *pairs) {
        if (!pair.is_array() || pair.size() != 2 || dict.keys.size() == kMostValues) continue;
        dict.keys.push_back(valueOf(pair[0], depth + 1));
        dict.values.push_back(valueOf(pair[1], depth + 1));
    }
    return {std::move(dict)};
}

Value valueOf(const Json& json, int depth) {
    if (depth > kMostValueDepth) return {Value::Code{"…"}};
    if (json.is_boolean()) return {json.get<bool>()};
    if (json.is_number_unsigned() && json.get<std::uint64_t>() > std::uint64_t{INT64_MAX})
        return {Value::Code{jsonText(json)}};
    if (json.is_number_integer()) return {json.get<std::int64_t>()};
    if (json.is_number()) return {json.get<double>()};
    if (json.is_string()) return {json.get<std::string>().substr(0, kMostText)};
    if (json.is_object()) return objectOf(json, depth);
    if (!json.is_array()) return {};
    Value::List list;
    for (const auto& each : json)
        if (list.size() < kMostValues) list.push_back(valueOf(each, depth + 1));
    return {std::move(list)};
}

Argument::Action actionOf(const std::string& word) {
    using Action = Argument::Action;
    for (const auto action : {Action::Store, Action::StoreTrue, Action::StoreFalse, Action::StoreConst, Action::Append,
                              Action::Extend, Action::Count, Action::Negatable})
        if (word == toString(action)) return action;
    return Action::Other;
}

ArgumentStyle styleOf(const std::string& word) {
    using Style = ArgumentStyle;
    for (const auto style : {Style::Argparse, Style::Dataclass, Style::Tyro, Style::Absl, Style::Click, Style::Fire,
                             Style::LightningCli, Style::Hydra, Style::Globals})
        if (word == toString(style)) return style;
    return Style::None;
}

std::optional<Argument> argumentOf(const Json& json) {
    if (!json.is_object()) return std::nullopt;
    Argument argument{.name = textOf(json, "name")};
    if (argument.name.empty()) return std::nullopt;
    argument.flags = textsOf(json, "flags", kMostNotes);
    argument.type = textOf(json, "type");
    argument.nargs = textOf(json, "nargs");
    argument.help = textOf(json, "help");
    argument.group = textOf(json, "group");
    argument.subcommand = textOf(json, "subcommand");
    argument.action = actionOf(textOf(json, "action"));
    const auto required = json.find("required"), given = json.find("default"), choices = json.find("choices");
    argument.required = required != json.end() && required->is_boolean() && required->get<bool>();
    Value byDefault = given == json.end() ? Value{} : valueOf(*given);
    if (!byDefault.isLiteral()) argument.computed = "default: " + pythonText(byDefault);
    const bool isNothing = std::holds_alternative<Value::None>(byDefault.is);
    if (!isNothing || !argument.required) argument.byDefault = std::move(byDefault);
    if (choices == json.end()) return argument;
    Value allowed = valueOf(*choices);
    if (!allowed.isLiteral()) argument.computed = "choices: " + pythonText(allowed);
    else if (auto* list = std::get_if<Value::List>(&allowed.is)) argument.choices = std::move(*list);
    return argument;
}

// Two of one name are told apart by their flags: --shuffle, --no-shuffle.
bool isSame(const Argument& read, const Argument& probed) {
    if (read.subcommand != probed.subcommand) return false;
    if (read.positional() || probed.positional())
        return read.positional() == probed.positional() && read.name == probed.name;
    return std::any_of(read.flags.begin(), read.flags.end(), [&](const std::string& flag) {
        return std::find(probed.flags.begin(), probed.flags.end(), flag) != probed.flags.end();
    });
}

// One that was read without its subcommand.
bool isOfSubcommand(const Argument& read, const ScriptArguments& probed) {
    return read.subcommand.empty() &&
           std::any_of(probed.arguments.begin(), probed.arguments.end(), [&](const Argument& each) {
               Argument plain = each;
               plain.subcommand.clear();
               return !each.subcommand.empty() && isSame(read, plain);
           });
}

// The probe's, with what only the source tells.
Argument together(const Argument& read, Argument probed, bool isGuessed) {
    probed.place = read.place;
    if (probed.help.empty()) probed.help = read.help;
    if (!read.type.empty() && probed.type != "bool") probed.type = read.type;
    const bool knowsDefault = !probed.byDefault || probed.byDefault->isLiteral();
    const bool readKnows = read.certain() && (!read.byDefault || read.byDefault->isLiteral());
    if (!knowsDefault && readKnows) {
        probed.byDefault = read.byDefault;
        probed.choices = read.choices;
        probed.computed.clear();
    }
    if (probed.choices.empty() && read.certain()) probed.choices = read.choices;
    // What a replaced package would have said, nobody knows.
    const bool lostChoices = probed.choices.empty() && read.computed.starts_with("choices");
    if (!read.certain() && (isGuessed || lostChoices)) probed.computed = read.computed;
    return probed;
}

} // namespace

Result<ProbeAnswer> readProbeAnswer(std::string_view text, const std::string& where) {
    const Json json = parseJson(text);
    const auto arguments = json.is_object() ? json.find("arguments") : json.end();
    if (!json.is_object() || arguments == json.end() || !arguments->is_array())
        return inputError("gave no answer when it was tried", where,
                          "the script may end Python, or close its output, before its arguments are known");
    ProbeAnswer answer;
    answer.found.style = styleOf(textOf(json, "style"));
    answer.found.configFile = textOf(json, "config");
    for (const auto& each : *arguments) {
        if (answer.found.arguments.size() == kMostArguments) break;
        if (auto argument = argumentOf(each)) answer.found.arguments.push_back(std::move(*argument));
    }
    if (const auto unread = json.find("unread"); unread != json.end() && unread->is_array())
        for (const auto& each : *unread) {
            if (!each.is_object() || answer.found.unread.size() == kMostNotes) continue;
            const auto line = each.find("line");
            const bool hasLine = line != each.end() && line->is_number_integer();
            answer.found.unread.push_back(
                {{textOf(each, "file"), hasLine ? line->get<std::int64_t>() : 0}, textOf(each, "what")});
        }
    answer.failed = textsOf(json, "failed", kMostNotes);
    answer.stubbed = textsOf(json, "stubbed", 1'000);
    const auto seconds = json.find("seconds"), guessed = json.find("guessed");
    if (seconds != json.end() && seconds->is_number()) answer.seconds = seconds->get<double>();
    answer.isGuessed = guessed != json.end() && guessed->is_boolean() && guessed->get<bool>();
    return answer;
}

ScriptArguments withProbe(ScriptArguments read, const ProbeAnswer& probe) {
    if (probe.found.style == ArgumentStyle::None) return read;
    ScriptArguments all = probe.found;
    all.files = read.files;
    all.bytes = read.bytes;
    if (all.configFile.empty()) all.configFile = read.configFile;
    for (auto& argument : all.arguments) {
        const auto known = std::find_if(read.arguments.begin(), read.arguments.end(),
                                        [&](const Argument& each) { return isSame(each, argument); });
        if (known == read.arguments.end()) continue;
        argument = together(*known, std::move(argument), probe.isGuessed);
        read.arguments.erase(known);
    }
    const bool sawAll = probe.isWhole() && probe.found.style == read.style;
    for (auto& argument : read.arguments) {
        if (sawAll && isOfSubcommand(argument, probe.found)) continue;
        if (sawAll && argument.certain()) argument.computed = "the script made no such argument when it was tried";
        all.arguments.push_back(std::move(argument));
    }
    if (!sawAll) // else what was not read has been seen
        for (auto& each : read.unread) {
            const auto isIt = [&](const Unread& known) { return known.what == each.what; };
            if (std::none_of(all.unread.begin(), all.unread.end(), isIt)) all.unread.push_back(std::move(each));
        }
    return all;
}

bool isCertain(const ScriptArguments& read) {
    return read.style != ArgumentStyle::None && read.unread.empty() &&
           std::all_of(read.arguments.begin(), read.arguments.end(),
                       [](const Argument& each) { return each.certain(); });
}

bool areSame(const ScriptArguments& one, const ScriptArguments& other) {
    const auto textOf = [](const Argument& each) {
        std::string text = each.name + "\n" + each.type + "\n" + each.nargs + "\n" + each.group + "\n" +
                           each.subcommand + "\n" + each.computed + "\n" + toString(each.action) +
                           (each.required ? "!" : "");
        if (each.byDefault) text += pythonText(*each.byDefault);
        for (const auto& flag : each.flags) text += "\n" + flag;
        for (const auto& choice : each.choices) text += "\n" + pythonText(choice);
        return text;
    };
    return one.style == other.style && one.configFile == other.configFile && one.unread.size() == other.unread.size() &&
           std::equal(one.arguments.begin(), one.arguments.end(), other.arguments.begin(), other.arguments.end(),
                      [&](const Argument& a, const Argument& b) { return textOf(a) == textOf(b); });
}

} // namespace trainyard::program
