// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/line/argument_line.h"

#include "engine/program/command/argument_words.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace trainyard::program {
namespace {

using Words = std::vector<std::string>;
using Action = Argument::Action;

// Of an argument that can be negated: whether this is a flag that turns it off.
bool isNegated(const Argument& argument, const std::string& flag) {
    return argument.action == Action::Negatable && flag != argument.flags.front() &&
           (flag.starts_with("--no") || flag == argument.flags.back());
}

// As argumentWords() writes it.
std::string longFlag(const Argument& argument) {
    for (const auto& flag : argument.flags)
        if (flag.starts_with("--")) return flag;
    return argument.flags.front();
}

std::optional<double> numberOf(const std::string& text) {
    const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
    const char* end = text.data() + text.size();
    double number = 0;
    const auto read = std::from_chars(begin, end, number);
    if (read.ec != std::errc() || read.ptr != end || begin == end) return {};
    return number;
}

// argparse takes a word that looks like a flag for one, unless it is joined.
bool looksLikeFlag(const std::string& word) {
    return word.size() > 1 && word[0] == '-' && word.find(' ') == word.npos && !numberOf(word);
}

spec::ArgumentValue typedWord(const Argument& argument, const std::string& word) {
    const auto number = numberOf(word);
    const bool isWhole = number && *number == std::floor(*number) && std::fabs(*number) < 1e15;
    if (argument.type == "int" && isWhole) return static_cast<std::int64_t>(*number);
    if (argument.type == "float" && number && std::isfinite(*number)) return *number;
    return word;
}

spec::ArgumentValue typedWords(const Argument& argument, const Words& words) {
    if (argument.action == Action::Count)
        return typedWord({.name = argument.name, .type = "int"}, words.empty() ? "" : words.front());
    if (!takesList(argument)) return typedWord(argument, words.empty() ? "" : words.front());
    std::vector<double> numbers;
    for (const auto& word : words) {
        const auto value = typedWord(argument, word);
        if (const auto* whole = std::get_if<std::int64_t>(&value)) numbers.push_back(static_cast<double>(*whole));
        else if (const auto* number = std::get_if<double>(&value)) numbers.push_back(*number);
        else return words;
    }
    return numbers;
}

} // namespace

bool isSwitch(const Argument& argument) {
    switch (argument.action) {
    case Action::StoreTrue:
    case Action::StoreFalse:
    case Action::StoreConst:
    case Action::Negatable: return true;
    default: return false;
    }
}

bool takesList(const Argument& argument) {
    return argument.nargs == "*" || argument.nargs == "+" || argument.action == Action::Append ||
           argument.action == Action::Extend || (numberOf(argument.nargs) && argument.nargs != "1");
}

Given defaultOf(const Argument& argument) {
    const Value none{};
    const Value& value = argument.byDefault ? *argument.byDefault : none;
    if (isSwitch(argument)) {
        if (const auto* on = std::get_if<bool>(&value.is)) return *on;
        return argument.action == Action::StoreFalse;
    }
    if (std::holds_alternative<Value::None>(value.is)) return Words{};
    if (const auto* list = std::get_if<Value::List>(&value.is); list && takesList(argument)) {
        Words words;
        for (const Value& each : *list) words.push_back(plainText(each));
        return words;
    }
    return Words{plainText(value)};
}

std::vector<Argument> settable(const ScriptArguments& script) {
    std::vector<Argument> all;
    for (const Argument& each : script.arguments) {
        const auto same = std::find_if(all.begin(), all.end(), [&each](const Argument& known) {
            return known.name == each.name && known.subcommand == each.subcommand;
        });
        if (same == all.end()) {
            all.push_back(each);
            continue;
        }
        const bool opposite = (same->action == Action::StoreTrue && each.action == Action::StoreFalse) ||
                              (same->action == Action::StoreFalse && each.action == Action::StoreTrue);
        if (!opposite || each.flags.empty() || same->flags.empty()) continue;
        const std::string own = longFlag(*same), other = longFlag(each);
        if (same->action == Action::StoreTrue) same->flags = {own, other};
        else same->flags = {other, own};
        same->action = Action::Negatable;
    }
    return all;
}

