// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/printed/printed_table.h"

#include "engine/imports/printed/printed_tokens.h"
#include "engine/imports/text_lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace trainyard::imports {
namespace {

constexpr std::size_t kFewestColumns = 3, kMostTableColumns = 100, kMostTableLine = 4096;
constexpr std::array<std::string_view, 6> kCounts{"epoch", "e", "#", "step", "iter", "iteration"};

// The cells of a heading: a name may have a space in it, as "LOSS TAGGER".
std::vector<std::string> namesOf(std::string_view line) {
    std::vector<std::string> names;
    for (std::size_t at = 0; at < line.size() && names.size() <= kMostTableColumns;) {
        auto end = std::min(line.find("  ", at), line.find('\t', at));
        if (end == std::string_view::npos) end = line.size();
        if (const auto name = withoutSpaces(line.substr(at, end - at)); !name.empty()) names.emplace_back(name);
        at = end + 1;
    }
    return names;
}

bool isRule(std::string_view line) { return line.find_first_not_of("-=+| \t") == std::string_view::npos; }

bool isHeading(const std::vector<std::string>& names, std::string_view line) {
    if (names.size() < kFewestColumns || names.size() > kMostTableColumns) return false;
    if (line.find_first_of(":=,|{}[]") != std::string_view::npos) return false;
    const auto hasNumber = [](const std::string& name) { return name.find_first_of("0123456789") == 0; };
    return std::none_of(names.begin(), names.end(), hasNumber) &&
           std::any_of(names.begin(), names.end(), [](const std::string& name) { return namesMetric(name); });
}

// "0.81", "1/3", "2.61G", "00:05", "640:"; nothing where it is no number. `isWhole`: nothing follows it.
std::optional<double> cellOf(std::string_view cell, bool& isWhole) {
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc()) return std::nullopt;
    isWhole = end == cell.data() + cell.size() || *end == '/';
    return value;
}

} // namespace

bool PrintedTable::add(std::string_view line, PrintedLine& row) {
    line = line.substr(0, kMostTableLine);
    if (!m_names.empty() && isRule(line)) return true;
    if (!m_names.empty() && readRow(line, row)) return true;
    if (line.find("  ") == std::string_view::npos && line.find('\t') == std::string_view::npos) return false;
    auto names = namesOf(line);
    if (!isHeading(names, line)) return false;
    m_names = std::move(names);
    return true;
}

bool PrintedTable::readRow(std::string_view line, PrintedLine& row) const {
    PrintedLine found{.hasNumbers = true};
    std::size_t column = 0;
    for (std::string_view rest = line; column < m_names.size(); ++column) {
        const auto from = rest.find_first_not_of(" \t");
        if (from == std::string_view::npos) return false;
        rest.remove_prefix(from);
        const auto cell = rest.substr(0, rest.find_first_of(" \t"));
        rest.remove_prefix(cell.size());
        bool isWhole = false;
        const auto value = cellOf(cell, isWhole);
        if (!value) return false;
        const std::string& name = m_names[column];
        const std::string key = lowerCase(name);
        if (column < 2 && std::find(kCounts.begin(), kCounts.end(), key) != kCounts.end()) {
            (key == "epoch" || key == "e" ? found.epoch : found.step) = value;
        } else if (isWhole && isMetricName(name)) {
            found.values.push_back({name, *value});
        }
    }
    if (found.values.empty()) return false;
    for (const std::string& name : m_names)
        for (const char c : name) found.shape = (found.shape ^ static_cast<unsigned char>(c)) * 1099511628211u;
    row = std::move(found);
    return true;
}

} // namespace trainyard::imports
