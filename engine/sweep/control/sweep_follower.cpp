// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/control/sweep_follower.h"

#include "engine/base/clock.h"
#include "engine/run/attach/run_follower.h"
#include "engine/sweep/control/slurm_sweep.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace trainyard::sweep {

namespace {

constexpr double kSlurmSeconds = 5; // between two questions to Slurm
constexpr int kPollMs = 20;

} // namespace

SweepFollower::SweepFollower(store::Workspace workspace, std::string sweep)
    : m_workspace(std::move(workspace)), m_sweep(std::move(sweep)), m_heldAt(monotonicSeconds()) {}

// Of files that are taken away: the sweep's supervisor does that with takeovers.json once its end is in the store. Its
// lock is probed all the time, by this process as well, and tells nothing.
void SweepFollower::watch(const std::string& id) {
    UniqueFd watch(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    const auto folder = m_workspace.sweepFolder(id);
    if (watch && ::inotify_add_watch(watch.get(), folder.c_str(), IN_DELETE) >= 0) m_watch = std::move(watch);
}

bool SweepFollower::pause() const {
    pollfd entry{m_watch.get(), POLLIN, 0}; // one below 0 is passed over
    if (::poll(&entry, 1, kPollMs) <= 0) return false;
    std::array<char, 4096> events;
    while (::read(m_watch.get(), events.data(), events.size()) > 0) {}
    return true;
}

Result<store::SweepRow> SweepFollower::poll(store::RunQuery& query) {
    TY_ASSIGN(auto row, query.sweep(m_sweep));
    if (!std::exchange(m_watches, true)) { // what it tells from now on is newer than what is read next
        watch(row.id);
        TY_ASSIGN(row, query.sweep(row.id));
    }
    const double now = monotonicSeconds();
    if (!wire::isActive(row.status) || store::RunLock::isHeld(m_workspace.sweepFolder(row.id))) m_heldAt = now;
    if (now - m_heldAt < run::kDeadSeconds) return row;
    if (run::isSlurmJob(m_workspace.root, row.id)) { // nobody supervises it
        m_heldAt = now + kSlurmSeconds - run::kDeadSeconds;
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
        (void)pause();
    }
}

} // namespace trainyard::sweep
