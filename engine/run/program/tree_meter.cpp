// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/tree_meter.h"

#include "engine/base/clock.h"
#include "engine/base/machine/cpu_use.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace trainyard::run {
namespace {

// Pages that are shared by processes forked from one another count once for each: the kernel tells no more at this
// price.
std::int64_t residentBytes(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/statm");
    std::int64_t size = 0, resident = 0;
    return file >> size >> resident ? resident * ::sysconf(_SC_PAGESIZE) : 0;
}

} // namespace

TreeMeter::TreeMeter() : m_at(monotonicSeconds()) {}

wire::SystemSample TreeMeter::take(const std::vector<pid_t>& processes, bool withHost) {
    const std::vector<std::int64_t> pids(processes.begin(), processes.end());
    const auto use = cpuUse(pids);
    wire::SystemSample sample;
    sample.computeShare = -1;
    sample.seconds = use.at - m_at;
    // What a process has used is gone from the sum with it.
    sample.cpuCores = std::max(0.0, use.own - m_cpuSeconds) / std::max(1e-9, sample.seconds);
    m_at = use.at;
    m_cpuSeconds = use.own;
    for (const pid_t pid : processes) sample.residentBytes += residentBytes(pid);
    if (!withHost) return sample;
    if (!m_host) {
        m_host.emplace();
        return sample;
    }
    const HostLoad load = m_host->sample();
    sample.hasHost = load.memoryTotal > 0;
    sample.hostCpuShare = load.cpuShare;
    sample.hostMemoryUsed = load.memoryUsed;
    sample.hostMemoryTotal = load.memoryTotal;
    sample.hostReceived = load.receivedPerSecond;
    sample.hostSent = load.sentPerSecond;
    return sample;
}

} // namespace trainyard::run
