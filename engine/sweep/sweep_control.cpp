// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/sweep_control.h"

#include "engine/base/atomic_file.h"
#include "engine/base/clock.h"
#include "engine/base/disk_room.h"
#include "engine/base/ids.h"
#include "engine/run/actions/run_start.h"
#include "engine/run/attach/run_control.h"
#include "engine/run/launch/catalog_cache.h"
#include "engine/run/launch/programs.h"
#include "engine/run/launch/spawn.h"
#include "engine/run/record/rank_program_json.h"
#include "engine/run/slurm/slurm_array.h"
#include "engine/spec/known_series.h"
#include "engine/store/run_query.h"
#include "engine/sweep/judge.h"
#include "engine/sweep/pinned_split.h"
#include "engine/sweep/sweep_folder.h"
#include "engine/sweep/takeover.h"
#include "engine/sweep/warm_start.h"

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
    TY_TRY(writeSweepLaunch(folder, {id, std::filesystem::absolute(workspace.root).string(), start.program}));
    TY_ASSIGN(const auto store, store::Store::open(workspace));
    if (!start.queued) return store->createSweep(row);
    return store->together(
        [&]() -> Result<void> {
            TY_TRY(store->createSweep(row));
            return store->takeQueued(start.queued->entry, id, start.queued->taking);
        },
        Outlives::PowerLoss);
}

Result<spec::RunSpec> judged(spec::RunSpec trial, const std::string& where, TrialProgram program) {
    if (program == TrialProgram::Worker) return run::validated(std::move(trial), where);
    if (const auto errors = spec::validateFields(trial); !errors.empty()) return spec::toError(errors, where);
    return trial;
}

Error inFile(Error error, const std::string& file) {
    if (error.kind == ErrorKind::Input && !file.empty() && !error.where.starts_with(file))
        error.where = error.where.empty() ? file : file + ": " + error.where;
    return error;
}

// What trials are compared by has to be among what they record.
Result<void> checkCompared(const spec::SweepSpec& spec, const std::string& taskWord) {
    TY_ASSIGN(const auto task, spec::taskFromString(taskWord));
    TY_TRY(spec::checkRecorded(spec.scoreBy, task, spec.second ? "scoreBy.0" : "scoreBy"));
    if (spec.second) TY_TRY(spec::checkRecorded(spec.second->series, task, "scoreBy.1"));
    for (std::size_t rule = 0; rule < spec.rules.stop.size(); ++rule)
        TY_TRY(spec::checkRecorded(spec.rules.stop[rule].series, task, "stop." + std::to_string(rule) + ".series"));
    return {};
}

constexpr std::size_t kMostJudged = 1000; // configurations; each takes some 50 us

Result<void> judgeObjects(const spec::SweepSpec& spec, const std::string& file) {
    if (std::ranges::all_of(spec.space, [](const auto& axis) { return axis.objects.empty(); })) return {};
    TY_ASSIGN(auto catalog, run::loadCatalog(run::workerProgram()));
    auto errors = spec::checkObjects(spec, catalog.get());
    if (errors.empty()) return {};
    TY_ASSIGN(catalog, run::refreshCatalog(run::workerProgram())); // a dataset may have been installed since
    errors = spec::checkObjects(spec, catalog.get());
    return errors.empty() ? Result<void>() : spec::toError(errors, file);
}

} // namespace

Result<void> writeSweepLaunch(const std::filesystem::path& folder, const SweepLaunch& launch) {
    nlohmann::ordered_json json{{"version", 1}, {"sweep", launch.sweep}, {"workspace", launch.workspace}};
    if (launch.program) json["program"] = run::programToJson(*launch.program);
    return writeFileAtomic(folder / "launch.json",
                           json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

Result<SweepLaunch> readSweepLaunch(const std::filesystem::path& folder) {
    TY_ASSIGN(const std::string text, readFile(folder / "launch.json", 1u << 20));
    const auto json = nlohmann::json::parse(text, nullptr, false);
    const auto field = [&](const char* key) {
        const auto found = json.is_object() ? json.find(key) : json.end();
        return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    SweepLaunch launch{field("sweep"), field("workspace"), std::nullopt};
    if (launch.sweep.empty() || launch.workspace.empty())
        return inputError("not the folder of a sweep", folder.string());
    TY_ASSIGN(launch.program, run::programOfRecord(json, folder / "launch.json"));
    return launch;
}

Result<spec::RunSpec> runOfTrial(const spec::SweepSpec& spec, const spec::Params& params, int trial,
                                 TrialProgram program) {
    if (program == TrialProgram::Own || !spec::namesEntries(spec)) return spec::trialSpec(spec, params, trial);
    TY_ASSIGN(const auto catalog, run::loadCatalog(run::workerProgram()));
    return spec::trialSpec(spec, params, trial, catalog.get());
}

Result<ValidSweep> validated(spec::SweepSpec given, const std::string& file, TrialProgram program) {
    ValidSweep valid;
    auto checked = checkedSweep(std::move(given));
    if (!checked) return inFile(checked.error(), file);
    valid.spec = std::move(*checked);
    TY_ASSIGN(valid.trials, spec::countTrials(valid.spec));
    if (program == TrialProgram::Worker) TY_TRY(judgeObjects(valid.spec, file));
    TY_ASSIGN(const auto foreseen, spec::foreseenConfigurations(valid.spec));
    for (const auto& [configuration, params] : spec::judgedConfigurations(valid.spec, foreseen, kMostJudged)) {
        const int number = configuration.value_or(0) * spec::seedsOfEach(valid.spec);
        std::string where = file;
        if (configuration) where += (file.empty() ? "trial " : ", trial ") + std::to_string(number);
        TY_ASSIGN(auto trial, runOfTrial(valid.spec, params, number, program));
        valid.workers = trial.scaling.workers;
        const std::string task = trial.task;
        TY_ASSIGN(trial, judged(std::move(trial), where, program));
        if (program == TrialProgram::Own) continue;
        if (const auto compared = checkCompared(valid.spec, task); !compared) return inFile(compared.error(), file);
    }
    return valid;
}

Result<std::string> startSweep(const store::Workspace& workspace, const spec::SweepSpec& given,
                               const SweepStart& start) {
    TY_ASSIGN(auto complete, start.program ? given : withPinnedSplit(given));
    TY_ASSIGN(complete, withEarlierResults(workspace, std::move(complete)));
    TY_ASSIGN(auto valid, validated(std::move(complete), {}, start.program ? TrialProgram::Own : TrialProgram::Worker));
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
