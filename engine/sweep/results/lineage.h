// SPDX-License-Identifier: GPL-3.0-or-later
// Origin and descendants of a run: forks, resumes, trials of a sweep, and states that one trial took over from
// another. A tree, as values.
#pragma once

#include "engine/run/actions/compare_runs.h"
#include "engine/sweep/values/event.h"

#include <map>

namespace trainyard::sweep {

// A setting that changed.
struct LineageChange {
    std::string setting, before, after; // empty: it was not there
    bool operator==(const LineageChange&) const = default;
};

// One line of the tree.
struct LineageEntry {
    enum class Kind {
        Run,     // began from nothing that is known
        Sweep,   // its trials are below it
        Trial,   // of the sweep above it
        Fork,    // of the run above it, from its checkpoint of `step`
        Resumed, // the run above it went on, from `step`
        Adopted, // the trial above it went on with the state that trial `donor` had at `t`
    };
    Kind kind = Kind::Run;
    int depth = 0;
    std::string id{}, name{}; // of the run or the sweep; of Adopted: of the donor; of Resumed: of the run itself
    wire::RunStatus status = wire::RunStatus::Unknown; // Unknown where the run is gone
    std::int64_t step = -1;
    int trial = -1, donor = -1;
    double t = 0;                         // epochs or steps of the sweep
    std::int64_t wallMs = 0;              // when it began
    bool asked = false;                   // it is what was asked for
    std::vector<LineageChange> changes{}; // from the entry above
};
const char* toString(LineageEntry::Kind kind); // "fork"

// The tree.
struct Lineage {
    std::vector<LineageEntry> entries; // depth first; children in the order in which they began
    int otherTrials = 0;               // of the sweep, which are left out because nothing joins them to the run
};

// The inputs of a lineage.
struct LineageFacts {
    std::vector<store::RunRow> runs; // all of the workspace
    std::vector<store::SweepRow> sweeps;
    std::map<std::string, std::vector<store::RunEventRow>> events{};         // by run
    std::map<std::string, std::map<int, std::vector<Adoption>>> adoptions{}; // by sweep and trial
    // The first parameters of the trials of a sweep with adoptions; a run has the current ones.
    std::map<std::string, std::map<int, spec::Params>> starts{};
};
// Rule: where a run comes from.
// For a run, or for a sweep with all its trials; empty for any other id. A run's lineage in a sweep of more than 50
// trials has only those joined to it by forks or adoptions.
Lineage lineageOf(const LineageFacts& facts, const std::string& id);

// As above, read from the store. Input: there is no such run or sweep.
Result<Lineage> readLineage(store::RunQuery& query, const std::string& runOrSweep);

// The entry in a few words: "fork of step 120", "trial 3", "resumed from step 80", "adopted trial 2 at 4".
std::string describe(const LineageEntry& entry);
// "optimizer.lr 0.1 → 0.05, epochs 10 → 20"
std::string changesText(const std::vector<LineageChange>& changes);

} // namespace trainyard::sweep
