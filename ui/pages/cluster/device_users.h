// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/runs/run_item.h"
#include "ui/pages/cluster/local_host_card.h"
#include "ui/theme/theme.h"

#include <algorithm>

namespace trainyard::ui {

// The runs that use a device or a host, with their ranks on it.
struct DeviceUsers {
    QStringList words;
    QColor color; // of the first run

    void add(const RunItem& run, const QList<int>& ranks) {
        if (ranks.isEmpty()) return;
        QStringList named;
        for (const int rank : ranks.first(std::min<qsizetype>(ranks.size(), 4)))
            named << QStringLiteral("r%1").arg(rank);
        words << run.name + QLatin1Char(' ') + named.join(QStringLiteral(", "));
        if (!color.isValid()) color = Theme::current().curve(run.color);
    }
    void showIn(DeviceRow& row) const { row.setUsers(words.join(QStringLiteral("; ")), color); }
};

inline bool isTraining(const RunItem& run) { return run.active() && run.status != wire::RunStatus::Queued; }

} // namespace trainyard::ui
