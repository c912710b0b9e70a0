// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/actions/action.h"
#include "ui/models/checkpoints/checkpoints_model.h"
#include "ui/models/runs/run_filter.h"
#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

#include <QElapsedTimer>

#include <optional>

class QStackedLayout;
class QTableView;

namespace trainyard::ui {

class FilterField;
class Switch;

// The checkpoints of all runs: filtered, sorted, pinned, compared, exported and pruned.
class CheckpointsPage : public Surface {
    Q_OBJECT
public:
    explicit CheckpointsPage(Workbench& bench, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void buildBar(QVBoxLayout* layout);
    void buildTable(QVBoxLayout* layout);
    void load();
    struct Lists {
        std::vector<run::RunCheckpoints> here, away; // away: of runs that live on hosts
    };
    void take(Result<Lists> lists);
    void filter();
    void refresh(); // updates the buttons and the summary
    std::vector<const CheckpointsModel::Line*> chosen() const;
    void select(const std::vector<std::int64_t>& checkpoints, std::int64_t current);
    void pin();
    void compare();
    void exportMenu(const QPoint& at);
    std::optional<ActionTarget> servedTarget() const; // nothing: not one checkpoint, or its file is elsewhere
    void showServe();
    void serve();
    void prune();
    void openRun();
    void showMenu(const QPoint& at);

    Workbench& m_bench;
    CheckpointsModel m_model;
    RunNames m_names;
    QSet<QString> m_matching; // runs that match the filter
    QStackedLayout* m_stack;
    QTableView* m_table;
    FilterField* m_filter;
    Switch* m_pinnedOnly;
    NumberLabel* m_summary;
    Label* m_problem;
    QPushButton *m_pin, *m_compare, *m_export, *m_serve, *m_prune;
    bool m_stale = true, m_loading = false;
    QElapsedTimer m_loaded; // since the list was last read
    QTimer m_again;         // a training run saves often: reads the list at most once a second
};

} // namespace trainyard::ui
