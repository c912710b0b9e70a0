// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/rows.h"

#include <QComboBox>

#include <vector>

namespace trainyard::ui {

// What a fork begins with: one of the checkpoints of a run, or new weights.
class CheckpointChoice : public QComboBox {
    Q_OBJECT
public:
    CheckpointChoice();

    // The newest checkpoint comes first; that of `step` is chosen, or the best where it is -1.
    void offer(const QString& run, const std::vector<store::CheckpointRow>& checkpoints, qint64 step);
    void chooseNewWeights() { setCurrentIndex(count() - 1); }
    // Null: new weights, or nothing was offered.
    const store::CheckpointRow* chosen() const;

private:
    std::vector<store::CheckpointRow> m_checkpoints;
};

} // namespace trainyard::ui
