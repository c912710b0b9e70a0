// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the metrics that a training program has printed for people: lines of a terminal or a log file (SOURCES.md).
#pragma once

#include "engine/base/result.h"
#include "engine/imports/imported_run.h"
#include "engine/imports/printed/printed_line.h"
#include "engine/imports/printed/printed_table.h"
#include "engine/imports/table_columns.h"

#include <filesystem>
#include <map>
#include <set>

namespace trainyard::imports {

// Rule: at which step a printed line stands.
// Where it names none, by its epoch and batch, else where the lines before it stood.
class PrintedSteps {
public:
    struct Place {
        std::int64_t step = 0;
        double epoch = 0;      // 0: unknown
        std::int64_t row = -1; // of the lines that tell an epoch alone; -1: there are steps
    };
    Place next(const PrintedLine& line);
    // The lines have parts of epochs and no steps: their order counts.
    bool areRows() const { return !m_hasSteps && m_rows.hasPartsOfEpochs(); }
    // Whether lines have told where they stand: by steps, and at all.
    bool hasSteps() const { return m_hasSteps; }
    bool hasPlaces() const { return m_hasSteps || m_epoch.has_value(); }

private:
    std::optional<Place> byStep(const PrintedLine& line);
    std::optional<Place> byBatch(const PrintedLine& line);

    RowSteps m_rows{};
    Place m_last{};
    std::optional<double> m_epoch{}, m_firstEpoch{}; // the last that a line has told; the first with a batch
    double m_batches = 0, m_batch = 0;               // of the bar that counts the training; batches 0: none yet
    std::int64_t m_pass = 0;                         // over the data, where no line tells an epoch
    bool m_hasSteps = false;
};

// Puts the values of printed lines into a run. A name becomes a series once it has come twice in lines of one shape,
// with another value or at another step: a configuration is printed once.
class PrintedLog {
public:
    explicit PrintedLog(ImportedRun& run) : m_run(run) {}

    // From now on: a name that is taken is a series at once, one that is dropped none any more.
    void obey(PrintedNames names) { m_names = std::move(names); }

    void add(std::string_view line); // without its end, not empty
    void end();                      // after the last line
    const PrintedSteps& steps() const { return m_steps; }

private:
    struct Candidate {
        Point point{}; // the first
        bool isSeries = false;
    };

    void read(std::string_view text);
    void read(const PrintedLine& line);
    PrintedLine lineOf(std::string_view text) const;
    void addValue(const std::string& name, std::uint64_t shape, const Point& point);

    ImportedRun& m_run;
    PrintedNames m_names{};
    PrintedSteps m_steps{};
    PrintedTable m_columns{};
    std::string m_table{};            // lines "| loss | 0.3 |", which stand at one step
    std::string m_heading{};          // "val" or "test": of a line before, "Test Error:"
    std::set<std::string> m_placed{}; // names of lines that tell where they stand
    std::map<std::pair<std::string, std::uint64_t>, Candidate> m_candidates{};
    std::map<std::string, std::int64_t, std::less<>> m_lastSteps{}; // of the series
};

// Whether a file is text in whose first 256 KiB a usual metric becomes a series.
bool isPrintedLog(const std::filesystem::path& file);

// The log as one run. Input where no value becomes a series; the errors of FileReader::open.
Result<ImportedRun> readPrintedLog(const std::filesystem::path& file);

} // namespace trainyard::imports
