// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/run/better.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>

namespace trainyard::spec {
namespace {

template <std::size_t Count>
bool isOneOf(std::string_view word, const std::array<std::string_view, Count>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

std::optional<Better> betterByWord(std::string_view word) {
    static constexpr std::array<std::string_view, 19> kSmaller = {
        "mae", "mse", "rmse", "rmsle",      "mape", "smape", "l1",  "nll", "ppl", "wer",
        "cer", "fid", "time", "perplexity", "norm", "brier", "bpb", "bpc", "ece"};
    static constexpr std::array<std::string_view, 18> kLarger = {
        "accuracy", "acc", "f1",  "microf1", "r2",   "auc",  "precision", "recall", "top1",
        "top5",     "map", "iou", "miou",    "bleu", "psnr", "prauc",     "kappa",  "mcc"};
    if (isOneOf(word, kSmaller) || word.ends_with("loss") || word.ends_with("error"))
        return Better::Smaller; // "valloss"
    if (isOneOf(word, kLarger) || word.ends_with("accuracy") ||
        (word.starts_with("map") && word.find_first_not_of("0123456789", 3) == word.npos))
        return Better::Larger; // "mAP50"
    return std::nullopt;
}

} // namespace

std::optional<Better> betterByName(std::string_view series) {
    std::string word;
    std::optional<Better> larger;
    for (std::size_t at = 0; at <= series.size(); ++at) {
        const auto byte = at < series.size() ? static_cast<unsigned char>(series[at]) : ' ';
        if (std::isalnum(byte)) {
            word += static_cast<char>(std::tolower(byte));
            continue;
        }
        const auto said = betterByWord(word);
        if (said == Better::Smaller) return said;
        if (said) larger = said;
        word.clear();
    }
    return larger;
}

Better betterOf(std::string_view series, std::string_view mode) {
    if (mode == "min") return Better::Smaller;
    if (mode == "max") return Better::Larger;
    return betterByName(series).value_or(Better::Larger);
}

const char* toString(Better better) { return better == Better::Smaller ? "min" : "max"; }

double gain(Better better, double value, double than) {
    return better == Better::Smaller ? than - value : value - than;
}

bool isBetter(Better better, double value, double than) {
    if (!std::isfinite(value)) return false;
    return !std::isfinite(than) || gain(better, value, than) > 0;
}

} // namespace trainyard::spec
