// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/imports/printed/printed_log.h"
#include "engine/program/metrics/grown_file.h"
#include "engine/program/metrics/line_splitter.h"
#include "engine/program/metrics/metric_line.h"
#include "engine/program/metrics/metric_steps.h"
#include "engine/program/metrics/program_sources.h"
#include "engine/wire/messages.h"

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::run {

// What a program has told since the last look, for its supervisor.
struct MetricNews {
    std::optional<std::int64_t> rewoundTo; // points after this step are void
    wire::Metrics points;
    std::vector<std::string> notices, lines; // for people; for the log
    std::vector<std::string> checkpoints;    // that the program itself has named
};

// Gathers the metrics of one rank from all places in which a program leaves them.
class MetricFeed {
public:
    MetricFeed(const MetricFeed&) = delete;
    MetricFeed& operator=(const MetricFeed&) = delete;
    // Follows the metrics file from where it ends now. Points before `step` stand already: the program goes on from a
    // checkpoint of it. `secondsBefore`: of training, in earlier generations.
    MetricFeed(std::filesystem::path metricsFile, std::int64_t step, double secondsBefore);

    void printed(std::string_view line);         // a line of its output
    MetricNews look(double now);                 // what has come by now
    std::int64_t step() const { return m_step; } // of the newest point
    double epoch() const { return m_epoch; }
    double seconds(double now) const { return m_secondsBefore + now - m_begun; } // of training
    bool hasPoints() const { return m_hasPoints; }

private:
    void take(const program::GrownLine& line, double now);
    void takePrinted(double now);
    void apply(program::SourceNews&& news, double now);

    program::GrownFile m_file;
    program::LineSplitter m_split;
    program::MetricLines m_lines;
    program::MetricSteps m_steps;
    imports::ImportedRun m_printedRun;
    imports::PrintedLog m_printedLog{m_printedRun};
    std::map<std::string, std::size_t> m_printedTold; // points of each series
    program::ProgramSources m_sources;
    double m_begun, m_secondsBefore;
    MetricNews m_news;
    std::int64_t m_step;
    double m_epoch = 0;
    bool m_hasPoints = false;
};

} // namespace trainyard::run
