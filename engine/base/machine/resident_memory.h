// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace trainyard {

// What this process has in memory, in bytes, and what of that is no part of a file.
struct ResidentMemory {
    std::int64_t bytes = 0, ofNoFile = 0;
};
ResidentMemory residentMemory();

} // namespace trainyard
