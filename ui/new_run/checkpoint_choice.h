// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/rows.h"

#include <QComboBox>

#include <vector>

namespace trainyard::ui {

// The start of a fork: one of a run's checkpoints, or new weights.
class CheckpointChoice : public QComboBox {
    Q_OBJECT
public:
    CheckpointChoice();

    // The newest checkpoint comes first; selects that of `step`, or the best one if -1.
    void offer(const QString& run, const std::vector<store::CheckpointRow>& checkpoints, qint64 step);
    void chooseNewWeights() { setCurrentIndex(count() - 1); }
    // Null: new weights, or no checkpoints.
    const store::CheckpointRow* chosen() const;

private:
    std::vector<store::CheckpointRow> m_checkpoints;
};

} // namespace trainyard::ui
