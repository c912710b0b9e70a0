// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/imported_run.h"

#include "engine/base/text/printable.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace trainyard::imports {
namespace {

constexpr std::size_t kMostPassedNames = 10'000;

std::int64_t differentSteps(const std::vector<Point>& points) {
    std::int64_t count = 0;
    for (std::size_t at = 0; at < points.size(); ++at) count += at == 0 || points[at].step != points[at - 1].step;
    return count;
}

bool sharesSteps(const std::vector<Point>& points) { return std::ssize(points) >= 2 * differentSteps(points); }

// The last point of each step.
void keepLast(std::vector<Point>& points) {
    std::size_t kept = 0;
    for (std::size_t at = 0; at < points.size(); ++at)
        if (at + 1 == points.size() || points[at].step != points[at + 1].step) points[kept++] = points[at];
    points.resize(kept);
}

// Whether each is of a row of a table, and the rows come in their order.
bool areInTable(const std::vector<Point>& points) {
    std::int64_t last = 0;
    return std::all_of(points.begin(), points.end(),
                       [&](const Point& point) { return point.row >= std::exchange(last, point.row); });
}

void numberByRows(std::vector<Point>& points) {
    for (Point& point : points) point.step = point.row;
}

void numberByOrder(std::vector<Point>& points) {
    std::int64_t step = 0;
    for (Point& point : points) point.step = step++;
}

} // namespace

std::optional<Setting> settingOf(const JsonValue& value) {
    switch (value.kind) {
    case JsonValue::Kind::Number: return value.number;
    case JsonValue::Kind::Flag: return value.flag;
    case JsonValue::Kind::Text: return unescaped(value.text);
    case JsonValue::Kind::TooLarge:
    case JsonValue::Kind::List: return std::string(value.text);
    case JsonValue::Kind::Null: break;
    }
    return std::nullopt;
}

Setting settingOf(std::string_view text) {
    if (text == "True" || text == "False") return text == "True";
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size()) return number;
    return std::string(text);
}

void ImportedRun::pass(std::string_view tag, Point point) {
    auto known = m_printable.find(tag);
    if (known == m_printable.end()) {
        if (m_printable.size() == kMostPassedNames) m_printable.clear(); // it is but a memory of what printable() says
        known = m_printable.emplace(tag, printable(tag)).first;
    }
    if (rowsAreSteps && point.row >= 0) point.step = point.row;
    m_passing->point(known->second, point);
}

void ImportedRun::add(std::string_view tag, const Point& point) {
    if (m_passing) return pass(tag, point);
    auto known = m_byName.find(tag);
    if (known == m_byName.end()) known = m_byName.emplace(tag, &series[printable(tag)]).first;
    auto& points = *known->second;
    if (!points.empty() && point.step < points.back().step) drop(points, point.step);
    points.push_back(point);
}

void ImportedRun::drop(std::vector<Point>& points, std::int64_t step) {
    while (!points.empty() && points.back().step >= step) {
        points.pop_back();
        ++repeated;
    }
}

void ImportedRun::voidFrom(std::int64_t step) {
    if (m_passing) m_passing->voidFrom(step);
    for (auto& [tag, points] : series) drop(points, step);
}

void ImportedRun::addSystem(std::string_view tag, Point point) {
    if (m_passing) return;
    auto& points = system[printable(tag)];
    if (!points.empty()) point.step = std::max(point.step, points.back().step);
    points.push_back(point);
}

void ImportedRun::skip(Skipped record) {
    ++skippedCount;
    if (skipped.size() < kMostNamed) skipped.push_back(std::move(record));
}

void ImportedRun::set(const std::string& key, Setting setting) {
    for (auto& [known, value] : settings)
        if (known == key) {
            value = std::move(setting);
            return;
        }
    settings.emplace_back(key, std::move(setting));
}

void ImportedRun::settle() {
    m_byName.clear();
    std::erase_if(series, [](const auto& each) { return each.second.empty(); });
    const bool all = rowsAreSteps; // those of a table: its epochs have parts
    for (const auto& [tag, points] : series) {
        const bool inTable = areInTable(points);
        if (!sharesSteps(points) && !(all && inTable)) continue;
        numbered.push_back({tag, std::ssize(points), differentSteps(points), inTable});
        rowsAreSteps = rowsAreSteps || inTable;
    }
    for (auto& [tag, points] : series) {
        if (rowsAreSteps && areInTable(points)) numberByRows(points);
        else if (sharesSteps(points)) numberByOrder(points);
        repeated += std::ssize(points) - differentSteps(points);
        keepLast(points);
    }
}

} // namespace trainyard::imports
