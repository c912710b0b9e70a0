// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/better.h"
#include "engine/spec/sweep/sweep_rules.h"
#include "engine/sweep/values/event.h"
#include "engine/sweep/values/pareto.h"

#include <optional>

namespace trainyard::sweep {

// Why a sweep ends before its trials do.
struct SweepEnd {
    enum class Cause {
        Seconds, // of the budget, as are the next four
        TrainSeconds,
        Epochs,
        Target,
        IdleTrials,
        Failures,  // too large a share of the trials failed
        SameError, // the first three trials to end failed alike
        Asked,     // by a person (Steering::Verb::Finish)
    };
    Cause cause = Cause::Seconds;
    double amount = 0, limit = 0;        // what was reached, a loss of Target; failed trials and all trials of Failures
    ErrorCode code = ErrorCode::General; // of SameError
    bool isFailure() const { return cause == Cause::Failures || cause == Cause::SameError; }
};

// "trainSeconds": the word of the sweep file and of the record.
const char* toString(SweepEnd::Cause cause);
std::optional<SweepEnd::Cause> causeFromString(std::string_view word);

// A sweep file's limits for the whole sweep, and how close the sweep is to them. A pure value, like a scheduler.
class SweepLimits {
public:
    // `paired`: two series rank the trials, and a trial is idle if it adds no point to their front.
    SweepLimits(spec::SweepRules rules, spec::Better better, bool paired = false);

    // `trials`: the planned number; 0: as many as the budget allows.
    void take(const Event& event, int trials);
    const std::optional<SweepEnd>& end() const { return m_end; }

    void finish() { endBy({.cause = SweepEnd::Cause::Asked}); }
    // The sweep continues without any of its limits.
    void lift();

    // Whether the report ends the sweep, whatever the scheduler orders.
    bool isTarget(const Event& report) const;
    bool watchesReports() const { return m_targetLoss && m_rules.score == spec::ScoreAt::Best; }
    // Whether to take a tick: it ends the sweep, or enough time has passed since the last one.
    bool matters(const Spent& spent) const;
    // Whether a trial that failed `before` times already is tried again.
    bool retries(const Failure& failure, int before) const;
    const Spent& spent() const { return m_spent; }
    std::string state() const; // JSON

private:
    void count(const Event& event, int trials);
    bool improvesBy(const Event& end);
    void countFailure(const Failure& failure, int trials);
    std::optional<SweepEnd> endOf(const Spent& spent) const;
    void endBy(SweepEnd end) {
        if (!m_end) m_end = end;
    }

    spec::SweepRules m_rules;
    std::optional<double> m_targetLoss;
    Spent m_spent;
    double m_best = kNever; // of the losses at ends
    bool m_paired;
    std::vector<LossPair> m_front; // of the ends, where they are pairs
    int m_idle = 0, m_over = 0, m_failed = 0;
    std::optional<Failure> m_firstFailure; // as long as all trials that are over failed like it
    std::optional<SweepEnd> m_end;
};

} // namespace trainyard::sweep
