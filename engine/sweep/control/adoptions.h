// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/judge/judge.h"
#include "engine/sweep/trials/run_of_trial.h"
#include "engine/sweep/trials/trial_entry.h"

namespace trainyard::sweep {

// Carries out adoptions: a trial takes over the state of another. Keeps nothing in memory that a later process would
// need. Each call starts from the files and rows, so another process completes what a killed one began.
class Adoptions {
public:
    Adoptions(store::Workspace workspace, spec::SweepSpec spec, RunLength length, TrialProgram program)
        : m_workspace(std::move(workspace)), m_spec(std::move(spec)), m_length(length), m_program(program) {}

    // For a trial whose run has stopped; `donorGoesOn`: the donor may still save. Returns the Adopted event once the
    // trial's run has the state, or once it is certain that there is none; nothing: call again later. Environment: a
    // full disk, or a store that cannot be written.
    Result<std::optional<Event>> advance(store::RunQuery& query, TrialEntry& trial, const Adoption& adoption,
                                         const TrialEntry& donor, bool donorGoesOn) const;

private:
    double timeOf(const store::CheckpointRow& row) const {
        return m_length.epochs ? row.epoch : static_cast<double>(row.step);
    }
    const store::CheckpointRow* choose(const std::vector<store::CheckpointRow>& rows, double t, bool mayWait) const;

    store::Workspace m_workspace;
    spec::SweepSpec m_spec;
    RunLength m_length;
    TrialProgram m_program;
};

} // namespace trainyard::sweep
