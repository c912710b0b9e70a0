// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/feed/feed_worker.h"

#include "engine/base/clock.h"
#include "engine/run/attach/run_follower.h"

#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr double kRunsPeriod = 0.2; // the table is read again at most this often, in seconds
constexpr double kCheckPeriod = run::kDeadSeconds;
constexpr double kDetailSlice = 0.010; // summaries are read in slices, so that live points never wait long
constexpr int kIdleMs = 100;
constexpr std::size_t kMaxActive = 12; // active runs followed without being selected

} // namespace

void QueueReader::read(store::RunQuery& query, FeedBatch& found) {
    if (!std::exchange(m_changed, false)) return;
    if (auto queue = view(query)) found.queue = std::move(*queue);
    else found.problem = QString::fromStdString(queue.error().text());
}

Result<queue::QueueView> QueueReader::view(store::RunQuery& query) {
    TY_ASSIGN(const auto queue, query.queue());
    m_waits = std::any_of(queue.rows.begin(), queue.rows.end(),
                          [](const auto& row) { return row.state == store::QueueState::Waiting; });
    if (m_waits && !m_room) m_room = run::roomHere();
    return queue::readQueue(query, m_room.value_or(run::Room{}));
}

FeedWorker::FeedWorker(store::Workspace workspace, QObject* parent)
    : QThread(parent), m_workspace(std::move(workspace)), m_wakeFd(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)),
      m_followed(m_workspace), m_mirror(m_workspace) {}

FeedWorker::~FeedWorker() { finish(); }

void FeedWorker::finish() {
    m_stop = true;
    wake();
    wait();
}

void FeedWorker::wake() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(m_wakeFd.get(), &one, sizeof one);
}

void FeedWorker::watch(const QSet<QString>& runs) {
    m_mailbox.watch(runs);
    wake();
}

void FeedWorker::setHidden(bool hidden) {
    m_mailbox.setHidden(hidden);
    wake();
}

void FeedWorker::run() {
    while (!m_stop && !openStore()) {
        deliver();
        for (int i = 0; i < 20 && !m_stop; ++i) msleep(100);
    }
    while (!m_stop) {
        refreshRuns();
        refreshMirror();
        follow();
        pollFollowers();
        readDetails();
        deliver();
        m_queue.read(*m_query, m_found); // after the runs are on their way: the first time it asks for the devices
        waitForWork();
    }
    m_followed = FollowedRuns(m_workspace); // closed on the thread that used them
    m_query.reset();
    m_mirror.close();
}

bool FeedWorker::openStore() {
    auto writer = store::Store::open(m_workspace); // creates the database
    if (!writer) {
        m_found.problem = QString::fromStdString(writer.error().text());
        return false;
    }
    [[maybe_unused]] const auto marked = (*writer)->markInterrupted(m_workspace);
    auto query = store::RunQuery::open(m_workspace);
    if (!query) {
        m_found.problem = QString::fromStdString(query.error().text());
        return false;
    }
    m_query = std::move(*query);
    const auto goesOn = queue::ensureQueueSupervisor(m_workspace, *m_query);
    if (!goesOn) m_found.problem = QString::fromStdString(goesOn.error().text());
    return true;
}

void FeedWorker::checkSupervisors() {
    const double now = monotonicSeconds();
    if (m_runs.hasActive() && now - m_lastCheck > kCheckPeriod) {
        m_lastCheck = now;
        // The database was checked when the workspace opened; with 10,000 runs that takes 40 ms.
        if (auto writer = store::Store::open(m_workspace, store::Store::Check::Done)) [[maybe_unused]]
            const auto marked = (*writer)->markInterrupted(m_workspace);
    }
}

