// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/clock.h"
#include "engine/run/attach/attach_client.h"
#include "engine/run/attach/run_control.h"
#include "engine/run/slurm/slurm_array.h"
#include "engine/store/run_query.h"

#include <csignal>
#include <thread>

namespace trainyard::run {
namespace {

constexpr double kAnswerSeconds = 5;
constexpr double kKillSeconds = 5;

void sleepMs(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

// True when the supervisor said that it is stopping, or has ended.
bool askToStop(store::RunQuery& query, const std::string& run, wire::StopMode mode, double deadline) {
    while (monotonicSeconds() < deadline) {
        const auto row = query.run(run); // anew: a starting supervisor is about to write where it listens
        if (!row) return false;
        if (!wire::isActive(row->status)) return true;
        auto client = AttachClient::connect(*row);
        if (!client || !client->send(wire::Stop{mode})) {
            sleepMs(20);
            continue;
        }
        for (bool closed = false; !closed && monotonicSeconds() < deadline;) {
            const auto messages = client->receive(100, closed);
            if (!messages) break;
            for (const auto& message : *messages)
                if (const auto* state = std::get_if<wire::RunState>(&message))
                    if (state->status == wire::RunStatus::Stopping || !wire::isActive(state->status)) return true;
            if (closed) return true;
        }
    }
    return false;
}

Result<void> settleDead(const store::Workspace& workspace) {
    TY_ASSIGN(const auto store, store::Store::open(workspace));
    TY_ASSIGN(const auto marked, store->markInterrupted(workspace));
    return {};
}

// The workers die with their supervisor.
Result<void> killSupervisor(const store::Workspace& workspace, const store::RunRow& row) {
    if (store::RunLock::waitUntilFree(row.folder, kKillSeconds)) return {};
    if (row.supervisorPid > 0) ::kill(static_cast<pid_t>(row.supervisorPid), SIGKILL);
    if (!store::RunLock::waitUntilFree(row.folder, kKillSeconds))
        return environmentError("could not be killed: process " + std::to_string(row.supervisorPid) + " does not end",
                                "run " + row.name);
    return settleDead(workspace);
}

} // namespace

Result<void> stopRun(const store::Workspace& workspace, const std::string& run, wire::StopMode mode) {
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(auto row, query->run(run));
    if (!wire::isActive(row.status))
        return inputError(std::string("is not running: it is ") + wire::toString(row.status), "run " + row.name)
            .withCode(ErrorCode::NotRunning);
    if (isInTask(workspace, row)) {
        TY_ASSIGN(auto job, findSlurmJob(workspace.root, row.sweep));
        TY_ASSIGN([[maybe_unused]] const bool isSubmitted, findJobNumber(job));
        return cancelSlurmTask(job, row.trial);
    }
    if (!store::RunLock::isHeld(row.folder)) {
        sleepMs(300); // between being started and taking the lock
        if (!store::RunLock::isHeld(row.folder)) {
            TY_TRY(settleDead(workspace));
            return inputError("has no supervisor any more; it is marked as interrupted", "run " + row.name,
                              "resume it, or leave it")
                .withCode(ErrorCode::NotRunning);
        }
    }
    const bool answered = askToStop(*query, row.id, mode, monotonicSeconds() + kAnswerSeconds);
    TY_ASSIGN(row, query->run(row.id));
    if (mode == wire::StopMode::Kill) return killSupervisor(workspace, row);
    if (answered) return {};
    if (row.supervisorPid > 0 && ::kill(static_cast<pid_t>(row.supervisorPid), SIGTERM) == 0) return {};
    return environmentError("its supervisor does not answer", "run " + row.name, "kill it");
}

} // namespace trainyard::run
