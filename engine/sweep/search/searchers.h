// SPDX-License-Identifier: GPL-3.0-or-later
// The searchers that a sweep file can name, in listing order. A new one needs a row here and the function that it
// names, in this folder.
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

// The inputs of a searcher: a sweep whose space was checked.
struct SearcherFrame {
    spec::SweepSpec spec;
    std::vector<double> rungs{}; // of its scheduler
    int randomEvery = 0;         // SchedulerEntry::randomEvery
};

// One row of the table of searchers.
struct SearcherEntry {
    spec::Entry info;
    // Input: a space that it cannot search, or options that do not fit.
    Result<std::unique_ptr<Searcher>> (*make)(const SearcherFrame& frame);
};

#define TRAINYARD_DECLARE(entry) SearcherEntry entry();
TRAINYARD_SEARCHERS(TRAINYARD_DECLARE)
#undef TRAINYARD_DECLARE

const std::vector<SearcherEntry>& searchers();

// The choice of `auto` for a sweep, with its reason in words.
struct AutoChoice {
    std::string name;
    Sentence reason;
};
AutoChoice chooseSearcher(const spec::SweepSpec& spec);

// Options that all learning searchers have.
spec::ParamInfo startupInfo();

} // namespace trainyard::sweep
