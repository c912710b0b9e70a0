// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"
#include "engine/sweep/values/steering.h"

namespace trainyard::sweep {

// What came of a request.
struct Steered {
    int trial = -1;       // that it concerns, or the first new one; -1: none
    bool started = false; // the sweep had no supervisor, and has one now
};

// Asks a sweep for something; author and time are filled in. Returns when it is recorded, some tenths of a second: by
// the sweep's supervisor or, where there is none, here. A request is kept until it is answered, and taken once,
// whatever dies meanwhile. What asks for training then starts a supervisor. Input: it cannot be (Judge::check), or the
// sweep has to be running for it and is not. Environment: the supervisor has not answered in 10 s; the request stays.
Result<Steered> steerSweep(const store::Workspace& workspace, const std::string& sweep, Steering asked);

} // namespace trainyard::sweep
