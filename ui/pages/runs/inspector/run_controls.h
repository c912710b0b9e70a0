// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

namespace trainyard::ui {

class SplitButton;

// The buttons of a run: one that never moves (Stop while it runs, Resume once it has ended), and those beside it.
class RunControls : public QWidget {
    Q_OBJECT
public:
    explicit RunControls(Workbench& bench, QWidget* parent = nullptr);
    // `room`: visible width of the row, in pixels.
    void setRun(const RunItemPtr& run, wire::RunStatus status, int room);

private:
    void build();
    const char* forkAction() const;
    void showFork(const RunItem& run, bool active, int widthOfFirst, int room);
    void pressed();
    QToolButton* controlButton(const char* action);
    void perform(const char* action);

    Workbench& m_bench;
    RunItemPtr m_run;
    QBoxLayout* m_buttons;
    SplitButton *m_stop, *m_continue;
    QAction* m_resumeWith;
    QList<QAction*> m_stops; // the items of "Stop": those of a program are others
    QPushButton *m_fork, *m_fetch;
    QToolButton *m_pause, *m_unpause, *m_save, *m_forkIcon;
    QTimer m_guard; // keeps "Resume" still while a second press of "Stop" may be on its way
};

} // namespace trainyard::ui
