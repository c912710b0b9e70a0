// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>

namespace trainyard::ui {

// The load of this computer, as /proc tells it.
struct SystemLoad {
    double cpuShare = 0;                          // of all cores, 0..1, since the sample before
    std::int64_t memoryUsed = 0, memoryTotal = 0; // bytes
    std::int64_t diskFree = 0, diskTotal = 0;     // bytes, of the file system of the workspace
    // Not even a small run's checkpoints have room there. False until the disk was looked at.
    bool isDiskFull() const { return diskTotal > 0 && diskFree < 500'000'000; }
};

// Reads the load; some ten microseconds a sample.
class SystemStats {
public:
    explicit SystemStats(QString folder);
    SystemLoad sample();
    static int cores();
    static QString cpuName();    // "AMD EPYC 9454", or empty
    static QString systemName(); // "Debian GNU/Linux 12 (bookworm)"

private:
    QString m_folder;
    std::uint64_t m_busy = 0, m_total = 0;
};

} // namespace trainyard::ui
