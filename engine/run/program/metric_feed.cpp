// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/metric_feed.h"

#include "engine/base/clock.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace trainyard::run {
namespace {

constexpr double kFilesSeconds = 1; // between two looks into the folders of frameworks

std::int64_t endOf(const std::filesystem::path& file) {
    std::error_code failure;
    const auto size = std::filesystem::file_size(file, failure);
    return failure ? 0 : static_cast<std::int64_t>(size);
}

void addPoint(wire::Metrics& metrics, const std::string& name, const wire::Point& point) {
    const auto isIt = [&](const wire::SeriesPoints& each) { return each.series == name; };
    auto found = std::find_if(metrics.series.begin(), metrics.series.end(), isIt);
    if (found == metrics.series.end())
        found = metrics.series.insert(metrics.series.end(), wire::SeriesPoints{name, 0, {}});
    found->points.push_back(point);
}

bool beginsAnew(program::FileChange change) {
    return change == program::FileChange::Truncated || change == program::FileChange::Replaced;
}

} // namespace

MetricsFile::MetricsFile(const std::filesystem::path& path)
    : m_file(path, endOf(path)), m_split(program::kMostMetricLine), m_lines(path.string()) {}

void MetricsFile::look(const Told& told) {
    const auto take = [&](const program::GrownLine& line) {
        if (line.isCut) return m_lines.tooLong();
        if (const auto read = m_lines.read(line.text)) told(*read, m_steps.next(read->step, read->epoch));
    };
    for (bool more = true; more;) {
        const auto looked = m_file.look([&](std::string_view bytes) { m_split.add(bytes, take); });
        more = looked && (looked->more || beginsAnew(looked->change));
        if (!looked || !beginsAnew(looked->change)) continue;
        m_split.end(take);
        m_lines.beginAgain();
    }
}

Result<std::unique_ptr<MetricFeed>> MetricFeed::open(const MetricPlaces& places) {
    TY_ASSIGN(auto patterns, program::ValuePatterns::compile(places.patterns));
    return std::unique_ptr<MetricFeed>(new MetricFeed(places, std::move(patterns)));
}

MetricFeed::MetricFeed(const MetricPlaces& places, program::ValuePatterns patterns)
    : m_file(places.metricsFile), m_frameworks(places.folders, wallClockMs()),
      m_printed(std::move(patterns),
                [this](const std::string& series, const imports::Point& point) {
                    m_sources.add(program::SourceKind::Printed, series, point, m_sourceNews);
                }),
      m_begun(monotonicSeconds()), m_secondsBefore(places.secondsBefore) {}

MetricNews MetricFeed::look(double now) {
    m_file.look([this](const program::MetricLine& line, imports::Point point) {
        if (!line.text.empty()) m_news.lines.push_back(line.text);
        if (!line.event.empty()) m_news.notices.push_back(line.event);
        if (!line.checkpoint.empty()) m_news.checkpoints.push_back(line.checkpoint);
        for (const auto& [name, value] : line.values) {
            point.value = value;
            m_sources.add(program::SourceKind::MetricsFile, name, point, m_sourceNews);
        }
    });
    if (now >= m_filesDue) {
        m_filesDue = now + kFilesSeconds;
        lookIntoFiles(false);
    }
    apply(now);
    return std::exchange(m_news, {});
}

MetricNews MetricFeed::end(double now) {
    m_printed.end();
    lookIntoFiles(true);
    return look(now);
}

void MetricFeed::lookIntoFiles(bool isEnd) {
    const program::FrameworkFiles::Told told{
        [this](program::SourceKind kind, int file, const std::string& series, const imports::Point& point) {
            m_sources.add(kind, series, point, m_sourceNews, file);
        },
        [this](program::SourceKind kind, std::int64_t step) { m_sources.beginAgain(kind, step, m_sourceNews); },
        [this](const std::string& notice) { m_news.notices.push_back(notice); }};
    if (isEnd) m_frameworks.end(told);
    else m_frameworks.look(told);
}

void MetricFeed::apply(double now) {
    auto news = std::exchange(m_sourceNews, {});
    m_news.rewoundTo = news.curves.rewoundTo;
    for (const auto& [series, point] : news.curves.points) {
        addPoint(m_news.points, series, {point.step, point.epoch, seconds(now), point.value});
        m_step = point.step;
        if (point.epoch > 0) m_epoch = point.epoch;
    }
    for (auto& notice : news.notices) m_news.notices.push_back(std::move(notice));
    if (auto fault = m_file.takeFault()) m_news.notices.push_back(fault->text());
    for (const auto& fault : m_printed.takeFaults()) m_news.notices.push_back(fault.text());
}

} // namespace trainyard::run
