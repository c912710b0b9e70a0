// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/run_recorder.h"

#include "engine/base/clock.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace trainyard::run {
namespace {

constexpr double kBatchSeconds = 0.08; // no point of more than 100 ms ago is lost with the supervisor
constexpr double kRetrySeconds = 1.0;
constexpr double kSlowSeconds = 10;
constexpr int kBusyTimeoutMs = 200; // the supervisor has ranks to watch: it buffers and tries again
constexpr double kNotDue = std::numeric_limits<double>::infinity();
constexpr std::size_t kMaxLogLines = 5000; // kept while they cannot be written

void append(std::map<std::string, wire::SeriesPoints>& kept, std::vector<wire::SeriesPoints> series) {
    for (auto& fresh : series) {
        const auto [place, isNew] = kept.try_emplace(fresh.series, fresh);
        auto& points = place->second.points;
        if (!isNew) points.insert(points.end(), fresh.points.begin(), fresh.points.end());
    }
}

void dropAfter(std::map<std::string, wire::SeriesPoints>& kept, std::int64_t step) {
    for (auto place = kept.begin(); place != kept.end();) {
        auto& points = place->second.points;
        while (!points.empty() && points.back().step > step) points.pop_back();
        place = points.empty() ? kept.erase(place) : std::next(place);
    }
}

std::vector<wire::SeriesPoints> listOf(const std::map<std::string, wire::SeriesPoints>& points) {
    std::vector<wire::SeriesPoints> series;
    for (const auto& [name, delta] : points) series.push_back(delta);
    return series;
}

} // namespace

bool RunRecorder::Pending::empty() const {
    return renamed.empty() && !rewind && points.empty() && !row && !workers && !checkpoints && events.empty() &&
           log.empty();
}

RunRecorder::RunRecorder(std::shared_ptr<store::KeptStore> store, std::string run)
    : m_store(std::move(store)), m_run(std::move(run)), m_due(kNotDue), m_slowDue(kNotDue) {}

// No integrity check: the process that created the run's row has just checked the database file.
std::shared_ptr<store::KeptStore> RunRecorder::storeFor(store::Workspace workspace, double syncSeconds) {
    return std::make_shared<store::KeptStore>(
        std::move(workspace), store::KeptStore::Options{.syncSeconds = syncSeconds, .busyTimeoutMs = kBusyTimeoutMs});
}

void RunRecorder::changed() {
    if (m_due == kNotDue) m_due = monotonicSeconds() + kBatchSeconds;
}

void RunRecorder::soon() {
    if (!m_trouble && !m_pending.empty()) m_due = monotonicSeconds();
}

void RunRecorder::row(const store::RunRow& row) {
    m_pending.row = row;
    changed();
}

void RunRecorder::workers(std::vector<wire::WorkerState> workers) {
    m_pending.workers = std::move(workers);
    changed();
}

void RunRecorder::points(std::vector<wire::SeriesPoints> series) {
    append(m_pending.points, std::move(series));
    changed();
}

void RunRecorder::slowPoints(std::vector<wire::SeriesPoints> series, double now) {
    append(m_slow, std::move(series));
    if (m_slowDue == kNotDue) m_slowDue = now + kSlowSeconds;
}

void RunRecorder::takeSlow() {
    if (!m_slow.empty()) append(m_pending.points, listOf(std::exchange(m_slow, {})));
    m_slowDue = kNotDue;
}

void RunRecorder::rename(std::vector<store::RenamedSeries> series) {
    for (auto& each : series) {
        if (auto waiting = m_pending.points.extract(each.from)) {
            waiting.key() = waiting.mapped().series = each.to;
            m_pending.points.insert(std::move(waiting));
        }
        m_pending.renamed.push_back(std::move(each));
    }
    changed();
}

void RunRecorder::rewind(std::int64_t step) {
    m_pending.rewind = std::min(m_pending.rewind.value_or(step), step);
    dropAfter(m_pending.points, step);
    dropAfter(m_slow, step);
    std::erase_if(m_pending.events, [&](const auto& event) { return event.step > std::max<std::int64_t>(step, 0); });
    changed();
}

