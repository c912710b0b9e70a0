// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/sweeps/trials_model.h"
#include "ui/models/workbench.h"

#include <QWidget>

class QTableView;

namespace trainyard::ui {

class StatusChip;

// The table of the filtered trials, tied to the window's one selection. A double click opens the run. While the pointer
// is in it or its menu is open, the rows stay where they are.
class TrialTable : public QWidget {
    Q_OBJECT
public:
    TrialTable(Workbench& bench, const TrialList& trials, const TrialFilter& filter, QWidget* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    void connectSelection();
    void measureColumns();
    void fitColumns();
    int titleWidth(int column) const; // including the sort arrow, if sorted by it
    void showCurrent();
    void showMenu(const QPoint& position);
    void keepOrder();
    void placePaused();

    Workbench& m_bench;
    TrialsModel m_model;
    QTableView* m_view;
    StatusChip* m_paused;
    bool m_isPointerIn = false, m_isMenuOpen = false;
    QStringList m_measured; // the columns that were measured
    int m_measuredRows = 0;
    QList<int> m_widths;      // what each needs
    bool m_ownWidths = false; // the user has set one
    bool m_isFitting = false;
};

} // namespace trainyard::ui
