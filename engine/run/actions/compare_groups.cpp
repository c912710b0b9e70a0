// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/actions/compare_groups.h"

#include "engine/base/math/statistics.h"
#include "engine/spec/run/check.h"

#include <algorithm>
#include <cmath>

namespace trainyard::run {
namespace {

constexpr std::size_t kMostListed = 6; // different values in one cell

// The different values of some runs, in their order.
std::string listOf(const ComparedRow& row, const std::vector<std::size_t>& runs) {
    std::vector<std::string> seen;
    for (const std::size_t run : runs)
        if (std::find(seen.begin(), seen.end(), row.values[run]) == seen.end()) seen.push_back(row.values[run]);
    std::string list;
    for (std::size_t i = 0; i < std::min(seen.size(), kMostListed); ++i)
        list += (i == 0 ? "" : ", ") + (seen[i].empty() ? std::string("–") : seen[i]);
    return seen.size() > kMostListed ? list + ", …" : list;
}

struct Cell {
    std::string value;
    double number = std::nan(""), spread = std::nan("");
};

Cell cellOf(const ComparedRow& row, const std::vector<std::size_t>& runs) {
    if (runs.empty()) return {};
    const auto first = runs.front();
    const bool isSame =
        std::all_of(runs.begin(), runs.end(), [&](std::size_t run) { return row.values[run] == row.values[first]; });
    if (isSame) return {row.values[first], row.numbers[first]};
    const bool isMeasured = row.part != ComparedRow::Part::Setting && row.part != ComparedRow::Part::Environment;
    RunningMean mean;
    for (const std::size_t run : runs) {
        if (row.values[run].empty()) continue;
        if (!isMeasured || !std::isfinite(row.numbers[run])) return {listOf(row, runs)};
        mean.add(row.numbers[run]);
    }
    return {spec::numberText(mean.mean()), mean.mean(), mean.deviation()};
}

} // namespace

Comparison compareGroups(const Comparison& runs, const std::vector<ComparedGroup>& groups) {
    Comparison comparison;
    for (const ComparedGroup& group : groups) {
        comparison.ids.push_back(group.id);
        comparison.names.push_back(group.name);
    }
    for (const ComparedRow& row : runs.rows) {
        ComparedRow folded = row;
        folded.values.clear();
        folded.numbers.clear();
        folded.differs = false;
        for (const ComparedGroup& group : groups) {
            Cell cell = cellOf(row, group.runs);
            folded.values.push_back(std::move(cell.value));
            folded.numbers.push_back(cell.number);
            folded.spreads.push_back(cell.spread);
            folded.differs = folded.differs || folded.values.back() != folded.values.front();
        }
        comparison.rows.push_back(std::move(folded));
    }
    return comparison;
}

} // namespace trainyard::run