spec::ArgumentValues valuesOf(const ArgumentLine& line, const ScriptArguments& script) {
    spec::ArgumentValues values;
    for (const Argument& each : settable(script)) {
        const auto given = line.given.find(each.name);
        const bool isHere = each.subcommand.empty() || each.subcommand == line.subcommand;
        if (!isHere || given == line.given.end()) continue;
        std::string name = each.subcommand.empty() ? each.name : each.subcommand + '.' + each.name;
        std::replace(name.begin(), name.end(), ' ', '.'); // of "data fetch"
        const auto* on = std::get_if<bool>(&given->second);
        values[std::move(name)] = on ? spec::ArgumentValue(*on) : typedWords(each, std::get<Words>(given->second));
    }
    return values;
}

Words wordsOf(const ArgumentLine& line, const ScriptArguments& script, const std::string& style) {
    const auto values = valuesOf(line, script);
    Words words = argumentWords(values, style, &script).valueOr(Words{});
    // argumentWords() names a subcommand only with arguments of its own.
    const bool isNamed = std::any_of(script.arguments.begin(), script.arguments.end(), [&line](const Argument& each) {
        return each.subcommand == line.subcommand && line.given.contains(each.name);
    });
    for (std::size_t at = 0; !isNamed && at < line.subcommand.size();) {
        const auto end = std::min(line.subcommand.find(' ', at), line.subcommand.size());
        words.push_back(line.subcommand.substr(at, end - at));
        at = end + 1;
    }
    words.insert(words.end(), line.rest.begin(), line.rest.end());
    return words;
}

namespace {

// Takes one line apart.
class LineReader {
public:
    LineReader(const Words& words, const ScriptArguments& script)
        : m_words(words), m_script(script), m_all(settable(script)) {}

    ArgumentLine read() {
        for (m_at = 0; m_at < m_words.size(); ++m_at) {
            const std::string& word = m_words[m_at];
            if (!m_onlyPositional && takeBare(word)) continue;
            if (m_onlyPositional || !looksLikeFlag(word)) positional(word);
            else if (word == "--") m_onlyPositional = true;
            else if (!option(word)) unknown(word);
        }
        deal();
        return std::move(m_line);
    }

private:
    struct Hit {
        const Argument* argument = nullptr;
        bool negated = false;
    };

    bool isHere(const Argument& each) const { return each.subcommand.empty() || each.subcommand == m_line.subcommand; }

    Hit find(const std::string& flag, bool mayBeShort) const {
        Hit hit;
        int similar = 0;
        for (const Argument& each : m_all) {
            if (!isHere(each)) continue;
            for (const auto& own : each.flags) {
                const bool negated = isNegated(each, own);
                if (own == flag) return {&each, negated};
                if (!mayBeShort || !flag.starts_with("--") || !own.starts_with(flag)) continue;
                if (hit.argument != &each) ++similar;
                hit = {&each, negated};
            }
        }
        return similar == 1 ? hit : Hit{};
    }

    // "model.lr=0.1" of Hydra.
    bool takeBare(const std::string& word) {
        const auto equals = word.find('=');
        if (equals == 0 || equals == word.npos) return false;
        const Hit hit = find(word.substr(0, equals + 1), false);
        if (!hit.argument) return false;
        m_line.given[hit.argument->name] = Words{word.substr(equals + 1)};
        return true;
    }

    bool option(const std::string& word) {
        const auto equals = word.find('=');
        const std::string flag = word.substr(0, equals);
        Hit hit = find(flag, true);
        const bool oneDash = m_script.style == ArgumentStyle::Absl || m_script.style == ArgumentStyle::Fire;
        if (!hit.argument && oneDash && !flag.starts_with("--")) hit = find('-' + flag, false);
        if (!hit.argument) return equals == word.npos && shortOptions(word);
        if (equals == word.npos) return take(hit);
        return join(hit, word.substr(equals + 1));
    }

    // Sets an option to what stands behind its "=".
    bool join(const Hit& hit, const std::string& value) {
        if (!isSwitch(*hit.argument)) {
            put(*hit.argument, {value});
            return true;
        }
        const bool yes = value == "True" || value == "true" || value == "1";
        if (!yes && value != "False" && value != "false" && value != "0") return false;
        m_line.given[hit.argument->name] = yes != hit.negated;
        return true;
    }

    // "-vv", "-b64".
    bool shortOptions(const std::string& word) {
        if (word.size() < 3 || word[1] == '-') return false;
        const Hit first = find(word.substr(0, 2), false);
        if (!first.argument) return false;
        if (!isSwitch(*first.argument) && first.argument->action != Action::Count) {
            put(*first.argument, {word.substr(2)});
            return true;
        }
        for (const char c : word.substr(1))
            if (const Hit hit = find({'-', c}, false);
                !hit.argument || (!isSwitch(*hit.argument) && hit.argument->action != Action::Count))
                return false;
        for (const char c : word.substr(1)) take(find({'-', c}, false));
        return true;
    }

