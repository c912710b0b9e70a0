// SPDX-License-Identifier: GPL-3.0-or-later
// What Slurm 22.05 printed of real jobs, and in words what was read from it.
#pragma once

#include "engine/run/slurm/allocation.h"
#include "engine/run/slurm/slurm_array.h"

#include <QFile>
#include <QStringList>

namespace trainyard::test {

inline QByteArray recorded(const QString& name) {
    QFile file(QStringLiteral(TRAINYARD_SOURCE_DIR "/tests/unit/run/slurm/recorded/%1.txt").arg(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// "pending Resources", "granted n1 n2", "ended exited 3".
inline QString words(const run::Allocation& allocation) {
    if (const auto* pending = std::get_if<run::Pending>(&allocation))
        return "pending " + QString::fromStdString(pending->reason);
    QString text = "granted";
    if (const auto* granted = std::get_if<run::Granted>(&allocation)) {
        for (const auto& node : granted->nodes) text += " " + QString::fromStdString(node);
        return text;
    }
    const auto& ended = std::get<run::Ended>(allocation);
    return QStringLiteral("ended %1 %2").arg(QLatin1String(run::toString(ended.reason))).arg(ended.code);
}

// "0 ended exited 0, 1 granted n1".
inline QString words(const run::TaskAllocations& tasks) {
    QStringList all;
    for (const auto& [task, allocation] : tasks) all << QStringLiteral("%1 %2").arg(task).arg(words(allocation));
    return all.join(", ");
}

} // namespace trainyard::test
