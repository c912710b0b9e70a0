// SPDX-License-Identifier: GPL-3.0-or-later
// Name and load of an NVIDIA GPU, as NVML tells them. The library comes with the driver and is loaded at run time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace trainyard {

struct GpuLoad {
    double busyShare = 0;                         // of the time in which a kernel ran, 0..1
    std::int64_t memoryUsed = 0, memoryTotal = 0; // bytes, of all processes
};

// Reads the load of one device.
class GpuMeter {
public:
    // The device that CUDA gives this number in this process, whatever CUDA_VISIBLE_DEVICES says. Where there is no
    // driver, no NVML or no such device, samples are empty. Loads libraries; makes no CUDA context.
    explicit GpuMeter(int cudaDevice);
    // Some ten microseconds. Empty where the device does not tell (MIG, a driver that has been replaced).
    std::optional<GpuLoad> sample() const;
    // "NVIDIA H100 80GB HBM3"; empty where samples are.
    std::string name() const;

private:
    void* m_device = nullptr;
};

} // namespace trainyard
