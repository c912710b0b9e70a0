// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/unique_fd.h"
#include "engine/store/run_query.h"
#include "engine/store/store.h"

#include <string>

namespace trainyard::sweep {

// Waits for the end of a sweep. If its supervisor was killed, records that the sweep was interrupted.
class SweepFollower {
public:
    SweepFollower(store::Workspace workspace, std::string sweep);

    // The sweep's current row. Marks one that is active without a supervisor for run::kDeadSeconds as interrupted;
    // the next poll tells. Collects the trials of an array job of Slurm every few seconds; Environment if that fails.
    Result<store::SweepRow> poll(store::RunQuery& query);
    // Waits for a sign that the sweep may have ended, a signal of the system, or 20 ms. Returns whether it was the
    // sign.
    bool pause() const;
    // Polls until the sweep is not active.
    Result<store::SweepRow> wait(store::RunQuery& query);

private:
    void watch(const std::string& id);

    store::Workspace m_workspace;
    std::string m_sweep;
    double m_heldAt;  // when its supervisor was last seen, on the monotonic clock
    UniqueFd m_watch; // of the sweep's folder; none: there are too many on this computer
    bool m_watches = false;
};

} // namespace trainyard::sweep
