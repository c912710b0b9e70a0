// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/arguments/argument_calls.h"

#include <algorithm>
#include <array>
#include <utility>

namespace trainyard::program {
namespace {

using Action = Argument::Action;

std::optional<bool> truthOf(const Value& value) {
    const auto* truth = std::get_if<bool>(&value.is);
    return truth ? std::optional(*truth) : std::nullopt;
}

void addComputed(Argument& argument, const std::string& what, const std::string& code) {
    argument.computed += (argument.computed.empty() ? "" : "; ") + what + ": " + code;
}

std::string lastName(const std::string& dotted) { return dotted.substr(dotted.rfind('.') + 1); }

// "store_true", argparse.BooleanOptionalAction.
Action actionOf(const std::string& word) {
    static constexpr std::array<std::pair<std::string_view, Action>, 9> kActions{
        {{"store", Action::Store},
         {"store_true", Action::StoreTrue},
         {"store_false", Action::StoreFalse},
         {"store_const", Action::StoreConst},
         {"append", Action::Append},
         {"append_const", Action::StoreConst},
         {"extend", Action::Extend},
         {"count", Action::Count},
         {"BooleanOptionalAction", Action::Negatable}}};
    const std::string name = lastName(word);
    for (const auto& [each, action] : kActions)
        if (each == name) return action;
    return Action::Other;
}

std::string typeOfAction(Action action, const std::string& otherwise) {
    switch (action) {
    case Action::StoreTrue:
    case Action::StoreFalse:
    case Action::Negatable: return "bool";
    case Action::Count: return "int";
    default: return otherwise;
    }
}

// The positional words of a call: its flags and names. What is computed among them is told.
std::string readWords(PythonProject& project, const Call& call, const std::vector<Given>& given,
                      std::vector<std::string>& words) {
    for (const Given& each : given) {
        if (!each.keyword.empty()) continue;
        if (each.spread) {
            if (words.empty()) return "the arguments are computed: " + call.file->text(each.value);
            continue;
        }
        const Value value = valueOf(project, *call.file, each.value);
        const auto* word = std::get_if<std::string>(&value.is);
        if (!word || word->empty()) return "the name of an argument is computed: " + call.file->text(each.value);
        words.push_back(*word);
    }
    return words.empty() ? "an argument without a literal name" : std::string();
}

void nameArgument(Argument& argument, const std::vector<std::string>& words) {
    for (const auto& word : words) {
        const bool isFlag = word.starts_with('-') || (word.starts_with('+') && word.size() > 1); // prefix_chars
        if (isFlag) argument.flags.push_back(word);
        else argument.name = word;
    }
    if (!argument.name.empty()) return;
    const auto isLong = [](const std::string& flag) { return flag.starts_with("--") && flag.size() > 2; };
    const auto found = std::find_if(argument.flags.begin(), argument.flags.end(), isLong);
    argument.name = variableName(found == argument.flags.end() ? argument.flags.front() : *found);
}

std::string wordOf(const Value& value) { return std::holds_alternative<Value::None>(value.is) ? "" : plainText(value); }

// REMAINDER and PARSER of argparse, beside "?", "*", "+" and numbers.
std::string nargsOf(const Value& value) {
    const std::string word = wordOf(value);
    return lastName(word) == "REMAINDER" ? "..." : word;
}

class KeywordReader {
public:
    KeywordReader(PythonProject& project, const PythonFile& file, Argument& argument)
        : m_project(project), m_file(file), m_argument(argument) {}

    bool operator()(const Given& each) {
        const auto value = [&] { return valueOf(m_project, m_file, each.value); };
        if (each.keyword == "default") setDefault(m_argument, value());
        else if (each.keyword == "choices") setChoices(m_argument, value());
        else if (each.keyword == "nargs") m_argument.nargs = nargsOf(value());
        else if (each.keyword == "required") m_argument.required = truthOf(value()).value_or(false);
        else if (each.keyword == "help") readHelp(each);
        else return false;
        return true;
    }

private:
    void readHelp(const Given& each) {
        Value value = valueOf(m_project, m_file, each.value);
        const bool hidden = m_file.text(each.value).ends_with("SUPPRESS");
        m_argument.help = hidden ? std::string() : wordOf(value);
    }

