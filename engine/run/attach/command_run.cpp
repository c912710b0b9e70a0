// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/clock.h"
#include "engine/base/text/ids.h"
#include "engine/run/attach/attach_client.h"
#include "engine/run/attach/run_control.h"
#include "engine/run/launch/catalog_cache.h"
#include "engine/run/launch/programs.h"
#include "engine/run/slurm/slurm_array.h"
#include "engine/spec/run/run_spec.h"
#include "engine/store/run_query.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

namespace trainyard::run {
namespace {

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
                            "run " + row.name, "it will when the step or the loading in progress is over");
}

} // namespace

Result<wire::CommandDone> commandRun(const store::Workspace& workspace, const std::string& run, wire::CommandKind kind,
                                     double value, double seconds) {
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(auto row, query->run(run));
    if (!wire::isActive(row.status))
        return inputError(std::string("is not running: it is ") + wire::toString(row.status), "run " + row.name)
            .withCode(ErrorCode::NotRunning);
    if (isInTask(workspace, row))
        return inputError("trains in a task of Slurm's, which takes no requests", "run " + row.name,
                          "stop it, and resume it here with what is to be different");
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
