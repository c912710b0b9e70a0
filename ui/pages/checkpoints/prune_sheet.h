// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/widgets/sheets/sheet.h"

class QPushButton;
class QSpinBox;
class QStandardItemModel;
class QTableView;

namespace trainyard::ui {

class Label;
class Surface;
class Switch;

// A rule for the checkpoints of some runs, the checkpoints it deletes, and the disk space it frees.
class PruneSheet : public Sheet {
    Q_OBJECT
public:
    // `runs`: by id. `filtered`: the workspace has more runs than these.
    PruneSheet(Workbench& bench, QWidget* window, const QStringList& runs, bool filtered);

private:
    QWidget* buildRule(bool filtered);
    QWidget* buildFooter();
    run::PruneRule rule() const;
    void plan();
    void take(const Result<run::PrunePlan>& plan);
    void prune();

    Workbench& m_bench;
    std::vector<std::string> m_runs;
    QSpinBox *m_best, *m_last, *m_days;
    Switch* m_unfinished;
    QStandardItemModel* m_model;
    QTableView* m_table;
    Label *m_summary, *m_shared;
    QPushButton* m_go;
    run::PrunePlan m_plan;
    int m_asked = 0; // number of the newest question; answers to older ones are dropped
};

} // namespace trainyard::ui
