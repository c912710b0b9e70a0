// SPDX-License-Identifier: GPL-3.0-or-later
// What earlier supervisors of the run have left: points, checkpoints, and ranks that have outlived them to save.
#include "engine/base/clock.h"
#include "engine/run/record/ranks_at_work.h"
#include "engine/run/supervise/supervisor.h"
#include "engine/store/patience.h"
#include "engine/store/run_query.h"

#include <csignal>
#include <set>

namespace trainyard::run {
namespace {

constexpr double kStoreReadSeconds = 10; // for a store that cannot be read when the run begins
constexpr double kLookSeconds = 1;       // between two looks at a host

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

// Also from those where the run trained before, and will not from now on.
void Supervisor::takeFromHosts() {
    std::set<std::string> hosts;
    for (const auto& [host, entry] : m_hosts) hosts.insert(host);
    if (const auto query = store::RunQuery::open(m_setup.workspace))
        if (const auto workers = (*query)->workers(m_setup.row.id))
            for (const auto& worker : *workers) hosts.insert(worker.host);
    hosts.erase("");
    for (const auto& host : hosts)
        if (!m_stop && endRanksOfBefore(host)) takeFromHost(host);
}

// Brings the newest checkpoint that ranks have saved on a host while no supervisor took it.
void Supervisor::takeFromHost(const std::string& host) {
    const auto prepared = m_calls.on<Launcher::HostInfo>(
        host, [host, run = m_setup.row.id](Launcher& launcher) { return launcher.prepare(host, run); });
    if (!prepared) return;
    const std::string there = prepared->folder + "/checkpoints";
    const auto names = m_calls.on<std::vector<std::string>>(
        host, [host, there](Launcher& launcher) { return launcher.list(host, there); });
    std::int64_t known = m_checkpoints.newestStep();
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(m_setup.folder.checkpoints(), ignored))
        known = std::max(known, checkpointStep(entry.path().filename().string()));
    std::string newest;
    for (const auto& name : names ? *names : std::vector<std::string>{})
        if (const auto step = checkpointStep(name); step > known) {
            known = step;
            newest = name;
        }
    if (newest.empty()) return;
    const auto fetched =
        m_calls.on<void>(host, [host, from = there + "/" + newest, to = m_setup.folder.checkpoints() / newest](
                                   Launcher& launcher) { return launcher.fetch(host, from, to); });
    logLine(-1, fetched ? "info" : "warning",
            fetched ? "took " + newest + " from " + host + ", where the ranks had saved it without a supervisor"
                    : newest + " on " + host + " could not be taken over: " + fetched.error().text());
}

// On a host, ranks may train on for failure.linkSeconds. They are asked to save first. False: they cannot be looked
// for.
bool Supervisor::endRanksOfBefore(const std::string& host) {
    const auto signalAll = [&](int number) {
        return m_calls.on<int>(host, [host, run = m_setup.row.id, number](Launcher& launcher) {
            return launcher.signalAll(host, run, number);
        });
    };
    const double until = monotonicSeconds() + kSaveLimit;
    auto left = signalAll(SIGTERM);
    if (left && *left > 0) {
        (void)signalAll(SIGCONT); // for one that is stopped
        logLine(-1, "warning",
                std::to_string(*left) + " processes of this run were left on " + host +
                    "; they are asked to save and end");
    }
    while (left && *left > 0 && !m_stop && monotonicSeconds() < until) {
        pump(monotonicSeconds() + kLookSeconds);
        left = signalAll(0);
    }
    if (left && *left > 0) left = signalAll(SIGKILL);
    if (!left)
        logLine(-1, "warning", "cannot look for earlier ranks of this run on " + host + ": " + left.error().text());
    return left.ok();
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
