// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/sweeps/trials_model.h"
#include "ui/models/workbench.h"

#include <QWidget>

class QTableView;

namespace trainyard::ui {

// The table of the filtered trials, tied to the window's one selection. A double click opens the run.
class TrialTable : public QWidget {
    Q_OBJECT
public:
    TrialTable(Workbench& bench, const TrialList& trials, const TrialFilter& filter, QWidget* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    void connectSelection();
    void fitColumns();
    int titleWidth(int column) const; // including the sort arrow, if sorted by it
    void showCurrent();
    void showMenu(const QPoint& position);

    Workbench& m_bench;
    TrialsModel m_model;
    QTableView* m_view;
    QStringList m_fitted; // the columns that the widths were computed for
    int m_fittedRows = 0;
};

} // namespace trainyard::ui
