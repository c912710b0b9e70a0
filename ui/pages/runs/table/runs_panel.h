// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/desktop/settings.h"
#include "ui/models/runs/runs_model.h"
#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

#include <QTimer>

class QStackedWidget;
class QTreeView;

namespace trainyard::ui {

class FilterField;
class RunsView;

// The runs table: filter, columns and grouping above it; a footer with the count and the actions on the selection; and
// the queue below.
class RunsPanel : public Surface {
    Q_OBJECT
public:
    explicit RunsPanel(Workbench& bench, QWidget* parent = nullptr);

    QTreeView* view() const;
    RunsModel* model() const { return m_model; }
    void focusFilter();
    // Opens the editor of a run's name.
    void rename(const QString& run);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void build();
    QLayout* buildTop();
    QWidget* buildNothing();
    QWidget* buildFooter();
    void connectSelection();
    void refresh(const RunsDelta& delta);
    RunItemPtr asLive(const RunItemPtr& run) const;
    void followState(const QString& run);
    void selectionToView();
    void selectionFromView();
    void showAges();
    void showCounts();
    void showNothing();
    int lostRuns() const;
    void applyFilter();
    void enterTable();
    void contextMenu(const QPoint& position);
    void headingMenu(const QModelIndex& heading, const QPoint& globalPosition);
    void archiveSelected();
    void toggleGroup(const QModelIndex& heading);
    bool pressed(const QPoint& position, Qt::MouseButton button);
    bool keyPressed(const QKeyEvent& key);
    std::vector<RunItemPtr> selectedRuns() const;
    Setting<QString> savedFilter() const;

    Workbench& m_bench;
    RunsModel* m_model;
    RunsView* m_view;
    FilterField* m_filter;
    Label* m_filterError;
    QStackedWidget* m_stack; // the table, or why it is empty
    Label* m_nothing;
    Label* m_nothingWhy;
    QPushButton* m_clear;
    Label* m_count;
    QPushButton* m_archive;
    QTimer m_ages{this}; // ages grow even when no run changes
    bool m_syncing = false;
    bool m_refused = false; // the typed filter was refused
};

} // namespace trainyard::ui
