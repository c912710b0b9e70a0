// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/unique_fd.h"
#include "engine/run/actions/run_start.h"

#include <sys/types.h>

namespace trainyard::sweep {

// The slots of a sweep: processes that supervise one trial after another (engine/run/supervise/slot.h), started when
// they are needed. A slot that dies costs the trial that it has, and the next trial gets a fresh one. Slots outlive
// this object with the trial they have.
class Slots {
public:
    // `folder`: the sweep's. `reuse`: ranks stay from one trial to the next.
    Slots(std::filesystem::path folder, bool reuse) : m_folder(std::move(folder)), m_reuse(reuse) {}
    Slots(Slots&&) = default;
    ~Slots(); // waits for those that have no trial

    // Hands the run of a trial over to a slot that has none. Environment when no slot can be started.
    Result<void> give(int trial, const run::PreparedRun& run);
    bool has(int trial) const; // a slot has it
    // The trials that slots have let go of since the last call; `lost`: with the slot, wherever the trial was.
    struct Ended {
        int trial = -1;
        bool lost = false;
    };
    std::vector<Ended> takeEnded();
    std::vector<int> fds() const; // readable when there is one

private:
    struct Slot {
        pid_t process = 0;
        UniqueFd line;
        int trial = -1; // -1: none
    };
    Result<Slot> start() const;
    void reap();

    std::filesystem::path m_folder;
    bool m_reuse;
    std::vector<Slot> m_slots;
    std::vector<pid_t> m_leaving; // no more told anything, and not waited for yet
};

} // namespace trainyard::sweep
