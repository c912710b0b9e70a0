// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/system_stats.h"

#include "engine/base/cores.h"

#include <QFile>
#include <QStorageInfo>
#include <QSysInfo>
#include <QThread>

#include <algorithm>

namespace trainyard::ui {

namespace {

// The lines of a file of /proc, which has no size to read by.
QList<QByteArray> linesOf(const QString& path, qint64 atMost = 16384) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.read(atMost).split('\n') : QList<QByteArray>{};
}

} // namespace

SystemStats::SystemStats(QString folder) : m_folder(std::move(folder)) {}

SystemLoad SystemStats::sample() {
    SystemLoad load;
    if (const auto lines = linesOf(QStringLiteral("/proc/stat")); !lines.isEmpty()) {
        const auto fields = lines.first().simplified().split(' ');
        std::uint64_t total = 0;
        std::uint64_t idle = 0;
        for (qsizetype i = 1; i < fields.size() && i <= 8; ++i) { // later fields are counted in user already
            const auto ticks = fields[i].toULongLong();
            total += ticks;
            idle += i == 4 || i == 5 ? ticks : 0;
        }
        const std::uint64_t busy = total - idle;
        if (m_total > 0 && total > m_total && busy >= m_busy)
            load.cpuShare = static_cast<double>(busy - m_busy) / static_cast<double>(total - m_total);
        m_busy = busy;
        m_total = total;
    }
    std::int64_t available = 0;
    for (const QByteArray& line : linesOf(QStringLiteral("/proc/meminfo"))) {
        const auto bytes = [&line] { return line.simplified().split(' ').value(1).toLongLong() * 1024; };
        if (line.startsWith("MemTotal:")) load.memoryTotal = bytes();
        if (line.startsWith("MemAvailable:")) available = bytes();
    }
    load.memoryUsed = std::max<std::int64_t>(0, load.memoryTotal - available);
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
