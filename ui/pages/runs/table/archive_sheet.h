// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/widgets/sheets/sheet.h"

class QPushButton;
class QTableView;
class QStandardItemModel;

namespace trainyard::ui {

class Label;

// The archived runs with their disk usage, to restore or to delete permanently.
class ArchiveSheet : public Sheet {
    Q_OBJECT
public:
    ArchiveSheet(Workbench& bench, QWidget* window);

private:
    void build();
    void load();
    void fill(const std::vector<run::ArchivedRun>& runs);
    void refresh();
    QStringList chosen() const; // the selected runs
    void restore();
    void deleteRuns();

    Workbench& m_bench;
    QStandardItemModel* m_model;
    QTableView* m_table;
    Label* m_summary;
    Label* m_warning;
    QPushButton* m_restore;
    QPushButton* m_delete;
    QPushButton* m_all;
    bool m_sure = false; // the next click on Delete deletes
};

} // namespace trainyard::ui
