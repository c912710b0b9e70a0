// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/sweeps/trials_model.h"
#include "ui/models/workbench.h"
#include "ui/widgets/marks/cell_delegate.h"

namespace trainyard::ui {

// Paints the cells of the trials: marks the row under the pointer; the first column has the run's chip, or a star for
// the best trial.
class TrialDelegate : public CellDelegate {
    Q_OBJECT
public:
    TrialDelegate(Workbench& bench, TrialsModel& model, QObject* parent = nullptr);
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    void paintName(QPainter& painter, const QRect& cell, const QModelIndex& index) const;

    Workbench& m_bench;
    TrialsModel& m_model;
};

} // namespace trainyard::ui
