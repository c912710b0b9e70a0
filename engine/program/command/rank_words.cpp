// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/command/rank_words.h"

#include "engine/program/command/argument_words.h"

#include <algorithm>
#include <array>

namespace trainyard::program {
namespace {

constexpr std::string_view kCheckpoint = "checkpoint";

std::optional<std::string> placeholderValue(std::string_view name, const Placeholders& given) {
    if (name == "rank") return std::to_string(given.rank);
    if (name == "localRank") return std::to_string(given.localRank);
    if (name == "worldSize") return std::to_string(given.worldSize);
    if (name == "output") return given.output;
    if (name == kCheckpoint) return given.checkpoint;
    if (name == "seed") return std::to_string(given.seed);
    if (name == "run") return given.run;
    if (name == "trial") return given.trial;
    if (name == "port") return std::to_string(given.port);
    return std::nullopt;
}

// The words of a list; one with {checkpoint} goes with the flag before it where there is none.
std::vector<std::string> filledWords(const std::vector<std::string>& words, const Placeholders& placeholders) {
    std::vector<std::string> all;
    for (const auto& word : words) {
        if (!placeholders.checkpoint.empty() || !holdsPlaceholder(word, kCheckpoint)) {
            all.push_back(filled(word, placeholders));
            continue;
        }
        const bool hasFlag = !word.starts_with('-') && word.find('=') == word.npos && !all.empty() &&
                             all.back().size() > 1 && all.back().front() == '-' &&
                             all.back().find('=') == std::string::npos;
        if (hasFlag) all.pop_back();
    }
    return all;
}

// Nothing where it asks for a checkpoint and there is none.
std::optional<spec::ArgumentValue> filledValue(const spec::ArgumentValue& value, const Placeholders& placeholders) {
    if (const auto* text = std::get_if<std::string>(&value)) {
        if (placeholders.checkpoint.empty() && holdsPlaceholder(*text, kCheckpoint)) return std::nullopt;
        return filled(*text, placeholders);
    }
    if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) return filledWords(*texts, placeholders);
    return value;
}

bool isGiven(const spec::Program& program, const Argument& argument) {
    const ScriptArguments only{.arguments = {argument}};
    for (const auto& [name, value] : program.arguments)
        if (findArgument(only, name)) return true;
    return std::any_of(program.words.begin(), program.words.end(), [&](const std::string& word) {
        const std::string name = word.substr(0, word.find('='));
        return name.starts_with('-') && findArgument(only, name);
    });
}

// What the script takes and the run knows better.
std::vector<std::string> ownWords(const spec::Program& program, const ScriptArguments& known,
                                  const Placeholders& placeholders, const RankExtras& extras) {
    std::vector<std::string> words;
    const auto add = [&](const char* name, const std::string& value) {
        const Argument* argument = findArgument(known, name);
        if (!argument || argument->positional() || !argument->subcommand.empty() || isGiven(program, *argument)) return;
        words.push_back(argument->flags.front() + "=" + value);
    };
    if (placeholders.worldSize > 1) add("local_rank", std::to_string(placeholders.localRank));
    if (extras.passSeed) add("seed", std::to_string(placeholders.seed));
    return words;
}

} // namespace

bool holdsPlaceholder(std::string_view text, std::string_view name) {
    for (auto at = text.find('{'); at != text.npos; at = text.find('{', at + 1))
        if (text.substr(at + 1).starts_with(name) && text.substr(at + 1 + name.size()).starts_with('}')) return true;
    return false;
}

std::string filled(std::string_view text, const Placeholders& placeholders) {
    std::string out;
    constexpr std::size_t kLongest = 10; // "checkpoint"
    for (std::size_t at = 0; at < text.size();) {
        const auto open = std::min(text.find('{', at), text.size());
        out += text.substr(at, open - at);
        if (open == text.size()) break;
        const auto close = text.substr(open + 1, kLongest + 1).find('}');
        const auto value = close == std::string_view::npos
                               ? std::nullopt
                               : placeholderValue(text.substr(open + 1, close), placeholders);
        out += value ? *value : "{";
        at = value ? open + close + 2 : open + 1;
    }
    return out;
}

Result<std::vector<std::string>> rankWords(const spec::Program& program, const std::string& interpreter,
                                           const ScriptArguments* known, const Placeholders& placeholders,
                                           RankExtras extras) {
    std::vector<std::string> words;
    if (!program.command.empty()) {
        words = filledWords(program.command, placeholders);
    } else {
        words.push_back(interpreter);
        if (!program.module.empty()) words.insert(words.end(), {"-m", program.module});
        else words.push_back(program.script);
        spec::ArgumentValues values;
        for (const auto& [name, value] : program.arguments)
            if (auto each = filledValue(value, placeholders)) values[name] = std::move(*each);
        std::vector<std::string> own;
        if (known && known->style != ArgumentStyle::Hydra) own = ownWords(program, *known, placeholders, extras);
        words.insert(words.end(), own.begin(), own.end());
        TY_ASSIGN(const auto named, argumentWords(values, program.style, known));
        words.insert(words.end(), named.begin(), named.end());
        const auto listed = filledWords(program.words, placeholders);
        words.insert(words.end(), listed.begin(), listed.end());
    }
    if (!placeholders.checkpoint.empty())
        for (const auto& each : program.resume) words.push_back(filled(each, placeholders));
    return words;
}

} // namespace trainyard::program
