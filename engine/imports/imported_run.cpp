// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/imported_run.h"

#include "engine/base/ids.h"

#include <algorithm>
#include <charconv>

namespace trainyard::imports {
namespace {

void dropFrom(std::vector<Point>& points, std::int64_t step) {
    while (!points.empty() && points.back().step >= step) points.pop_back();
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

void ImportedRun::add(std::string_view tag, const Point& point) {
    auto known = m_byName.find(tag);
    if (known == m_byName.end()) known = m_byName.emplace(tag, &series[printable(tag)]).first;
    dropFrom(*known->second, point.step);
    known->second->push_back(point);
}

void ImportedRun::voidFrom(std::int64_t step) {
    for (auto& [tag, points] : series) dropFrom(points, step);
}

void ImportedRun::addSystem(std::string_view tag, Point point) {
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

void ImportedRun::dropEmptySeries() {
    m_byName.clear();
    std::erase_if(series, [](const auto& each) { return each.second.empty(); });
}

} // namespace trainyard::imports
