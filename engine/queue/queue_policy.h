// SPDX-License-Identifier: GPL-3.0-or-later
// Which entries of the queue start now, and what the others wait for: a pure function, without a process or a clock.
#pragma once

#include <string>
#include <vector>

namespace trainyard::queue {

// What a run or a sweep keeps busy while it is active.
struct Claim {
    int cores = 0;                      // of this computer
    std::vector<std::string> devices{}; // of this computer: "cuda:0"
    std::vector<std::string> hosts{};   // others; each trains one run of the queue at a time
    bool operator==(const Claim&) const = default;
};

// Why an entry does not start yet.
enum class Wait {
    None,       // it starts now
    Paused,     // the queue is
    SlotsFull,  // as many runs and sweeps are active as there are slots, or more
    HostBusy,   // an active run has one of its hosts
    DeviceBusy, // an active run has one of its devices
    CoresBusy,  // active runs leave it too few cores of this computer
    Earlier,    // nothing of the above, but it would keep an entry before it waiting
};
// "slots-full": the word in JSON.
const char* toString(Wait wait);

// The judgement of one entry.
struct Verdict {
    Wait wait = Wait::None;
    // Of HostBusy and DeviceBusy who has it: an index of the active ones, then of the entries that start now in their
    // order. Of Earlier: an index of the waiting ones. Else -1.
    int by = -1;
    std::string what{};       // of HostBusy and DeviceBusy: the host or the device
    int needed = 0, free = 0; // of CoresBusy: cores; of SlotsFull: slots that are taken, and all
    bool operator==(const Verdict&) const = default;
};

// What the judgement depends on beside the claims.
struct QueueRules {
    int slots = 1;
    bool paused = false;
    int cores = 1; // of this computer
};

// One verdict for each waiting entry, in their order. An entry starts when a slot is free and so is all that it claims;
// one that claims more cores than there are waits for all of them. It may start before an earlier entry only if there
// is room for both, so no entry waits longer because of a later one.
std::vector<Verdict> judge(const QueueRules& rules, const std::vector<Claim>& waiting, std::vector<Claim> active);

} // namespace trainyard::queue
