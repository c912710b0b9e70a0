// SPDX-License-Identifier: GPL-3.0-or-later
// The ranking of a sweep's trials, for the supervisor, the terminal and the window.
#pragma once

#include "engine/run/record/run_score.h"
#include "engine/spec/sweep/sweep_spec.h"
#include "engine/store/run_query.h"
#include "engine/sweep/results/adoption_record.h"
#include "engine/sweep/results/sweep_analysis.h"
#include "engine/sweep/values/pareto.h"
#include "engine/sweep/values/seed_stats.h"

#include <map>
#include <optional>

namespace trainyard::sweep {

struct TrialScore {
    std::optional<double> value;    // of the sweep's score; nothing when it is not finite
    std::int64_t step = 0;          // where it was measured
    std::optional<double> second{}; // of the second series, where there are two
};

// The criteria that rank the trials of a sweep.
struct Scores {
    run::Score first;
    std::optional<run::Score> second{};
};

// The facts that decide a trial's place. Trials of one configuration, which differ by seed, are ranked together by the
// mean of their scores.
struct Standing {
    wire::RunStatus status = wire::RunStatus::Queued;
    std::optional<double> score{};
    int configuration = -1; // -1: none but this one
    bool fresh = false;     // with a seed that the configuration was not chosen by: before all that were searched with
    std::optional<double> second{}; // of the second series
    std::int64_t step = 0;          // where the score was measured
};

// Which trials of a sweep are ranked together.
struct SeedPlan {
    int seeds = 1;                                    // of a configuration
    int firstFresh = std::numeric_limits<int>::max(); // trials from this one on are those of the best
    Standing standing(int trial, wire::RunStatus status, const TrialScore& score) const;
};
SeedPlan seedPlanOf(const spec::SweepSpec& spec);

// The order of trials.
struct RankOrder {
    std::vector<std::size_t> indices; // best first
    bool hasBest = false;             // the first one has a score and did not fail
    std::size_t front = 0;            // of two series: the first so many are of those that no other one dominates
};

// A trial and what it reached.
struct TrialResult {
    store::RunRow row;
    Standing standing{};
    std::string reason{}; // why it did not train to its end (Reason::full); empty: it was not a scheduler's doing
    std::vector<Adoption> adoptions{}; // in their order
    std::string lineage{};             // adoptionsText
};

// A configuration that was tried with several seeds.
struct ConfigurationResult {
    int configuration = 0;
    SeedStats stats{};
    SeedStats second{};                // of the second series, where there are two
    bool onFront = false;              // of two series: no other configuration dominates it
    std::vector<std::size_t> trials{}; // indices into Ranking::trials, best first
};

// The trials of a sweep and their order.
struct Ranking {
    Scores scores;                   // what they are compared by
    std::vector<TrialResult> trials; // by trial number
    std::vector<std::size_t> order;  // indices into trials, best first; failed ones and those without a score last
    std::vector<ConfigurationResult> configurations; // best first; empty where each has one seed
    std::string best;                                // run id; empty when no trial has a score
    std::size_t front = 0;                           // RankOrder::front
    std::string reason;                              // why the sweep ended early (endReasonOf); empty: it did not
};

// The sweep's file.
Result<spec::SweepSpec> specOf(const store::SweepRow& sweep);
// The criteria that rank a sweep's trials, from its sweep file.
Scores scoresOf(const spec::SweepSpec& spec);
run::Score scoreOf(const spec::SweepSpec& spec); // the first of them
Result<run::Score> scoreOf(const store::SweepRow& sweep);

// Rule: which score a run has.
// A trial has its sweep's; other runs have the one that picks their best checkpoint (run::scoreOf).
class RunScores {
public:
    void note(const std::vector<store::SweepRow>& sweeps);
    // Of the trials of a sweep; null for no sweep, an unknown one, and one that cannot be read.
    const run::Score* ofSweep(const std::string& sweep) const;
    run::Score of(const store::RunRow& run, const std::vector<store::SeriesSummary>& reported) const;

private:
    std::map<std::string, run::Score> m_ofSweeps;
};

// The ranking series whose mode contradicts their names: it calls the greatest loss the best.
std::vector<spec::Objective> contraryModes(const spec::SweepSpec& spec);
std::string contraryModeText(const spec::Objective& contrary);

// A trial's score, from the summaries of its series.
TrialScore scoreTrial(const std::vector<store::SeriesSummary>& summaries, const run::Score& score);
TrialScore scoreTrialByAll(const std::vector<store::SeriesSummary>& summaries, const Scores& scores);

// Rule: which trial is the best.
// Ranks trials given in the order of their numbers: best first, equals by number; then failed trials with a score,
// then those without one. A configuration of several seeds counts with the mean of its scores, without failed trials;
// those with fresh seeds come before all others.
RankOrder rank(const std::vector<Standing>& trials, spec::Better better);
// By two series, if there are two, in the order of bestFirst() (engine/sweep/values/pareto.h). A trial without one of
// the two has no score. A configuration of several seeds counts with the mean of each series.
RankOrder rank(const std::vector<Standing>& trials, const Scores& scores);

// An item ranked by two series: a trial, or a configuration of several seeds with the mean of each series over its
// trials that have both and did not fail.
struct PairedResult {
    std::vector<std::size_t> trials; // indices; the best by the first series comes first
    LossPair losses;
};
// Rule: how configurations of several seeds compare by two series.
// Counts trials with fresh seeds if there are any, else the searched ones. Needs a second series.
std::vector<PairedResult> pairedResults(const std::vector<Standing>& trials, const Scores& scores);

// Why trials failed: each reason once, with its trials in words: "trial 3", "trials 0, 1, 2", "5 trials".
std::vector<std::pair<std::string, std::string>> failuresOf(const Ranking& ranking);

// "0.891 ± 0.002 over 3 seeds".
std::string statsText(const SeedStats& stats);
// For each series with its name, if there are two.
std::string statsText(const ConfigurationResult& configuration, const Scores& scores);
// The size of the front of two series: "3 of 12 configurations".
std::string frontText(const Ranking& ranking);
// The lead of the best: "within noise of the next, 0.89 ± 0.01 over 3 seeds"; empty if there is nothing to compare.
std::string leadText(const std::vector<ConfigurationResult>& configurations);

// The configurations of several seeds, ordered by the best trial of each.
std::vector<ConfigurationResult> configurationsOf(const std::vector<Standing>& trials, const RankOrder& order,
                                                  const Scores& scores);

// A trial with its parameters.
struct TriedParams {
    spec::Params params;
    Standing standing;
};
// The importance of each axis (importanceOf), by the first series if there are two, and the number of results behind
// it. A result is a trial with a score that did not fail, or the mean of a configuration of several seeds. Fresh seeds
// repeat searched trials and do not count.
struct SweepImportance {
    std::size_t results = 0;
    std::vector<AxisImportance> axes;
};
// Rule: what decides whether a trial is among the best.
Result<SweepImportance> importanceOfTrials(std::span<const spec::Axis> space, spec::Better better,
                                           const std::vector<TriedParams>& trials);
Result<SweepImportance> importanceOfSweep(const spec::SweepSpec& spec, const Ranking& ranking);

// Reads and ranks all trials of a sweep. Parses the sweep's file from its row, unless it is given.
Result<Ranking> rankTrials(store::RunQuery& query, const store::SweepRow& sweep);
Result<Ranking> rankTrials(store::RunQuery& query, const std::string& sweep, const spec::SweepSpec& spec);

} // namespace trainyard::sweep
