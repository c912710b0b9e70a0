// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/command/argument_words.h"

#include "engine/base/json_text.h"
#include "engine/base/nearest_word.h"
#include "engine/base/text/printable.h"
#include "engine/spec/values/params.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard::program {
namespace {

using Action = Argument::Action;
using spec::ArgumentValue;
using Words = std::vector<std::string>;

constexpr std::int64_t kMostCount = 100; // how often a counted flag is given

std::string numberText(double number) { return spec::toText(spec::Value(number)); }

// Where a word is read as a literal, 1 would be another type than 1.0.
std::string realLiteral(double number) {
    const std::string text = numberText(number);
    return text.find_first_not_of("-0123456789") == text.npos ? text + ".0" : text;
}

// A value as one word. Truths as Python writes them, which every reader of truths takes.
std::string valueWord(const ArgumentValue& value, WordStyle style) {
    if (const auto* truth = std::get_if<bool>(&value))
        return style == WordStyle::Plain ? (*truth ? "true" : "false") : (*truth ? "True" : "False");
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
    if (const auto* number = std::get_if<double>(&value)) return numberText(*number);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    return {};
}

std::optional<Words> listWords(const ArgumentValue& value) {
    if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) return *texts;
    const auto* numbers = std::get_if<std::vector<double>>(&value);
    if (!numbers) return std::nullopt;
    Words words;
    for (const double each : *numbers) words.push_back(numberText(each));
    return words;
}

std::string joined(const Words& words) {
    std::string text;
    for (const auto& each : words) text += (text.empty() ? "" : ",") + each;
    return text;
}

// [1,2] or ["a","b"], which is a literal of Python, YAML and Hydra as well.
std::string listLiteral(const ArgumentValue& value) {
    if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) return jsonText(Json(*texts));
    return "[" + joined(listWords(value).value_or(Words{})) + "]";
}

// Hydra reads a value by a grammar of its own: what is not plain stands in quotation marks.
std::string hydraWord(const ArgumentValue& value) {
    if (listWords(value)) return listLiteral(value);
    const std::string word = valueWord(value, WordStyle::Plain);
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' ||
               c == '.' || c == '/' || c == '+' || c == '%' || c == '@';
    });
    if (plain || !std::holds_alternative<std::string>(value)) return word;
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("\\'") : std::string(1, c);
    return quoted + "'";
}

bool equalsDefault(const ArgumentValue& value, const Value& byDefault) {
    if (const auto* truth = std::get_if<bool>(&byDefault.is)) {
        const auto* given = std::get_if<bool>(&value);
        return given && *given == *truth;
    }
    const auto number = [](const auto& held) -> std::optional<double> {
        if (const auto* whole = std::get_if<std::int64_t>(&held)) return static_cast<double>(*whole);
        if (const auto* real = std::get_if<double>(&held)) return *real;
        return std::nullopt;
    };
    if (const auto given = number(value)) return given == number(byDefault.is);
    if (const auto* text = std::get_if<std::string>(&byDefault.is)) {
        const auto* given = std::get_if<std::string>(&value);
        return given && *given == *text;
    }
    const auto* list = std::get_if<Value::List>(&byDefault.is);
    const auto given = listWords(value);
    if (!list || !given || list->size() != given->size()) return false;
    for (std::size_t at = 0; at < list->size(); ++at) {
        const auto each = number((*list)[at].is);
        if ((each ? numberText(*each) : plainText((*list)[at])) != (*given)[at]) return false;
    }
    return true;
}

// A file of settings may stand between a script's defaults and its arguments.
bool namesSettings(const spec::ArgumentValues& arguments) {
    return std::any_of(arguments.begin(), arguments.end(), [](const auto& each) {
        return each.first.find("config") != each.first.npos || each.first.find("cfg") != each.first.npos ||
               each.first.find("yaml") != each.first.npos;
    });
}

