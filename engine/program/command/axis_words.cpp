// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/command/axis_words.h"

#include "engine/base/text/printable.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace trainyard::program {
namespace {

constexpr std::size_t kMostValues = 10'000;

std::optional<double> finiteIn(std::string_view text) {
    double number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || read.ec != std::errc{} || read.ptr != text.data() + text.size() || !std::isfinite(number))
        return std::nullopt;
    return number;
}

std::vector<std::string> split(const std::string& text, char sign) {
    std::vector<std::string> parts{""};
    for (const char c : text)
        if (c == sign) parts.emplace_back();
        else parts.back() += c;
    return parts;
}

// The words behind a range: "log", "step 0.1".
Result<AxisWords> withWords(AxisWords axis, const std::vector<std::string>& words, const std::string& name) {
    constexpr const char* kExample = "for example: '0.0001..0.1 log', '1..9 step 2', '0..1 count 5', '16..512 log int'";
    for (std::size_t at = 0; at < words.size(); ++at) {
        const std::string& word = words[at];
        const double number = at + 1 < words.size() ? finiteIn(words[at + 1]).value_or(0) : 0;
        if (word == "log") axis.logScale = true;
        else if (word == "int") axis.whole = true;
        else if (word == "step" && number > 0) axis.step = number, ++at;
        else if (word == "count" && number >= 1 && number <= kMostValues && std::floor(number) == number)
            axis.count = static_cast<int>(number), ++at;
        else
            return inputError("\"" + printable(word, 40) + "\" makes no sense behind a range", printable(name, 60),
                              kExample);
    }
    if (axis.from >= axis.to)
        return inputError("the range has no values: its first end is not below its second", printable(name, 60),
                          kExample);
    if (axis.logScale && axis.from <= 0)
        return inputError("a range on a log scale begins above 0", printable(name, 60), kExample);
    return axis;
}

} // namespace

Result<std::optional<AxisWords>> axisWords(const std::string& value, const std::string& name) {
    const auto words = split(value, ' ');
    const auto dots = words.front().find("..");
    if (dots != std::string::npos) {
        const auto from = finiteIn(std::string_view(words.front()).substr(0, dots));
        const auto to = finiteIn(std::string_view(words.front()).substr(dots + 2));
        if (!from || !to) return std::optional<AxisWords>(); // "../data"
        AxisWords axis;
        axis.from = *from;
        axis.to = *to;
        std::vector<std::string> behind;
        std::copy_if(words.begin() + 1, words.end(), std::back_inserter(behind),
                     [](const auto& each) { return !each.empty(); });
        TY_ASSIGN(axis, withWords(axis, behind, name));
        return std::optional(axis);
    }
    if (value.find(',') == value.npos || value.find_first_of("[{(") != value.npos) return std::optional<AxisWords>();
    AxisWords axis;
    axis.values = split(value, ',');
    if (std::find(axis.values.begin(), axis.values.end(), "") != axis.values.end())
        return inputError("the list has an empty value", printable(name, 60), "for example: --width 64,128");
    if (axis.values.size() > kMostValues)
        return inputError("the list has more than 10000 values", printable(name, 60), "give a range");
    return std::optional(axis);
}

} // namespace trainyard::program
