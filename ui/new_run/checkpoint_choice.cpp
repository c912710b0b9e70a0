// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/new_run/checkpoint_choice.h"

#include "engine/store/run_query.h"
#include "ui/models/checkpoints/checkpoint_list.h"
#include "ui/theme/theme.h"

namespace trainyard::ui {

CheckpointChoice::CheckpointChoice() {
    const Theme& theme = Theme::current();
    setMinimumWidth(theme.px(144));
    setMaximumWidth(theme.px(320));
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(16);
    setAccessibleName(tr("Start from"));
}

void CheckpointChoice::offer(const QString& run, const std::vector<store::CheckpointRow>& checkpoints, qint64 step) {
    clear();
    m_checkpoints = checkpoints;
    const auto* best = store::defaultCheckpoint(m_checkpoints);
    for (std::size_t i = m_checkpoints.size(); i-- > 0;) {
        const auto& row = m_checkpoints[i];
        const QString mark = row.best ? tr(", best") : row.last ? tr(", last") : QString();
        addItem(tr("%1 of %2%3").arg(checkpointTitle(row), run, mark), static_cast<qulonglong>(i));
        if (step < 0 ? &row == best : row.step == step) setCurrentIndex(count() - 1);
    }
    addItem(tr("New weights"));
}

const store::CheckpointRow* CheckpointChoice::chosen() const {
    const QVariant index = currentData();
    return index.isValid() ? &m_checkpoints[index.toULongLong()] : nullptr;
}

} // namespace trainyard::ui
