// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/runs/compare_table.h"
#include "ui/models/workbench.h"

class QComboBox;
class QStackedLayout;
class QTableView;

namespace trainyard::ui {

class ComparedNamesHeader;
class EmptyState;
class Label;
class Switch;

// The selected runs side by side, or the table's groups of them: the differences, or everything, against a chosen
// baseline.
class CompareView : public QWidget {
    Q_OBJECT
public:
    explicit CompareView(Workbench& bench, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    void buildHeaders();
    QLayout* buildToolbar();
    void fitColumns();
    void refresh();
    void compareNewest();
    void showColumns(const std::vector<RunItemPtr>& runs);
    void showBaselines();

    Workbench& m_bench;
    CompareTable m_table;
    QStackedLayout* m_stack;
    EmptyState* m_empty;
    QTableView* m_view;
    ComparedNamesHeader* m_names;
    QComboBox* m_baseline;
    Switch *m_onlyDifferences, *m_byGroup;
    Label* m_note;
};

} // namespace trainyard::ui
