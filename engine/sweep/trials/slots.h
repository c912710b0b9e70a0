// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/launch/cuda_devices.h"
#include "engine/run/launch/pool/slot_line.h"
#include "engine/run/start/run_start.h"
#include "engine/sweep/judge/slot_count.h"

#include <sys/types.h>

#include <vector>

namespace trainyard::sweep {

// The slots of a sweep: processes that supervise one trial after another (engine/run/supervise/slot.h), started on
// demand. A slot that dies costs its trial, and the next trial gets a fresh slot. Slots outlive this object with their
// trials. A busy slot may get its next trial in advance and begins it as soon as it is free; until then that trial can
// be taken back.
class Slots {
public:
    // `folder`: the sweep's. `reuse`: ranks stay from one trial to the next.
    Slots(std::filesystem::path folder, bool reuse) : m_folder(std::move(folder)), m_reuse(reuse) {}
    Slots(Slots&&) = default;
    ~Slots(); // waits for those that have no trial

    // Hands a trial's run to a free slot, or, once all of `count` are busy, to a busy one as its next. `place`: as of
    // SlotTerms. Environment: no slot can be started; the run stays with the caller.
    Result<void> give(int trial, run::PreparedRun&& run, const SlotCount& count, int place);
    bool has(int trial) const; // a slot has it, or it waits at one
    int trials() const;        // of all slots, those that wait at them included
    // The run of a trial that waits at a slot; nothing: none waits, or the slot has begun it.
    std::optional<run::PreparedRun> takeBack(int trial);
    struct Waiting {
        int trial = -1;
        run::PreparedRun run;
    };
    // Such a run if it waits although fewer than `busy` slots have a trial; else nothing.
    std::optional<Waiting> takeBackFor(int busy);
    // The trials that left their slots since the last call.
    struct Ended {
        int trial = -1;
        bool lost = false;                          // with the slot, wherever the trial was
        double seconds = 0;                         // that the slot had it
        std::optional<run::PreparedRun> notBegun{}; // of one that waited at a slot that died
    };
    std::vector<Ended> takeEnded();
    std::vector<int> fds() const; // readable when there is one

private:
    struct Next {
        int trial = -1;
        run::PreparedRun run;
        run::SlotTicket ticket;
    };
    struct Slot {
        pid_t process = 0;
        UniqueFd line;
        run::CudaDevices devices{};
        int trial = -1;   // -1: none
        double since = 0; // monotonic seconds
        std::optional<Next> next{};
    };
    Result<Slot> start(const SlotCount& count) const;
    Result<void> giveAhead(int trial, run::PreparedRun&& run, const SlotCount& count, int place);
    run::SlotTerms termsOf(const Slot& slot, const SlotCount& count, int place) const;
    std::vector<Slot*> idle();
    int busy() const;
    void end(Slot& slot, bool lost, std::vector<Ended>& ended) const;
    void reap();

    std::filesystem::path m_folder;
    bool m_reuse;
    std::vector<Slot> m_slots;
    std::vector<pid_t> m_leaving; // no more told anything, and not waited for yet
};

// A slot keeps its CUDA devices for life, so that the ranks that stay in it keep theirs.
// The largest number of `slots` that share one of these devices.
int slotsOn(const run::CudaDevices& devices, const std::vector<run::CudaDevices>& slots);
// Rule: which devices a slot of a sweep has.
// For a new slot whose trials need a device for each rank: those that the fewest slots have, the first ones of equals.
// None if there are too few.
run::CudaDevices dealDevices(const std::vector<run::CudaDevices>& slots, run::RanksOnDevices here);

} // namespace trainyard::sweep
