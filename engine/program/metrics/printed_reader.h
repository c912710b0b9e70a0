// SPDX-License-Identifier: GPL-3.0-or-later
// What a program prints, as points of series while it runs.
#pragma once

#include "engine/imports/printed/printed_log.h"
#include "engine/program/metrics/metric_steps.h"
#include "engine/program/metrics/value_patterns.h"

#include <filesystem>
#include <functional>
#include <map>

namespace trainyard::program {

// Rule: at which steps printed values stand that tell none.
// Where no line tells a step, a series that has several values at one place is numbered. A line in which a pattern of
// the user's finds a value counts as the pattern says; the others are read by the scanner of imported logs, whose names
// become series once they come twice.
class PrintedReader {
public:
    using Told = std::function<void(const std::string& series, const imports::Point& point)>;

    PrintedReader(ValuePatterns patterns, Told told);
    PrintedReader(const PrintedReader&) = delete; // m_run refers to it
    PrintedReader& operator=(const PrintedReader&) = delete;

    void obey(imports::PrintedNames names) { m_log.obey(std::move(names)); } // from the next line on
    void add(std::string_view line);                                         // without its end
    void end();                                                              // after the last line
    // Why patterns were switched off, each once.
    std::vector<Error> takeFaults() { return m_patterns.takeFaults(); }

private:
    struct Last { // point of a series
        std::int64_t step = -1;
        double value = 0;
        bool isOrdered = false; // its points are numbered, as no line tells its step
    };
    void tell(const std::string& series, imports::Point point);

    ValuePatterns m_patterns;
    Told m_told;
    imports::ImportedRun m_run{};
    imports::PrintedLog m_log;
    MetricSteps m_steps{}; // of what patterns find
    std::map<std::string, Last> m_lasts{};
};

// One series that a log gives.
struct PrintedSeries {
    std::string name;
    std::int64_t points = 0, firstLine = 0; // lines count from 1
    imports::Point first{}, last{};
    std::string text{}; // the line of its first point, printable
};
// All of them.
struct PatternTest {
    std::int64_t lines = 0;
    std::vector<PrintedSeries> series{}; // in the order of their first points
    std::vector<Error> faults{};         // patterns that were switched off
};
// What a log of printed lines gives with these patterns, as a program run would read it. Input: a pattern is bad; the
// errors of FileReader::open.
Result<PatternTest> testPatterns(const std::filesystem::path& log, const std::vector<std::string>& patterns);

} // namespace trainyard::program
