// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/sweeps/trial_filter.h"
#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

class QSplitter;
class QStackedLayout;

namespace trainyard::ui {

class Banner;
class BestTrial;
class SweepHeader;
class TrialPane;
class ViewPanel;

// The sweeps page: the trials of one sweep, its plots and its best trial. Owns the trials and lays out the parts.
class SweepsPage : public Surface {
    Q_OBJECT
public:
    explicit SweepsPage(Workbench& bench, QWidget* parent = nullptr);
    void show(const QString& sweep);
    using QWidget::show;
    TrialFilter& filter() { return m_filter; }

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* buildEmpty();
    QWidget* buildPlots();
    void listSweeps();
    void refresh();
    void showLink(const store::SweepRow& sweep);
    void selectTrials();
    void showBest();
    QStringList drawn() const;

    Workbench& m_bench;
    TrialList m_trials;
    TrialFilter m_filter;
    QStackedLayout* m_stack;
    TrialPane* m_pane;
    SweepHeader* m_header;
    ViewPanel *m_parameters, *m_progress;
    BestTrial* m_best;
    QSplitter* m_splitter = nullptr;
    Banner* m_link; // last known state of a sweep on an unreachable host
    QWidget* m_linkRoom;
    QString m_linkShown; // key of the shown message: an equal one is not rebuilt
    QString m_wanted;    // a sweep that was just started and is not in the list yet
    QStringList m_selectedTrials;
    QTimer m_selectLater; // brushes change faster than runs can be followed
};

} // namespace trainyard::ui
