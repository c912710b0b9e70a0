// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace trainyard {

// What this process has in memory, in bytes, and what of that is no part of a file.
struct ResidentMemory {
    std::int64_t bytes = 0, ofNoFile = 0;
};
ResidentMemory residentMemory();

// Takes the code of this process out of its memory: what it still needs comes back at a touch, from the computer's own
// cache. For a process that has begun and will wait for long, whose start has needed most of it. Any thread.
void letGoOfCode();

} // namespace trainyard
