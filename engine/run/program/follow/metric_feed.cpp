// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/follow/metric_feed.h"

#include "engine/base/clock.h"
#include "engine/program/checkpoints/checkpoint_structure.h"
#include "engine/program/checkpoints/checkpoint_watch.h"
#include "engine/program/metrics/printed_choice.h"
#include "engine/run/record/series/source_series.h"
#include "engine/spec/run/run_spec.h"

#include <algorithm>
#include <system_error>
#include <unordered_map>
#include <utility>

namespace trainyard::run {
namespace {

constexpr double kFilesSeconds = 1;  // between two looks into the folders of frameworks
constexpr double kRecordSeconds = 2; // between two records of the same sources

std::int64_t endOf(const std::filesystem::path& file) {
    std::error_code failure;
    const auto size = std::filesystem::file_size(file, failure);
    return failure ? 0 : static_cast<std::int64_t>(size);
}

// Points as a message: each series once.
class PointList {
public:
    explicit PointList(wire::Metrics& metrics) : m_metrics(metrics) {}
    void add(const std::string& name, const wire::Point& point) {
        const auto [place, isNew] = m_places.try_emplace(name, m_metrics.series.size());
        if (isNew) m_metrics.series.push_back({name, 0, {}});
        m_metrics.series[place->second].points.push_back(point);
    }

private:
    wire::Metrics& m_metrics;
    std::unordered_map<std::string, std::size_t> m_places{};
};

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

SourceRecordFile::SourceRecordFile(std::filesystem::path file)
    : m_file(std::move(file)), m_record(m_file.empty() ? SourceRecord{} : readSourceRecord(m_file)) {}

std::int64_t SourceRecordFile::stepOf(const std::string& checkpoint) const {
    if (checkpoint.empty()) return 0;
    if (const auto told = m_record.checkpoints.find(checkpoint); told != m_record.checkpoints.end())
        return told->second;
    const std::string name = std::filesystem::path(checkpoint).filename().string();
    auto says = program::checkpointFileName(name);
    if (!says) says = program::checkpointFolderName(name);
    program::SavedByProgram saved;
    program::resolveProgress(says.value_or(program::CheckpointName{}), program::lookAtCheckpoint(checkpoint), saved);
    return saved.step.value_or(0);
}

void SourceRecordFile::checkpoint(const std::string& path, std::int64_t step) {
    auto& known = m_record.checkpoints;
    if (known.size() >= SourceRecord::kMostCheckpoints && !known.contains(path)) known.erase(known.begin());
    known[path] = step;
    m_hasChanged = true;
}

void SourceRecordFile::summary(const program::MetricLine& line) {
    for (const auto& [name, value] : line.summary) {
        if (m_record.summary.size() >= program::kMostMetricNames && !m_record.summary.contains(name)) return;
        m_record.summary[name] = value;
        m_hasChanged = true;
    }
}

void SourceRecordFile::look(double now, const program::ProgramSources& sources, bool isEnd) {
    if (m_file.empty() || (now < m_due && !isEnd)) return;
    std::int64_t points = 0;
    auto list = sources.list();
    for (const auto& each : list) points += each.points + each.late + each.repeated;
    if (!m_hasChanged && points == m_points) return;
    m_record.memory = sources.memory();
    m_record.sources = std::move(list);
    (void)writeSourceRecord(m_file, m_record);
    m_points = points;
    m_hasChanged = false;
    m_due = now + kRecordSeconds;
}

MetricFeed::MetricFeed(const MetricPlaces& places, program::ValuePatterns patterns)
    : m_file(places.metricsFile), m_frameworks(places.folders, wallClockMs()),
      m_printed(std::move(patterns),
                [this](const std::string& series, const imports::Point& point) {
                    m_sources.add(program::SourceKind::Printed, series, point, m_sourceNews);
                }),
      m_record(places.record), m_runFile(places.runFile), m_namesSources(places.namesSources),
      m_begun(monotonicSeconds()), m_secondsBefore(places.secondsBefore) {
    m_printed.obey(program::namesOfPrinted(places.patterns));
    lookAtChoices();                             // the supervisor may have begun before them
    m_step = m_record.stepOf(places.checkpoint); // a program that has nothing left to do tells no point
    m_sources.goesOn(m_step, m_record.before().memory);
    m_fed = m_sources.feeding();
    if (m_fed && m_namesSources) m_news.points.series.push_back({sourceSeries(*m_fed, {}), 0, {}});
}

MetricNews MetricFeed::look(double now) {
    m_file.look([this](const program::MetricLine& line, imports::Point point) {
        if (!line.text.empty()) m_news.lines.push_back(line.text);
        if (!line.event.empty()) m_news.notices.push_back(line.event);
        if (!line.checkpoint.empty()) m_news.checkpoints.push_back(line.checkpoint);
        if (!line.summary.empty()) m_record.summary(line);
        for (const auto& [name, value] : line.values) {
            point.value = value;
            m_sources.add(program::SourceKind::MetricsFile, name, point, m_sourceNews);
        }
    });
    if (now >= m_filesDue) {
        m_filesDue = now + kFilesSeconds;
        lookIntoFiles(false);
        lookAtChoices();
    }
    apply(now);
    m_record.look(now, m_sources);
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

// A name that was taken or dropped while the program runs counts from its next line on.
void MetricFeed::lookAtChoices() {
    std::error_code gone;
    const auto time = std::filesystem::last_write_time(m_runFile, gone);
    if (gone || time == m_runFileTime) return;
    m_runFileTime = time;
    const auto spec = spec::readRunSpec(m_runFile);
    if (spec && spec->program) m_printed.obey(program::namesOfPrinted(spec->program->metrics.patterns));
}

wire::Point MetricFeed::pointOf(const imports::Point& point, double now) const {
    return {point.step, point.epoch, seconds(now), point.value};
}

void MetricFeed::apply(double now) {
    auto news = std::exchange(m_sourceNews, {});
    if (news.feeds && m_fed && *news.feeds != *m_fed) m_news.setAside = m_fed;
    else if (!news.feeds) m_news.rewoundTo = news.curves.rewoundTo;
    if (news.feeds) m_fed = news.feeds;
    PointList curves(m_news.points), beside(m_namesSources ? m_news.points : m_news.beside);
    for (const auto& [series, point] : news.curves.points) {
        curves.add(m_namesSources ? sourceSeries(*m_fed, series) : series, pointOf(point, now));
        m_step = point.step;
        if (point.epoch > 0) m_epoch = point.epoch;
    }
    for (const auto& [kind, told] : news.beside)
        for (const auto& [series, point] : told.points) beside.add(sourceSeries(kind, series), pointOf(point, now));
    for (auto& notice : news.notices) m_news.notices.push_back(std::move(notice));
    if (auto fault = m_file.takeFault()) m_news.notices.push_back(fault->text());
    for (const auto& fault : m_printed.takeFaults()) m_news.notices.push_back(fault.text());
}

} // namespace trainyard::run
