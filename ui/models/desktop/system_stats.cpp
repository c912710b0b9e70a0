// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/desktop/system_stats.h"

#include "engine/base/machine/cores.h"

#include <QFile>
#include <QStorageInfo>
#include <QSysInfo>
#include <QThread>

namespace trainyard::ui {

namespace {

// The lines of a file in /proc, which reports no size.
QList<QByteArray> linesOf(const QString& path, qint64 atMost) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.read(atMost).split('\n') : QList<QByteArray>{};
}

} // namespace

std::vector<GpuMeter> gpuMeters(int count) {
    std::vector<GpuMeter> meters;
    for (int device = 0; device < count; ++device) meters.emplace_back(device);
    return meters;
}

SystemStats::SystemStats(QString folder) : m_folder(std::move(folder)) {}

SystemLoad SystemStats::sample() {
    SystemLoad load;
    static_cast<HostLoad&>(load) = m_host.sample();
    for (std::size_t device = 0; device < m_gpus.size(); ++device)
        if (const auto one = m_gpus[device].sample()) load.gpus.emplace(static_cast<int>(device), *one);
    const QStorageInfo disk(m_folder);
    load.diskFree = disk.bytesAvailable();
    load.diskTotal = disk.bytesTotal();
    return load;
}

int SystemStats::cores() { return availableCores(); }

QString SystemStats::cpuName() {
    for (const QByteArray& line : linesOf(QStringLiteral("/proc/cpuinfo"), 4096))
        if (line.startsWith("model name")) return QString::fromUtf8(line.mid(line.indexOf(':') + 1)).simplified();
    return {};
}

QString SystemStats::systemName() { return QSysInfo::prettyProductName(); }

} // namespace trainyard::ui
