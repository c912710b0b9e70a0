// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/series/likely_score.h"

#include "engine/spec/run/better.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <tuple>

namespace trainyard::run {
namespace {

std::vector<std::string> wordsIn(std::string_view name) {
    std::vector<std::string> words(1);
    for (const char each : name) {
        const auto byte = static_cast<unsigned char>(each);
        if (std::isalnum(byte)) words.back() += static_cast<char>(std::tolower(byte));
        else if (!words.back().empty()) words.emplace_back();
    }
    return words;
}

template <std::size_t Count>
bool hasOne(const std::vector<std::string>& words, const std::array<std::string_view, Count>& of) {
    return std::ranges::any_of(words, [&of](const auto& word) { return std::ranges::find(of, word) != of.end(); });
}

// Of what a program reports beside its measures.
bool isOfTheMachine(const std::vector<std::string>& words) {
    static constexpr std::array<std::string_view, 6> kMachine{"system", "time", "norm", "memory", "mem", "gpu"};
    return hasOne(words, kMachine);
}

bool isHeldOut(const std::vector<std::string>& words) {
    static constexpr std::array<std::string_view, 8> kHeldOut{"val", "valid", "validation", "eval",
                                                              "dev", "test",  "holdout",    "heldout"};
    return hasOne(words, kHeldOut);
}

} // namespace

std::string likelyScore(const std::vector<std::string>& series) {
    using Rank = std::tuple<bool, bool, std::size_t, std::string_view>; // the smallest is taken
    std::vector<Rank> ranks;
    for (const auto& name : series) {
        const auto words = wordsIn(name);
        const auto better = spec::betterByName(name);
        if (better && !isOfTheMachine(words))
            ranks.emplace_back(!isHeldOut(words), better == spec::Better::Smaller, name.size(), name);
    }
    const auto first = std::ranges::min_element(ranks);
    return first == ranks.end() ? std::string() : std::string(std::get<3>(*first));
}

} // namespace trainyard::run
