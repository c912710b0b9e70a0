// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/machine/cores.h"

#include <cstdint>

namespace trainyard::run {

// What a computer has for runs, by default this one.
struct Room {
    int cores = availableCores();
    int devices = 0;              // CUDA devices that a run may see
    std::int64_t memoryBytes = 0; // 0: not known
    bool operator==(const Room&) const = default;
};

// Asks the worker's catalog, which may take 0.4 s the first time; without a worker there are no devices.
Room roomHere();
// The same from what is known already: without devices where the worker would have to be asked.
Room knownRoom();

} // namespace trainyard::run
