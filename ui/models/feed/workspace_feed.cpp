// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/feed/workspace_feed.h"

#include "ui/models/feed/event_marks.h"
#include "ui/models/feed/feed_worker.h"

#include <algorithm>

namespace trainyard::ui {

WorkspaceFeed::WorkspaceFeed(store::Workspace workspace, QObject* parent)
    : QObject(parent), m_workspace(std::move(workspace)), m_worker(new FeedWorker(m_workspace, this)) {
    connect(m_worker, &FeedWorker::ready, this, qOverload<>(&WorkspaceFeed::apply), Qt::QueuedConnection);
}

WorkspaceFeed::~WorkspaceFeed() { m_worker->finish(); }

void WorkspaceFeed::start() { m_worker->start(); }

void WorkspaceFeed::watch(const QStringList& runs) {
    const QSet<QString> wanted(runs.begin(), runs.end());
    if (wanted == m_watched) return;
    m_watched = wanted;
    m_worker->watch(wanted);
}

void WorkspaceFeed::setHidden(bool hidden) { m_worker->setHidden(hidden); }

int WorkspaceFeed::runsOpened() const { return m_worker->runsOpened(); }

int WorkspaceFeed::countOf(wire::RunStatus status) const {
    return static_cast<int>(
        std::count_if(m_runs.begin(), m_runs.end(), [status](const auto& run) { return run->status == status; }));
}

int WorkspaceFeed::activeCount() const {
    return static_cast<int>(std::count_if(m_runs.begin(), m_runs.end(), [](const auto& run) {
        return run->active() && run->status != wire::RunStatus::Queued;
    }));
}

const wire::RunState* WorkspaceFeed::state(const QString& run) const {
    const auto at = m_live.find(run);
    return at != m_live.end() && at->second.state ? &*at->second.state : nullptr;
}

const std::vector<store::CheckpointRow>& WorkspaceFeed::checkpoints(const QString& run) const {
    static const std::vector<store::CheckpointRow> none;
    const auto at = m_live.find(run);
    return at != m_live.end() ? at->second.checkpoints : none;
}

const std::vector<wire::WorkerState>& WorkspaceFeed::workers(const QString& run) const {
    static const std::vector<wire::WorkerState> none;
    const auto at = m_live.find(run);
    if (at == m_live.end()) return none;
    const auto& live = at->second;
    return live.state && !live.state->workers.empty() ? live.state->workers : live.workers;
}

const std::vector<store::CheckpointRow>& WorkspaceFeed::checkpointsHere(const QString& run) const {
    static const std::vector<store::CheckpointRow> none;
    const auto at = m_live.find(run);
    return at != m_live.end() ? at->second.here : none;
}

void WorkspaceFeed::lookForFiles(const QString& run) {
    setCheckpoints(run, checkpoints(run));
    Q_EMIT checkpointsChanged(run);
    Q_EMIT anyCheckpointsChanged();
}

void WorkspaceFeed::setCheckpoints(const QString& run, std::vector<store::CheckpointRow> rows) {
    auto& live = m_live[run];
    live.checkpoints = std::move(rows);
    live.here.clear();
    const RunItemPtr item = this->run(run);
    std::copy_if(live.checkpoints.begin(), live.checkpoints.end(), std::back_inserter(live.here),
                 [&item](const auto& row) { return !item || item->home.hasFile(row); });
}

// For a run on a host, this would be the disk of this computer.
std::optional<run::DiskForecast> WorkspaceFeed::diskForecast(const QString& run) const {
    const RunItemPtr item = this->run(run);
    const auto& rows = checkpoints(run);
    if (!item || !item->home.isHere() || rows.empty()) return std::nullopt;
    store::RunRow row = item->row;
    row.status = status(*item);
    const auto* live = state(run);
    const auto forecast = run::forecastDisk(row, rows, live ? live->etaSeconds : run::secondsLeft(row));
    return forecast ? std::optional(*forecast) : std::nullopt;
}

QString WorkspaceFeed::notice(const QString& run) const {
    const auto at = m_live.find(run);
    return at != m_live.end() ? QString::fromStdString(at->second.notice) : QString();
}

const std::vector<wire::LogLine>& WorkspaceFeed::log(const QString& run) const {
    static const std::vector<wire::LogLine> none;
    const auto at = m_live.find(run);
    return at != m_live.end() ? at->second.log : none;
}

const std::vector<PlotEvent>& WorkspaceFeed::events(const QString& run) const {
    static const std::vector<PlotEvent> none;
    const auto at = m_live.find(run);
    return at != m_live.end() ? at->second.events : none;
}

wire::RunStatus WorkspaceFeed::status(const RunItem& run) const {
    // The live state leads the table's row by a fraction of a second, but only while the run has a supervisor.
    const auto* live = state(run.id);
    return live && run.active() ? live->status : run.status;
}

double WorkspaceFeed::progress(const RunItem& run) const {
    const auto* live = state(run.id);
    const auto total = live && live->totalSteps > 0 ? live->totalSteps : run.row.totalSteps;
    const auto step = live && live->totalSteps > 0 ? std::max(live->step, run.row.step) : run.row.step;
    if (total <= 0) return run.status == wire::RunStatus::Finished ? 1.0 : 0.0;
    return std::clamp(static_cast<double>(step) / static_cast<double>(total), 0.0, 1.0);
}

QList<double> WorkspaceFeed::spark(const RunItem& run) const {
    const SeriesData* points = m_series.find(run.id, run.scoreSeries);
    return points ? sparkOf(*points) : run.spark;
}

void WorkspaceFeed::apply() {
    FeedBatch batch = m_worker->take();
    if (!batch.problem.isEmpty()) Q_EMIT problem(batch.problem);
    RunsDelta delta;
    const QStringList ended = batch.runs ? applyRuns(*batch.runs, delta) : QStringList{};
    if (batch.sweeps) {
        m_sweeps = std::move(*batch.sweeps);
        m_sweepHomes = std::move(batch.sweepHomes);
    }
    if (batch.queue) m_queue = std::move(*batch.queue);
    for (auto it = batch.checkpoints.begin(); it != batch.checkpoints.end(); ++it)
        setCheckpoints(it.key(), std::move(it.value()));
    for (auto it = batch.workers.begin(); it != batch.workers.end(); ++it)
        m_live[it.key()].workers = std::move(it.value());
    if (batch.runs) {
        m_loaded = true;
        Q_EMIT runsChanged(delta);
    }
    if (batch.sweeps) Q_EMIT sweepsChanged();
    if (batch.isMirrorWanted) Q_EMIT mirrorWanted();
    if (batch.queue) Q_EMIT queueChanged();
    for (auto& update : batch.updates) apply(update);
    for (auto it = batch.checkpoints.begin(); it != batch.checkpoints.end(); ++it) Q_EMIT checkpointsChanged(it.key());
    if (batch.checkpointsTouched) Q_EMIT anyCheckpointsChanged();
    for (const QString& run : ended) Q_EMIT runEnded(run);
}

// Brings the list up to date; returns the runs that ended with it.
QStringList WorkspaceFeed::applyRuns(const QHash<QString, RunItemPtr>& runs, RunsDelta& delta) {
    QStringList ended;
    bool sameRuns = true;
    for (auto it = runs.begin(); it != runs.end(); ++it) {
        const RunItemPtr& run = it.value();
        const RunItemPtr old = m_byId.value(it.key());
        sameRuns = sameRuns && run && old && run->row.createdMs == old->row.createdMs;
        if (!run) {
            m_byId.remove(it.key());
            delta.removed << it.key();
            continue;
        }
        if (old && old->active() && !run->active()) ended << run->id;
        m_byId.insert(run->id, run);
        delta.runs.push_back(run);
        if (sameRuns) *std::lower_bound(m_runs.begin(), m_runs.end(), run, isNewer) = run;
    }
    if (!sameRuns) {
        m_runs.assign(m_byId.begin(), m_byId.end());
        std::sort(m_runs.begin(), m_runs.end(), isNewer);
    }
    return ended;
}

// They also give the wall clock of the training.
void WorkspaceFeed::setEvents(const QString& run, const std::vector<store::RunEventRow>& rows) {
    const RunItemPtr item = m_byId.value(run);
    m_series.setClock(run, wallClockOf(rows, item ? std::max(item->row.startedMs, item->row.createdMs) : 0));
    auto& known = m_live[run].events;
    auto events = plotEvents(rows);
    if (known == events) return;
    known = std::move(events);
    Q_EMIT eventsChanged(run);
}

void WorkspaceFeed::apply(RunUpdate& update) {
    Live& live = m_live[update.run];
    if (update.reset) {
        live.log.clear();
        live.notice.clear();
        live.state.reset();
        m_series.drop(update.run);
        setEvents(update.run, {});
        Q_EMIT logReset(update.run);
    }
    auto& news = update.update;
    bool noticed = false;
    if (news.rewoundTo) m_series.truncateAfter(update.run, *news.rewoundTo);
    if (news.events) setEvents(update.run, *news.events);
    for (const auto& delta : news.points)
        m_series.append(update.run, QString::fromStdString(delta.series), plotPoints(delta.points));
    if (!news.log.empty()) {
        const auto count = static_cast<int>(news.log.size());
        for (const auto& line : news.log) {
            if (line.level != store::kNoticeLevel) continue;
            live.notice = line.text;
            noticed = true;
        }
        std::move(news.log.begin(), news.log.end(), std::back_inserter(live.log));
        Q_EMIT logArrived(update.run, count);
    }
    if (!news.state && !noticed) return;
    if (news.state) live.state = std::move(news.state);
    Q_EMIT stateChanged(update.run);
}

} // namespace trainyard::ui
