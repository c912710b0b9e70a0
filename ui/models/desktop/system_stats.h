// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/machine/gpu_load.h"
#include "engine/base/machine/host_load.h"

#include <QString>

#include <cstdint>
#include <map>
#include <vector>

namespace trainyard::ui {

// The load of this computer.
struct SystemLoad : HostLoad {
    std::map<int, GpuLoad> gpus;              // the GPUs that report their load, by CUDA device number
    std::int64_t diskFree = 0, diskTotal = 0; // bytes, of the file system of the workspace
    // The disk lacks room even for a small run's checkpoints. False before the first look at the disk.
    bool isDiskFull() const { return diskTotal > 0 && diskFree < 500'000'000; }
};

// For the first `count` CUDA devices; loads the driver's libraries, which takes a while.
std::vector<GpuMeter> gpuMeters(int count);

// Reads the load; some ten microseconds a sample.
class SystemStats {
public:
    explicit SystemStats(QString folder);
    // The GPUs whose load is read, too.
    void setGpus(std::vector<GpuMeter> gpus) { m_gpus = std::move(gpus); }
    SystemLoad sample();
    static int cores();
    static QString cpuName();    // "AMD EPYC 9454", or empty
    static QString systemName(); // "Debian GNU/Linux 12 (bookworm)"

private:
    QString m_folder;
    HostMeter m_host;
    std::vector<GpuMeter> m_gpus;
};

} // namespace trainyard::ui