    PythonProject& m_project;
    const PythonFile& m_file;
    Argument& m_argument;
};

// BooleanOptionalAction adds "--no-amp" to "--amp".
void addNegations(Argument& argument) {
    std::vector<std::string> flags;
    for (const auto& flag : argument.flags) {
        flags.push_back(flag);
        if (flag.starts_with("--")) flags.push_back("--no-" + flag.substr(2));
    }
    argument.flags = std::move(flags);
}

// What argparse takes where nothing is said.
void completeArgparse(Argument& argument, bool hasDefault) {
    if (argument.action == Action::Negatable) addNegations(argument);
    if (argument.positional())
        argument.required = argument.nargs != "?" && argument.nargs != "*" && argument.nargs != "...";
    if (hasDefault || (argument.required && !argument.byDefault)) return;
    switch (argument.action) {
    case Action::StoreTrue: argument.byDefault = Value{false}; break;
    case Action::StoreFalse: argument.byDefault = Value{true}; break;
    default: argument.byDefault = Value{};
    }
}

// The type in a click.option: click.Choice([…]) has choices, click.IntRange(0, 5) is a number.
void readClickType(PythonProject& project, const Call& call, Span span, Argument& argument) {
    const PythonFile& file = *call.file;
    std::size_t begin = 0;
    const std::size_t open = file.find("(", span);
    const std::string name = lastName(file.dottedBefore(std::min(open, span.end), begin));
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kTypes{{{"INT", "int"},
                                                                                          {"IntRange", "int"},
                                                                                          {"FLOAT", "float"},
                                                                                          {"FloatRange", "float"},
                                                                                          {"BOOL", "bool"},
                                                                                          {"STRING", "str"},
                                                                                          {"Choice", "str"},
                                                                                          {"File", "Path"},
                                                                                          {"Path", "Path"}}};
    const auto found = std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& each) { return each.first == name; });
    argument.type = found == kTypes.end() ? file.text(span) : std::string(found->second);
    if (name != "Choice" || open >= span.end) return;
    const auto given = file.given(open);
    if (!given.empty()) setChoices(argument, valueOf(project, file, given[0].value));
}

// "--shout/--no-shout" are two flags of one switch.
void splitClickFlags(Argument& argument) {
    std::vector<std::string> flags;
    for (const auto& flag : argument.flags) {
        const auto slash = flag.find('/');
        flags.push_back(flag.substr(0, slash));
        if (slash == flag.npos) continue;
        argument.action = Action::Negatable;
        const auto second = flag.find('-', slash);
        if (second != flag.npos) flags.push_back(flag.substr(second));
    }
    argument.flags = std::move(flags);
}

bool isTrue(PythonProject& project, const Call& call, const std::vector<Given>& given, std::string_view keyword) {
    const Given* found = call.find(given, keyword);
    return found && truthOf(valueOf(project, *call.file, found->value)).value_or(false);
}

std::string abslType(std::string_view kind) {
    if (kind.ends_with("integer")) return "int";
    if (kind.ends_with("float")) return "float";
    if (kind == "bool" || kind == "boolean") return "bool";
    return kind == "list" || kind == "spaceseplist" || kind.ends_with("string") || kind.ends_with("enum") ||
                   kind == "enum_class"
               ? "str"
               : std::string(kind);
}

} // namespace

const Given* Call::find(const std::vector<Given>& given, std::string_view keyword) const {
    const auto found =
        std::find_if(given.begin(), given.end(), [&](const Given& each) { return each.keyword == keyword; });
    return found == given.end() ? nullptr : &*found;
}

