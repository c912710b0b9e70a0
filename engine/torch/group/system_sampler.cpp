// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/group/system_sampler.h"

#include "engine/base/clock.h"
#include "engine/base/machine/resident_memory.h"

#include <algorithm>
#include <ctime>

namespace trainyard::train {
namespace {

double processCpuSeconds() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

} // namespace

SystemSampler::SystemSampler() : m_at(monotonicSeconds()), m_cpuSeconds(processCpuSeconds()) {}

wire::SystemSample SystemSampler::take(const Progress& progress, bool withHost, int gpu) {
    const double now = monotonicSeconds(), cpu = processCpuSeconds();
    wire::SystemSample sample;
    sample.seconds = now - m_at;
    sample.cpuCores = (cpu - m_cpuSeconds) / std::max(1e-9, sample.seconds);
    sample.residentBytes = residentMemory().bytes;
    m_at = now;
    m_cpuSeconds = cpu;
    const auto shares = m_ledger.take({progress.dataSeconds, progress.computeSeconds, progress.commSeconds},
                                      progress.part(), sample.seconds);
    sample.dataShare = shares.data;
    sample.computeShare = shares.compute;
    sample.commShare = shares.comm;
    sample.waitShare = shares.wait;
    if (!withHost) {
        m_host.reset();
    } else if (!m_host) {
        m_host.emplace();
    } else {
        const HostLoad load = m_host->sample();
        sample.hasHost = load.memoryTotal > 0;
        sample.hostCpuShare = load.cpuShare;
        sample.hostMemoryUsed = load.memoryUsed;
        sample.hostMemoryTotal = load.memoryTotal;
        sample.hostReceived = load.receivedPerSecond;
        sample.hostSent = load.sentPerSecond;
    }
    if (gpu >= 0 && !m_gpu) m_gpu.emplace(gpu);
    if (const auto load = m_gpu ? m_gpu->sample() : std::nullopt) {
        sample.hasGpu = true;
        sample.gpuShare = load->busyShare;
        sample.gpuMemoryUsed = load->memoryUsed;
        sample.gpuMemoryTotal = load->memoryTotal;
    }
    return sample;
}

} // namespace trainyard::train
