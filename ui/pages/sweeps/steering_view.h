// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/sweeps/sweep_view.h"

class QStandardItemModel;
class QTableView;

namespace trainyard::ui {

// The steering requests to the sweep, with time and author, newest first.
class SteeringView final : public SweepView {
    Q_OBJECT
public:
    explicit SteeringView(const SweepContext& context, QWidget* parent = nullptr);
    ChartWidget* chart() const override { return nullptr; }

protected:
    void draw() override;

private:
    void buildTable();
    void fitColumns();

    QStackedLayout* m_stack;
    QStandardItemModel* m_rows;
    QTableView* m_table = nullptr;
};

} // namespace trainyard::ui
