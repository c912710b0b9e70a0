// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/sweep_follower.h"

#include "engine/base/clock.h"
#include "engine/sweep/slurm_sweep.h"

#include <chrono>
#include <thread>

namespace trainyard::sweep {

namespace {

constexpr double kDeadSeconds = 2;
constexpr double kSlurmSeconds = 5; // between two questions to Slurm
constexpr auto kPollPeriod = std::chrono::milliseconds(20);

} // namespace

SweepFollower::SweepFollower(store::Workspace workspace, std::string sweep)
    : m_workspace(std::move(workspace)), m_sweep(std::move(sweep)), m_heldAt(monotonicSeconds()) {}

Result<store::SweepRow> SweepFollower::poll(store::RunQuery& query) {
    TY_ASSIGN(auto row, query.sweep(m_sweep));
    const double now = monotonicSeconds();
    if (!wire::isActive(row.status) || store::RunLock::isHeld(m_workspace.sweepFolder(row.id))) m_heldAt = now;
    if (now - m_heldAt < kDeadSeconds) return row;
    if (run::isSlurmJob(m_workspace.root, row.id)) { // nobody supervises it
        m_heldAt = now + kSlurmSeconds - kDeadSeconds;
        TY_ASSIGN(auto job, run::findSlurmJob(m_workspace.root, row.id));
        const auto collected = collectSweep(m_workspace, job); // Slurm may be away for a while
        if (!collected && collected.error().code == ErrorCode::FileMissing) return collected.error(); // it is not here
        return query.sweep(m_sweep);
    }
    TY_ASSIGN(const auto store, store::Store::open(m_workspace));
    TY_ASSIGN([[maybe_unused]] const auto marked, store->markInterrupted(m_workspace));
    return row;
}

Result<store::SweepRow> SweepFollower::wait(store::RunQuery& query) {
    for (;;) {
        TY_ASSIGN(auto row, poll(query));
        if (!wire::isActive(row.status)) return row;
        std::this_thread::sleep_for(kPollPeriod);
    }
}

} // namespace trainyard::sweep
