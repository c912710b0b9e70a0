// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/queue/queue_starts.h"
#include "engine/queue/run_queue.h"

#include <QObject>
#include <QString>

#include <deque>
#include <functional>

namespace trainyard::ui {

// A user's actions on the workspace's queue. Every call returns at once and runs in the background, in the order of
// the calls: an entry moved up twice goes up by two. Each ends in one of the signals. GUI thread.
class QueueActions : public QObject {
    Q_OBJECT
public:
    explicit QueueActions(store::Workspace workspace, QObject* parent = nullptr);

    // Appends a run or a sweep, and reports its place.
    void add(const spec::RunSpec& spec, const queue::QueuedFork& fork = {});
    void add(const spec::SweepSpec& spec);
    void move(std::int64_t entry, std::int64_t place); // 1: the first of those that wait
    void remove(std::int64_t entry);                   // can be undone
    void start(const store::QueueRow& entry);          // without waiting any longer
    void retry(std::int64_t entry);                    // a refused one waits again
    void setPaused(bool paused);
    void setSlots(int count);

Q_SIGNALS:
    void started(const QString& run);
    void sweepStarted(const QString& sweep);
    // A line about the result; `undo` reverts it, or is empty.
    void done(const QString& text, const std::function<void()>& undo);
    void failed(const QString& what, const trainyard::Error& error);

private:
    template <class Work, class Done>
    void inTurn(Work work, Done done);
    void next();
    void addBy(std::function<Result<store::QueueRow>()> enqueue, const QString& problem);
    void change(std::function<Result<void>()> work, const QString& told);
    void setSettings(const std::function<void(store::QueueSettings&)>& set, const QString& told);

    store::Workspace m_workspace;
    std::deque<std::function<void()>> m_asked; // the first one is in progress
};

} // namespace trainyard::ui
