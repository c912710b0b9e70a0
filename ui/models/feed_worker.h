// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/unique_fd.h"
#include "ui/models/feed_types.h"

#include <QMutex>
#include <QThread>

#include <atomic>
#include <deque>
#include <map>

namespace trainyard::ui {

// The thread that reads the workspace: the runs table whenever the store changes, and one follower for
// each watched or active run. The GUI thread takes what it found with take().
class FeedWorker : public QThread {
    Q_OBJECT
public:
    explicit FeedWorker(store::Workspace workspace, QObject* parent = nullptr);
    ~FeedWorker() override;

    // The runs whose points are wanted. Any thread.
    void watch(const QSet<QString>& runs);
    // Follows the watched runs from their start again. Any thread.
    void replay();
    // Follows these of the watched runs from their start again. Any thread.
    void replay(const QSet<QString>& runs);
    // Everything new since the last call. Any thread.
    FeedBatch take();
    // Ends the loop and waits for the thread.
    void finish();

Q_SIGNALS:
    // There is something to take(). Emitted once until it is taken, at most every kBatchMs.
    void ready();

protected:
    void run() override;

private:
    static constexpr int kBatchMs = 33;

    struct Followed {
        std::unique_ptr<run::RunFollower> follower;
        bool ended = false;
    };

    bool openStore();
    void checkSupervisors();
    void refreshRuns();
    void replaceItems(std::vector<store::RunRow> rows);
    void readDetails();
    void openFollowers();
    void pollFollowers();
    void readCheckpoints(const QString& run);
    void deliver();
    void waitForWork();
    void wake() const;

    store::Workspace m_workspace;
    std::atomic<bool> m_stop{false};
    UniqueFd m_wakeFd;

    QMutex m_mutex; // guards the next five
    bool m_replay = false;
    QSet<QString> m_replayed;
    QSet<QString> m_watched;
    FeedBatch m_ready;
    bool m_announced = false;

    // Of the thread alone:
    std::unique_ptr<store::RunQuery> m_query;
    FeedBatch m_found;
    std::vector<RunItemPtr> m_items;
    QHash<QString, std::size_t> m_itemIndex;
    std::deque<QString> m_undetailed;
    std::map<QString, Followed> m_followed;
    QSet<QString> m_drawn;
    std::int64_t m_dataVersion = -1;
    double m_lastRuns = -1e9, m_lastDelivery = -1e9, m_lastCheck = -1e9;
    bool m_itemsChanged = false, m_listed = false;
};

} // namespace trainyard::ui
