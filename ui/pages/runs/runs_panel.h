// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/runs_model.h"
#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

class QTreeView;

namespace trainyard::ui {

class UnitEdit;

// The runs table: filter, status groups, and a footer with the count and what to do with the selection.
class RunsPanel : public Surface {
    Q_OBJECT
public:
    explicit RunsPanel(Workbench& bench, QWidget* parent = nullptr);

    QTreeView* view() const { return m_view; }
    RunsModel* model() const { return m_model; }
    void focusFilter();
    // Opens the editor of a run's name.
    void rename(const QString& run);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    void buildView();
    void connectSelection();
    void refresh(const RunsDelta& delta);
    void selectionToView();
    void selectionFromView();
    void showCounts();
    void applyFilter();
    void contextMenu(const QPoint& position);
    void archiveSelected();

    Workbench& m_bench;
    RunsModel* m_model;
    QTreeView* m_view;
    UnitEdit* m_filter;
    Label* m_filterError;
    Label* m_count;
    QWidget* m_header;
    QPushButton* m_archive;
    bool m_syncing = false;
};

} // namespace trainyard::ui