void FeedWorker::refreshRuns() {
    checkSupervisors();
    const double now = monotonicSeconds();
    if (now - m_lastRuns < kRunsPeriod) return;
    const auto version = m_query->dataVersion();
    if (version && *version == m_dataVersion) return;
    auto changes = m_query->changesAfter(m_lastChange);
    if (!changes) {
        m_found.problem = QString::fromStdString(changes.error().text());
        m_lastRuns = now + 2; // try again, but not in a rush
        return;
    }
    m_lastRuns = now;
    m_dataVersion = version ? *version : -1;
    if (m_lastChange < 0 && !m_found.runs) m_found.runs.emplace(); // the first list, also when it is empty
    m_lastChange = changes->last;
    if (changes->sweeps) { // before their trials
        m_sweeps = std::move(*changes->sweeps);
        mergeSweeps();
    }
    for (auto& row : changes->runs) applyRow(std::move(row));
    if (changes->queue || changes->sweeps) m_queue.noteChange();
    if (!changes->checkpoints) return;
    m_found.checkpointsTouched = true;
    for (const QString& run : m_followed.ids()) readCheckpoints(run);
}

void FeedWorker::applyRow(store::RunRow row) {
    const QString id = QString::fromStdString(row.id);
    RunItemPtr known = m_runs.find(id);
    if (isMirrored(id)) { // a fetched run
        m_followed.forget(id, m_found.updates);
        known = nullptr;
    }
    if (row.archived) return m_runs.remove(id, m_found);
    if (known && known->row == row) return;
    if (!known || known->status != row.status) m_queue.noteStatus();
    auto item = makeRunItem(std::move(row), known);
    m_runs.giveScore(*item);
    m_runs.set(item, m_found);
    m_runs.owe(id);
}

// A run that is here as well was fetched, and counts as one of this computer.
void FeedWorker::refreshMirror() {
    const auto isHere = [this](const QString& run) { return m_runs.contains(run) && !isMirrored(run); };
    auto changes = m_mirror.look(monotonicSeconds());
    if (!changes.rows.empty() || (changes.sweeps && !changes.sweeps->empty())) m_found.isMirrorWanted = true;
    if (changes.sweeps) {
        m_mirroredSweeps = std::move(*changes.sweeps);
        mergeSweeps();
    }
    for (auto& [row, home, isTold] : changes.rows) {
        const QString id = QString::fromStdString(row.id);
        if (isHere(id)) continue;
        const RunItemPtr known = m_runs.find(id);
        auto item = makeRunItem(std::move(row), known);
        m_runs.giveScore(*item);
        item->home = std::move(home);
        item->isRecorded = !item->row.specJson.empty();
        const bool comesWhole = item->isRecorded && !item->home.isJob() && item->row.sweep.empty();
        item->fetchFrom = comesWhole ? item->home.host : QString();
        item->detailed = !isTold && known && known->detailed;
        m_runs.set(item, m_found);
        if (!item->detailed) m_runs.owe(id);
    }
    for (const QString& run : changes.gone) {
        if (isHere(run)) continue;
        m_followed.forget(run, m_found.updates);
        m_runs.remove(run, m_found);
    }
    if (!changes.checkpoints) return;
    m_found.checkpointsTouched = true;
    for (const QString& run : m_followed.ids())
        if (!isHere(run)) readCheckpoints(run);
}

// Newest first, by the clock of this computer.
void FeedWorker::mergeSweeps() {
    m_found.sweeps = m_sweeps;
    m_found.sweepHomes.clear();
    for (const auto& [row, home] : m_mirroredSweeps) {
        m_found.sweeps->push_back(row);
        m_found.sweepHomes.insert(QString::fromStdString(row.id), home);
    }
    std::stable_sort(m_found.sweeps->begin(), m_found.sweeps->end(),
                     [](const auto& a, const auto& b) { return a.createdMs > b.createdMs; });
    m_runs.noteSweeps(*m_found.sweeps);
}

bool FeedWorker::isMirrored(const QString& run) const {
    const RunItemPtr item = m_runs.find(run);
    return item && !item->home.isHere();
}

store::RunQuery* FeedWorker::queryOf(const QString& run) const {
    return isMirrored(run) && m_mirror.query() ? m_mirror.query() : m_query.get();
}

QList<double> FeedWorker::storedSpark(const RunId& run, const std::string& series) {
    SeriesData data;
    if (auto points = queryOf(QString::fromStdString(run))->points(run, series)) data.append(plotPoints(*points));
    return sparkOf(data);
}

