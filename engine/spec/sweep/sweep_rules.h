// SPDX-License-Identifier: GPL-3.0-or-later
// What a sweep file says beside space, searcher and scheduler: how trials are scored, and when they and the sweep end.
// RUN_FILE.md explains every field.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace trainyard::spec {

// Which value of its series a trial is scored by.
enum class ScoreAt { Best, Last };

// A trial ends once the series is beyond the limit, from `after` on, in epochs or steps as its run counts.
struct StopRule {
    std::string series;
    double limit = 0;
    bool above = false; // ends above the limit; else below it
    double after = 0;
    bool isPassedBy(double t, double value) const { return t >= after && (above ? value > limit : value < limit); }
    bool operator==(const StopRule&) const = default;
};

// What becomes of trials that fail, and when they are too many.
struct FailureRule {
    int retries = 0;       // of each trial
    double maxShare = 0.5; // of all trials; with more of them the sweep fails
    bool operator==(const FailureRule&) const = default;
};

// What a sweep may use; 0: as much as it takes.
struct Budget {
    double seconds = 0, trainSeconds = 0, epochs = 0; // of the sweep; of all trials together
    std::optional<double> target;                     // a score that is good enough
    int idleTrials = 0;                               // that end one after another without a better best
    bool finish = false;                              // then trials that train go on to their ends; else they are ended
    bool isLimited() const { return seconds > 0 || trainSeconds > 0 || epochs > 0 || target || idleTrials > 0; }
    bool operator==(const Budget&) const = default;
};

// Which trials keep their checkpoints once they are over: the best, and those that have trained for as long.
struct KeepRule {
    int best = 10;
    double minSeconds = 10;
    bool operator==(const KeepRule&) const = default;
};

// The rules of a sweep that are neither its space nor how it is searched.
struct SweepRules {
    ScoreAt score = ScoreAt::Best;
    std::vector<StopRule> stop{};
    FailureRule failure{};
    Budget budget{};
    std::optional<KeepRule> keep{}; // nothing: all do
    bool operator==(const SweepRules&) const = default;
};

const char* toString(ScoreAt score); // "best", "last": the word of the file

} // namespace trainyard::spec
