// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/metrics/framework_files.h"
#include "engine/program/metrics/grown_file.h"
#include "engine/program/metrics/line_splitter.h"
#include "engine/program/metrics/metric_line.h"
#include "engine/program/metrics/metric_steps.h"
#include "engine/program/metrics/printed_reader.h"
#include "engine/run/program/follow/source_record.h"
#include "engine/wire/messages.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace trainyard::run {

// What a program has told since the last look, for its supervisor.
struct MetricNews {
    // Another source feeds the curves from here on: what they had so far is of this one, and stands beside them.
    std::optional<program::SourceKind> setAside{};
    std::optional<std::int64_t> rewoundTo{};     // points of the curves after this step are void
    wire::Metrics points{};                      // of the curves
    wire::Metrics beside{};                      // of the other sources, under names of source_series.h
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

// The record of a rank's sources, written when they change, and at most every two seconds when only their points do.
class SourceRecordFile {
public:
    explicit SourceRecordFile(std::filesystem::path file); // an empty path: it is neither read nor written

    const SourceRecord& before() const { return m_record; } // as the keeper before left it
    // The step of a checkpoint that the run goes on from; 0: it is not known.
    std::int64_t stepOf(const std::string& checkpoint) const;
    void checkpoint(const std::string& path, std::int64_t step);
    void summary(const program::MetricLine& line);
    // Writes what is due. A disk that is full costs the record, which the run can do without.
    void look(double now, const program::ProgramSources& sources, bool isEnd = false);

private:
    std::filesystem::path m_file;
    SourceRecord m_record;
    std::int64_t m_points = 0; // that were written, of all sources
    double m_due = 0;
    bool m_hasChanged = false;
};

// Where a rank's metrics may be.
struct MetricPlaces {
    std::filesystem::path metricsFile;
    std::vector<std::filesystem::path> folders; // in which frameworks leave theirs
    std::vector<std::string> patterns;          // of printed lines
    double secondsBefore = 0;                   // of training, in earlier generations
    std::filesystem::path record{};             // of its sources, also by earlier processes; empty: none is kept
    std::string checkpoint{};                   // that it goes on from; empty: it begins, or begins again
    bool namesSources = false;                  // of all points: the supervisor joins those of several ranks
    std::filesystem::path runFile{};            // in which names may be taken or dropped while it runs; empty: none
};

// Gathers the metrics of one rank from all places in which a program leaves them.
class MetricFeed {
public:
    // Follows all from where it ends now. Input: a pattern is bad.
    static Result<std::unique_ptr<MetricFeed>> open(const MetricPlaces& places);
    MetricFeed(const MetricFeed&) = delete;
    MetricFeed& operator=(const MetricFeed&) = delete;

    void printed(std::string_view line) { m_printed.add(line); } // of its output
    void saved(const wire::CheckpointSaved& checkpoint) { m_record.checkpoint(checkpoint.path, checkpoint.step); }
    MetricNews look(double now);                                         // what has come by now
    MetricNews end(double now);                                          // nothing more comes
    void keepRecord(double now) { m_record.look(now, m_sources, true); } // at the very end
    std::int64_t step() const { return m_step; }                         // of the newest point
    double epoch() const { return m_epoch; }
    double seconds(double now) const { return m_secondsBefore + now - m_begun; } // of training

private:
    MetricFeed(const MetricPlaces& places, program::ValuePatterns patterns);
    void lookIntoFiles(bool isEnd);
    void lookAtChoices();
    void apply(double now);
    wire::Point pointOf(const imports::Point& point, double now) const;

    MetricsFile m_file;
    program::FrameworkFiles m_frameworks;
    program::PrintedReader m_printed;
    program::ProgramSources m_sources;
    SourceRecordFile m_record;
    std::filesystem::path m_runFile;
    std::filesystem::file_time_type m_runFileTime{};
    std::optional<program::SourceKind> m_fed{}; // whose points the curves have, as far as they were told
    program::SourceNews m_sourceNews;
    MetricNews m_news;
    bool m_namesSources;
    double m_begun, m_secondsBefore, m_filesDue = 0;
    std::int64_t m_step = 0;
    double m_epoch = 0;
};

} // namespace trainyard::run
