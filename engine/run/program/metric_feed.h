// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/metrics/framework_files.h"
#include "engine/program/metrics/grown_file.h"
#include "engine/program/metrics/line_splitter.h"
#include "engine/program/metrics/metric_line.h"
#include "engine/program/metrics/metric_steps.h"
#include "engine/program/metrics/printed_reader.h"
#include "engine/program/metrics/program_sources.h"
#include "engine/wire/messages.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace trainyard::run {

// What a program has told since the last look, for its supervisor.
struct MetricNews {
    std::optional<std::int64_t> rewoundTo{}; // points after this step are void
    wire::Metrics points{};
    std::vector<std::string> notices{}, lines{}; // for people; for the log
    std::vector<std::string> checkpoints{};      // that the program itself has named
};

// Follows $TRAINYARD_METRICS of one rank, from where it ends when this object is made.
class MetricsFile {
public:
    using Told = std::function<void(const program::MetricLine& line, const imports::Point& place)>;

    explicit MetricsFile(const std::filesystem::path& path);
    // What has come since the last look; `place` has the line's step and epoch.
    void look(const Told& told);
    std::optional<Error> takeFault() { return m_lines.takeFault(); } // the first line that cannot be read

private:
    program::GrownFile m_file;
    program::LineSplitter m_split;
    program::MetricLines m_lines;
    program::MetricSteps m_steps;
};

// Where a rank's metrics may be.
struct MetricPlaces {
    std::filesystem::path metricsFile;
    std::vector<std::filesystem::path> folders; // in which frameworks leave theirs
    std::vector<std::string> patterns;          // of printed lines
    double secondsBefore = 0;                   // of training, in earlier generations
};

// Gathers the metrics of one rank from all places in which a program leaves them.
class MetricFeed {
public:
    // Follows all from where it ends now. Input: a pattern is bad.
    static Result<std::unique_ptr<MetricFeed>> open(const MetricPlaces& places);
    MetricFeed(const MetricFeed&) = delete;
    MetricFeed& operator=(const MetricFeed&) = delete;

    void printed(std::string_view line) { m_printed.add(line); } // of its output
    MetricNews look(double now);                                 // what has come by now
    MetricNews end(double now);                                  // nothing more comes
    std::int64_t step() const { return m_step; }                 // of the newest point
    double epoch() const { return m_epoch; }
    double seconds(double now) const { return m_secondsBefore + now - m_begun; } // of training

private:
    MetricFeed(const MetricPlaces& places, program::ValuePatterns patterns);
    void lookIntoFiles(bool isEnd);
    void apply(double now);

    MetricsFile m_file;
    program::FrameworkFiles m_frameworks;
    program::PrintedReader m_printed;
    program::ProgramSources m_sources;
    program::SourceNews m_sourceNews;
    MetricNews m_news;
    double m_begun, m_secondsBefore, m_filesDue = 0;
    std::int64_t m_step = 0;
    double m_epoch = 0;
};

} // namespace trainyard::run
