// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

class QSplitter;
class QStackedWidget;
class QTabBar;

namespace trainyard::ui {

class CurvesView;
class Inspector;
class LogsView;
class RunsPanel;
class SamplesView;

// Runs at the left, curves, model, logs or samples in the middle, the inspector at the right.
class RunsPage : public QWidget {
    Q_OBJECT
public:
    enum Tab { CurvesTab, ModelTab, LogsTab, CompareTab, TimelineTab, SamplesTab };

    explicit RunsPage(Workbench& bench, QWidget* parent = nullptr);

    void setTab(int tab);
    void toggleRuns();
    void toggleInspector();
    RunsPanel* runsPanel() const { return m_runs; }
    CurvesView* curves() const { return m_curves; }
    LogsView* logs() const { return m_logs; }
    SamplesView* samples() const { return m_samples; }
    // One line over the curves, closable: "While you were away: …".
    void tell(const QString& text);
    void saveState() const;

Q_SIGNALS:
    void arranged(); // another tab is open or a column is wider: saveState() has something to save

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void listen();
    void showTabs();
    void showRuns();
    void fitColumns();

    Workbench& m_bench;
    QSplitter* m_splitter;
    RunsPanel* m_runs;
    QWidget* m_middle;
    Inspector* m_inspector;
    QTabBar* m_tabs;
    QStackedWidget* m_pages;
    CurvesView* m_curves;
    LogsView* m_logs;
    SamplesView* m_samples;
    QVBoxLayout* m_notes;
    // Nothing: depends on the window's width; otherwise the user's choice with F9 or F4.
    std::optional<bool> m_runsWanted, m_inspectorWanted;
    bool m_runsLast = false; // F9 was pressed after F4
};

} // namespace trainyard::ui
