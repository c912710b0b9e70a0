// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/metric_feed.h"

#include "engine/base/clock.h"

#include <algorithm>
#include <system_error>

namespace trainyard::run {
namespace {

std::int64_t endOf(const std::filesystem::path& file) {
    std::error_code failure;
    const auto size = std::filesystem::file_size(file, failure);
    return failure ? 0 : static_cast<std::int64_t>(size);
}

void addPoint(wire::Metrics& metrics, const std::string& series, const wire::Point& point) {
    const auto found = std::find_if(metrics.series.begin(), metrics.series.end(),
                                    [&](const auto& each) { return each.series == series; });
    auto& points =
        found == metrics.series.end() ? metrics.series.emplace_back(wire::SeriesPoints{series, 0, {}}) : *found;
    points.points.push_back(point);
}

void voidAfter(wire::Metrics& metrics, std::int64_t step) {
    for (auto& series : metrics.series)
        std::erase_if(series.points, [step](const wire::Point& point) { return point.step > step; });
    std::erase_if(metrics.series, [](const auto& series) { return series.points.empty(); });
}

} // namespace

MetricFeed::MetricFeed(std::filesystem::path metricsFile, std::int64_t step, double secondsBefore)
    : m_file(metricsFile, endOf(metricsFile)), m_split(program::kMostMetricLine), m_lines(metricsFile.string()),
      m_begun(monotonicSeconds()), m_secondsBefore(secondsBefore), m_step(step) {}

void MetricFeed::printed(std::string_view line) {
    if (!line.empty()) m_printedLog.add(line);
}

MetricNews MetricFeed::look(double now) {
    const auto told = [&](const program::GrownLine& line) { take(line, now); };
    for (bool more = true; more;) {
        const auto looked = m_file.look([&](std::string_view bytes) { m_split.add(bytes, told); });
        more = looked && (looked->more || looked->change == program::FileChange::Truncated ||
                          looked->change == program::FileChange::Replaced);
        if (!looked || looked->change == program::FileChange::None) continue;
        m_split.end(told);
        m_lines.beginAgain();
    }
    takePrinted(now);
    if (auto fault = m_lines.takeFault()) m_news.notices.push_back(fault->text());
    return std::exchange(m_news, {});
}

void MetricFeed::take(const program::GrownLine& line, double now) {
    if (line.isCut) return m_lines.tooLong();
    const auto read = m_lines.read(line.text);
    if (!read) return;
    if (!read->text.empty()) m_news.lines.push_back(read->text);
    if (!read->event.empty()) m_news.notices.push_back(read->event);
    if (!read->checkpoint.empty()) m_news.checkpoints.push_back(read->checkpoint);
    if (read->values.empty()) return;
    auto point = m_steps.next(read->step, read->epoch);
    program::SourceNews news;
    for (const auto& [name, value] : read->values) {
        point.value = value;
        m_sources.add(program::SourceKind::MetricsFile, name, point, news);
    }
    apply(std::move(news), now);
}

// What the printed lines have become series of. The last point of each stays: the log compares the next one with it.
void MetricFeed::takePrinted(double now) {
    program::SourceNews news;
    for (auto& [name, points] : m_printedRun.series) {
        auto& told = m_printedTold[name];
        for (std::size_t i = std::min(told, points.size()); i < points.size(); ++i)
            m_sources.add(program::SourceKind::Printed, name, points[i], news);
        if (points.size() > 1) points.erase(points.begin(), points.end() - 1);
        told = points.size();
    }
    apply(std::move(news), now);
}

void MetricFeed::apply(program::SourceNews&& news, double now) {
    if (const auto to = news.curves.rewoundTo) {
        voidAfter(m_news.points, *to);
        m_news.rewoundTo = std::min(m_news.rewoundTo.value_or(*to), *to);
    }
    for (const auto& [series, point] : news.curves.points) {
        addPoint(m_news.points, series, {point.step, point.epoch, seconds(now), point.value});
        m_step = point.step;
        if (point.epoch > 0) m_epoch = point.epoch;
        m_hasPoints = true;
    }
    for (auto& notice : news.notices) m_news.notices.push_back(std::move(notice));
}

} // namespace trainyard::run
