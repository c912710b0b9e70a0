// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/bond/told_news.h"

#include <algorithm>

namespace trainyard::run {
namespace {

constexpr double kOnItsWay = 3; // seconds: longer is no word of the supervisor under way
constexpr std::size_t kMostValues = 1 << 20;
constexpr std::size_t kMostSaved = 64;

std::size_t valuesIn(const wire::Message& message) {
    const auto* metrics = std::get_if<wire::Metrics>(&message);
    std::size_t values = 1;
    for (const auto& series : metrics ? metrics->series : std::vector<wire::SeriesPoints>())
        values += series.points.size();
    return values;
}

std::int64_t lastStepOf(const wire::Metrics& metrics) {
    std::int64_t last = 0;
    for (const auto& series : metrics.series)
        for (const auto& point : series.points) last = std::max(last, point.step);
    return last;
}

} // namespace

void ToldNews::add(wire::Metrics points, double now) {
    const auto last = lastStepOf(points);
    m_points.push_back({std::move(points), last, now});
    bound();
}

void ToldNews::add(const wire::RolledBack& back, double now) {
    m_rewoundAt = now;
    m_points.push_back({back, back.toStep, now});
    bound();
}

void ToldNews::add(const wire::CheckpointSaved& saved) {
    std::erase_if(m_checkpoints, [&](const auto& each) { return each.path == saved.path; });
    m_checkpoints.push_back(saved);
    if (m_checkpoints.size() > kMostSaved) m_checkpoints.pop_front();
}

// In their order: one that is kept keeps all behind it, as a rewind voids what came before it.
void ToldNews::stored(std::int64_t step, double now) {
    if (now - m_rewoundAt < kOnItsWay) return;
    while (!m_points.empty() && m_points.front().lastStep < step && now - m_points.front().at >= kOnItsWay) {
        m_values -= valuesIn(m_points.front().message);
        m_points.pop_front();
    }
}

std::vector<wire::Message> ToldNews::all() const {
    std::vector<wire::Message> messages;
    for (const auto& told : m_points) messages.push_back(told.message);
    for (const auto& saved : m_checkpoints) messages.emplace_back(saved);
    return messages;
}

// A store that cannot be written for long: the oldest are given up.
void ToldNews::bound() {
    m_values += valuesIn(m_points.back().message);
    while (m_values > kMostValues && m_points.size() > 1) {
        m_values -= valuesIn(m_points.front().message);
        m_points.pop_front();
    }
}

} // namespace trainyard::run
