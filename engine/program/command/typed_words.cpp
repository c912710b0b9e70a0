// SPDX-License-Identifier: GPL-3.0-or-later
// Typed words as arguments by name.
#include "engine/program/command/argument_words.h"
#include "engine/spec/values/params.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace trainyard::program {
namespace {

using TypedAction = Argument::Action;
using spec::ArgumentValue;

template <class T>
std::optional<T> numberIn(std::string_view text) {
    T number{};
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || read.ec != std::errc{} || read.ptr != text.data() + text.size()) return std::nullopt;
    if constexpr (std::is_floating_point_v<T>)
        if (!std::isfinite(number)) return std::nullopt;
    return number;
}

std::optional<bool> truthIn(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    static constexpr std::array kTrue{"true", "yes", "t", "y", "on"}, kFalse{"false", "no", "f", "n", "off"};
    if (std::find(kTrue.begin(), kTrue.end(), lower) != kTrue.end()) return true;
    if (std::find(kFalse.begin(), kFalse.end(), lower) != kFalse.end()) return false;
    return std::nullopt;
}

bool isChoice(const Argument& argument, const std::string& word) {
    return argument.choices.empty() || std::any_of(argument.choices.begin(), argument.choices.end(),
                                                   [&](const Value& each) { return plainText(each) == word; });
}

// One word with the type of its argument; nothing where the program would refuse it, or take it for something else.
std::optional<ArgumentValue> typed(const Argument& argument, const std::string& word, ArgumentStyle style) {
    if (!isChoice(argument, word)) return std::nullopt;
    if (argument.type == "int") {
        if (const auto whole = numberIn<std::int64_t>(word)) return ArgumentValue(*whole);
        return std::nullopt;
    }
    if (argument.type == "float") {
        if (const auto number = numberIn<double>(word)) return ArgumentValue(*number);
        return std::nullopt;
    }
    if (argument.type == "bool" && style == ArgumentStyle::Argparse) return ArgumentValue(!word.empty());
    if (argument.type.find("bool") != std::string::npos) {
        if (const auto truth = truthIn(word)) return ArgumentValue(*truth);
        return argument.type == "bool" ? std::nullopt : std::optional(ArgumentValue(word));
    }
    return ArgumentValue(word);
}

std::optional<ArgumentValue> typedList(const Argument& argument, const std::vector<std::string>& words,
                                       ArgumentStyle style) {
    std::vector<double> numbers;
    std::vector<std::string> texts;
    for (const auto& word : words) {
        const auto value = typed(argument, word, style);
        if (!value) return std::nullopt;
        constexpr std::int64_t kMostExact = std::int64_t(1) << 53;
        if (const auto* whole = std::get_if<std::int64_t>(&*value)) {
            if (*whole > kMostExact || *whole < -kMostExact) return std::nullopt;
            numbers.push_back(static_cast<double>(*whole));
        } else if (const auto* number = std::get_if<double>(&*value)) {
            numbers.push_back(*number);
        } else if (const auto* text = std::get_if<std::string>(&*value)) {
            texts.push_back(*text);
        } else {
            return std::nullopt;
        }
    }
    if (!numbers.empty() && !texts.empty()) return std::nullopt;
    return numbers.empty() ? ArgumentValue(std::move(texts)) : ArgumentValue(std::move(numbers));
}

// Words of "--a b" and "--a=b", as argparse, click and absl take them.
class WordReader {
public:
    WordReader(const std::vector<std::string>& words, const ScriptArguments& known) : m_words(words), m_known(known) {}

    std::optional<spec::ArgumentValues> read() {
        const auto& all = m_known.arguments;
        const bool plain = std::all_of(all.begin(), all.end(), [](const Argument& each) {
            return each.subcommand.empty() && each.nargs != "...";
        });
        if (!plain) return std::nullopt;
        while (m_at < m_words.size()) {
            const std::string& word = m_words[m_at++];
            if (word == "--") return std::nullopt;
            if (!(isOption(word) ? option(word) : positional(word))) return std::nullopt;
        }
        return std::move(m_values);
    }

private:
    // "-3" is a number where no flag is one.
    static bool isOption(const std::string& word) {
        return word.size() > 1 && word.front() == '-' && !numberIn<double>(word);
    }

    const Argument* byFlag(const std::string& flag) const {
        const Argument* only = nullptr;
        int count = 0;
        for (const auto& argument : m_known.arguments) {
            for (const auto& each : argument.flags) {
                if (each == flag) return &argument;
                const bool abbreviates = m_known.style == ArgumentStyle::Argparse && flag.size() > 3 &&
                                         flag.starts_with("--") && each.starts_with(flag);
                if (!abbreviates) continue;
                only = &argument;
                ++count;
            }
        }
        return count == 1 ? only : nullptr;
    }

