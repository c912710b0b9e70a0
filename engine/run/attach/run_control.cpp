// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/attach/run_control.h"

#include "engine/base/clock.h"
#include "engine/base/text/ids.h"
#include "engine/run/attach/attach_client.h"
#include "engine/run/launch/catalog_cache.h"
#include "engine/run/launch/programs.h"
#include "engine/run/slurm/slurm_array.h"
#include "engine/spec/run/run_spec.h"
#include "engine/store/run_query.h"

#include <algorithm>
#include <chrono>
#include <cmath>
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

constexpr double kConnectSeconds = 5;

// Judged like the run file's own, with the same words.
Result<void> checkLearningRate(const store::RunRow& row, double value) {
    TY_ASSIGN(auto spec, spec::parseRunSpec(row.specJson));
    TY_ASSIGN(const auto catalog, loadCatalog(workerProgram()));
    spec.optimizer.params["lr"] = value;
    auto errors = spec::validate(spec, *catalog);
    std::erase_if(errors, [](const auto& each) { return each.path != "optimizer.lr"; });
    if (!std::isfinite(value)) errors = {{"optimizer.lr", spec::toText(spec::Value(value)), "must be a number", {}}};
    if (!errors.empty()) return spec::toError(errors, {});
    return {};
}

// What happened instead of an answer: the run has ended.
Error endedFirst(store::RunQuery& query, const store::RunRow& row) {
    const auto now = query.run(row.id);
    return inputError(std::string("has ended before it could be done: it is ") +
                          wire::toString(now ? now->status : row.status),
                      "run " + row.name)
        .withCode(ErrorCode::NotRunning);
}

Result<wire::CommandDone> waitForAnswer(AttachClient& client, store::RunQuery& query, const store::RunRow& row,
                                        const wire::Command& command, double seconds) {
    const double deadline = monotonicSeconds() + seconds;
    for (bool closed = false; monotonicSeconds() < deadline;) {
        TY_ASSIGN(const auto messages, client.receive(100, closed));
        for (const auto& message : messages) {
            if (const auto* done = std::get_if<wire::CommandDone>(&message); done && done->id == command.id) {
                if (done->isDone()) return *done;
                Error error = done->error;
                error.where = "run " + row.name;
                return error;
            }
            if (const auto* state = std::get_if<wire::RunState>(&message); state && !wire::isActive(state->status))
                return endedFirst(query, row);
        }
        if (closed) return endedFirst(query, row);
    }
    return environmentError("did not respond within " + std::to_string(static_cast<int>(seconds)) + " s",
                            "run " + row.name, "it will when the current step or load is over");
}

} // namespace

Result<void> stopRun(const store::Workspace& workspace, const std::string& run, wire::StopMode mode) {
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(auto row, query->run(run));
    if (!wire::isActive(row.status))
        return inputError(std::string("is not running: it is ") + wire::toString(row.status), "run " + row.name)
            .withCode(ErrorCode::NotRunning);
    if (isInTask(workspace, row)) {
        if (mode == wire::StopMode::AtCheckpoint)
            return inputError("trains in a Slurm task, which ends when it is cancelled", "run " + row.name,
                              "stop it without waiting for a checkpoint");
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

Result<wire::CommandDone> commandRun(const store::Workspace& workspace, const std::string& run, wire::CommandKind kind,
                                     double value, double seconds) {
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(auto row, query->run(run));
    if (!wire::isActive(row.status))
        return inputError(std::string("is not running: it is ") + wire::toString(row.status), "run " + row.name)
            .withCode(ErrorCode::NotRunning);
    if (isInTask(workspace, row))
        return inputError("trains in a Slurm task, which accepts no requests", "run " + row.name,
                          "stop it, and resume it here with the changed settings");
    if (kind == wire::CommandKind::SetLearningRate) TY_TRY(checkLearningRate(row, value));
    auto client = AttachClient::connect(row);
    for (const double deadline = monotonicSeconds() + kConnectSeconds; !client && monotonicSeconds() < deadline;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20)); // it may just be starting
        TY_ASSIGN(row, query->run(row.id));
        client = AttachClient::connect(row);
    }
    if (!client) return std::move(client).error();
    const wire::Command command{newId(), kind, value};
    TY_TRY(client->send(command));
    return waitForAnswer(*client, *query, row, command, seconds);
}

} // namespace trainyard::run
