// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/filter/stored_runs.h"

namespace trainyard::run {

// One property in which runs may differ.
struct ComparedRow {
    enum class Part { Result, Setting, Environment } part = Part::Setting;
    std::string name;                // "optimizer.lr", "val/accuracy.best", "torch"
    std::vector<std::string> values; // of each run as text; empty: it has none
    std::vector<double> numbers;     // NaN where the text is no number
    bool differs = false;            // not the same for all
    std::vector<double> spreads{};   // of groups (compareGroups): the standard deviation; NaN where there is none
};

// Runs side by side, in the order in which they were given.
struct Comparison {
    std::vector<std::string> ids, names;
    std::vector<ComparedRow> rows; // results, then settings, then the environment; each in the order of names
};
// Rule: how runs differ.
Comparison compareRuns(const std::vector<StoredRun>& runs);

// The difference from the baseline's value: "+12.5%", "-0.3%". Empty without two numbers or without a difference, if
// the baseline is 0, and if the value is more than ten thousand times as large.
std::string differenceText(const ComparedRow& row, std::size_t run, std::size_t baseline);
const char* toString(ComparedRow::Part part); // "results", "settings", "environment"

} // namespace trainyard::run
