// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/machine/resident_memory.h"

#include <unistd.h>

#include <fstream>

namespace trainyard {

ResidentMemory residentMemory() {
    std::ifstream statm("/proc/self/statm");
    std::int64_t total = 0, resident = 0, ofFiles = 0;
    statm >> total >> resident >> ofFiles;
    const std::int64_t page = sysconf(_SC_PAGESIZE);
    return {resident * page, (resident - ofFiles) * page};
}

} // namespace trainyard
