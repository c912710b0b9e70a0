// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/feed/log_model.h"
#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

class QListView;
class QComboBox;

namespace trainyard::ui {

class SegmentedControl;
class UnitEdit;

// The current run's log, or those of all selected runs: search, level and rank filter, follow.
class LogsView : public QWidget {
    Q_OBJECT
public:
    explicit LogsView(Workbench& bench, QWidget* parent = nullptr);
    void focusSearch();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void buildBar(QVBoxLayout* layout);
    void buildLines(QVBoxLayout* layout);
    void showRun();
    void fitBar();
    void showCounts();
    void showWhole();
    void showRanks();
    void goToHit(int direction);
    void copy();
    void setFollow(bool on);

    Workbench& m_bench;
    LogModel m_model;
    QListView* m_view;
    UnitEdit* m_search;
    Label *m_hits, *m_count;
    Label* m_whole; // the current line in full, when the list elides it
    SegmentedControl* m_level;
    QComboBox* m_rank;
    QWidget* m_bar;
    QToolButton *m_previous, *m_next, *m_all, *m_follow;
    bool m_following = true;
};

} // namespace trainyard::ui
