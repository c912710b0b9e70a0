// SPDX-License-Identifier: GPL-3.0-or-later
// The New run sheet for a fork: it begins with a checkpoint of another run.
#include "engine/run/actions/fork.h"
#include "ui/models/checkpoint_list.h"
#include "ui/new_run/new_run_sheet.h"

#include <QComboBox>

namespace trainyard::ui {

void NewRunSheet::startFork(const RunItemPtr& source, const std::vector<store::CheckpointRow>& checkpoints,
                            qint64 step) {
    m_origin = source->id;
    m_checkpoints = checkpoints;
    m_presetLabel->setText(tr("Start from"));
    m_preset->hide();
    m_from->show();
    const auto* best = store::defaultCheckpoint(m_checkpoints);
    for (std::size_t i = m_checkpoints.size(); i-- > 0;) { // the newest first
        const auto& row = m_checkpoints[i];
        const QString mark = row.best ? tr(", best") : row.last ? tr(", last") : QString();
        m_from->addItem(tr("%1 of %2%3").arg(checkpointTitle(row), source->name, mark), static_cast<qulonglong>(i));
        if (step < 0 ? &row == best : row.step == step) m_from->setCurrentIndex(m_from->count() - 1);
    }
    m_from->addItem(tr("New weights"));
    if (auto before = spec::parseRunSpec(source->row.specJson)) m_before = *before;
    const auto* from = beginning();
    const auto spec = run::forkedSpec(source->row, from ? *from : store::CheckpointRow{}).valueOr(spec::RunSpec{});
    start(QString::fromStdString(spec::toJson(spec)), false);
}

const store::CheckpointRow* NewRunSheet::beginning() const {
    const QVariant index = m_from->currentData();
    return m_origin.isEmpty() || !index.isValid() ? nullptr : &m_checkpoints[index.toULongLong()];
}

// A fork that would be over before its first step.
void NewRunSheet::noteNothingToTrain() {
    const auto* from = beginning();
    if (!from) return;
    const spec::RunSpec& spec = m_state.spec;
    if (spec.epochs && from->epoch >= static_cast<double>(*spec.epochs)) {
        m_state.errors << tr("Length must be more than the %1 epochs of the checkpoint").arg(from->epoch, 0, 'g', 6);
    } else if (spec.steps && from->step >= *spec.steps) {
        m_state.errors
            << tr("Length must be more than the %1 steps of the checkpoint").arg(static_cast<qlonglong>(from->step));
    }
}

} // namespace trainyard::ui
