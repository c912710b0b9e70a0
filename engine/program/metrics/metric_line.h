// SPDX-License-Identifier: GPL-3.0-or-later
// One line of the file $TRAINYARD_METRICS, as a program appends it (METRICS.md).
#pragma once

#include "engine/base/result.h"
#include "engine/imports/imported_run.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trainyard::program {

inline constexpr std::size_t kMostMetricLine = std::size_t{16} << 20; // bytes
inline constexpr std::size_t kMostMetricNames = 10'000;               // of a line; the others are counted

// What a line says. NaN and infinity are values.
struct MetricLine {
    std::optional<std::int64_t> step{};
    std::optional<double> epoch{};
    std::vector<std::pair<std::string, double>> values{}; // in their order; objects in objects are "train/loss"
    std::string checkpoint{};                             // a file or folder that the program has saved
    std::string text{};                                   // for the log of the run
    std::string event{};                                  // a mark in its curves
    std::vector<std::pair<std::string, imports::Setting>> summary{}; // of the whole run, by name
    std::int64_t ignored = 0;   // values that are no number, and those beyond kMostMetricNames
    std::string firstIgnored{}; // the name of the first of them

    bool isEmpty() const {
        return values.empty() && checkpoint.empty() && text.empty() && event.empty() && summary.empty();
    }
};

// Rule: what a line of $TRAINYARD_METRICS means.
// A JSON object; NaN, Infinity and -Infinity also as Python writes them, and as texts. `where` names file and line.
// Input: it is no object, or its step is no whole number from 0 on. Takes any bytes; linear in time and memory.
Result<MetricLine> readMetricLine(std::string_view line, const std::string& where);

// The lines of one such file, one after another. A line that cannot be read costs itself alone.
class MetricLines {
public:
    explicit MetricLines(std::string file) : m_file(std::move(file)) {}

    // Nothing for a blank line, and for one that cannot be read.
    std::optional<MetricLine> read(std::string_view line);
    // For a line that was longer than kMostMetricLine, and is gone.
    void tooLong();
    // The file begins anew.
    void beginAgain() { m_number = 0; }

    std::int64_t badLines() const { return m_bad; }
    // The first fault, once: later lines are only counted.
    std::optional<Error> takeFault();

private:
    std::string where() const { return m_file + ", line " + std::to_string(m_number); }
    void fail(Error error);

    std::string m_file;
    std::int64_t m_number = 0, m_bad = 0;
    std::optional<Error> m_fault{};
};

} // namespace trainyard::program
