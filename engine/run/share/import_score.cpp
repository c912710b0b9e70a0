// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/share/import_score.h"

#include "engine/spec/run/better.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>

namespace trainyard::run {
namespace {

// "val_acc" as val and acc, in small letters.
std::vector<std::string> wordsOf(std::string_view name) {
    std::vector<std::string> words(1);
    for (const char letter : name) {
        const auto byte = static_cast<unsigned char>(letter);
        if (std::isalnum(byte)) words.back() += static_cast<char>(std::tolower(byte));
        else if (!words.back().empty()) words.emplace_back();
    }
    return words;
}

bool holdsAny(const std::vector<std::string>& words, std::initializer_list<std::string_view> wanted) {
    return std::find_first_of(words.begin(), words.end(), wanted.begin(), wanted.end()) != words.end();
}

constexpr int kNoScore = 6;

// How well a series tells which run is better, the best ones first.
int scoreRank(std::string_view name) {
    const auto words = wordsOf(name);
    const bool validated =
        holdsAny(words, {"val", "valid", "validation", "eval", "dev"}) || name.starts_with("metrics/"); // Ultralytics
    if (!validated && !holdsAny(words, {"test"})) return kNoScore;
    if (holdsAny(words, {"time", "norm"})) return kNoScore;
    const int measure =
        holdsAny(words, {"acc", "accuracy", "top1"})                                                              ? 0
        : std::any_of(words.begin(), words.end(), [](const std::string& word) { return word.ends_with("loss"); }) ? 2
        : spec::betterByName(name)                                                                                ? 1
                                   : kNoScore;
    return measure == kNoScore || validated ? measure : measure + 3;
}

} // namespace

std::string importedScore(const imports::ImportedRun& run) {
    std::string found;
    int foundRank = kNoScore;
    for (const auto& [name, points] : run.series) {
        const int rank = scoreRank(name);
        if (rank >= foundRank) continue;
        found = name;
        foundRank = rank;
    }
    return found;
}

} // namespace trainyard::run
