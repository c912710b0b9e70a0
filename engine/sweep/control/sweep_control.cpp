// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/control/sweep_control.h"

#include "engine/base/clock.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/files/disk_room.h"
#include "engine/base/json_text.h"
#include "engine/base/text/ids.h"
#include "engine/run/attach/run_control.h"
#include "engine/run/launch/programs.h"
#include "engine/run/launch/spawn.h"
#include "engine/run/record/rank_program_json.h"
#include "engine/run/record/run_code.h"
#include "engine/run/slurm/slurm_array.h"
#include "engine/run/start/run_start.h"
#include "engine/run/start/take_code.h"
#include "engine/store/run_query.h"
#include "engine/sweep/control/takeover.h"
#include "engine/sweep/results/warm_start.h"
#include "engine/sweep/values/pinned_split.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>

namespace trainyard::sweep {
namespace {

constexpr double kKillSeconds = 5;

// The sweep's files and its row, which comes last.
Result<void> recordNewSweep(const store::Workspace& workspace, const std::string& id, const ValidSweep& valid,
                            const SweepStart& start) {
    const auto folder = workspace.sweepFolder(id);
    store::SweepRow row;
    row.id = id;
    row.name = valid.spec.name;
    row.status = wire::RunStatus::Queued;
    row.specJson = spec::toJson(valid.spec);
    row.createdMs = wallClockMs();
    row.trials = valid.trials;
    TY_TRY(writeFileAtomic(folder / "sweep.json", row.specJson));
    TY_TRY(
        writeSweepLaunch(folder, {id, std::filesystem::absolute(workspace.root).string(), start.program, start.code}));
    TY_ASSIGN(const auto store, store::Store::open(workspace));
    if (!start.queued) return store->createSweep(row);
    return store->together(
        [&]() -> Result<void> {
            TY_TRY(store->createSweep(row));
            return store->takeQueued(start.queued->entry, id, start.queued->taking);
        },
        Outlives::PowerLoss);
}

} // namespace

Result<void> writeSweepLaunch(const std::filesystem::path& folder, const SweepLaunch& launch) {
    Json json{{"version", 1}, {"sweep", launch.sweep}, {"workspace", launch.workspace}};
    if (launch.program) json["program"] = run::programToJson(*launch.program);
    if (launch.code) json["code"] = run::codeToJson(*launch.code);
    return writeFileAtomic(folder / "launch.json", jsonFile(json));
}

Result<SweepLaunch> readSweepLaunch(const std::filesystem::path& folder) {
    TY_ASSIGN(const std::string text, readFile(folder / "launch.json", 1u << 20));
    const auto json = parseSortedJson(text);
    const auto field = [&](const char* key) {
        const auto found = json.is_object() ? json.find(key) : json.end();
        return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    SweepLaunch launch{field("sweep"), field("workspace"), std::nullopt, std::nullopt};
    if (launch.sweep.empty() || launch.workspace.empty())
        return inputError("not the folder of a sweep", folder.string());
    TY_ASSIGN(launch.program, run::programOfRecord(json, folder / "launch.json"));
    launch.code = run::codeOfRecord(json);
    return launch;
}

Result<std::string> startSweep(const store::Workspace& workspace, const spec::SweepSpec& given, const SweepStart& how) {
    auto start = how;
    TY_ASSIGN(const auto varied, spec::parseRunSpec(given.runJson, "the sweep's run"));
    if (varied.program) start.program = run::keeperProgram();
    TY_ASSIGN(auto complete, start.program ? given : withPinnedSplit(given));
    TY_ASSIGN(complete, withEarlierResults(workspace, std::move(complete)));
    TY_ASSIGN(auto valid, validated(std::move(complete), {}, start.program ? TrialProgram::Own : TrialProgram::Worker));
    if (!start.code) { TY_ASSIGN(start.code, run::takeCode(workspace, varied)); }
    const std::string id = start.id.empty() ? newId() : start.id;
    if (valid.spec.name.empty()) valid.spec.name = newRunName();
    const auto folder = workspace.sweepFolder(id);
    std::error_code failure;
    if (!start.id.empty() && std::filesystem::exists(folder, failure))
        return environmentError("the sweep's folder exists already", folder.string(), "start the sweep again");
    std::filesystem::create_directories(folder, failure);
    if (failure) return notMadeError("cannot create the sweep's folder", folder, failure);
    TY_ASSIGN(const auto lock, store::RunLock::acquire(folder));
    if (auto recorded = recordNewSweep(workspace, id, valid, start); !recorded) {
        std::filesystem::remove_all(folder, failure);
        return std::move(recorded).error();
    }
    TY_ASSIGN([[maybe_unused]] const auto pid,
              run::spawnSupervisor("supervise-sweep", folder, run::Detachment::Full, &lock));
    return id;
}

Result<void> mustBeSupervisedHere(const store::Workspace& workspace, const store::SweepRow& row) {
    if (!run::isSlurmJob(workspace.root, row.id)) return {};
    return inputError("is an array job of Slurm, which nobody supervises", "sweep " + row.name,
                      "submit the sweep again, or resume single trials: trainyardctl sweep trials " + row.id)
        .withCode(ErrorCode::NotRunning);
}

Result<void> resumeSweep(const store::Workspace& workspace, const std::string& sweep) {
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(auto row, query->sweep(sweep));
    const auto folder = workspace.sweepFolder(row.id);
    if (row.status == wire::RunStatus::Finished) return inputError("has finished", "sweep " + row.name);
    TY_TRY(mustBeSupervisedHere(workspace, row));
    const auto lock = store::RunLock::acquire(folder);
    if (!lock)
        return inputError("is running already", "sweep " + row.name, "stop it first")
            .withCode(ErrorCode::AlreadyRunning);
    row.status = wire::RunStatus::Queued;
    TY_ASSIGN(const auto store, store::Store::open(workspace));
    TY_TRY(store->updateSweep(row));
    TY_ASSIGN([[maybe_unused]] const auto pid,
              run::spawnSupervisor("supervise-sweep", folder, run::Detachment::Full, &*lock));
    return {};
}

// The sweep's supervisor has no socket: a signal tells it to start nothing new, and the trials are stopped here.
Result<void> stopSweep(const store::Workspace& workspace, const std::string& sweep, wire::StopMode mode) {
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(const auto row, query->sweep(sweep));
    if (!wire::isActive(row.status))
        return inputError(std::string("is not running: it is ") + wire::toString(row.status), "sweep " + row.name)
            .withCode(ErrorCode::NotRunning);
    if (run::isSlurmJob(workspace.root, row.id)) {
        TY_ASSIGN(auto job, run::findSlurmJob(workspace.root, row.id));
        TY_ASSIGN([[maybe_unused]] const bool isSubmitted, run::findJobNumber(job));
        return run::cancelSlurmJob(job);
    }
    const auto folder = workspace.sweepFolder(row.id);
    forbidTakeover(folder); // whatever ends its supervisor
    const bool supervised = store::RunLock::isHeld(folder);
    if (supervised && row.supervisorPid > 0) ::kill(static_cast<pid_t>(row.supervisorPid), SIGTERM);
    TY_ASSIGN(const auto trials, query->trials(row.id));
    for (const auto& trial : trials)
        if (wire::isActive(trial.status)) (void)run::stopRun(workspace, trial.id, mode); // it may have ended meanwhile
    if (supervised && mode != wire::StopMode::Kill) return {};
    if (supervised && !store::RunLock::waitUntilFree(folder, kKillSeconds) && row.supervisorPid > 0)
        ::kill(static_cast<pid_t>(row.supervisorPid), SIGKILL);
    TY_ASSIGN(const auto store, store::Store::open(workspace));
    TY_ASSIGN([[maybe_unused]] const auto marked, store->markInterrupted(workspace));
    return {};
}

} // namespace trainyard::sweep
