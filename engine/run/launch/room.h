// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/cores.h"

namespace trainyard::run {

// What this computer has for runs.
struct Room {
    int cores = availableCores();
    int devices = 0; // CUDA devices that a run may see
};

// Asks the worker's catalog, which may take 0.4 s the first time; without a worker there are no devices.
Room roomHere();
// The same from what is known already: without devices where the worker would have to be asked.
Room knownRoom();

} // namespace trainyard::run
