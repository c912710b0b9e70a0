// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/desktop/run_selection.h"
#include "ui/models/feed/workspace_feed.h"

#include <QTimer>

namespace trainyard::ui {

// The selected runs that are drawn and whose points are read: all of them, or of more than kMost a sample. They are
// brought in slices, so that the window answers in between. GUI thread.
class DrawnRuns : public QObject {
    Q_OBJECT
public:
    static constexpr qsizetype kMost = 200;
    static constexpr qsizetype kSlice = 25; // runs at once

    // Both must outlive it.
    DrawnRuns(const RunSelection& selection, const WorkspaceFeed& feed, QObject* parent = nullptr);

    // In the order of the selection.
    const QStringList& runs() const { return m_runs; }
    // More of them come by themselves.
    bool isFilling() const { return m_timer.isActive(); }
    // Leaves it at those that are there, until another selection is made.
    void stop();
    // How many of how many are drawn; empty where it is all of them, and nothing more comes.
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
