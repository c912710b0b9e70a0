// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/imported_run.h"

#include "engine/base/ids.h"

namespace trainyard::imports {
namespace {

void dropFrom(std::vector<Point>& points, std::int64_t step) {
    while (!points.empty() && points.back().step >= step) points.pop_back();
}

} // namespace

void ImportedRun::add(std::string_view name, const Point& point) {
    auto known = m_byName.find(name);
    if (known == m_byName.end()) known = m_byName.emplace(name, &series[printable(name)]).first;
    dropFrom(*known->second, point.step);
    known->second->push_back(point);
}

void ImportedRun::voidFrom(std::int64_t step) {
    for (auto& [name, points] : series) dropFrom(points, step);
}

void ImportedRun::skip(Skipped record) {
    ++skippedCount;
    if (skipped.size() < kMostNamed) skipped.push_back(std::move(record));
}

void ImportedRun::dropEmptySeries() {
    m_byName.clear();
    std::erase_if(series, [](const auto& each) { return each.second.empty(); });
}

} // namespace trainyard::imports
