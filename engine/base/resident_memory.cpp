// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/resident_memory.h"

#include <unistd.h>

#include <fstream>

namespace trainyard {

std::int64_t residentBytes() {
    std::ifstream statm("/proc/self/statm");
    std::int64_t total = 0, resident = 0;
    statm >> total >> resident;
    return resident * sysconf(_SC_PAGESIZE);
}

} // namespace trainyard
