// SPDX-License-Identifier: GPL-3.0-or-later
// The searchers that a sweep file can name, in the order in which they are listed. A row here and the function it
// names, in a file of this folder, are all that a new one takes.
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/catalog.h"
#include "engine/spec/sweep/sweep_spec.h"
#include "engine/sweep/search/searcher.h"

#include <memory>

// clang-format off
#define TRAINYARD_SEARCHERS(ROW) \
    ROW(autoSearcher)            \
    ROW(gridSearcher)            \
    ROW(randomSearcher)          \
    ROW(sobolSearcher)           \
    ROW(tpeSearcher)             \
    ROW(gpSearcher)
// clang-format on

namespace trainyard::sweep {

// What a searcher is made for: a sweep whose space has been checked.
struct SearcherFrame {
    spec::SweepSpec spec;
    std::vector<double> rungs{}; // of its scheduler
    int randomEvery = 0;         // SchedulerEntry::randomEvery
};

// One row of the table of searchers.
struct SearcherEntry {
    spec::Entry info;
    // Input: a space that it cannot search, options that do not fit it.
    Result<std::unique_ptr<Searcher>> (*make)(const SearcherFrame& frame);
};

#define TRAINYARD_DECLARE(entry) SearcherEntry entry();
TRAINYARD_SEARCHERS(TRAINYARD_DECLARE)
#undef TRAINYARD_DECLARE

const std::vector<SearcherEntry>& searchers();

// What `auto` takes for a sweep, and why, in words.
struct AutoChoice {
    std::string name;
    Sentence reason;
};
AutoChoice chooseSearcher(const spec::SweepSpec& spec);

// Options that searchers which learn have.
spec::ParamInfo startupInfo();

} // namespace trainyard::sweep
