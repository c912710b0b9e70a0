// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/queue/queue_supervisor.h"

#include "engine/base/clock.h"
#include "engine/queue/queue_starts.h"
#include "engine/queue/run_queue.h"
#include "engine/run/launch/spawn.h"
#include "engine/store/kept_store.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <set>
#include <string>

namespace trainyard::queue {
namespace {

namespace fs = std::filesystem;

constexpr double kPatienceSeconds = 30; // of failed reads and writes, as in other supervisors
constexpr double kLookSeconds = 2;      // for runs whose supervisor has died
constexpr double kRoomSeconds = 60;     // a device may be added, a cgroup changed
constexpr auto kKeepCheckpoint = std::chrono::hours(24);

class QueueSupervisor {
public:
    explicit QueueSupervisor(store::Workspace workspace) : m_workspace(std::move(workspace)) {
        sigemptyset(&m_requests);
        for (const int number : {SIGTERM, SIGINT}) sigaddset(&m_requests, number);
        ::sigprocmask(SIG_BLOCK, &m_requests, nullptr);
        ::signal(SIGHUP, SIG_IGN);
    }

    // Until there is nothing to do, or it was asked to end.
    Result<void> serve();
    Result<bool> isWanted(); // there is something to do, by a fresh look at the store
    bool wasAskedToEnd() const { return m_asked; }
    void dropOldCheckpoints();

private:
    Result<bool> turn(); // false: nothing is left to do
    Result<QueueView> look();
    Result<void> startDue(const QueueView& view);
    Result<void> markDead();
    bool sleep();

    store::Workspace m_workspace;
    std::unique_ptr<store::RunQuery> m_query;
    run::Room m_room;
    double m_roomAt = -1e9, m_lookedAt = -1e9;
    std::int64_t m_version = -1;
    sigset_t m_requests{};
    bool m_asked = false;
};

// A tenth of a second; false when it was asked to end.
bool QueueSupervisor::sleep() {
    const timespec pause{0, 100'000'000};
    m_asked = m_asked || ::sigtimedwait(&m_requests, nullptr, &pause) > 0;
    return !m_asked;
}

Result<QueueView> QueueSupervisor::look() {
    if (!m_query) { TY_ASSIGN(m_query, store::RunQuery::open(m_workspace)); }
    if (const double now = monotonicSeconds(); now > m_roomAt + kRoomSeconds) {
        m_room = run::roomHere();
        m_roomAt = now;
    }
    return readQueue(*m_query, m_room);
}

Result<bool> QueueSupervisor::isWanted() {
    TY_ASSIGN(const auto view, look());
    return view.wantsSupervisor();
}

Result<void> QueueSupervisor::serve() {
    for (double lastGood = monotonicSeconds(); !m_asked;) {
        const auto more = turn();
        const double now = monotonicSeconds();
        if (more) lastGood = now;
        else if (more.error().kind != ErrorKind::Environment || now > lastGood + kPatienceSeconds) return more.error();
        if ((more && !*more) || !sleep()) return {};
    }
    return {};
}

Result<void> QueueSupervisor::markDead() {
    TY_ASSIGN(const auto store, store::Store::open(m_workspace, store::Store::Check::Done));
    TY_ASSIGN([[maybe_unused]] const auto marked, store->markInterrupted(m_workspace));
    return {};
}

Result<bool> QueueSupervisor::turn() {
    const double now = monotonicSeconds();
    const bool lookAround = now > m_lookedAt + kLookSeconds;
    if (lookAround) {
        m_lookedAt = now;
        TY_TRY(markDead());
    }
    if (!m_query) { TY_ASSIGN(m_query, store::RunQuery::open(m_workspace)); }
    TY_ASSIGN(const auto version, m_query->dataVersion());
    if (version == m_version && !lookAround) return true;
    TY_ASSIGN(const auto view, look());
    m_version = version;
    for (const auto& entry : view.starting) TY_TRY(finishStart(m_workspace, *m_query, entry));
    if (!view.wantsSupervisor()) return false;
    TY_TRY(startDue(view));
    return true;
}

Result<void> QueueSupervisor::startDue(const QueueView& view) {
    for (const auto& entry : view.waiting) {
        if (entry.verdict.wait != Wait::None) continue;
        const auto started =
            startQueued(m_workspace, entry.row, store::Taking::InTurn, entry.verdict.devices, entry.placement);
        m_version = -1; // look again at once
        if (started || started.error().code == ErrorCode::NotQueued) continue;
        std::fprintf(stderr, "trainyardctl: entry %lld was refused: %s\n", static_cast<long long>(entry.row.id),
                     started.error().text().c_str());
    }
    return {};
}

// A checkpoint is kept for an entry that was taken out a while ago, since that can be undone.
void QueueSupervisor::dropOldCheckpoints() {
    const auto queue = m_query ? m_query->queue() : Result<store::Queue>(store::Queue{});
    if (!m_query || !queue) return;
    std::set<std::string> used;
    for (const auto& row : queue->rows) used.insert(row.checkpoint);
    std::error_code ignored;
    for (const auto& file : fs::directory_iterator(queueFolder(m_workspace), ignored)) {
        if (file.path().extension() != ".safetensors" || used.contains(file.path().string())) continue;
        const auto age = fs::file_time_type::clock::now() - file.last_write_time(ignored);
        if (age > kKeepCheckpoint) fs::remove(file.path(), ignored);
    }
}

Result<void> superviseFolder(const fs::path& folder) {
    auto lock = std::optional(run::lockOfSupervisor(folder));
    if (!*lock) return std::move(*lock).error();
    TY_ASSIGN(auto workspace, store::Workspace::open(folder.parent_path().string()));
    QueueSupervisor supervisor(std::move(workspace));
    for (;;) {
        TY_TRY(supervisor.serve());
        if (supervisor.wasAskedToEnd()) return {};
        supervisor.dropOldCheckpoints();
        lock.reset();
        // What was added in between saw the lock held, and has left the start to this process.
        TY_ASSIGN(const bool wanted, supervisor.isWanted());
        if (!wanted) return {};
        lock.emplace(store::RunLock::acquire(folder));
        if (!*lock) return {}; // another has come meanwhile
    }
}

} // namespace

int superviseQueue(const fs::path& folder) {
    const auto served = superviseFolder(folder);
    if (served) return 0;
    const bool another = served.error().code == ErrorCode::AlreadyRunning;
    if (another) return 0;
    std::fprintf(stderr, "trainyardctl: %s\n", served.error().text().c_str());
    return exitCode(served.error().kind);
}

} // namespace trainyard::queue