void FeedWorker::readDetails() {
    const double until = monotonicSeconds() + kDetailSlice;
    while (m_runs.owesDetails() && monotonicSeconds() < until) {
        const auto item = m_runs.nextToDetail();
        if (!item) continue;
        const std::string run = item->id.toStdString();
        if (auto summaries = queryOf(item->id)->summaries(run)) item->series = std::move(*summaries);
        findScore(*item);
        const auto score = item->score();
        if (const auto* summary = item->find(score.series); summary && summary->count > 0) {
            const auto best = run::scoredPoint(*summary, score);
            item->best = best.value;
            item->bestStep = best.step;
        }
        // The window has the points of an active run; reading them again each second would cost more than all else.
        if (!item->active() || !m_followed.contains(item->id)) item->spark = storedSpark(RunId(run), score.series);
        m_runs.set(item, m_found);
    }
}

// The watched runs, and the newest active ones.
void FeedWorker::follow() {
    QSet<QString> wanted = m_mailbox.watched();
    m_drawsActive = std::any_of(wanted.begin(), wanted.end(), [this](const QString& run) {
        const RunItemPtr item = m_runs.find(run);
        return item && item->active();
    });
    wanted.unite(m_runs.newestActive(kMaxActive));
    wanted.removeIf([this](const QString& run) {
        const RunItemPtr item = m_runs.find(run);
        return !item || !item->isRecorded;
    });
    for (const QString& run : m_followed.ids())
        if (!m_runs.contains(run)) m_followed.forget(run, m_found.updates);
    const auto isOne = [this](const QString& run) { return isMirrored(run); };
    for (const QString& run : m_followed.want(wanted, m_found.updates, m_found.problem, isOne)) readCheckpoints(run);
    m_opened = m_followed.opened();
}

void FeedWorker::pollFollowers() {
    const std::size_t before = m_found.updates.size();
    const auto isActive = [this](const QString& run) { return m_runs.find(run)->active(); };
    m_followed.poll(isActive, m_found.updates);
    for (std::size_t at = before; at < m_found.updates.size(); ++at) {
        const auto& [run, reset, update] = m_found.updates[at];
        if (update.checkpointsChanged || update.ended) readCheckpoints(run);
    }
}

void FeedWorker::readCheckpoints(const QString& run) {
    store::RunQuery& query = *queryOf(run);
    if (auto rows = query.checkpoints(run.toStdString())) m_found.checkpoints.insert(run, std::move(*rows));
    if (auto rows = query.workers(run.toStdString())) m_found.workers.insert(run, std::move(*rows));
}

void FeedWorker::deliver() {
    if (m_found.empty()) return;
    m_lastDelivery = monotonicSeconds();
    if (m_mailbox.put(std::exchange(m_found, {}))) Q_EMIT ready();
}

int FeedWorker::pace() const {
    if (m_runs.owesDetails()) return kBatchMs;
    if (m_mailbox.isHidden()) return kHiddenBatchMs;
    return m_drawsActive ? kBatchMs : kListBatchMs;
}

void FeedWorker::waitForWork() {
    // Waits at least the time between two batches; then until a supervisor reports or the idle time is over.
    std::vector<pollfd> fds{{m_wakeFd.get(), POLLIN, 0}};
    const double rest = pace() / 1000.0 - (monotonicSeconds() - m_lastDelivery);
    if (rest > 0 && !m_stop) {
        if (m_mailbox.isHidden()) ::poll(fds.data(), fds.size(), static_cast<int>(rest * 1e3)); // it may be shown
        else usleep(static_cast<unsigned long>(rest * 1e6));
    }
    m_followed.addPollEntries(fds);
    ::poll(fds.data(), fds.size(), m_runs.owesDetails() ? 0 : m_mailbox.isHidden() ? kHiddenBatchMs : kIdleMs);
    std::uint64_t count = 0;
    while (::read(m_wakeFd.get(), &count, sizeof count) > 0) {}
}

} // namespace trainyard::ui
