// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/better.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>

namespace trainyard::spec {
namespace {

bool meansSmaller(std::string_view word) {
    static constexpr std::array kWords = {"mae", "mse", "rmse", "l1", "nll", "perplexity", "time", "norm"};
    if (std::find(kWords.begin(), kWords.end(), word) != kWords.end()) return true;
    return word.ends_with("loss") || word.ends_with("error"); // "valloss" as well
}

} // namespace

Better betterOf(std::string_view series, std::string_view mode) {
    if (mode == "min") return Better::Smaller;
    if (mode == "max") return Better::Larger;
    std::string word;
    for (const char character : series) {
        const auto byte = static_cast<unsigned char>(character);
        if (std::isalnum(byte)) {
            word += static_cast<char>(std::tolower(byte));
            continue;
        }
        if (meansSmaller(word)) return Better::Smaller;
        word.clear();
    }
    return meansSmaller(word) ? Better::Smaller : Better::Larger;
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
