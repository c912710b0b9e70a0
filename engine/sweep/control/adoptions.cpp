// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/control/adoptions.h"

#include "engine/base/text/ids.h"
#include "engine/program/checkpoints/checkpoint_structure.h"
#include "engine/run/start/adopt.h"
#include "engine/store/files/safetensors.h"

#include <algorithm>
#include <cstdio>

namespace trainyard::sweep {
namespace {

constexpr double kRounding = 1e-6; // of epochs, which are added up

// A program's is in one of many formats, and of some only the program itself can judge.
bool isUsable(const store::CheckpointRow& row, TrialProgram program) {
    if (program == TrialProgram::Worker) return store::SafetensorsFile::open(row.path).ok();
    return program::lookAtCheckpoint(std::filesystem::path(row.path)).structure != program::Structure::Cut;
}

// Also takes what its supervisor tells meanwhile, which that need not keep; whether it has saved is seen in the store.
bool isAsked(TrialEntry& trial) {
    bool closed = false;
    if (trial.donor && (!trial.donor->receive(0, closed) || closed)) trial.donor.reset();
    return trial.donor != nullptr;
}

// Does not wait for the answer. A trial that cannot be reached is asked again on the next look; saving twice is
// harmless.
void askToSave(store::RunQuery& query, TrialEntry& trial, const std::string& donor) {
    if (isAsked(trial)) return;
    const auto row = query.run(donor);
    if (!row || row->status != wire::RunStatus::Running) return;
    auto client = run::AttachClient::connect(*row);
    if (client && client->send(wire::Command{newId(), wire::CommandKind::Checkpoint, 0}))
        trial.donor = std::make_unique<run::AttachClient>(std::move(*client));
}

} // namespace

// The donor's first usable checkpoint at `t` or later, so that the choice does not depend on when it is made; if it may
// no longer wait for one, the newest. A state with nothing left to train is no use.
const store::CheckpointRow* Adoptions::choose(const std::vector<store::CheckpointRow>& rows, double t,
                                              bool mayWait) const {
    const auto inTime = [&](const auto& row) { return timeOf(row) < m_length.max * (1 - 1e-9); };
    for (const auto& row : rows)
        if (timeOf(row) >= t - kRounding && inTime(row) && isUsable(row, m_program)) return &row;
    if (mayWait) return nullptr;
    for (auto row = rows.rbegin(); row != rows.rend(); ++row)
        if (inTime(*row) && isUsable(*row, m_program)) return &*row;
    return nullptr;
}

Result<std::optional<Event>> Adoptions::advance(store::RunQuery& query, TrialEntry& trial, const Adoption& adoption,
                                                const TrialEntry& donor, bool donorGoesOn) const {
    TY_ASSIGN(const auto rows, query.checkpoints(donor.id));
    const store::CheckpointRow* from = choose(rows, adoption.t, donorGoesOn);
    if (from == nullptr && donorGoesOn) {
        askToSave(query, trial, donor.id);
        return std::optional<Event>();
    }
    trial.donor.reset();
    Event adopted{.kind = Event::Kind::Adopted, .trial = trial.number, .t = adoption.t};
    if (from == nullptr) return std::optional(adopted);
    TY_ASSIGN(auto spec, runOfTrial(m_spec, adoption.params, trial.number, m_program));
    const auto done = run::adoptState(m_workspace, trial.id, *from, std::move(spec), adoption.params);
    if (!done && done.error().code == ErrorCode::AlreadyRunning) return std::optional<Event>(); // not for long
    if (!done && done.error().kind != ErrorKind::Input) return done.error();
    if (!done) { // values that do not go together
        std::fprintf(stderr, "trainyardctl: trial %d keeps its state: %s\n", trial.number, done.error().text().c_str());
        return std::optional(adopted);
    }
    adopted.donor = adoption.donor;
    adopted.t = timeOf(*from);
    adopted.params = adoption.params;
    return std::optional(adopted);
}

} // namespace trainyard::sweep
