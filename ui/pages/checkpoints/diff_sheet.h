// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/checkpoints/checkpoints_model.h"
#include "ui/models/checkpoints/diff_table.h"
#include "ui/widgets/sheets/sheet.h"

#include <atomic>

class QProgressBar;
class QTableView;

namespace trainyard::ui {

class Label;
class Switch;
class UnitEdit;

// Two checkpoints compared: what moved, how far, and the distribution of each tensor before and after. Closing it ends
// the reading.
class DiffSheet : public Sheet {
    Q_OBJECT
public:
    DiffSheet(QWidget* window, const CheckpointsModel::Line& first, const CheckpointsModel::Line& second);

private:
    QWidget* buildHead(const CheckpointsModel::Line& first, const CheckpointsModel::Line& second);
    QWidget* buildTable();
    void read();
    void take(Result<run::CheckpointDiff> diff);
    void refresh();

    std::string m_first, m_second; // files
    DiffTable m_model;
    QTableView* m_table;
    Label* m_summary;
    QProgressBar* m_progress;
    UnitEdit* m_filter;
    Switch *m_withSame, *m_withOptimizer;
    std::shared_ptr<std::atomic<bool>> m_ended; // tells the newest reader thread to stop
};

} // namespace trainyard::ui
