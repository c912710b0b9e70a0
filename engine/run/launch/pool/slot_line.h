// SPDX-License-Identifier: GPL-3.0-or-later
// Messages between a sweep's supervisor and a slot, the process that supervises its trials one after another: one
// SOCK_SEQPACKET message each, both sides of the same build. An order is a run with its lock, and with a ticket if the
// slot still has another run. The slot answers with the run's folder once the run's end is in the store. The end of
// the line: nothing follows.
#pragma once

#include "engine/base/result.h"
#include "engine/base/unique_fd.h"
#include "engine/run/launch/cuda_devices.h"
#include "engine/store/store.h"

#include <optional>

namespace trainyard::run {

// Decides between two processes who has a trial: the slot at which it waits, which takes the ticket to begin the
// trial, or the sweep's supervisor, which takes it to withdraw the trial.
class SlotTicket {
public:
    // Environment when there are too many open files.
    static Result<SlotTicket> make();
    explicit SlotTicket(UniqueFd fd) : m_fd(std::move(fd)) {} // one that came from another process

    // True for the first caller in any process only.
    bool take();
    int fd() const { return m_fd.get(); } // to be handed to the other process

private:
    UniqueFd m_fd; // an eventfd that is 1 until the ticket is taken
};

// Conditions for a run in a slot.
struct SlotTerms {
    bool reuse = true;     // its ranks may have trained another, and stay
    int sharing = 1;       // runs that share the cores of each of its hosts with it, and it
    CudaDevices devices{}; // that its ranks on this computer see
    int place = -1;        // among the runs of its host, whose devices it has by that; -1: as `devices` says
};

// A run for a slot to supervise to its end.
struct SlotOrder {
    std::filesystem::path folder;
    SlotTerms terms{};
    std::optional<store::RunLock> lock{}; // none: the run was taken back, and is not to be begun
};

// Both ends of a new line. Environment: too many open files.
struct SlotLine {
    UniqueFd sweep, slot;
    static Result<SlotLine> make();
};

// Hands the lock over, so it is never free in between. Without a ticket the run cannot be taken back. Environment: the
// slot is gone.
Result<void> sendOrder(int line, const std::filesystem::path& folder, const SlotTerms& terms,
                       const store::RunLock& lock, const SlotTicket* ticket = nullptr);
// Waits for the next order, and takes its ticket; nothing at the end of the line. Environment: the order came without
// its lock, and another process holds it.
Result<std::optional<SlotOrder>> receiveOrder(int line);

void sendEnd(int line, const std::filesystem::path& folder);
// A message of a slot: none, its run is over, or the slot is gone.
enum class SlotWord { None, Ended, Gone };
SlotWord receiveEnd(int line); // without waiting

} // namespace trainyard::run
