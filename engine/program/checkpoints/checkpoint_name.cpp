// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/checkpoints/checkpoint_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace trainyard::program {
namespace {

constexpr std::array<std::string_view, 9> kEndings{".pth.tar", ".pt",  ".pth",    ".ckpt", ".safetensors",
                                                   ".keras",   ".npz", ".pt.tar", ".h5"};
// What stands beside a model in its folder.
constexpr std::array<std::string_view, 12> kParts{"optimizer",  "scheduler",     "lr_scheduler",    "rng_state",
                                                  "scaler",     "random_states", "training_args",   "sampler",
                                                  "dataloader", "optim_states",  "optimizer_state", "trainer_state"};
constexpr std::array<std::string_view, 11> kStepWords{
    "step", "steps", "iter", "iters", "iteration", "iterations", "globalstep", "it", "itr", "update", "updates"};
constexpr std::array<std::string_view, 4> kEpochWords{"epoch", "epochs", "ep", "e"};
// Words before a number that says how far the training is.
constexpr std::array<std::string_view, 10> kCheckpointWords{"checkpoint", "ckpt",     "chkpt", "cp",      "model",
                                                            "net",        "snapshot", "state", "weights", "save"};

bool isOneOf(std::string_view word, const auto& words) { return std::ranges::find(words, word) != words.end(); }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return c >= 'a' && c <= 'z'; }

std::string lower(std::string_view text) {
    std::string small(text);
    std::ranges::transform(small, small.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return small;
}

// Pieces of letters and of digits.
struct Token {
    std::string_view text;
    bool number = false;
    bool apart = true; // from what is before it
};
std::vector<Token> tokensIn(std::string_view text) {
    std::vector<Token> tokens;
    for (std::size_t at = 0; at < text.size();) {
        const bool number = isDigit(text[at]);
        if (!number && !isLetter(text[at])) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && (number ? isDigit(text[end]) : isLetter(text[end]))) ++end;
        const bool apart = at == 0 || (!isDigit(text[at - 1]) && !isLetter(text[at - 1]));
        tokens.push_back({text.substr(at, end - at), number, apart});
        at = end;
    }
    return tokens;
}

std::optional<std::int64_t> valueOf(std::string_view digits) {
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return problem == std::errc() ? std::optional(value) : std::nullopt;
}

// A part of a number with a point, such as a loss: "0.52".
bool isDecimal(std::string_view text, const Token& token) {
    const auto begin = static_cast<std::size_t>(token.text.data() - text.data()), end = begin + token.text.size();
    const bool before = begin >= 2 && text[begin - 1] == '.' && isDigit(text[begin - 2]);
    const bool behind = end + 1 < text.size() && text[end] == '.' && isDigit(text[end + 1]);
    return before || behind;
}

CheckpointName numbersIn(std::string_view stem) {
    CheckpointName name;
    const auto tokens = tokensIn(stem);
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        if (!tokens[at].number || isDecimal(stem, tokens[at])) continue;
        const auto value = valueOf(tokens[at].text);
        if (!value) continue;
        const std::string_view before = at > 0 && !tokens[at - 1].number ? tokens[at - 1].text : std::string_view();
        const std::string_view behind =
            at + 1 < tokens.size() && !tokens[at + 1].number ? tokens[at + 1].text : std::string_view();
        if (isOneOf(before, kStepWords) || behind == "steps" || behind == "iterations") name.step = value;
        else if (isOneOf(before, kEpochWords) || behind == "epochs") name.epoch = value;
        else if (at + 1 == tokens.size() && (tokens[at].apart || isOneOf(before, kCheckpointWords)) && before != "v")
            name.number = value;
    }
    return name;
}

// "model-00001-of-00003": without the others it is nothing.
bool isShard(std::string_view stem) {
    const auto tokens = tokensIn(stem);
    for (std::size_t at = 2; at < tokens.size(); ++at)
        if (tokens[at].number && tokens[at - 1].text == "of" && tokens[at - 2].number) return true;
    return std::ranges::any_of(tokens, [](const Token& token) { return token.text == "rank"; });
}

std::optional<std::string_view> stemOf(std::string_view name) {
    std::optional<std::string_view> stem;
    for (const std::string_view ending : kEndings)
        if (name.size() > ending.size() && name.ends_with(ending)) {
            const auto found = name.substr(0, name.size() - ending.size());
            if (!stem || found.size() < stem->size()) stem = found;
        }
    return stem;
}

bool isUnfinished(std::string_view name) {
    return name.starts_with(".") || name.starts_with("tmp") || name.starts_with("_tmp") || name.starts_with("temp_") ||
           name.find(".tmp") != name.npos;
}

} // namespace

bool matchesPattern(std::string_view text, std::string_view pattern) {
    std::size_t at = 0, in = 0, star = pattern.npos, from = 0;
    while (at < text.size()) {
        if (in < pattern.size() && pattern[in] == '*') {
            star = in++;
            from = at;
        } else if (in < pattern.size() && (pattern[in] == text[at] || (pattern[in] == '?' && text[at] != '/'))) {
            ++in;
            ++at;
        } else if (star != pattern.npos && text[from] != '/') {
            in = star + 1;
            at = ++from;
        } else {
            return false;
        }
    }
    while (in < pattern.size() && pattern[in] == '*') ++in;
    return in == pattern.size();
}

std::optional<CheckpointName> checkpointFileName(std::string_view given) {
    const std::string name = lower(given);
    const auto stem = stemOf(name);
    if (!stem || isUnfinished(name) || isShard(*stem)) return std::nullopt;
    for (const std::string_view part : kParts)
        if (stem->starts_with(part) || stem->ends_with(part)) return std::nullopt;
    return numbersIn(*stem);
}

std::optional<CheckpointName> checkpointFolderName(std::string_view given) {
    const std::string name = lower(given);
    if (isUnfinished(name)) return std::nullopt;
    const auto tokens = tokensIn(name);
    const auto stem = stemOf(name);
    CheckpointName found = numbersIn(stem ? *stem : std::string_view(name));
    if (found.step || found.epoch) {
        // "epoch_3", but not "3_epochs_of_resnet": the word or its ending says that it is one.
        const std::string_view first = tokens.front().text;
        const bool begins = isOneOf(first, kStepWords) || isOneOf(first, kEpochWords) || first == "global" ||
                            isOneOf(first, kCheckpointWords);
        if (begins || stem) return found;
        return std::nullopt;
    }
    if (!found.number || tokens.size() != 2 || (tokens[0].text != "checkpoint" && tokens[0].text != "ckpt"))
        return std::nullopt;
    return CheckpointName{.step = found.number};
}

std::optional<CheckpointName> namedByPattern(std::string_view path, const std::vector<std::string>& patterns) {
    for (const std::string& pattern : patterns) {
        // As many parts of the path as the pattern has.
        std::size_t slashes = static_cast<std::size_t>(std::ranges::count(pattern, '/')), begin = path.size();
        while (begin > 0 && (path[begin - 1] != '/' || slashes-- > 0)) --begin;
        if (!matchesPattern(path.substr(begin), pattern)) continue;
        const std::string name = lower(path.substr(path.rfind('/') + 1));
        const auto dot = name.rfind('.');
        return numbersIn(std::string_view(name).substr(0, dot));
    }
    return std::nullopt;
}

} // namespace trainyard::program
