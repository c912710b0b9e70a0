// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/run_events.h"

#include <optional>
#include <vector>

namespace trainyard::run {

// The position of a run at an event.
struct RunMoment {
    std::int64_t step = 0; // the last one that is done
    double seconds = 0;    // of training
    std::int64_t wallMs = 0;
};

// Rule: which events of a run its charts mark.
// A value: each call returns the rows to record.
class EventBook {
public:
    void load(std::vector<store::RunEventRow> rows) { m_rows = std::move(rows); } // what earlier supervisors left
    // The run goes back to a checkpoint: drops events of later steps with their points.
    void rewind(std::int64_t step);
    // Workers are about to be launched: for the first time, or to train on from `from`, and why. It counts once they
    // train.
    void launched(store::RunEventKind kind, std::string reason, const RunMoment& from);
    // All workers train, for the first time since launched(): returns the launch, and a change of their number.
    std::vector<store::RunEventRow> training(int workers, std::int64_t wallMs);
    // The continuing group has `count` workers; empty if the number is unchanged.
    std::optional<store::RunEventRow> workers(int count, std::string reason, const RunMoment& now);
    store::RunEventRow replaced(int rank, std::string reason, const RunMoment& now);
    // `before`: NaN when no point says it.
    store::RunEventRow learningRate(double before, double after, const RunMoment& now);
    store::RunEventRow rolledBack(std::string reason, const RunMoment& now);

private:
    store::RunEventRow add(store::RunEventRow row);
    double workersNow() const; // NaN: no event says it

    std::vector<store::RunEventRow> m_rows;
    std::optional<store::RunEventRow> m_launch; // whose workers do not train yet
};

} // namespace trainyard::run
