// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/runs/scaling_table.h"
#include "ui/models/workbench.h"
#include "ui/widgets/sheets/sheet.h"

#include <atomic>
#include <memory>

class QPushButton;
class QTableView;

namespace trainyard::ui {

class Label;
class Plot;

// The scaling advisor: trains a run's settings briefly with 1, 2, … workers, shows each measurement as it ends beside
// the speed that as many workers would ideally have, and recommends a number of workers. Closing the sheet stops the
// measurement.
class ScalingSheet : public Sheet {
    Q_OBJECT
public:
    ScalingSheet(Workbench& bench, const RunItemPtr& run, QWidget* window);
    ~ScalingSheet() override;

private:
    void build(const QString& name);
    QWidget* buildHead(const QString& name);
    QWidget* buildFooter();
    void fitTable();
    void draw(); // the measured speeds
    void start();
    void measureNext();
    void take(const Result<run::BriefTimes>& times);
    void finish();
    void stop(); // tells the running measurement to stop, without waiting for it
    void apply();

    Workbench& m_bench;
    spec::RunSpec m_spec;
    std::vector<int> m_counts;
    std::vector<run::BriefTimes> m_times;
    run::ScalingAdvice m_advice;
    std::shared_ptr<std::atomic<bool>> m_stopped; // of the running measurement; null: none
    ScalingTable m_table;
    QTableView* m_view;
    Plot* m_plot;
    Label *m_where, *m_state, *m_result;
    QPushButton *m_measure, *m_stop, *m_apply;
};

} // namespace trainyard::ui