std::string variableName(std::string_view flag) {
    flag.remove_prefix(std::min(flag.find_first_not_of("-+"), flag.size()));
    std::string name(flag);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

void setDefault(Argument& argument, Value value) {
    if (!value.isLiteral()) addComputed(argument, "default", pythonText(value));
    argument.byDefault = std::move(value);
}

void setChoices(Argument& argument, Value value) {
    if (std::holds_alternative<Value::None>(value.is)) return;
    if (auto* dict = std::get_if<Value::Dict>(&value.is)) value = Value{std::move(dict->keys)};
    auto* list = std::get_if<Value::List>(&value.is);
    if (list && value.isLiteral()) argument.choices = std::move(*list);
    else addComputed(argument, "choices", pythonText(value));
}

std::string typeOf(const Value& value) {
    if (std::holds_alternative<bool>(value.is)) return "bool";
    if (std::holds_alternative<std::int64_t>(value.is)) return "int";
    return std::holds_alternative<double>(value.is) ? "float" : "str";
}

AddedArgument argparseArgument(PythonProject& project, const Call& call) {
    const auto given = call.given();
    std::vector<std::string> words;
    if (auto unread = readWords(project, call, given, words); !unread.empty()) return {.unread = std::move(unread)};
    Argument argument;
    argument.place = project.place(*call.file, call.open);
    nameArgument(argument, words);
    KeywordReader read(project, *call.file, argument);
    std::string actionWord = "store";
    for (const Given& each : given) {
        if (each.keyword.empty()) {
            if (each.spread) addComputed(argument, "more", call.file->text(each.value));
        } else if (each.keyword == "action") {
            actionWord = plainText(valueOf(project, *call.file, each.value));
            argument.action = actionOf(actionWord);
        } else if (each.keyword == "type") {
            argument.type = call.file->text(each.value);
        } else if (each.keyword == "dest") {
            if (const Value value = valueOf(project, *call.file, each.value); value.isLiteral())
                argument.name = plainText(value);
        } else {
            read(each);
        }
    }
    if (actionWord == "help" || actionWord == "version") return {};
    if (argument.action == Action::Other) addComputed(argument, "action", actionWord);
    argument.type = typeOfAction(argument.action, argument.type);
    completeArgparse(argument, call.find(given, "default") != nullptr);
    return {.argument = std::move(argument)};
}

AddedArgument clickArgument(PythonProject& project, const Call& call, bool positional) {
    const auto given = call.given();
    std::vector<std::string> words;
    if (auto unread = readWords(project, call, given, words); !unread.empty()) return {.unread = std::move(unread)};
    Argument argument;
    argument.place = project.place(*call.file, call.open);
    if (positional) argument.name = variableName(words.front());
    else nameArgument(argument, words);
    splitClickFlags(argument);
    if (argument.action == Action::Negatable) argument.name = variableName(argument.flags.front());
    if (isTrue(project, call, given, "is_flag") && argument.action == Action::Store)
        argument.action = Action::StoreTrue;
    if (isTrue(project, call, given, "count")) argument.action = Action::Count;
    if (isTrue(project, call, given, "multiple")) argument.action = Action::Append;
    KeywordReader read(project, *call.file, argument);
    for (const Given& each : given)
        if (!each.keyword.empty()) read(each);
    if (argument.nargs == "-1") argument.nargs = "*";
    if (const Given* type = call.find(given, "type")) {
        argument.type = call.file->text(type->value);
        if (argument.type.find('.') != std::string::npos) readClickType(project, call, type->value, argument);
    } else if (argument.byDefault && argument.byDefault->isLiteral()) {
        argument.type = typeOf(*argument.byDefault);
    }
    argument.type = typeOfAction(argument.action, argument.type);
    if (positional && !call.find(given, "required")) argument.required = !argument.byDefault && argument.nargs != "*";
    if (!argument.byDefault && !argument.required)
        argument.byDefault = argument.type == "bool" ? Value{false} : Value{};
    return {.argument = std::move(argument)};
}

AddedArgument abslArgument(PythonProject& project, const Call& call, std::string_view kind) {
    const auto given = call.given();
    std::vector<Given> named;
    const bool isEnum = kind == "enum" || kind == "enum_class" || kind == "multi_enum";
    const std::array<std::string_view, 4> order{"name", "default", isEnum ? "enum_values" : "help", "help"};
    for (const Given& each : given) {
        named.push_back(each);
        const std::size_t at = named.size() - 1;
        if (each.keyword.empty() && !each.spread && at < (isEnum ? 4u : 3u)) named[at].keyword = order[at];
    }
    Argument argument;
    argument.place = project.place(*call.file, call.open);
    argument.type = abslType(kind);
    KeywordReader read(project, *call.file, argument);
    for (const Given& each : named) {
        const auto value = [&] { return valueOf(project, *call.file, each.value); };
        if (each.keyword == "name") argument.name = value().isLiteral() ? plainText(value()) : std::string();
        else if (each.keyword == "enum_values") setChoices(argument, value());
        else read(each);
    }
    if (argument.name.empty())
        return {.unread = "the name of a flag is computed: " +
                          call.file->text({call.open, call.file->token(call.open).partner + 1})};
    argument.flags = {"--" + argument.name};
    if (argument.type == "bool") {
        argument.action = Action::Negatable;
        argument.flags.push_back("--no" + argument.name);
    }
    if (kind.starts_with("multi_")) argument.action = Action::Append;
    return {.argument = std::move(argument)};
}

} // namespace trainyard::program
