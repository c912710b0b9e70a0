// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/command/secret_words.h"

#include "engine/base/text/printable.h"

#include <algorithm>
#include <array>

namespace trainyard::program {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLower(char c) { return c >= 'a' && c <= 'z'; }
bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool isWordCharacter(char c) { return isDigit(c) || isLower(c) || isUpper(c); }
bool isKeyCharacter(char c) { return isWordCharacter(c) || c == '_' || c == '-'; }

// "wandbApiKey", "--wandb_api_key": "WANDB", "API", "KEY".
std::vector<std::string> partsOf(std::string_view name) {
    std::vector<std::string> parts{""};
    for (std::size_t at = 0; at < name.size(); ++at) {
        const char c = name[at];
        if (!isWordCharacter(c)) {
            parts.emplace_back();
            continue;
        }
        if (isUpper(c) && at > 0 && isLower(name[at - 1])) parts.emplace_back();
        parts.back() += isLower(c) ? static_cast<char>(c - 'a' + 'A') : c;
    }
    std::erase(parts, "");
    return parts;
}

bool contains(const auto& list, std::string_view word) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

bool isSecretPart(std::string_view part) {
    static constexpr std::array<std::string_view, 12> kWords{"KEY",      "KEYS",      "TOKEN",  "TOKENS",
                                                             "SECRET",   "SECRETS",   "APIKEY", "AUTHTOKEN",
                                                             "PASSWORD", "PASSWORDS", "PASSWD", "PASSPHRASE"};
    return contains(kWords, part) || part.starts_with("CREDENTIAL");
}

// Names that mean nothing but a secret: a password, an API key, an access token.
bool isCertainName(const std::vector<std::string>& parts) {
    static constexpr std::array<std::string_view, 6> kAlone{"APIKEY", "AUTHTOKEN",  "PASSWORD",
                                                            "PASSWD", "PASSPHRASE", "CREDENTIALS"};
    static constexpr std::array<std::string_view, 13> kOwners{"API",    "ACCESS", "AUTH", "PRIVATE", "SECRET",
                                                              "BEARER", "HUB",    "HF",   "WANDB",   "GITHUB",
                                                              "AWS",    "OPENAI", "USER"};
    for (std::size_t at = 0; at < parts.size(); ++at) {
        if (contains(kAlone, parts[at])) return true;
        if (at + 1 == parts.size() && at > 0 && (parts[at] == "KEY" || parts[at] == "TOKEN") &&
            contains(kOwners, parts[at - 1]))
            return true;
    }
    return !parts.empty() && parts.back() == "SECRET";
}

// What may be given under such a name without being one: numbers, truths, None, a placeholder.
bool isHarmless(std::string_view value) {
    static constexpr std::array<std::string_view, 10> kWords{"",   "true", "false", "yes",  "no",
                                                             "on", "off",  "none",  "null", "auto"};
    std::string lower(value);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return isUpper(c) ? static_cast<char>(c - 'A' + 'a') : c; });
    if (contains(kWords, lower)) return true;
    return value.find_first_not_of("0123456789.+-eE_") == value.npos && value.size() < 12;
}

// As random as a key: long, letters and digits, neither a path nor a sentence.
bool looksRandom(std::string_view value) {
    constexpr std::size_t kLeast = 16;
    const bool plain = std::all_of(value.begin(), value.end(),
                                   [](char c) { return isKeyCharacter(c) || c == '+' || c == '=' || c == '.'; });
    return value.size() >= kLeast && plain && std::any_of(value.begin(), value.end(), isDigit) &&
           std::any_of(value.begin(), value.end(), [](char c) { return isLower(c) || isUpper(c); });
}

struct Prefix {
    std::string_view text;
    std::size_t least; // characters that follow it
};

constexpr std::size_t kMostOfKey = 64; // that is looked at

bool beginsKey(std::string_view rest) {
    static constexpr std::array<Prefix, 16> kPrefixes{{{"hf_", 16},
                                                       {"sk-", 16},
                                                       {"ghp_", 20},
                                                       {"gho_", 20},
                                                       {"ghu_", 20},
                                                       {"ghs_", 20},
                                                       {"ghr_", 20},
                                                       {"github_pat_", 20},
                                                       {"glpat-", 16},
                                                       {"xoxb-", 16},
                                                       {"xoxp-", 16},
                                                       {"AIza", 30},
                                                       {"AKIA", 16},
                                                       {"ASIA", 16},
                                                       {"nvapi-", 20},
                                                       {"r8_", 30}}};
    for (const auto& [text, least] : kPrefixes) {
        if (!rest.starts_with(text)) continue;
        std::string_view key = rest.substr(text.size(), kMostOfKey);
        key = key.substr(
            0, static_cast<std::size_t>(std::find_if_not(key.begin(), key.end(), isKeyCharacter) - key.begin()));
        const bool upper = std::none_of(key.begin(), key.end(), isLower); // AKIA and ASIA may begin a word
        if (key.size() < least || ((text == "AKIA" || text == "ASIA") && !upper)) continue;
        // sk-learn-pipeline-config, hf_internal_testing_tiny: words, not keys
        if (std::any_of(key.begin(), key.end(), isDigit) || key.find_first_of("-_") == key.npos) return true;
    }
    return false;
}

