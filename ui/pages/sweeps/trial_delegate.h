// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/trials_model.h"
#include "ui/models/workbench.h"

#include <QStyledItemDelegate>

namespace trainyard::ui {

// The name column of the trials: chip and name.
class TrialDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    TrialDelegate(Workbench& bench, TrialsModel& model, QObject* parent = nullptr);
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    Workbench& m_bench;
    TrialsModel& m_model;
};

} // namespace trainyard::ui