void RunRecorder::checkpoints(std::vector<store::CheckpointRow> rows, std::vector<std::filesystem::path> voidFiles,
                              Outlives outlives) {
    m_pending.checkpoints = std::move(rows);
    if (outlives == Outlives::PowerLoss || !voidFiles.empty()) m_pending.outlives = Outlives::PowerLoss;
    auto& files = m_pending.voidFiles;
    files.insert(files.end(), voidFiles.begin(), voidFiles.end());
    changed();
}

void RunRecorder::event(store::RunEventRow event) {
    m_pending.events.push_back(std::move(event));
    changed();
}

void RunRecorder::log(wire::LogLine line) {
    if (m_pending.log.size() >= kMaxLogLines) return;
    if (m_pending.log.size() + 1 == kMaxLogLines) line.text = "... lines left out here; the rank's log file has them";
    m_pending.log.push_back(std::move(line));
    changed();
}

bool RunRecorder::flushIfDue(double now) {
    if (now >= m_slowDue) {
        takeSlow();
        changed();
    }
    if (now < m_due) return false;
    m_listWritten = false;
    (void)writePending();
    return m_listWritten;
}

Result<void> RunRecorder::flush() {
    takeSlow();
    return writePending();
}

Result<void> RunRecorder::writePending() {
    if (m_pending.empty()) return {};
    auto written = write();
    if (written) {
        m_trouble.reset();
        m_due = kNotDue;
    } else {
        m_trouble = written.error();
        m_due = monotonicSeconds() + kRetrySeconds;
    }
    return written;
}

// All or nothing, in one transaction but for new names: a commit may wait for the disk.
Result<void> RunRecorder::write() {
    TY_ASSIGN(store::Store * store, m_store->writer());
    if (!m_pending.renamed.empty())
        TY_TRY(store::renameSeries(m_store->workspace(), m_run, m_pending.renamed, kBusyTimeoutMs));
    m_pending.renamed.clear(); // what is new may have the old names again
    std::vector<std::string> pinned;
    const auto writes = [this, store, &pinned]() -> Result<void> {
        if (m_pending.rewind) TY_TRY(store->truncateAfter(m_run, *m_pending.rewind));
        if (!m_pending.points.empty()) TY_TRY(store->appendPoints(m_run, listOf(m_pending.points)));
        if (m_pending.checkpoints) { TY_ASSIGN(pinned, store->setCheckpoints(m_run, *m_pending.checkpoints)); }
        if (m_pending.workers) TY_TRY(store->setWorkers(m_run, *m_pending.workers));
        if (!m_pending.events.empty()) TY_TRY(store->appendEvents(m_run, m_pending.events));
        if (!m_pending.log.empty()) TY_TRY(store->appendLog(m_run, m_pending.log));
        if (m_pending.row) TY_TRY(store->updateRun(*m_pending.row));
        return {};
    };
    // Files that are in the list no more are deleted once it is safe.
    TY_TRY(store->together(writes, m_pending.outlives));
    if (m_pending.checkpoints) {
        m_listWritten = true;
        deleteVoidFiles(pinned);
    }
    m_pending = {};
    return {};
}

void RunRecorder::deleteVoidFiles(const std::vector<std::string>& pinned) {
    // A file may have been written anew since it was declared void (a restart repeats steps): the list decides.
    for (const auto& file : m_pending.voidFiles) {
        const bool listed = std::any_of(m_pending.checkpoints->begin(), m_pending.checkpoints->end(),
                                        [&](const auto& kept) { return file == kept.path; }) ||
                            std::find(pinned.begin(), pinned.end(), file) != pinned.end();
        std::error_code ignored;
        if (!listed) std::filesystem::remove_all(file, ignored); // copies of a program's may be folders
    }
}

std::vector<store::CheckpointRow> RunRecorder::storedCheckpoints() const {
    const auto reader = m_store->reader();
    if (!reader) return {};
    auto rows = (*reader)->checkpoints(m_run);
    return rows ? std::move(*rows) : std::vector<store::CheckpointRow>{};
}

std::vector<wire::SeriesPoints> RunRecorder::unwritten() const {
    auto points = m_pending.points;
    append(points, listOf(m_slow));
    return listOf(points);
}

} // namespace trainyard::run
