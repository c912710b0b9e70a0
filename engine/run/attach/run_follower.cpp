// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/attach/run_follower.h"

#include "engine/base/clock.h"
#include "engine/run/attach/attach_client.h"
#include "engine/run/attach/run_control.h"
#include "engine/run/record/kept_in_row.h"
#include "engine/run/slurm/slurm_array.h"

#include <poll.h>

#include <algorithm>

namespace trainyard::run {
namespace {

constexpr double kStoreSeconds = 0.2;  // between looks at the store's version
constexpr double kAttachSeconds = 0.1; // between attempts to attach

wire::RunState stateFromRow(const store::RunRow& row, std::vector<wire::WorkerState> workers) {
    wire::RunState state;
    state.status = row.status;
    if (state.status == wire::RunStatus::Finished) state.phase = wire::Phase::Done;
    state.step = row.step;
    state.totalSteps = row.totalSteps;
    state.epoch = row.epoch;
    state.samplesPerSecond = row.samplesPerSecond;
    state.trainSeconds = row.trainSeconds;
    state.restarts = row.restarts;
    state.workers = std::move(workers);
    state.error = row.error;
    readLeft(row, state);
    return state;
}

class StoreFollower final : public RunFollower {
public:
    StoreFollower(store::Workspace workspace, std::unique_ptr<store::RunQuery> query, store::RunRow row, Record record)
        : m_workspace(std::move(workspace)), m_query(std::move(query)), m_row(std::move(row)),
          m_isCopy(record == Record::Copy) {}

    Result<Update> poll(int timeoutMs) override;
    int fd() const override { return m_client ? m_client->fd() : -1; }
    Result<void> stop(wire::StopMode mode) override {
        if (m_client && m_client->send(wire::Stop{mode})) return {};
        return stopRun(m_workspace, m_row.id, mode);
    }

private:
    void attach(double now);
    Result<void> readLive(int timeoutMs, Update& update);
    bool isEndStored() const;
    Result<void> apply(const wire::Message& message, Update& update);
    Result<void> applyDelta(const wire::SeriesPoints& delta, Update& update);
    Result<void> fill(const std::string& series, std::int64_t end, Update& update);
    void append(const std::string& series, std::span<const wire::Point> points, Update& update);
    void rewind(std::int64_t step, Update& update);
    Result<void> matchStore(Update& update);
    Result<void> readStore(bool everything, Update& update);
    Result<void> readEvents(Update& update);
    Result<void> readRow(Update& update);
    Result<void> checkSupervisor(double now);

