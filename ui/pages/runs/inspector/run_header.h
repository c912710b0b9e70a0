// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

#include <QElapsedTimer>

namespace trainyard::ui {

class ColorChip;
class ProgressLine;
class SplitButton;
class StatusChip;

// The top of the inspector: whose run it is, how far it is, and the one button that never moves: stop while it runs,
// resume when it has ended.
class RunHeader : public QWidget {
    Q_OBJECT
public:
    explicit RunHeader(Workbench& bench, QWidget* parent = nullptr);
    void setRun(const RunItemPtr& run);
    // Shows the live state anew.
    void refresh();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    QString homeOf(const RunItem& run) const;
    void showProgress(const RunItem& run, wire::RunStatus status);
    void showButton(const RunItem& run, wire::RunStatus status);
    int room() const; // pixels between the margins that are seen
    void showName(const RunItem& run);
    void showFork(const RunItem& run, bool active, int widthOfFirst);
    void pressed();
    QToolButton* controlButton(const char* action);
    void perform(const char* action);
    void buildButtons(QVBoxLayout* layout);

    Workbench& m_bench;
    RunItemPtr m_run;
    Label *m_name, *m_about, *m_percent, *m_epoch, *m_eta, *m_after;
    NumberLabel *m_step, *m_throughput;
    ColorChip* m_color;
    StatusChip* m_chip;
    ProgressLine* m_bar;
    QBoxLayout* m_buttons;
    SplitButton* m_stop;
    SplitButton* m_continue;
    QAction* m_resumeWith;
    QPushButton *m_fork, *m_fetch;
    QToolButton *m_pause, *m_unpause, *m_save, *m_forkIcon;
    QTimer m_guard; // keeps "Resume" still while a second press of "Stop" may be on its way
};

} // namespace trainyard::ui
