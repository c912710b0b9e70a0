// SPDX-License-Identifier: GPL-3.0-or-later
// What earlier supervisors of the run have left: points, checkpoints, and ranks that have outlived them to save.
#include "engine/base/clock.h"
#include "engine/run/record/ranks_at_work.h"
#include "engine/run/supervise/supervisor.h"
#include "engine/store/patience.h"
#include "engine/store/run_query.h"

#include <csignal>

namespace trainyard::run {
namespace {

constexpr double kStoreReadSeconds = 10; // for a store that cannot be read when the run begins
constexpr double kLookSeconds = 1;  // between two looks at a host

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
            m_state.notice = "waiting for the ranks of before to save and end";
            publish();
        }
        pump(monotonicSeconds() + 0.01);
    }
    m_state.notice.clear();
}

// Brings the newest checkpoint that ranks have saved on a host while no supervisor took it.
void Supervisor::takeFromHost(const std::string& host, const std::string& folder) {
    if (!endRanksOfBefore(host)) return;
    auto& launcher = m_setup.launcherFor(host);
    const std::string checkpoints = folder + "/checkpoints";
    const auto names = launcher.list(host, checkpoints);
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
    const auto fetched = launcher.fetch(host, checkpoints + "/" + newest, m_setup.folder.checkpoints() / newest);
    logLine(-1, fetched ? "info" : "warning",
            fetched ? "took " + newest + " from " + host + ", where the ranks had saved it without a supervisor"
                    : newest + " on " + host + " could not be taken over: " + fetched.error().text());
}

// On a host, ranks may train on for failure.linkSeconds. They are asked to save first. False: they cannot be looked for.
bool Supervisor::endRanksOfBefore(const std::string& host) {
    auto& launcher = m_setup.launcherFor(host);
    const auto& run = m_setup.row.id;
    const double until = monotonicSeconds() + kSaveLimit;
    auto left = launcher.signalAll(host, run, SIGTERM);
    if (left && *left > 0) {
        (void)launcher.signalAll(host, run, SIGCONT); // for one that is stopped
        logLine(-1, "warning",
                std::to_string(*left) + " processes of this run were left on " + host +
                    "; they are asked to save and end");
    }
    while (left && *left > 0 && !m_stop && monotonicSeconds() < until) {
        pump(monotonicSeconds() + kLookSeconds);
        left = launcher.signalAll(host, run, 0);
    }
    if (left && *left > 0) left = launcher.signalAll(host, run, SIGKILL);
    if (!left) logLine(-1, "warning", "cannot look for ranks of before on " + host + ": " + left.error().text());
    return left.ok();
}

void Supervisor::adoptCheckpoints() {
    auto delta = m_series.accept(m_checkpoints.unstoredPoints(m_setup.folder.checkpoints()));
    if (!delta.series.empty()) {
        if (m_board) m_board->add(delta);
        m_recorder.points(std::move(delta.series));
    }
    for (auto& notice : m_checkpoints.adopt(m_setup.folder.checkpoints(), m_series))
        logLine(-1, "warning", std::move(notice));
}

} // namespace trainyard::run
