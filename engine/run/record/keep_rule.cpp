// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/keep_rule.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard::run {
namespace {

// Above the budget the oldest go, but for those that cannot be spared.
void keepToBudget(const std::vector<store::CheckpointRow>& rows, const KeepRule& rule, std::size_t best,
                  std::vector<KeptFor>& kept) {
    std::int64_t bytes = 0;
    int count = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (kept[i] == KeptFor::No) continue;
        bytes += rows[i].bytes;
        ++count;
    }
    for (std::size_t i = 0; i + 1 < rows.size() && count > rule.atLeast && bytes > rule.budgetBytes; ++i) {
        if (kept[i] == KeptFor::No || kept[i] == KeptFor::Pinned || i == best) continue;
        kept[i] = KeptFor::No;
        bytes -= rows[i].bytes;
        --count;
    }
}

} // namespace

const char* toString(KeptFor kept) {
    static constexpr std::array kWords = {"",       "pinned", "best",  "last",       "needed",    "young",
                                          "resume", "active", "sweep", "unfinished", "no-folder", "program"};
    static_assert(kWords.size() == static_cast<std::size_t>(KeptFor::Program) + 1);
    return kWords[static_cast<std::size_t>(kept)];
}

std::vector<std::size_t> rankedByScore(const std::vector<store::CheckpointRow>& rows, const Score& score) {
    std::vector<std::pair<double, std::size_t>> scored;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto found = rows[i].metrics.find(score.series);
        if (!rows[i].superseded && found != rows[i].metrics.end() && std::isfinite(found->second))
            scored.emplace_back(found->second, i);
    }
    std::stable_sort(scored.begin(), scored.end(),
                     [&](const auto& a, const auto& b) { return spec::isBetter(score.better, a.first, b.first); });
    std::vector<std::size_t> order;
    for (const auto& each : scored) order.push_back(each.second);
    return order;
}

std::vector<KeptFor> judgeKept(const std::vector<store::CheckpointRow>& rows, const Score& score,
                               const KeepRule& rule) {
    std::vector<KeptFor> kept(rows.size(), KeptFor::No);
    const auto ranked = rankedByScore(rows, score);
    for (std::size_t place = 0; place < ranked.size() && place < static_cast<std::size_t>(std::max(0, rule.best));
         ++place)
        kept[ranked[place]] = KeptFor::Best;
    auto newest = rule.last;
    for (std::size_t i = rows.size(); i-- > 0;) {
        if (rows[i].pinned) kept[i] = KeptFor::Pinned;
        else if (kept[i] == KeptFor::No && !rows[i].superseded && newest > 0) kept[i] = KeptFor::Last;
        else if (kept[i] == KeptFor::No && rows[i].wallMs >= rule.savedBefore) kept[i] = KeptFor::Young;
        if (!rows[i].superseded) --newest;
    }
    auto missing =
        rule.atLeast - std::count_if(kept.begin(), kept.end(), [](KeptFor each) { return each != KeptFor::No; });
    for (std::size_t i = rows.size(); i-- > 0 && missing > 0;) {
        if (kept[i] != KeptFor::No || rows[i].superseded) continue;
        kept[i] = KeptFor::AtLeast;
        --missing;
    }
    if (rule.budgetBytes > 0) keepToBudget(rows, rule, ranked.empty() ? rows.size() : ranked.front(), kept);
    return kept;
}

std::vector<std::string> checkpointWords(const store::CheckpointRow& row) {
    std::vector<std::string> words;
    if (row.pinned) words.emplace_back("pinned");
    if (row.best) words.emplace_back("best");
    if (row.last) words.emplace_back("last");
    if (row.superseded) words.emplace_back("superseded");
    if (words.empty()) words.emplace_back("periodic");
    return words;
}

} // namespace trainyard::run