    bool option(const std::string& word) {
        const auto equals = word.find('=');
        const std::string flag = word.substr(0, equals);
        const Argument* argument = byFlag(flag);
        if (!argument || !argument->certain()) return false;
        std::optional<std::string> attached;
        if (equals != word.npos) attached = word.substr(equals + 1);
        switch (argument->action) {
        case TypedAction::StoreTrue: return !attached && set(*argument, true);
        case TypedAction::StoreFalse: return !attached && set(*argument, false);
        case TypedAction::Negatable: return negatable(*argument, flag, attached);
        case TypedAction::Append: return append(*argument, attached);
        case TypedAction::Store: return store(*argument, attached);
        default: return false;
        }
    }

    bool set(const Argument& argument, ArgumentValue value) {
        m_values[argument.name] = std::move(value);
        return true;
    }

    bool negatable(const Argument& argument, const std::string& flag, const std::optional<std::string>& attached) {
        const bool positive = flag == argument.flags.front();
        const bool negative = argument.flags.size() == 2 && flag == argument.flags.back();
        if (attached) {
            const auto truth = truthIn(*attached);
            return positive && truth && m_known.style == ArgumentStyle::Absl && set(argument, *truth);
        }
        return (positive || negative) && set(argument, positive);
    }

    bool append(const Argument& argument, std::optional<std::string> attached) {
        if (!argument.nargs.empty() || (!attached && !next(attached))) return false;
        auto& words = m_appended[argument.name];
        words.push_back(*attached);
        const auto value = typedList(argument, words, m_known.style);
        return value && set(argument, *value);
    }

    bool store(const Argument& argument, std::optional<std::string> attached) {
        if (argument.nargs.empty() || argument.nargs == "?") {
            if (!attached && !next(attached)) return false;
            const auto value = typed(argument, *attached, m_known.style);
            return value && set(argument, *value);
        }
        if (attached || m_known.style == ArgumentStyle::LightningCli || m_known.style == ArgumentStyle::Fire)
            return false;
        return list(argument, {});
    }

    bool list(const Argument& argument, std::vector<std::string> words) {
        const auto most = numberIn<std::size_t>(argument.nargs).value_or(m_words.size());
        while (m_at < m_words.size() && words.size() < most && !isOption(m_words[m_at]))
            words.push_back(m_words[m_at++]);
        const auto value = words.empty() ? std::nullopt : typedList(argument, words, m_known.style);
        return value && set(argument, *value);
    }

    bool next(std::optional<std::string>& value) {
        if (m_at == m_words.size() || isOption(m_words[m_at])) return false;
        value = m_words[m_at++];
        return true;
    }

    bool positional(const std::string& word) {
        std::size_t skip = m_positional++;
        for (const auto& argument : m_known.arguments) {
            if (!argument.positional() || skip-- > 0) continue;
            if (!argument.certain()) return false;
            if (!argument.nargs.empty() && argument.nargs != "?") return list(argument, {word});
            const auto value = typed(argument, word, m_known.style);
            return value && set(argument, *value);
        }
        return false;
    }

    const std::vector<std::string>& m_words;
    const ScriptArguments& m_known;
    spec::ArgumentValues m_values{};
    std::map<std::string, std::vector<std::string>> m_appended{};
    std::size_t m_at = 0, m_positional = 0;
};

// "model.lr=0.1" of Hydra; what adds, deletes or replaces a group is left as it is.
std::optional<spec::ArgumentValues> hydraValues(const std::vector<std::string>& words) {
    spec::ArgumentValues values;
    for (const auto& word : words) {
        const auto equals = word.find('=');
        if (equals == word.npos || equals == 0) return std::nullopt;
        const std::string name = word.substr(0, equals), text = word.substr(equals + 1);
        const auto isPlain = [](char c) {
            return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' ||
                   c == '/' || c == '-';
        };
        const bool named = name.front() != '-' && std::all_of(name.begin(), name.end(), isPlain);
        const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), isPlain);
        if (!named || !plain) return std::nullopt;
        const bool hasPoint = text.find_first_of(".eE") != text.npos;
        if (text == "true" || text == "false") values[name] = text == "true";
        else if (const auto whole = numberIn<std::int64_t>(text); whole && std::to_string(*whole) == text)
            values[name] = *whole; // 007 is a text
        else if (const auto number = numberIn<double>(text); number && hasPoint) values[name] = *number;
        else values[name] = text;
    }
    return values;
}

} // namespace

std::optional<spec::ArgumentValues> argumentsOf(const std::vector<std::string>& words, const ScriptArguments& known) {
    if (known.style == ArgumentStyle::Hydra) return hydraValues(words);
    return WordReader(words, known).read();
}

} // namespace trainyard::program
