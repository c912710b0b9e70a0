// SPDX-License-Identifier: GPL-3.0-or-later
// What earlier supervisors of the run have left: points, checkpoints, and ranks that have outlived them to save.
#include "engine/base/clock.h"
#include "engine/base/lost_host.h"
#include "engine/run/record/ranks_at_work.h"
#include "engine/run/supervise/supervisor.h"
#include "engine/store/patience.h"
#include "engine/store/run_query.h"

#include <algorithm>
#include <csignal>
#include <functional>
#include <set>

namespace trainyard::run {
namespace {

constexpr double kStoreReadSeconds = 10; // for a store that cannot be read when the run begins
constexpr double kLookSeconds = 1;       // between two looks at a host

// The newest checkpoint on a host; without one its step is -1.
struct SavedThere {
    std::string host, path;
    std::int64_t step = -1;
};

Result<SavedThere> newestOn(Launcher& launcher, const std::string& host, const std::string& run) {
    TY_ASSIGN(const auto prepared, launcher.prepare(host, run));
    const std::string folder = prepared.folder + "/checkpoints";
    TY_ASSIGN(const auto names, launcher.list(host, folder));
    SavedThere newest{host, {}, -1};
    for (const auto& name : names)
        if (const auto step = checkpointStep(name); step > newest.step) newest = {host, folder + "/" + name, step};
    return newest;
}

} // namespace

Result<void> Supervisor::loadHistory() {
    return store::patiently(kStoreReadSeconds, [&]() -> Result<void> {
        TY_ASSIGN(const auto query, store::RunQuery::open(m_setup.workspace));
        TY_ASSIGN(const auto names, query->seriesNames(m_setup.row.id));
        for (const auto& name : names) {
            TY_ASSIGN(const auto points, query->points(m_setup.row.id, name));
            m_series.load(name, points);
        }
        TY_ASSIGN(auto events, query->events(m_setup.row.id));
        m_events.load(std::move(events));
        TY_ASSIGN(auto rows, query->checkpoints(m_setup.row.id));
        m_checkpoints.load(std::move(rows));
        return {};
    });
}

// Those on this computer know at once that their supervisor is gone, and end by themselves.
void Supervisor::waitForRanksOfBefore() {
    const double until = monotonicSeconds() + kSaveLimit;
    while (!m_stop && !RanksAtWork::areGone(m_setup.folder.checkpoints()) && monotonicSeconds() < until) {
        if (m_state.notice.empty()) {
            m_state.notice = "waiting for earlier ranks of this run to save and end";
            publish();
        }
        pump(monotonicSeconds() + 0.01);
    }
    m_state.notice.clear();
}

// Also those where the run trained before, and will not from now on.
std::set<std::string> Supervisor::hostsOfBefore() const {
    std::set<std::string> hosts;
    for (const auto& [host, entry] : m_hosts) hosts.insert(host);
    if (const auto query = store::RunQuery::open(m_setup.workspace))
        if (const auto workers = (*query)->workers(m_setup.row.id))
            for (const auto& worker : *workers) hosts.insert(worker.host);
    return hosts;
}

// Ranks that heard nothing for long have saved by themselves. A host that cannot be reached is waited for as long as
// its ranks wait for this supervisor: to begin without what they saved would be to train those steps again.
bool Supervisor::takeFromLastRanks() {
    std::set<std::string> hosts;
    for (const auto& [host, entry] : m_hosts)
        if (entry.ranks > 0) hosts.insert(host);
    const std::string cause = m_state.notice;
    LaunchRetries retries(monotonicSeconds(), m_setup.spec.failure.linkSeconds);
    for (;;) {
        const auto taken = takeFromHosts(hosts);
        if (taken || m_stop) break;
        const auto pause = retries.nextPause(monotonicSeconds());
        m_state.notice = cause + "; " + (pause ? "waiting for a host: " : "a host stays away: ") + taken.error().text();
        publish();
        if (!pause) return false;
        for (const double next = monotonicSeconds() + *pause; !m_stop && monotonicSeconds() < next;) pump(next);
    }
    adoptCheckpoints();
    return true;
}

// Brings the newest checkpoint that ranks have saved on these hosts while no supervisor took it. Fails where a host
// cannot be reached now: what is saved there may be newer than all that is here.
Result<void> Supervisor::takeFromHosts(std::set<std::string> hosts) {
    hosts.erase("");
    Result<void> taken;
    const auto note = [&taken](const Error& error) {
        if (isLostHost(error.code)) taken = error;
    };
    std::set<std::string> seen;
    for (const auto& [host, left] : endRanksLeftOn(hosts))
        if (left) seen.insert(host);
        else note(left.error());
    std::vector<SavedThere> found;
    for (const auto& [host, saved] :
         m_calls.onEach<SavedThere>(seen, [run = m_setup.row.id](Launcher& launcher, const std::string& there) {
             return newestOn(launcher, there, run);
         }))
        if (saved) found.push_back(*saved);
        else note(saved.error());
    std::ranges::sort(found, std::greater<>(), &SavedThere::step);
    for (const auto& saved : found) {
        if (m_stop || saved.step <= newestStepHere()) break;
        if (const auto fetched = takeFromHost(saved.host, saved.path); !fetched) note(fetched.error());
    }
    return taken;
}

Result<void> Supervisor::takeFromHost(const std::string& host, const std::string& path) {
    const auto name = std::filesystem::path(path).filename().string();
    const auto fetched = m_calls.on<void>(host, [host, path, to = m_setup.folder.checkpoints() / name](
                                                    Launcher& launcher) { return launcher.fetch(host, path, to); });
    logLine(-1, fetched ? "info" : "warning",
            fetched ? "took " + name + " from " + host + ", where the ranks had saved it without a supervisor"
                    : name + " on " + host + " could not be taken over: " + fetched.error().text());
    return fetched;
}

// Listed, or still to be adopted.
std::int64_t Supervisor::newestStepHere() const {
    std::int64_t newest = m_checkpoints.newestStep();
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(m_setup.folder.checkpoints(), ignored))
        newest = std::max(newest, checkpointStep(entry.path().filename().string()));
    return newest;
}

