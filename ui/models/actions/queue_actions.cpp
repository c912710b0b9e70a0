// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/actions/queue_actions.h"

#include "ui/models/desktop/background.h"
#include "ui/models/text/format.h"

#include <algorithm>

namespace trainyard::ui {

namespace {

// An added entry, and its place in line; 0: it no longer waits.
struct AddedEntry {
    store::QueueRow row;
    int place = 0;
};

Result<AddedEntry> addEntry(const store::Workspace& workspace,
                            const std::function<Result<store::QueueRow>()>& enqueue) {
    TY_ASSIGN(auto row, enqueue());
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(const auto queue, query->queue());
    AddedEntry added{std::move(row), 0};
    int waiting = 0;
    for (const auto& each : queue.rows) {
        if (each.state != store::QueueState::Waiting) continue;
        ++waiting;
        if (each.id == added.row.id) added.place = waiting;
    }
    return added;
}

} // namespace

QueueActions::QueueActions(store::Workspace workspace, QObject* parent)
    : QObject(parent), m_workspace(std::move(workspace)) {}

template <class Work, class Done>
void QueueActions::inTurn(Work work, Done done) {
    m_asked.push_back([this, work = std::move(work), done = std::move(done)] {
        inBackground(this, work, [this, done](auto result) {
            done(std::move(result));
            m_asked.pop_front();
            next();
        });
    });
    if (m_asked.size() == 1) next();
}

void QueueActions::next() {
    if (!m_asked.empty()) m_asked.front()();
}

void QueueActions::change(std::function<Result<void>()> work, const QString& told) {
    inTurn(std::move(work), [this, told](const Result<void>& result) {
        if (!result) Q_EMIT failed(tr("The queue was not changed"), result.error());
        else if (!told.isEmpty()) Q_EMIT done(told, {});
    });
}

void QueueActions::add(const spec::RunSpec& spec, const queue::QueuedFork& fork) {
    addBy([workspace = m_workspace, spec, fork] { return queue::enqueue(workspace, spec, fork); },
          tr("The run was not queued"));
}

void QueueActions::add(const spec::SweepSpec& spec) {
    addBy([workspace = m_workspace, spec] { return queue::enqueue(workspace, spec); }, tr("The sweep was not queued"));
}

void QueueActions::addBy(std::function<Result<store::QueueRow>()> enqueue, const QString& problem) {
    inTurn([workspace = m_workspace, enqueue = std::move(enqueue)] { return addEntry(workspace, enqueue); },
           [this, problem](const Result<AddedEntry>& added) {
               if (!added) return Q_EMIT failed(problem, added.error());
               const QString name = QString::fromStdString(added->row.name);
               Q_EMIT done(added->place == 0 ? tr("Queued: %1, starts now").arg(name)
                                             : tr("Queued: %1, %2 in line").arg(name, ordinalText(added->place)),
                           {});
           });
}

void QueueActions::move(std::int64_t entry, std::int64_t place) {
    change([workspace = m_workspace, entry, place] { return store::moveQueued(workspace, entry, place); }, {});
}

void QueueActions::remove(std::int64_t entry) {
    inTurn([workspace = m_workspace, entry] { return store::removeQueued(workspace, entry); },
           [this](const Result<store::QueueRow>& removed) {
               if (!removed) return Q_EMIT failed(tr("The queue was not changed"), removed.error());
               const auto undo = [self = QPointer<QueueActions>(this), row = *removed] {
                   if (self)
                       self->change(
                           [workspace = self->m_workspace, row] { return queue::restoreQueued(workspace, row); },
                           tr("Undone"));
               };
               Q_EMIT done(tr("Removed %1 from the queue").arg(QString::fromStdString(removed->name)), undo);
           });
}

void QueueActions::start(const store::QueueRow& entry) {
    inTurn([workspace = m_workspace, entry] { return queue::startQueued(workspace, entry, store::Taking::Now); },
           [this, what = queue::isSweep(entry) ? tr("The sweep did not start") : tr("The run did not start")](
               const Result<queue::StartedEntry>& begun) {
               if (!begun) return Q_EMIT failed(what, begun.error());
               const QString id = QString::fromStdString(begun->id);
               if (begun->isSweep) Q_EMIT sweepStarted(id);
               else Q_EMIT started(id);
           });
}

void QueueActions::retry(std::int64_t entry) {
    change([workspace = m_workspace, entry] { return queue::retryQueued(workspace, entry); }, tr("Queued again"));
}

void QueueActions::setSettings(const std::function<void(store::QueueSettings&)>& set, const QString& told) {
    change(
        [workspace = m_workspace, set]() -> Result<void> {
            TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
            TY_ASSIGN(auto queue, query->queue());
            set(queue.settings);
            return queue::setQueueSettings(workspace, queue.settings);
        },
        told);
}

void QueueActions::setPaused(bool paused) {
    setSettings([paused](store::QueueSettings& settings) { settings.paused = paused; },
                paused ? tr("Queue paused; active runs continue") : tr("Queue resumed"));
}

void QueueActions::setSlots(int count) {
    setSettings([count](store::QueueSettings& settings) { settings.slots = count; }, {});
}

} // namespace trainyard::ui