    bool take(const Hit& hit) {
        const Argument& argument = *hit.argument;
        if (isSwitch(argument)) {
            m_line.given[argument.name] = argument.action == Action::StoreFalse ? false : !hit.negated;
            return true;
        }
        if (argument.action == Action::Count) {
            auto& given = m_line.given[argument.name];
            const auto* before = std::get_if<Words>(&given);
            const auto times = before && !before->empty() ? numberOf(before->front()).value_or(0) : 0;
            given = Words{std::to_string(static_cast<int>(times) + 1)};
            return true;
        }
        Words values;
        for (const std::size_t most = mostOf(argument); values.size() < most && hasValue();)
            values.push_back(m_words[++m_at]);
        if (values.empty() && argument.nargs == "?") values = {"True"}; // what such an option is nearly always for
        if (values.empty() && argument.nargs != "*") return false;
        put(argument, std::move(values));
        return true;
    }

    bool hasValue() const { return m_at + 1 < m_words.size() && !looksLikeFlag(m_words[m_at + 1]); }

    static std::size_t mostOf(const Argument& argument) {
        if (argument.nargs == "*" || argument.nargs == "+") return std::string::npos;
        return static_cast<std::size_t>(std::clamp(numberOf(argument.nargs).value_or(1), 1.0, 1e6));
    }

    void put(const Argument& argument, Words values) {
        auto& given = m_line.given[argument.name];
        auto* before = std::get_if<Words>(&given);
        const bool adds = argument.action == Action::Append || argument.action == Action::Extend;
        if (adds && before) before->insert(before->end(), values.begin(), values.end());
        else given = std::move(values);
    }

    // With what follows it, for what it takes is not known.
    void unknown(const std::string& word) {
        m_line.rest.push_back(word);
        const bool others = std::any_of(m_all.begin(), m_all.end(),
                                        [this](const Argument& each) { return each.positional() && isHere(each); });
        std::size_t most = word.find('=') != word.npos ? 0 : others ? 1 : std::string::npos;
        while (most-- > 0 && hasValue()) m_line.rest.push_back(m_words[++m_at]);
    }

    void positional(const std::string& word) {
        const std::string command = m_line.subcommand.empty() ? word : m_line.subcommand + ' ' + word;
        const bool isCommand = std::any_of(m_all.begin(), m_all.end(), [&command](const Argument& each) {
            return !command.empty() && (each.subcommand == command || each.subcommand.starts_with(command + ' '));
        });
        if (isCommand && m_positional.empty()) m_line.subcommand = command;
        else m_positional.push_back(word);
    }

    // Gives each positional argument its words, and leaves the later ones what they need.
    void deal() {
        std::size_t needed = 0, at = 0;
        std::vector<const Argument*> takers;
        for (const Argument& each : m_all) {
            if (!each.positional() || !isHere(each)) continue;
            takers.push_back(&each);
            needed += leastOf(each);
        }
        for (const Argument* each : takers) {
            needed -= leastOf(*each);
            const std::size_t left = m_positional.size() - at;
            const std::size_t most = std::min(each->nargs == "?" ? std::size_t{1} : mostOf(*each), left);
            const std::size_t spare = left > needed ? left - needed : 0; // not needed by those behind it
            const std::size_t count = std::min(left, std::max(leastOf(*each), std::min(most, spare)));
            if (count == 0) continue;
            const auto begin = m_positional.begin() + static_cast<std::ptrdiff_t>(at);
            m_line.given[each->name] = Words(begin, begin + static_cast<std::ptrdiff_t>(count));
            at += count;
        }
        m_line.rest.insert(m_line.rest.end(), m_positional.begin() + static_cast<std::ptrdiff_t>(at),
                           m_positional.end());
    }

    static std::size_t leastOf(const Argument& argument) {
        return argument.nargs == "?" || argument.nargs == "*" ? 0 : argument.nargs == "+" ? 1 : mostOf(argument);
    }

    const Words& m_words;
    const ScriptArguments& m_script;
    std::vector<Argument> m_all;
    std::size_t m_at = 0;
    bool m_onlyPositional = false;
    Words m_positional;
    ArgumentLine m_line;
};

} // namespace

ArgumentLine lineOf(const Words& words, const ScriptArguments& script) { return LineReader(words, script).read(); }

} // namespace trainyard::program