// A value that begins like an option must stand in the same word as its name.
bool looksLikeOption(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

std::string longFlag(const Argument& argument) {
    for (const auto& flag : argument.flags)
        if (flag.starts_with("--")) return flag;
    return argument.flags.empty() ? std::string() : argument.flags.front();
}

std::string negativeFlag(const Argument& argument) {
    for (const auto& flag : argument.flags)
        if (flag.find("no-") != flag.npos || flag.starts_with("--no")) return flag;
    return argument.flags.size() > 1 ? argument.flags.back() : std::string();
}

// The words of one argument.
class ArgumentWriter {
public:
    ArgumentWriter(const Argument& argument, ArgumentStyle script, WordStyle style)
        : m_argument(argument), m_script(script), m_style(style) {}

    Result<Words> write(const ArgumentValue& value) {
        m_words.clear();
        switch (m_argument.action) {
        case Action::StoreTrue:
        case Action::StoreConst: TY_TRY(flagIf(value, true)); break;
        case Action::StoreFalse: TY_TRY(flagIf(value, false)); break;
        case Action::Negatable: TY_TRY(negatable(value)); break;
        case Action::Count: TY_TRY(counted(value)); break;
        case Action::Append:
            if (const auto list = listWords(value))
                for (const auto& each : *list) single(each);
            else single(wordOf(value));
            break;
        case Action::Store:
        case Action::Extend:
        case Action::Other: stored(value); break;
        }
        return std::move(m_words);
    }

private:
    Error wrong(const ArgumentValue& value, const char* expected) const {
        return inputError("takes " + std::string(expected) + ", found " + printable(spec::argumentText(value), 60),
                          "program.arguments." + m_argument.name,
                          "or give all arguments as a list, in the words of the command line");
    }

    Result<void> flagIf(const ArgumentValue& value, bool wanted) {
        const auto* truth = std::get_if<bool>(&value);
        if (!truth) return wrong(value, "true or false");
        if (*truth == wanted) m_words.push_back(longFlag(m_argument));
        return {};
    }

    Result<void> negatable(const ArgumentValue& value) {
        const auto* truth = std::get_if<bool>(&value);
        if (!truth) return wrong(value, "true or false");
        const std::string negative = negativeFlag(m_argument);
        if (m_script == ArgumentStyle::Absl) single(*truth ? "true" : "false");
        else if (*truth) m_words.push_back(longFlag(m_argument));
        else if (!negative.empty()) m_words.push_back(negative);
        else single("False");
        return {};
    }

    Result<void> counted(const ArgumentValue& value) {
        const auto* count = std::get_if<std::int64_t>(&value);
        if (!count || *count < 0 || *count > kMostCount) return wrong(value, "a whole number from 0 to 100");
        const auto* first = m_argument.byDefault ? std::get_if<std::int64_t>(&m_argument.byDefault->is) : nullptr;
        for (std::int64_t at = first ? *first : 0; at < *count; ++at) m_words.push_back(longFlag(m_argument));
        return {};
    }

    // bool("False") is true in Python: of type=bool only the empty word is false.
    std::string wordOf(const ArgumentValue& value) const {
        const auto* truth = std::get_if<bool>(&value);
        if (truth && !*truth && m_script == ArgumentStyle::Argparse && m_argument.type == "bool") return {};
        if (takesLiteral()) {
            const auto* whole = std::get_if<std::int64_t>(&value);
            if (const auto* number = std::get_if<double>(&value)) return realLiteral(*number);
            if (whole && m_argument.type == "float") return realLiteral(static_cast<double>(*whole));
        }
        return m_style == WordStyle::Plain ? hydraWord(value) : valueWord(value, m_style);
    }

    bool takesLiteral() const {
        return m_style == WordStyle::Plain || m_script == ArgumentStyle::Fire || m_script == ArgumentStyle::Globals ||
               m_script == ArgumentStyle::LightningCli;
    }

    void stored(const ArgumentValue& value) {
        const auto list = listWords(value);
        if (!list) return single(wordOf(value));
        if (takesLiteral()) return single(listLiteral(value));
        if (m_argument.nargs.empty() && m_argument.action == Action::Store) return single(joined(*list));
        if (!m_argument.positional()) m_words.push_back(longFlag(m_argument));
        m_words.insert(m_words.end(), list->begin(), list->end());
    }

    void single(const std::string& word) {
        if (m_argument.positional()) return m_words.push_back(word);
        const std::string flag = longFlag(m_argument);
        const bool spaced = m_style == WordStyle::Spaced && !looksLikeOption(word);
        const bool plain = m_style == WordStyle::Plain;
        if (spaced) m_words.insert(m_words.end(), {flag, word});
        else m_words.push_back((plain ? m_argument.name : flag) + "=" + word);
    }

    const Argument& m_argument;
    ArgumentStyle m_script;
    WordStyle m_style;
    Words m_words{};
};

std::string bareName(const std::string& name) {
    std::string bare = name.substr(std::min(name.find_first_not_of('-'), name.size()));
    std::replace(bare.begin(), bare.end(), '-', '_');
    return bare;
}

Error unknownArgument(const std::string& name, const ScriptArguments& known) {
    Words names;
    for (const auto& each : known.arguments) names.push_back(each.name);
    const auto near = nearestWord(bareName(name), names);
    const std::string list = "give the arguments as a list to pass it nevertheless";
    return inputError("the script has no such argument", "program.arguments." + printable(name, 80),
                      near.empty() ? "see: trainyardctl arguments SCRIPT; " + list
                                   : "did you mean " + near + "? " + list);
}

// An argument that only the run file knows.
Result<Words> unknownWords(const std::string& name, const ArgumentValue& value, WordStyle style) {
    Argument argument{.name = name};
    argument.flags = {name.starts_with('-') ? name : "--" + name};
    if (std::holds_alternative<bool>(value) && style == WordStyle::Spaced) argument.action = Action::StoreTrue;
    if (listWords(value)) argument.nargs = "*";
    return ArgumentWriter(argument, ArgumentStyle::None, style).write(value);
}

// "--shuffle" and "--no-shuffle" may be two arguments of one variable: the one that can give it this value.
const Argument* withValue(const ScriptArguments& known, const Argument* argument, const ArgumentValue& value) {
    const auto* truth = std::get_if<bool>(&value);
    const Action wanted = truth && *truth ? Action::StoreTrue : Action::StoreFalse;
    const bool isFlag = argument->action == Action::StoreTrue || argument->action == Action::StoreFalse;
    if (!truth || !isFlag || argument->action == wanted) return argument;
    const auto other = std::find_if(known.arguments.begin(), known.arguments.end(), [&](const Argument& each) {
        return each.name == argument->name && each.subcommand == argument->subcommand && each.action == wanted;
    });
    return other == known.arguments.end() ? argument : &*other;
}

// What is before a subcommand, then the subcommand and what is its own.
struct Section {
    Words positional{}, options{}, rest{};
    bool used = false;
};

void addSection(Words& words, Section& section) {
    for (auto* part : {&section.positional, &section.options, &section.rest})
        words.insert(words.end(), part->begin(), part->end());
}

bool isComplete(const ScriptArguments& known) {
    return known.unread.empty() && known.configFile.empty() && known.style != ArgumentStyle::None &&
           known.style != ArgumentStyle::Hydra && !known.arguments.empty();
}

} // namespace

