// SPDX-License-Identifier: GPL-3.0-or-later
// Decisions about trials and sweeps in words, for the supervisor's log, the terminal and the window.
#pragma once

#include "engine/spec/sweep/sweep_spec.h"
#include "engine/store/trial_log.h"
#include "engine/sweep/values/sweep_limits.h"

#include <string>

namespace trainyard::sweep {

// Replaces the trial's number in decisions about the whole sweep.
inline constexpr int kWholeSweep = -1;

// Why a trial does not train to its end.
struct Reason {
    std::string brief; // for a cell of a table: "stopped at epoch 1: 0.31, worse than the cut 0.52"
    std::string full;  // "stopped early by asha at epoch 1: val/accuracy 0.31 came 5th of 6, and 0.52 was needed"
};
// Both are empty for a trial that was resumed. `epochs`: the trial counts in epochs, else in steps.
Reason reasonOf(const store::TrialDecisionRow& decision, const spec::SweepSpec& spec, bool epochs);

// Why a sweep ended early: as recorded beside the decisions about trials, and in words: "the budget is used up: 600 of
// 600 seconds". No words for any other decision.
store::TrialDecisionRow decisionOf(const SweepEnd& end);
std::string endReasonOf(const store::TrialDecisionRow& decision, const spec::SweepSpec& spec);

// "0.3125", "1.5e-05": four significant digits.
std::string fourDigits(double value);

} // namespace trainyard::sweep
