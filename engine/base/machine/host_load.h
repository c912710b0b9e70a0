// SPDX-License-Identifier: GPL-3.0-or-later
// The load of the computer that this process runs on (Linux, /proc).
#pragma once

#include <cstdint>
#include <string_view>

namespace trainyard {

struct HostLoad {
    double cpuShare = 0;                             // of all cores, 0..1
    std::int64_t memoryUsed = 0, memoryTotal = 0;    // bytes; used: what programs could not have
    double receivedPerSecond = 0, sentPerSecond = 0; // bytes, over every interface but the loopback
};

// Reads the load; some ten microseconds a sample. Rates are means since the sample before, the first one since the
// meter was made. Zeros where /proc does not tell.
class HostMeter {
public:
    HostMeter();
    HostLoad sample();

private:
    struct Counts {
        double at = 0; // monotonicSeconds()
        std::uint64_t busy = 0, total = 0, received = 0, sent = 0;
    };
    static Counts counts();
    Counts m_last;
};

// ---- the texts of /proc, for tests --------------------------------------------------------------------------------

// Processor time, as the kernel counts it.
struct CpuTicks {
    std::uint64_t busy = 0, total = 0; // since the computer started, over all cores
};
CpuTicks cpuTicks(std::string_view stat); // of /proc/stat

// What of the memory is in use.
struct HostMemory {
    std::int64_t used = 0, total = 0; // bytes
};
HostMemory hostMemory(std::string_view meminfo); // of /proc/meminfo

// What went over the network since the computer started.
struct NetworkBytes {
    std::uint64_t received = 0, sent = 0; // without the loopback
};
NetworkBytes networkBytes(std::string_view dev); // of /proc/net/dev

} // namespace trainyard
