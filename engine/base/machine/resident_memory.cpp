// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/machine/resident_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <link.h>

namespace trainyard {

ResidentMemory residentMemory() {
    std::ifstream statm("/proc/self/statm");
    std::int64_t total = 0, resident = 0, ofFiles = 0;
    statm >> total >> resident >> ofFiles;
    const std::int64_t page = sysconf(_SC_PAGESIZE);
    return {resident * page, (resident - ofFiles) * page};
}

void letGoOfCode() {
    ::dl_iterate_phdr(
        [](dl_phdr_info* object, std::size_t, void*) {
            const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
            for (int i = 0; i < object->dlpi_phnum; ++i) {
                const auto& part = object->dlpi_phdr[i];
                if (part.p_type != PT_LOAD || (part.p_flags & PF_W) != 0) continue; // only what is as in its file
                const auto begin = (object->dlpi_addr + part.p_vaddr) / page * page;
                const auto end = (object->dlpi_addr + part.p_vaddr + part.p_memsz) / page * page;
                if (end > begin) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
            }
            return 0;
        },
        nullptr);
}

} // namespace trainyard
