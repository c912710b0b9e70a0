// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/queue_actions.h"

#include "ui/models/background.h"
#include "ui/models/format.h"

#include <algorithm>

namespace trainyard::ui {

namespace {

// An entry that was added, and how many wait up to it; 0: it waits no more.
struct AddedEntry {
    store::QueueRow row;
    int place = 0;
};

Result<AddedEntry> addEntry(const store::Workspace& workspace, const spec::RunSpec& spec, const run::QueuedFork& fork) {
    TY_ASSIGN(auto row, run::enqueue(workspace, spec, fork));
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

void QueueActions::add(const spec::RunSpec& spec, const run::QueuedFork& fork) {
    inTurn([workspace = m_workspace, spec, fork] { return addEntry(workspace, spec, fork); },
           [this](const Result<AddedEntry>& added) {
               if (!added) return Q_EMIT failed(tr("The run was not queued"), added.error());
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
                       self->change([workspace = self->m_workspace, row] { return run::restoreQueued(workspace, row); },
                                    tr("Undone"));
               };
               Q_EMIT done(tr("Removed %1 from the queue").arg(QString::fromStdString(removed->name)), undo);
           });
}

void QueueActions::start(const store::QueueRow& entry) {
    inTurn([workspace = m_workspace, entry] { return run::startQueued(workspace, entry, store::Taking::Now); },
           [this](const Result<std::string>& run) {
               if (run) Q_EMIT started(QString::fromStdString(*run));
               else Q_EMIT failed(tr("The run did not start"), run.error());
           });
}

void QueueActions::retry(std::int64_t entry) {
    change([workspace = m_workspace, entry] { return run::retryQueued(workspace, entry); }, tr("Waits again"));
}

void QueueActions::setSettings(const std::function<void(store::QueueSettings&)>& set, const QString& told) {
    change(
        [workspace = m_workspace, set]() -> Result<void> {
            TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
            TY_ASSIGN(auto queue, query->queue());
            set(queue.settings);
            return run::setQueueSettings(workspace, queue.settings);
        },
        told);
}

void QueueActions::setPaused(bool paused) {
    setSettings([paused](store::QueueSettings& settings) { settings.paused = paused; },
                paused ? tr("The queue is paused; running runs continue") : tr("The queue goes on"));
}

void QueueActions::setSlots(int count) {
    setSettings([count](store::QueueSettings& settings) { settings.slots = count; }, {});
}

} // namespace trainyard::ui
