// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/machine/cores.h"

#include <cstdint>

namespace trainyard::run {

// A computer's resources for runs; by default this one's.
struct Room {
    int cores = availableCores();
    int devices = 0;              // CUDA devices that a run may see
    std::int64_t memoryBytes = 0; // 0: not known
    bool operator==(const Room&) const = default;
};

// Asks the worker's catalog, up to 0.4 s the first time; no devices without a worker.
Room roomHere();
// From known facts: no devices if the worker would have to be asked.
Room knownRoom();

} // namespace trainyard::run
