// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/unique_fd.h"
#include "ui/models/feed/feed_mailbox.h"
#include "ui/models/feed/followed_runs.h"
#include "ui/models/feed/known_runs.h"
#include "ui/models/home/mirror_reader.h"

#include <QThread>

#include <atomic>

namespace trainyard::ui {

// The queue's entries and their reasons to wait, which depend on the active runs. On the feed's thread.
class QueueReader {
public:
    // The queue's rows, or those of sweeps, have changed.
    void noteChange() { m_changed = true; }
    // A run has begun or changed its status.
    void noteStatus() { m_changed = m_changed || m_waits; }
    // Reads the queue into `found` if it may have changed.
    void read(store::RunQuery& query, FeedBatch& found);

private:
    Result<queue::QueueView> view(store::RunQuery& query);

    bool m_changed = false;
    bool m_waits = false;            // it has waiting entries
    std::optional<run::Room> m_room; // queried when the first entry waits, because that takes a moment
};

// The thread that reads the workspace: the runs table whenever the store changes, and one follower for each watched or
// active run. take() hands the news to the GUI thread.
class FeedWorker : public QThread {
    Q_OBJECT
public:
    explicit FeedWorker(store::Workspace workspace, QObject* parent = nullptr);
    ~FeedWorker() override;

    // The runs whose points are wanted. Any thread.
    void watch(const QSet<QString>& runs);
    // Whether nobody sees the window: news may come later then. Any thread.
    void setHidden(bool hidden);
    // How many times the points of a run were read from the store from the first one. Any thread.
    int runsOpened() const { return m_opened; }
    // Everything new since the last call. Any thread.
    FeedBatch take() { return m_mailbox.take(); }
    // Ends the loop and waits for the thread.
    void finish();

Q_SIGNALS:
    // News is waiting for take(). Emitted once until it is taken, at most every pace().
    void ready();

protected:
    void run() override;

private:
    static constexpr int kBatchMs = 25;      // while a chart draws a training run
    static constexpr int kListBatchMs = 100; // else: numbers in lists
    static constexpr int kHiddenBatchMs = 1000;

    bool openStore();
    void checkSupervisors();
    void refreshRuns();
    void refreshMirror();
    void mergeSweeps();
    bool isMirrored(const QString& run) const;
    store::RunQuery* queryOf(const QString& run) const;
    void applyRow(store::RunRow row);
    void readDetails();
    QList<double> storedSpark(const RunId& run, const std::string& series);
    void follow();
    void pollFollowers();
    void readCheckpoints(const QString& run);
    void deliver();
    int pace() const; // milliseconds between two batches
    void waitForWork();
    void wake() const;

    store::Workspace m_workspace;
    std::atomic<bool> m_stop{false};
    UniqueFd m_wakeFd;
    std::atomic<int> m_opened{0};
    FeedMailbox m_mailbox;

    // Only for the thread:
    std::unique_ptr<store::RunQuery> m_query;
    FeedBatch m_found;
    KnownRuns m_runs;
    FollowedRuns m_followed;
    MirrorReader m_mirror;
    std::vector<store::SweepRow> m_sweeps; // of this computer
    std::vector<MirroredSweep> m_mirroredSweeps;
    QueueReader m_queue;
    bool m_drawsActive = false; // a watched run is active
    std::int64_t m_dataVersion = -1, m_lastChange = -1;
    double m_lastRuns = -1e9, m_lastDelivery = -1e9, m_lastCheck = -1e9;
};

} // namespace trainyard::ui