WordStyle wordStyle(const std::string& style, ArgumentStyle script) {
    if (style == "--a b") return WordStyle::Spaced;
    if (style == "--a=b") return WordStyle::Equals;
    if (style == "a=b") return WordStyle::Plain;
    switch (script) {
    case ArgumentStyle::Hydra: return WordStyle::Plain;
    case ArgumentStyle::Absl:
    case ArgumentStyle::Fire:
    case ArgumentStyle::Globals:
    case ArgumentStyle::LightningCli: return WordStyle::Equals;
    default: return WordStyle::Spaced;
    }
}

const Argument* findArgument(const ScriptArguments& known, const std::string& name) {
    const auto find = [&](auto matches) -> const Argument* {
        const auto found = std::find_if(known.arguments.begin(), known.arguments.end(), matches);
        return found == known.arguments.end() ? nullptr : &*found;
    };
    if (const auto* exact = find([&](const Argument& each) { return each.name == name; })) return exact;
    if (const auto* below = find([&](const Argument& each) { // "data.fetch.lr" of the subcommand "data fetch"
            std::string path = each.subcommand + "." + each.name;
            std::replace(path.begin(), path.end(), ' ', '.');
            return !each.subcommand.empty() && path == name;
        }))
        return below;
    const std::string bare = bareName(name);
    return find([&](const Argument& each) {
        return bareName(each.name) == bare ||
               std::any_of(each.flags.begin(), each.flags.end(),
                           [&](const std::string& flag) { return flag == name || bareName(flag) == bare; });
    });
}

Result<Words> argumentWords(const spec::ArgumentValues& arguments, const std::string& style,
                            const ScriptArguments* known) {
    const auto script = known ? known->style : ArgumentStyle::None;
    const WordStyle form = wordStyle(style, script);
    const bool passDefaults = !known || namesSettings(arguments);
    std::map<const Argument*, const ArgumentValue*> given;
    Section unknown;
    for (const auto& [name, value] : arguments) {
        const Argument* argument = known ? findArgument(*known, name) : nullptr;
        if (argument) {
            given[withValue(*known, argument, value)] = &value;
            continue;
        }
        if (known && isComplete(*known)) return unknownArgument(name, *known);
        TY_ASSIGN(const auto words, unknownWords(name, value, form));
        unknown.options.insert(unknown.options.end(), words.begin(), words.end());
    }
    std::vector<std::pair<std::string, Section>> sections{{"", std::move(unknown)}};
    for (std::size_t at = 0; known && at < known->arguments.size(); ++at) {
        const Argument& argument = known->arguments[at];
        const auto found = given.find(&argument);
        if (found == given.end()) continue;
        auto section = std::find_if(sections.begin(), sections.end(),
                                    [&](const auto& each) { return each.first == argument.subcommand; });
        if (section == sections.end()) section = sections.insert(section, {argument.subcommand, Section{}});
        section->second.used = true;
        const bool isDefault = argument.certain() && argument.byDefault && !argument.positional() &&
                               equalsDefault(*found->second, *argument.byDefault);
        if (isDefault && !passDefaults) continue;
        TY_ASSIGN(const auto words, ArgumentWriter(argument, script, form).write(*found->second));
        auto& part = !argument.positional()    ? section->second.options
                     : argument.nargs == "..." ? section->second.rest
                                               : section->second.positional;
        part.insert(part.end(), words.begin(), words.end());
    }
    Words words;
    for (auto& [subcommand, section] : sections) {
        for (std::size_t at = 0; at < subcommand.size();) { // "data fetch" are two words
            const auto end = std::min(subcommand.find(' ', at), subcommand.size());
            words.push_back(subcommand.substr(at, end - at));
            at = end + 1;
        }
        addSection(words, section);
    }
    return words;
}

} // namespace trainyard::program