    store::Workspace m_workspace;
    std::unique_ptr<store::RunQuery> m_query;
    store::RunRow m_row;
    std::optional<AttachClient> m_client;
    std::map<std::string, std::vector<std::int64_t>> m_steps; // of the points delivered
    std::int64_t m_lastLogRow = 0, m_version = -1;
    std::vector<std::pair<std::int64_t, std::int64_t>> m_events; // ids and times of those delivered: ids come again
    double m_nextStore = 0, m_nextAttach = 0, m_unheldSince = -1;
    bool m_liveEnded = false; // the live stream reported the end
    bool m_ended = false;     // that was delivered
    bool m_isCopy;
};

Result<RunFollower::Update> StoreFollower::poll(int timeoutMs) {
    Update update;
    double now = monotonicSeconds();
    const bool firstLook = m_version < 0;
    if (!m_client && !m_ended && now >= m_nextAttach) attach(now);
    if (m_client) TY_TRY(readLive(firstLook ? 0 : timeoutMs, update));
    const bool isFinal = m_liveEnded && !m_client;
    if (isFinal || firstLook || monotonicSeconds() >= m_nextStore) TY_TRY(readStore(isFinal, update));
    if (update.empty() && !m_client && timeoutMs > 0) {
        ::poll(nullptr, 0, std::min(timeoutMs, static_cast<int>(kAttachSeconds * 1000)));
        if (monotonicSeconds() >= m_nextAttach && !m_ended) attach(monotonicSeconds());
        if (monotonicSeconds() >= m_nextStore) TY_TRY(readStore(false, update));
    }
    return update;
}

void StoreFollower::attach(double now) {
    m_nextAttach = now + kAttachSeconds;
    if (m_isCopy || !wire::isActive(m_row.status)) return;
    // A starting supervisor writes where it listens after it has the run.
    if (auto row = m_query->run(m_row.id)) m_row = std::move(*row);
    auto client = AttachClient::connect(m_row);
    if (client) m_client.emplace(std::move(*client));
}

Result<void> StoreFollower::readLive(int timeoutMs, Update& update) {
    bool closed = false;
    auto messages = m_client->receive(timeoutMs, closed);
    if (!messages) closed = true; // beyond repair: attach again and fill from the store
    else
        for (const auto& message : *messages) TY_TRY(apply(message, update));
    if (closed || (m_liveEnded && isEndStored())) {
        m_client.reset();
        m_nextStore = 0;
        m_version = 0;
    }
    return {};
}

// A supervisor that cannot write, because the disk is full, tries on for a while after it has told the end. Until then
// the store lacks points that were delivered, and they are not taken back.
bool StoreFollower::isEndStored() const {
    const auto row = m_query->run(m_row.id);
    return !row || !wire::isActive(row->status);
}

Result<void> StoreFollower::apply(const wire::Message& message, Update& update) {
    if (const auto* state = std::get_if<wire::RunState>(&message)) {
        update.state = *state;
        m_row.status = state->status;
        m_liveEnded = !wire::isActive(state->status);
    } else if (const auto* delta = std::get_if<wire::Metrics>(&message)) {
        for (const auto& series : delta->series) TY_TRY(applyDelta(series, update));
    } else if (const auto* rewound = std::get_if<wire::Rewound>(&message)) {
        rewind(rewound->toStep, update);
    } else if (std::holds_alternative<wire::CheckpointListChanged>(message)) {
        update.checkpointsChanged = true;
    } // log lines come from the store, where each has a number
    return {};
}

// The points in hand continue the known ones, overlap them, or leave a gap that the store has by now.
Result<void> StoreFollower::applyDelta(const wire::SeriesPoints& delta, Update& update) {
    TY_TRY(fill(delta.series, delta.firstIndex, update));
    const auto known = static_cast<std::int64_t>(m_steps[delta.series].size());
    const std::int64_t skip = known - delta.firstIndex;
    if (skip < 0 || skip >= static_cast<std::int64_t>(delta.points.size())) return {};
    append(delta.series, std::span(delta.points).subspan(static_cast<std::size_t>(skip)), update);
    return {};
}

Result<void> StoreFollower::fill(const std::string& series, std::int64_t end, Update& update) {
    const auto known = static_cast<std::int64_t>(m_steps[series].size());
    if (known >= end) return {};
    TY_ASSIGN(const auto points, m_query->points(RunId(m_row.id), series, known));
    const auto wanted = std::min(points.size(), static_cast<std::size_t>(end - known));
    append(series, std::span(points).first(wanted), update);
    return {};
}

void StoreFollower::append(const std::string& series, std::span<const wire::Point> points, Update& update) {
    if (points.empty()) return;
    auto& steps = m_steps[series];
    auto place = std::find_if(update.points.begin(), update.points.end(),
                              [&](const auto& each) { return each.series == series; });
    if (place == update.points.end())
        place = update.points.insert(place, {series, static_cast<std::int64_t>(steps.size()), {}});
    place->points.insert(place->points.end(), points.begin(), points.end());
    for (const auto& point : points) steps.push_back(point.step);
}

void StoreFollower::rewind(std::int64_t step, Update& update) {
    bool drops = false;
    for (auto& [series, steps] : m_steps)
        for (; !steps.empty() && steps.back() > step; steps.pop_back()) drops = true;
    if (!drops) return;
    update.rewoundTo = std::min(update.rewoundTo.value_or(step), step);
    for (auto& delta : update.points)
        while (!delta.points.empty() && delta.points.back().step > step) delta.points.pop_back();
    std::erase_if(update.points, [](const auto& delta) { return delta.points.empty(); });
}

// Delivers what the store has beyond the known points, after taking back those that it does not have: they were cut
// off by a rewind, or were lost with their supervisor.
Result<void> StoreFollower::matchStore(Update& update) {
    TY_ASSIGN(const auto stored, m_query->summaries(m_row.id));
    std::optional<std::int64_t> cut;
    for (const auto& [name, steps] : m_steps) {
        const auto found = std::find_if(stored.begin(), stored.end(),
                                        [&wanted = name](const auto& each) { return each.series == wanted; });
        const auto count = found == stored.end() ? std::size_t{0} : static_cast<std::size_t>(found->count);
        if (steps.size() <= count) continue;
        auto last = steps[count] - 1;
        if (count > 0) last = std::min(last, found->lastStep);
        cut = std::min(cut.value_or(last), last);
    }
    if (cut) rewind(*cut, update);
    for (const auto& each : stored) TY_TRY(fill(each.series, INT64_MAX, update));
    return {};
}

// `everything`: there is no live stream that would bring the rest.
Result<void> StoreFollower::readStore(bool everything, Update& update) {
    const double now = monotonicSeconds();
    m_nextStore = now + kStoreSeconds;
    if (!m_client && !m_ended) TY_TRY(checkSupervisor(now));
    TY_ASSIGN(const auto version, m_query->dataVersion());
    if (version == m_version && !everything) return {};
    const bool firstLook = m_version < 0;
    m_version = version;
    TY_ASSIGN(auto lines, m_query->log(m_row.id, m_lastLogRow, &m_lastLogRow));
    update.log.insert(update.log.end(), lines.begin(), lines.end());
    TY_TRY(readEvents(update));
    if (m_client && !firstLook) return {};
    if (!m_client) TY_TRY(matchStore(update));
    update.checkpointsChanged = true;
    if (m_client && update.state) return {};
    return readRow(update);
}

// They are few, and a restart drops some: all are read, and delivered when they are others.
Result<void> StoreFollower::readEvents(Update& update) {
    TY_ASSIGN(auto events, m_query->events(m_row.id));
    std::vector<std::pair<std::int64_t, std::int64_t>> delivered;
    for (const auto& event : events) delivered.emplace_back(event.id, event.wallMs);
    if (delivered == m_events) return {};
    m_events = std::move(delivered);
    update.events = std::move(events);
    return {};
}

Result<void> StoreFollower::readRow(Update& update) {
    TY_ASSIGN(m_row, m_query->run(m_row.id));
    if (m_liveEnded && wire::isActive(m_row.status)) { // its supervisor has told the end, and could not store it
        if (store::RunLock::isHeld(m_row.folder)) return {};
        m_liveEnded = false;
        update.ended = m_ended = true;
        return {};
    }
    if (!(m_liveEnded && update.state)) { // the live one says more: the notice
        TY_ASSIGN(auto workers, m_query->workers(m_row.id));
        update.state = stateFromRow(m_row, std::move(workers));
    }
    m_liveEnded = false;
    if (wire::isActive(m_row.status)) m_ended = false;             // a new supervisor has it
    else if (!m_ended && !m_client) update.ended = m_ended = true; // else its last points are under way
    return {};
}

// A run that claims to be active while its lock is free has lost its supervisor.
Result<void> StoreFollower::checkSupervisor(double now) {
    const bool isJudgedHere = !m_isCopy && wire::isActive(m_row.status) && !isInTask(m_workspace, m_row);
    if (!isJudgedHere || store::RunLock::isHeld(m_row.folder)) {
        m_unheldSince = -1;
        return {};
    }
    if (m_unheldSince < 0) m_unheldSince = now;
    if (now - m_unheldSince < kDeadSeconds) return {};
    TY_ASSIGN(const auto store, store::Store::open(m_workspace));
    TY_ASSIGN(const auto marked, store->markInterrupted(m_workspace));
    m_version = 0; // our own commit counts as well
    return {};
}

} // namespace

Result<std::unique_ptr<RunFollower>> RunFollower::open(const store::Workspace& workspace, const std::string& run,
                                                       Record record) {
    TY_ASSIGN(auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(auto row, query->run(run));
    return std::unique_ptr<RunFollower>(
        std::make_unique<StoreFollower>(workspace, std::move(query), std::move(row), record));
}

} // namespace trainyard::run
