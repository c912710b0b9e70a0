// SPDX-License-Identifier: GPL-3.0-or-later
// Rule: what is recorded of ranks and computers, under which names and how often.
// The series in which a run records what its ranks and their computers were busy with. They are ordinary series but for
// this: they are measured by the clock, so several points may have one step, and they say nothing of how well a run
// does.
#pragma once

#include "engine/base/text/name_of.h"

#include <optional>
#include <string>
#include <string_view>

namespace trainyard::run {

// "system/rank0/cpu_percent", "system/host/localhost/cpu_percent".
bool isSystemSeries(std::string_view series);

// "system/gpu.0.gpu", by the name that another program gives it.
std::string foreignSystemSeries(std::string_view name);
std::string rankSeries(int rank, std::string_view what);
std::string hostSeries(const HostName& host, std::string_view what); // an empty host is this computer

// ---- of a rank -----------------------------------------------------------------------------------------------------
inline constexpr std::string_view kCpuPercent = "cpu_percent"; // 100: one core; of a host: 100: all of them
inline constexpr std::string_view kMemoryMb = "memory_mb";     // resident; of a host: in use
inline constexpr std::string_view kGpuPercent = "gpu_percent"; // of the time in which a kernel ran
inline constexpr std::string_view kGpuMemoryMb = "gpu_memory_mb";
// What its time went to, 0..1. `wait`: for other ranks, in a collective or until a new group has formed.
inline constexpr std::string_view kData = "data", kCompute = "compute", kCommunication = "communication",
                                  kWait = "wait";
// ---- of a host -----------------------------------------------------------------------------------------------------
inline constexpr std::string_view kNetworkIn = "network_in_mb_s", kNetworkOut = "network_out_mb_s";

// Which rank's time such a series tells of, and which part of it.
struct RankTime {
    int rank = 0;
    std::string part; // kData, kCompute, kCommunication or kWait
    bool operator==(const RankTime&) const = default;
};
std::optional<RankTime> rankTimeOf(std::string_view series);

// Seconds between two points: one, and more in a long run and with many ranks, so that what a run records of itself
// grows with the logarithm of its length.
double systemInterval(double trainSeconds, std::size_t ranks);

} // namespace trainyard::run
