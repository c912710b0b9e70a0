// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/actions/compare_runs.h"

namespace trainyard::run {

// A column of a comparison for several runs.
struct ComparedGroup {
    std::string id, name;
    std::vector<std::size_t> runs; // their places in the comparison
};

// Rule: how groups of runs differ.
// Columns of groups instead of runs: numbers of results and timings as mean and standard deviation over the runs that
// have one, other values as they are if the runs share them, else each of them ("1, 2, 3").
Comparison compareGroups(const Comparison& runs, const std::vector<ComparedGroup>& groups);

} // namespace trainyard::run
