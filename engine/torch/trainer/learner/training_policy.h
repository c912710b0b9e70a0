// SPDX-License-Identifier: GPL-3.0-or-later
// What a run decides from its own numbers: the learning rate, whether it still gets better, what is out of the
// ordinary.
#pragma once

#include "engine/spec/run/run_spec.h"
#include "engine/torch/optim/schedule.h"

#include <map>
#include <string>
#include <vector>

namespace trainyard::train {

// The learning rate as a user has changed it while the run trains. The schedule goes on: from the change on it is
// stretched so that the learning rate of that step is the one asked for. It is kept in the checkpoint, and holds as
// long as the run file's own learning rate stays what it was (a fork with another one begins with that one).
class LiveLr {
public:
    explicit LiveLr(double baseLr = 0) : m_baseLr(baseLr) {}
    // The learning rate to use where the schedule says `scheduled`.
    double of(double scheduled) const;
    // From now on: `value` where the schedule says `scheduled`.
    void set(double value, double scheduled);
    void save(std::map<std::string, double>& progress) const;
    void restore(const std::map<std::string, double>& progress);

private:
    double m_baseLr = 0; // of the run file
    double m_scheduled = 0, m_value = 0;
    bool m_set = false;
};

// Each rank has its own and feeds it the same numbers, so all ranks decide alike without communication.
class TrainingPolicy {
public:
    TrainingPolicy() = default;
    // `baseLr`: of the optimizer; scaling.lrRule is applied to it here. Kind Input: the schedule cannot be.
    static Result<TrainingPolicy> make(const spec::RunSpec& spec, double baseLr, int worldSize, optim::RunSteps steps);

    double lr(std::int64_t step) const;                    // of step number `step`, counted from 0
    const std::string& lrNote() const { return m_lrNote; } // "learning rate 0.1 = 0.05 x 2 workers"; empty: no rule

    struct Verdict {
        bool stop = false;                // earlyStop's patience is over
        std::vector<std::string> notices; // for people
    };
    // The values of a validation, by series. Of one at the same step again, after a peer was lost in the middle,
    // nothing is counted twice.
    Verdict observe(const std::map<std::string, double>& validation, std::int64_t step);
    // Every step's or some steps' norm of the gradient: a sentence when it is far above those before, at most one in
    // 50.
    std::string observeNorm(double norm, std::int64_t step);
    // A user wants this learning rate for step number `step`; the schedule continues from there.
    void setLr(double lr, std::int64_t step) { m_live.set(lr / m_lowered, m_schedule.at(step)); }
    // After a rollback: the learning rate goes down by failure.rollbackLrFactor.
    void lowerLr() { m_lowered *= m_rollbackFactor; }

    std::map<std::string, double> state() const;              // for a checkpoint
    void restore(const std::map<std::string, double>& state); // of other names too; what is missing stays

private:
    bool stopsEarly(double value);

    optim::Schedule m_schedule;
    LiveLr m_live;
    spec::EarlyStop m_earlyStop;
    std::string m_lrNote;
    std::int64_t m_observedStep = -1;
    Verdict m_verdict; // of that step
    double m_rollbackFactor = 1, m_lowered = 1;
    bool m_hasBest = false;
    double m_best = 0;
    int m_bad = 0;          // validations since the best
    double m_usualNorm = 0; // moving average
    int m_norms = 0, m_quiet = 0;
};

} // namespace trainyard::train
