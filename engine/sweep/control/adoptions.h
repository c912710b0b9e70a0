// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/attach/attach_client.h"
#include "engine/store/run_query.h"
#include "engine/sweep/control/sweep_control.h"
#include "engine/sweep/judge/judge.h"

#include <map>

namespace trainyard::sweep {

// Gives trials that adopt the states of others. Nothing is remembered that a later process would need: each call looks
// anew at what there is, so that one that was killed in the middle is made up for by another.
class Adoptions {
public:
    Adoptions(store::Workspace workspace, spec::SweepSpec spec, RunLength length, TrialProgram program)
        : m_workspace(std::move(workspace)), m_spec(std::move(spec)), m_length(length), m_program(program) {}

    struct Runs {
        std::string taker, donor;
        bool donorGoesOn = false; // it may save yet
    };
    // For a trial whose run has stopped. The Adopted event once its run has the state, or once it is known that there
    // is none to be had; nothing: look again later. Environment: a full disk, a store that cannot be written.
    Result<std::optional<Event>> advance(store::RunQuery& query, int trial, const Adoption& adoption, const Runs& runs);

private:
    double timeOf(const store::CheckpointRow& row) const {
        return m_length.epochs ? row.epoch : static_cast<double>(row.step);
    }
    const store::CheckpointRow* choose(const std::vector<store::CheckpointRow>& rows, double t, bool mayWait) const;
    bool isAsked(int trial);
    void askToSave(store::RunQuery& query, int trial, const std::string& donor);

    store::Workspace m_workspace;
    spec::SweepSpec m_spec;
    RunLength m_length;
    TrialProgram m_program;
    std::map<int, run::AttachClient> m_asked; // by trial: the way to its donor, which was asked for a checkpoint
};

} // namespace trainyard::sweep