// scheme://user:password@host
bool holdsPassword(std::string_view word) {
    for (auto at = word.find("://"); at != word.npos; at = word.find("://", at + 3)) {
        const std::string_view rest = word.substr(at + 3, word.find_first_of("/?# ", at + 3) - (at + 3));
        const auto end = rest.rfind('@');
        if (end == rest.npos) continue;
        const auto colon = rest.substr(0, end).find(':');
        if (colon != rest.npos && colon + 1 < end) return true;
    }
    return false;
}

constexpr const char* kRemedy = "set it in the environment of the shell that starts the run, where the program finds "
                                "it; to be told when it is missing, name it in program.secrets";

Error secretError(std::string_view name) {
    return inputError("looks like a secret, and a command line is written down", printable(name, 80), kRemedy);
}

bool isFlag(std::string_view word) { return word.size() > 1 && word.front() == '-' && !isDigit(word[1]); }

// `export WANDB_API_KEY=…` in program.prepare, but not $(cat FILE).
Result<void> checkNoSecretsInShell(std::string_view text) {
    constexpr std::string_view kBetween = " \t\n;&|\"'";
    while (!text.empty()) {
        const auto end = std::min(text.find_first_of(kBetween), text.size());
        const auto word = text.substr(0, end), rest = text.substr(std::min(end + 1, text.size()));
        text = rest;
        const auto equals = word.find('=');
        auto value = equals == word.npos ? std::string_view() : word.substr(equals + 1);
        if (equals != word.npos && value.empty()) value = rest.substr(0, rest.find_first_of(kBetween)); // NAME="…"
        const bool isNamed = equals != word.npos && isSecretName(word.substr(0, equals)) && !value.empty() &&
                             value.find('$') == value.npos && value.find('`') == value.npos && !isHarmless(value);
        if (isNamed || isSecretValue(word))
            return inputError("holds what looks like a secret, and is written down", "program.prepare",
                              "read it from a file of your own there: export NAME=$(cat FILE); or set it where the "
                              "run is started");
    }
    return {};
}

} // namespace

bool isSecretName(std::string_view name) {
    const auto parts = partsOf(name);
    return std::any_of(parts.begin(), parts.end(), isSecretPart);
}

bool isSecretValue(std::string_view word) {
    for (std::size_t at = 0; at < word.size(); ++at)
        if ((at == 0 || !isWordCharacter(word[at - 1])) && beginsKey(word.substr(at))) return true;
    return holdsPassword(word);
}

bool isSecretArgument(std::string_view name, std::string_view value) {
    if (isSecretValue(value)) return true;
    const auto parts = partsOf(name);
    if (isHarmless(value) || value.find('{') != value.npos) return false;
    if (isCertainName(parts)) return true;
    return !parts.empty() && isSecretPart(parts.back()) && looksRandom(value);
}

Result<void> checkNoSecrets(const std::vector<std::string>& words) {
    for (std::size_t at = 0; at < words.size(); ++at) {
        const std::string_view word = words[at];
        const auto equals = word.find('=');
        const bool flag = isFlag(word);
        if (equals != word.npos && isSecretArgument(word.substr(0, equals), word.substr(equals + 1)))
            return secretError(word.substr(0, equals));
        const bool named = flag && equals == word.npos && at + 1 < words.size() && !isFlag(words[at + 1]);
        if (named && isSecretArgument(word, words[at + 1])) return secretError(word);
        if (isSecretValue(word)) return secretError("word " + std::to_string(at + 1) + " of the command line");
    }
    return {};
}

Result<void> checkNoSecrets(const std::map<std::string, std::string>& environment) {
    for (const auto& [name, value] : environment)
        if ((isSecretName(name) && !isHarmless(value)) || isSecretValue(value))
            return inputError("looks like a secret, and its value would be written down",
                              "environment." + printable(name, 80),
                              "leave it out and set it in the environment of the shell that starts the run; to be told "
                              "when it is missing, name it in program.secrets");
    return {};
}

Result<void> checkNoSecrets(const spec::Program& program) {
    for (const auto* words : {&program.command, &program.words, &program.resume}) TY_TRY(checkNoSecrets(*words));
    for (const auto& [name, value] : program.arguments) {
        if (isSecretArgument(name, spec::argumentText(value))) return secretError("program.arguments." + name);
        if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) TY_TRY(checkNoSecrets(*texts));
    }
    if (program.config)
        for (const auto& [name, value] : program.config->set)
            if (isSecretArgument(name, spec::argumentText(value))) return secretError("program.config.set." + name);
    TY_TRY(checkNoSecretsInShell(program.prepare));
    return checkNoSecrets(program.environment);
}

} // namespace trainyard::program
