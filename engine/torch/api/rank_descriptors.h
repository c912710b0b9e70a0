// SPDX-License-Identifier: GPL-3.0-or-later
// What a program that was started as a rank does before main(): its own prints must not get between the frames.
#pragma once

namespace trainyard::train {

struct RankDescriptors {
    int readFd = -1, writeFd = -1; // the frames, moved away from 0 and 1; -1: this process is no rank
    int call = 0;                  // the number of the call of fit() that this is a rank of
    double startedAt = 0;          // monotonicSeconds()
};

// Standard input is then empty and standard output goes where errors go; the process is in the starter's folder.
const RankDescriptors& rankDescriptors();

} // namespace trainyard::train
