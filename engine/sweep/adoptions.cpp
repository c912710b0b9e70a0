// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/adoptions.h"

#include "engine/run/actions/adopt.h"
#include "engine/run/attach/run_control.h"
#include "engine/store/safetensors.h"

#include <algorithm>
#include <cstdio>

namespace trainyard::sweep {
namespace {

constexpr double kRounding = 1e-6;  // of epochs, which are added up
constexpr double kAskSeconds = 0.5; // for the donor to take the request; when it has saved is seen later

bool isUsable(const store::CheckpointRow& row) { return store::SafetensorsFile::open(row.path).ok(); }

} // namespace

// The first that the donor saved at `t` or later, so that it does not matter when somebody looks; none is waited for
// any more: its newest. A state with nothing left to train is of no use.
const store::CheckpointRow* Adoptions::choose(const std::vector<store::CheckpointRow>& rows, double t,
                                              bool mayWait) const {
    const auto inTime = [&](const auto& row) { return timeOf(row) < m_length.max * (1 - 1e-9); };
    for (const auto& row : rows)
        if (timeOf(row) >= t - kRounding && inTime(row) && isUsable(row)) return &row;
    if (mayWait) return nullptr;
    for (auto row = rows.rbegin(); row != rows.rend(); ++row)
        if (inTime(*row) && isUsable(*row)) return &*row;
    return nullptr;
}

// A trial that has not saved yet is asked again on the next look; saving twice is harmless.
void Adoptions::askToSave(store::RunQuery& query, int trial, const std::string& donor) {
    const auto row = query.run(donor);
    if (m_asked.contains(trial) || !row || row->status != wire::RunStatus::Running) return;
    m_asked.insert(trial);
    (void)run::commandRun(m_workspace, donor, wire::CommandKind::Checkpoint, 0, kAskSeconds);
}

Result<std::optional<Event>> Adoptions::advance(store::RunQuery& query, int trial, const Adoption& adoption,
                                                const Runs& runs) {
    TY_ASSIGN(const auto rows, query.checkpoints(runs.donor));
    const store::CheckpointRow* from = choose(rows, adoption.t, runs.donorGoesOn);
    if (from == nullptr && runs.donorGoesOn) {
        askToSave(query, trial, runs.donor);
        return std::optional<Event>();
    }
    m_asked.erase(trial);
    Event adopted{.kind = Event::Kind::Adopted, .trial = trial, .t = adoption.t};
    if (from == nullptr) return std::optional(adopted);
    TY_ASSIGN(auto spec, spec::trialSpec(m_spec, adoption.params, trial));
    const auto done = run::adoptState(m_workspace, runs.taker, *from, std::move(spec), adoption.params);
    if (!done && done.error().code == ErrorCode::AlreadyRunning) return std::optional<Event>(); // not for long
    if (!done && done.error().kind != ErrorKind::Input) return done.error();
    if (!done) { // values that do not go together
        std::fprintf(stderr, "trainyardctl: trial %d keeps its state: %s\n", trial, done.error().text().c_str());
        return std::optional(adopted);
    }
    adopted.donor = adoption.donor;
    adopted.t = timeOf(*from);
    adopted.params = adoption.params;
    return std::optional(adopted);
}

} // namespace trainyard::sweep
