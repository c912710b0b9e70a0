// SPDX-License-Identifier: GPL-3.0-or-later
// The sweep file as a value: a run file and the parameters that vary. Its JSON form is in RUN_FILE.md.
#pragma once

#include "engine/spec/run/run_spec.h"
#include "engine/spec/sweep/axis.h"
#include "engine/spec/sweep/sweep_rules.h"

#include <set>

namespace trainyard::spec {

inline constexpr int kMaxTrials = 100'000; // of one sweep
inline constexpr int kMaxSeeds = 1000;     // of one configuration

// A series that trials are compared by.
struct Objective {
    std::string series;
    std::string mode = "min"; // or max
    bool operator==(const Objective&) const = default;
};

// What an earlier sweep found about a configuration. A smaller loss is better.
struct EarlierResult {
    Params params{};
    double loss = 0;
    std::optional<double> second{}; // of the second series, where it had one
    bool operator==(const EarlierResult&) const = default;
};

// An earlier sweep to begin from.
struct WarmStart {
    std::string sweep;
    int best = 3;        // the number of its best configurations that come first
    bool sameRun = true; // it had the same run and score, so that losses are comparable; else only their order is
    std::vector<EarlierResult> results{}; // best first; filled in when the sweep is started
    bool operator==(const WarmStart&) const = default;
};

// A sweep file as a value. RUN_FILE.md explains every field.
struct SweepSpec {
    int version = kRunFileVersion;
    std::string name;
    std::string runJson; // the base run file, as text (overrides are applied to it)
    std::vector<Axis> space;
    Choice searcher{"grid", {}};  // where the trials' parameters come from (engine/sweep/search/searchers.h)
    Choice scheduler{"fifo", {}}; // which trials go on (engine/sweep/schedule/schedulers.h)
    int trials = 0;    // how many configurations, for each point of the axes with everyValue; a grid: 0 = all
    int parallel = 0;  // trials side by side; 0: as many as devices or cores allow, or on each host
    int perDevice = 1; // trials on each CUDA device, host or core, where `parallel` is 0
    std::string scoreBy = "val/accuracy", mode = "max";
    std::optional<Objective> second{}; // trials are compared by this series, too: a front is sought, not one best
    std::int64_t seed = 1;
    int seeds = 1;      // runs of each configuration, with the run's seed and those that follow it
    int bestSeeded = 0; // > 0: only this many of the best get them, after the search, instead of their first run
    std::vector<Params> first{}; // configurations that come before those of the searcher
    std::vector<WarmStart> warmStart{};
    SweepRules rules{};
    bool reuse = true; // ranks stay from one trial to the next where they can; false: each trial has fresh ones
    bool operator==(const SweepSpec&) const = default;
};

Result<SweepSpec> parseSweepSpec(std::string_view json, const std::string& file = {});
// A "runFile" entry is read relative to the sweep file.
Result<SweepSpec> readSweepSpec(const std::filesystem::path& file);
std::string toJson(const SweepSpec& spec);
// True when the file is a sweep file (has "space"); both kinds of file open the same way.
bool isSweepFile(std::string_view json);

// Whether the sweep is a grid: asked for, or chosen by auto, which takes one where every axis lists its values and no
// number of trials is given.
bool isGrid(const SweepSpec& spec);
// The values that the axes with everyValue have in a configuration: they take turns, the last axis changing fastest.
Params combinationOf(const SweepSpec& spec, int configuration);
// The configurations that come before those of the searcher: `first`, then the best of earlier sweeps, each once.
std::vector<Params> firstConfigurations(const SweepSpec& spec);
// The parameters as a configuration of this space; nothing when a field is missing or has a value that it does not
// take.
std::optional<Params> fitted(const std::vector<Axis>& space, const Params& params);
// The parameters of a sweep over `from`, with the names that `to` has for their objects; what it does not have is left
// out.
Params renamed(std::span<const Axis> from, std::span<const Axis> to, Params params);
// Whether no number of trials is given: there are as many as the budget allows.
bool isOpenEnded(const SweepSpec& spec);
// How many configurations there will be, or can be. A space of so few points that each can be tried has no more of them
// than that.
Result<int> countConfigurations(const SweepSpec& spec);
// How many trials each of them is while it is searched.
inline int seedsOfEach(const SweepSpec& spec) { return spec.bestSeeded > 0 ? 1 : spec.seeds; }
// How many trials they make: as many as there are seeds for each. The first trials are those of configuration 0; those
// with the seeds of the best come last.
Result<int> countTrials(const SweepSpec& spec);
// How many of them are searched with: all but those of the best.
Result<int> countSearched(const SweepSpec& spec);
// The parameters of a configuration that is drawn at random, a pure function of seed and number; `redraw` counts
// further draws for the same one.
Params randomParams(const SweepSpec& spec, int configuration, int redraw = 0);
// The same, but another one than all of `taken` where axes of so many values each have one left.
Params freshParams(const SweepSpec& spec, int configuration, const std::set<Params>& taken);
// The configurations that are known beforehand: all of a grid or a random search. For other searches this returns a
// stand-in for each value and each end of every axis, so that those can be validated instead. Those that
// are not a grid end after `atMost`. Input when the space is wrong (checkSpace) or a grid has too many points.
Result<std::vector<Params>> foreseenConfigurations(const SweepSpec& spec, int atMost = kMaxTrials);
// A stand-in for each value and each end of every axis, beside the first of all others; at most `atMost`.
std::vector<Params> edgeConfigurations(const SweepSpec& spec, std::size_t atMost = kMaxTrials);
// A configuration that is judged before a sweep starts. A stand-in for a value or an end of an axis has no number.
struct JudgedConfiguration {
    std::optional<int> number;
    Params params;
};
// The configurations by which a sweep is judged: all that are `foreseen`; of more than `atMost` of them, each value and
// each end of every axis, and so many from the first to the last. Another that cannot be trained fails when it starts.
std::vector<JudgedConfiguration> judgedConfigurations(const SweepSpec& spec, const std::vector<Params>& foreseen,
                                                      std::size_t atMost);
// Rule: the run file of a trial.
// The trial's own run file, with the seed that is its own among those of its configuration. With a catalog: where the
// trial names another model, optimizer or the like than the base run, parameters of the base that only its own one has
// are left out.
Result<RunSpec> trialSpec(const SweepSpec& spec, const Params& params, int index, const Catalog* catalog = nullptr);
// Whether trials name another model, dataset, optimizer, schedule or loss than the base run, so that trialSpec() needs
// the catalog.
bool namesEntries(const SweepSpec& spec);
// What is wrong with the objects among the values of the space, each in the base run, by its place in the file:
// "space.model.1.params.dropout". Without a catalog: only what can be told without one.
std::vector<FieldError> checkObjects(const SweepSpec& spec, const Catalog* catalog = nullptr);

} // namespace trainyard::spec