// On a host, ranks may train on for failure.linkSeconds. They are asked to save first. Returns how many are left on
// each host, or why it could not be looked at.
std::map<std::string, Result<int>> Supervisor::endRanksLeftOn(const std::set<std::string>& hosts) {
    const auto signalAll = [&](const std::set<std::string>& to, int number) {
        return m_calls.onEach<int>(to, [run = m_setup.row.id, number](Launcher& launcher, const std::string& host) {
            return launcher.signalAll(host, run, number);
        });
    };
    std::map<std::string, Result<int>> left;
    std::set<std::string> busy; // where some are left
    const auto note = [&](const std::map<std::string, Result<int>>& counts) {
        busy.clear();
        for (const auto& [host, count] : counts) {
            left.insert_or_assign(host, count);
            if (!count)
                logLine(-1, "warning", "cannot look for ranks of this run on " + host + ": " + count.error().text());
            else if (*count > 0) busy.insert(host);
        }
    };
    const double until = monotonicSeconds() + kSaveLimit;
    note(signalAll(hosts, SIGTERM));
    for (const auto& host : busy)
        logLine(-1, "warning",
                std::to_string(*left.at(host)) + " processes of this run were left on " + host +
                    "; they are asked to save and end");
    (void)signalAll(busy, SIGCONT); // for one that is stopped
    while (!busy.empty() && !m_stop && monotonicSeconds() < until) {
        pump(monotonicSeconds() + kLookSeconds);
        note(signalAll(busy, 0));
    }
    note(signalAll(busy, SIGKILL));
    return left;
}

void Supervisor::adoptCheckpoints() {
    auto delta = m_series.accept(m_checkpoints.unstoredPoints(m_setup.folder.checkpoints(), m_series));
    if (!delta.series.empty()) {
        m_state.applyPoints(delta.series);
        m_server->broadcast(delta);
        if (m_board) m_board->add(delta);
        m_recorder.points(std::move(delta.series));
    }
    for (auto& notice : m_checkpoints.adopt(m_setup.folder.checkpoints(), m_series))
        logLine(-1, "warning", std::move(notice));
}

} // namespace trainyard::run
