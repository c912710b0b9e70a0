// SPDX-License-Identifier: GPL-3.0-or-later
// Which entries of the queue start now, and what the others wait for: a pure function, without a process or a clock.
#pragma once

#include "engine/run/launch/host_rooms.h"

#include <map>
#include <string>
#include <vector>

namespace trainyard::queue {

// What a run or a sweep keeps busy of one computer while it is active.
struct Share {
    int cores = 0;
    int devices = 0;              // CUDA devices, any of them
    std::vector<int> these{};     // the same, by their numbers there
    std::int64_t memoryBytes = 0; // 0: as little that it does not count
    bool whole = false;           // nothing else of the queue trains there meanwhile
    bool operator==(const Share&) const = default;
};
// By the names of hosts in run files; an empty one is this computer.
using Claim = std::map<std::string, Share>;
using Devices = std::map<std::string, std::vector<int>>; // by host

// Why an entry does not start yet.
enum class Wait {
    None,       // it starts now
    Paused,     // the queue is
    SlotsFull,  // as many runs and sweeps are active as there are slots, or more
    HostBusy,   // something active has a host for which there is no other room
    DeviceBusy, // what is active leaves it too few CUDA devices of a computer
    MemoryBusy, // or too little memory
    CoresBusy,  // or too few cores
    Earlier,    // nothing of the above, but it would keep an entry before it waiting
};
// "slots-full": the word in JSON.
const char* toString(Wait wait);

// The judgement of one entry.
struct Verdict {
    Wait wait = Wait::None;
    // Of HostBusy and DeviceBusy who has it, or one of those: an index of the active ones, then of the entries that
    // start now in their order. Of Earlier: an index of the waiting ones. Else -1.
    int by = -1;
    std::string host{};                // of HostBusy, DeviceBusy, MemoryBusy, CoresBusy; empty: this computer
    std::int64_t needed = 0, free = 0; // cores, devices or bytes there; of SlotsFull: slots that are taken, and all
    Devices devices{};                 // of None: those that are dealt to it; a host that is not in it: all
    bool operator==(const Verdict&) const = default;
};

// What the judgement depends on beside the claims.
struct QueueRules {
    int slots = 1;
    bool paused = false;
    run::HostRooms rooms{}; // of this computer, and of the others as far as they are known
};

// Rule: which entry of the queue starts, with which devices, and why another waits.
// One verdict for each waiting entry, in their order. An entry starts when a slot is free and so is all that it claims;
// one that claims more than a computer has waits for all of it. A host that is not known takes one at a time. An entry
// may start before an earlier one only if there is room for both, so none waits longer because of a later one.
std::vector<Verdict> judge(const QueueRules& rules, const std::vector<Claim>& waiting,
                           const std::vector<Claim>& active);

} // namespace trainyard::queue
