// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/filter/stored_runs.h"

#include <optional>

namespace trainyard::run {

// One property in which runs may differ.
struct ComparedRow {
    enum class Part { Result, Setting, Timing, Environment } part = Part::Setting;
    std::string name;                     // "optimizer.lr", "val/accuracy.best", "torch"
    std::vector<std::string> values;      // of each run as text; empty: it has none
    std::vector<double> numbers;          // NaN where the text is no number
    bool differs = false;                 // not the same for all
    std::vector<double> spreads{};        // of groups (compareGroups): the standard deviation; NaN where there is none
    std::optional<spec::Better> better{}; // which values are better, of a measure of how well a run does
};

// Runs side by side, in the order in which they were given.
struct Comparison {
    std::vector<std::string> ids, names;
    // Results, settings, timings, then the environment; each in the order of names. Of the results the first run's
    // score comes first, then other measures, the validation's first, other series, and what else is known of a run.
    std::vector<ComparedRow> rows;
};
// Rule: how runs differ.
Comparison compareRuns(const std::vector<StoredRun>& runs);

// The difference from the baseline's value: "+12.5%", "-0.3%". Empty for settings and the environment, whose numbers
// are no quantities (a seed), without two numbers or without a difference of 0.01 %, if the baseline is 0, and if the
// value is more than ten thousand times as large.
std::string differenceText(const ComparedRow& row, std::size_t run, std::size_t baseline);
// Rule: whether a run does better than the baseline by a row, worse, or neither.
// Groups whose means are no further apart than one of them spreads do neither, nor do values that read as the same.
enum class Verdict { Neither, Better, Worse };
Verdict verdictOf(const ComparedRow& row, std::size_t run, std::size_t baseline);
// Whether no run does better by a row in which runs differ.
bool isBestOf(const ComparedRow& row, std::size_t run);
const char* toString(ComparedRow::Part part); // "results", "settings", "timings", "environment"

} // namespace trainyard::run
