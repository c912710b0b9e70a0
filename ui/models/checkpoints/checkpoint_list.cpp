// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/checkpoints/checkpoint_list.h"

#include "ui/models/text/format.h"

#include <QCoreApplication>

#include <cmath>

namespace trainyard::ui {

QString checkpointTitle(const store::CheckpointRow& row) {
    const double whole = std::round(row.epoch);
    if (whole >= 1 && std::abs(row.epoch - whole) < 1e-6)
        return QCoreApplication::translate("Checkpoint", "Epoch %1").arg(whole, 0, 'f', 0);
    return QCoreApplication::translate("Checkpoint", "Step %1").arg(countText(static_cast<double>(row.step)));
}

const store::CheckpointRow* nearestCheckpoint(const std::vector<store::CheckpointRow>& rows, std::int64_t step) {
    const store::CheckpointRow* nearest = nullptr;
    for (const auto& row : rows) {
        if (nearest == nullptr) nearest = &row;
        const auto off = std::abs(row.step - step), least = std::abs(nearest->step - step);
        if (off < least || (off == least && row.step < nearest->step)) nearest = &row;
    }
    return nearest;
}

} // namespace trainyard::ui
