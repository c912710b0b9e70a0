// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/desktop/run_selection.h"
#include "ui/models/feed/workspace_feed.h"

#include <QTimer>

namespace trainyard::ui {

// The selected runs that are drawn and whose points are read: all, or a sample if there are more than kMost. Added in
// slices, so that the window stays responsive. GUI thread.
class DrawnRuns : public QObject {
    Q_OBJECT
public:
    static constexpr qsizetype kMost = 200;
    static constexpr qsizetype kSlice = 25; // runs at once

    // Both must outlive it.
    DrawnRuns(const RunSelection& selection, const WorkspaceFeed& feed, QObject* parent = nullptr);

    // In the order of the selection.
    const QStringList& runs() const { return m_runs; }
    // More runs are still being added.
    bool isFilling() const { return m_timer.isActive(); }
    // Adds no more runs until the selection changes.
    void stop();
    // How many of the runs are drawn; empty if all are, and no more come.
    QString note() const;

Q_SIGNALS:
    void changed();
    void fillingChanged(); // it has begun or ended to bring more

private:
    void choose();
    void takeSlice();

    const RunSelection& m_selection;
    const WorkspaceFeed& m_feed;
    QStringList m_wanted, m_runs;
    QTimer m_timer;
};

// Rule: which of many selected runs are drawn.
// `current`, if it is selected, and the newest of the rest, in the order of the selection. `runs`: all runs of the
// workspace, newest first.
QStringList sampleOfRuns(const RunSelection& selection, const std::vector<RunItemPtr>& runs, qsizetype most);

} // namespace trainyard::ui
