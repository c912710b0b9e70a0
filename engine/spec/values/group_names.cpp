// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/values/group_names.h"

#include "engine/spec/values/flat_settings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>

namespace trainyard::spec {
namespace {

// The settings by which people tell runs apart.
constexpr std::array<std::string_view, 6> kTelling = {"model",     "dataset",  "optimizer.lr",
                                                      "optimizer", "schedule", "loss"};

std::size_t rankOf(std::string_view path) {
    return static_cast<std::size_t>(std::find(kTelling.begin(), kTelling.end(), path) - kTelling.begin());
}

// Whether a value says by itself what it is a value of: "adam", "tanh", not "0.1", "none" or "[64, 64]".
bool speaksForItself(std::string_view value) {
    static constexpr std::array<std::string_view, 6> kMute = {"true", "false", "none", "auto", "on", "off"};
    double number = 0;
    const auto read = std::from_chars(value.data(), value.data() + value.size(), number);
    return read.ec != std::errc() && !value.starts_with('[') &&
           std::find(kMute.begin(), kMute.end(), value) == kMute.end();
}

std::string partOf(const std::string& path, const std::string& value) {
    if (value.empty()) return shortPath(path) + " –";
    return speaksForItself(value) ? value : shortPath(path) + " " + value;
}

// The class of each group: those that look alike so far have the same.
struct Classes {
    std::vector<std::uint32_t> of;
    std::size_t count = 1;
};

Classes refined(const Classes& classes, const std::vector<std::uint32_t>& values) {
    Classes next{std::vector<std::uint32_t>(values.size()), 0};
    std::unordered_map<std::uint64_t, std::uint32_t> known;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint64_t both = static_cast<std::uint64_t>(classes.of[i]) << 32 | values[i];
        next.of[i] = known.try_emplace(both, static_cast<std::uint32_t>(known.size())).first->second;
    }
    next.count = known.size();
    return next;
}

// The values of one setting as numbers, the same for the same text.
std::vector<std::uint32_t> numbered(const std::vector<std::vector<std::string>>& values, std::size_t path) {
    std::unordered_map<std::string_view, std::uint32_t> known;
    std::vector<std::uint32_t> numbers;
    for (const auto& group : values)
        numbers.push_back(known.try_emplace(group[path], static_cast<std::uint32_t>(known.size())).first->second);
    return numbers;
}

// Indices of the fewest paths that tell the groups apart: at each turn the one that tells most.
std::vector<std::size_t> telling(const std::vector<std::string>& paths,
                                 const std::vector<std::vector<std::string>>& values) {
    std::vector<std::size_t> left(paths.size()), chosen;
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = i;
    std::stable_sort(left.begin(), left.end(), [&](auto a, auto b) { return rankOf(paths[a]) < rankOf(paths[b]); });
    std::vector<std::vector<std::uint32_t>> numbers;
    for (std::size_t i = 0; i < paths.size(); ++i) numbers.push_back(numbered(values, i));
    Classes classes{std::vector<std::uint32_t>(values.size(), 0)};
    while (classes.count < values.size()) {
        auto best = left.end();
        Classes found = classes;
        for (auto each = left.begin(); each != left.end(); ++each)
            if (Classes next = refined(classes, numbers[*each]); next.count > found.count)
                best = each, found = std::move(next);
        if (best == left.end()) break; // nothing tells the rest apart
        chosen.push_back(*best);
        left.erase(best);
        classes = std::move(found);
    }
    return chosen;
}

// A fraction with so many digits, if it is shorter so.
std::string rounded(const std::string& value, int digits) {
    double number = 0;
    const char* const end = value.data() + value.size();
    const auto read = std::from_chars(value.data(), end, number);
    if (read.ec != std::errc() || read.ptr != end || value.find('.') == std::string::npos || std::abs(number) >= 1000)
        return value;
    std::array<char, 32> text{};
    const auto written =
        std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::general, digits);
    const std::string shorter(text.data(), written.ptr);
    return shorter.size() < value.size() ? shorter : value;
}

// The values of one setting with three digits, or as many more as tell them apart.
std::vector<std::string> briefValues(const std::vector<std::vector<std::string>>& values, std::size_t path) {
    std::vector<std::string> all;
    for (const auto& group : values) all.push_back(group[path]);
    const std::size_t different = std::set<std::string>(all.begin(), all.end()).size();
    for (int digits = 3; digits < 17; ++digits) {
        std::vector<std::string> brief;
        for (const std::string& value : all) brief.push_back(rounded(value, digits));
        if (std::set<std::string>(brief.begin(), brief.end()).size() == different) return brief;
    }
    return all;
}

} // namespace

std::string shortPath(std::string_view path) {
    const std::string_view last = path.substr(path.rfind('.') + 1);
    if (last == "global") return "batch (global)";
    if (last == "perRank") return "batch (per rank)";
    return std::string(last);
}

std::vector<GroupName> groupNames(const std::vector<std::string>& paths,
                                  const std::vector<std::vector<std::string>>& values) {
    std::vector<GroupName> names(values.size());
    for (const std::size_t path : telling(paths, values)) {
        const std::vector<std::string> brief = briefValues(values, path);
        for (std::size_t i = 0; i < names.size(); ++i)
            names[i].brief += (names[i].brief.empty() ? "" : ", ") + partOf(paths[path], brief[i]);
    }
    for (std::size_t i = 0; i < names.size(); ++i)
        for (std::size_t path = 0; path < paths.size(); ++path)
            names[i].full +=
                (path == 0 ? "" : "\n") + paths[path] + " " + (values[i][path].empty() ? "–" : values[i][path]);
    return names;
}

std::vector<GroupName>
configurationNames(const std::vector<std::vector<std::pair<std::string, std::string>>>& configurations) {
    std::map<std::string, std::vector<std::string>> byPath;
    for (std::size_t i = 0; i < configurations.size(); ++i) {
        for (const auto& [path, value] : configurations[i]) {
            if (!isOfConfiguration(path)) continue;
            auto& values = byPath[path];
            values.resize(configurations.size());
            values[i] = value;
        }
    }
    std::vector<std::string> paths;
    std::vector<std::vector<std::string>> values(configurations.size());
    for (const auto& [path, all] : byPath) {
        if (std::all_of(all.begin(), all.end(), [&](const std::string& each) { return each == all.front(); })) continue;
        paths.push_back(path);
        for (std::size_t i = 0; i < all.size(); ++i) values[i].push_back(all[i]);
    }
    return groupNames(paths, values);
}

} // namespace trainyard::spec
