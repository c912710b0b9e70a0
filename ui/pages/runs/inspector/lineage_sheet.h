// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/results/lineage.h"
#include "ui/models/workbench.h"
#include "ui/widgets/sheets/sheet.h"

class QStandardItemModel;
class QTreeView;

namespace trainyard::ui {

class Label;

// The tree that a run belongs to: forks, resumes, trials and adopted states, with the changes on each edge. Enter or a
// double click shows the run.
class LineageSheet : public Sheet {
    Q_OBJECT
public:
    LineageSheet(Workbench& bench, QWidget* window, const QString& run);

private:
    void build();
    void load();
    void fill(const sweep::Lineage& lineage);
    void openRun();

    Workbench& m_bench;
    QString m_run;
    QStandardItemModel* m_model;
    QTreeView* m_tree;
    Label* m_summary;
};

} // namespace trainyard::ui
