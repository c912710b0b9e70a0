// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/start/run_start.h"

#include "engine/base/clock.h"
#include "engine/base/error_json.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/text/ids.h"
#include "engine/base/text/quoted.h"
#include "engine/program/checkpoints/checkpoint_watch.h"
#include "engine/program/command/secret_words.h"
#include "engine/run/launch/catalog_cache.h"
#include "engine/run/launch/pool/asked_worker.h"
#include "engine/run/launch/programs.h"
#include "engine/run/record/checkpoint_book.h"
#include "engine/run/record/kept_in_row.h"
#include "engine/run/record/place/saved_place.h"
#include "engine/run/record/run_code.h"
#include "engine/run/share/import_runs.h"
#include "engine/run/slurm/slurm_array.h"
#include "engine/run/start/coming_checkpoint.h"
#include "engine/run/start/model_file.h"
#include "engine/run/start/take_code.h"
#include "engine/spec/run/host_ranks.h"
#include "engine/spec/run/resume_settings.h"
#include "engine/spec/sweep/overrides.h"
#include "engine/spec/sweep/paths.h"
#include "engine/spec/values/params.h"
#include "engine/store/files/safetensors.h"
#include "engine/store/run_query.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;

// A fork that would be over before its first step is a mistake.
Result<void> leavesSomethingToTrain(const spec::RunSpec& spec, const store::Metadata& metadata) {
    const auto number = [&](const char* key) {
        const auto found = metadata.find(key);
        return found == metadata.end() ? 0 : std::strtoll(found->second.c_str(), nullptr, 10);
    };
    const auto done = spec.steps ? number("step") : number("epoch");
    const char* what = spec.steps ? "steps" : "epochs";
    const auto planned = spec.steps ? *spec.steps : spec.epochs.value_or(1);
    if (done < planned) return {};
    return inputError("the checkpoint has " + std::to_string(done) + " " + what +
                          " behind it, but the new run would end after " + std::to_string(planned),
                      what,
                      "give it more, for example --set " + std::string(what) + "=" +
                          std::to_string(done + std::max<std::int64_t>(1, planned)));
}

// A program reads its own, which may be a folder.
Result<std::int64_t> stepOfProgram(const fs::path& path) {
    const auto look = program::lookAtCheckpoint(path);
    if (look.structure == program::Structure::Cut)
        return inputError("is no whole checkpoint: " + look.problem, path.string(), "begin from another one");
    const std::string name = path.filename().string();
    std::error_code ignored;
    const auto named =
        fs::is_directory(path, ignored) ? program::checkpointFolderName(name) : program::checkpointFileName(name);
    program::SavedByProgram saved;
    program::resolveProgress(named.value_or(program::CheckpointName{}), look, saved);
    return saved.step.value_or(-1);
}

// The step of the checkpoint that a fork begins from; -1: from scratch. Input: it cannot.
Result<std::int64_t> startStep(const std::string& file, const spec::RunSpec& spec) {
    if (file.empty()) return -1;
    if (spec.program) return stepOfProgram(file);
    TY_ASSIGN(const auto checked, store::SafetensorsFile::open(file));
    const auto format = checked.metadata().find("format");
    if (format == checked.metadata().end() || !isCheckpointFormat(format->second))
        return inputError("is not a checkpoint of Trainyard", file);
    if (format->second == "trainyard-checkpoint") // a program's own function decides what is left to do
        TY_TRY(leavesSomethingToTrain(spec, checked.metadata()));
    const auto step = checked.metadata().find("step");
    return step == checked.metadata().end() ? -1 : std::strtoll(step->second.c_str(), nullptr, 10);
}

// What runs as each rank: for a run of a user's program its keeper.
std::optional<RankProgram> ranksOf(const spec::RunSpec& spec, const StartOptions& options) {
    return spec.program ? keeperProgram() : options.program;
}

// A program's own run: what it calls model and dataset is not in the catalog.
Result<spec::RunSpec> validatedFields(spec::RunSpec spec) {
    if (const auto errors = spec::validateFields(spec); !errors.empty()) return spec::toError(errors, {});
    return spec;
}

// As validated(), of a run file whose files are elsewhere; it keeps the paths that it names.
Result<spec::RunSpec> validatedWith(const std::map<std::string, std::string>& files, spec::RunSpec given,
                                    const std::string& where) {
    auto there = given;
    spec::relocate(there, files);
    TY_ASSIGN(there, validated(std::move(there), where));
    spec::relocateBack(there, files, given);
    return there;
}

// Whether the weights that a fork begins with are those of its model: found out by the worker, before there is a run.
// A run whose files are elsewhere, or whose ranks are a program's own, finds out itself.
Result<void> startFits(const RunFolder& folder, const StartOptions& options) {
    constexpr double kSeconds = 300;
    if (options.resumeFrom.empty() || options.store != nullptr || !options.files.empty()) return {};
    std::error_code ignored;
    if (!fs::exists(folder.startCheckpoint(), ignored)) return {}; // a program's stays where it is
    TY_ASSIGN(const auto done,
              askWorker(workerProgram(), {"fits", folder.startCheckpoint(), folder.runFile()}, kSeconds));
    if (done.exitCode == 0) return {};
    auto error = programError("the worker program", done.exitCode, done.output, done.errors);
    if (error.code != ErrorCode::CheckpointMisfit) return {}; // the run itself says it better
    error.where = options.resumeFrom;
    error.remedy += ": with --fresh a fork does, and a run without --from";
    return error;
}

// What was written without waiting for the disk.
Result<void> syncFiles(const RunFolder& folder) {
    for (const auto& file : {folder.runFile(), folder.launchFile()}) {
        const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
        if (!fd || ::fsync(fd.get()) != 0) return systemError("cannot be written to the disk", file.string());
    }
    return syncFolder(folder.root);
}

// Makes the new run's files, and gives its row.
Result<store::RunRow> makeFiles(const store::Workspace& workspace, const RunFolder& folder, const std::string& id,
                                const spec::RunSpec& spec, std::int64_t step, const StartOptions& options) {
    const auto program = ranksOf(spec, options);
    auto start = options.resumeFrom.empty() ? std::string() : folder.startCheckpoint().string();
    if (spec.program && !start.empty()) start = fs::absolute(options.resumeFrom).string(); // the user's, in its place
    // What runs as its ranks is written nowhere but in its folder.
    const bool isMadeAgain = options.store != nullptr && !options.program; // a keeper follows from the run file
    store::RunRow row;
    TY_TRY(writeRunFile(folder, row, spec::toJson(spec), Outlives::Process));
    const LaunchRecord launch{.run = RunId(id),
                              .workspace = fs::absolute(workspace.root).string(),
                              .resumeFrom = start,
                              .program = program,
                              .files = options.files,
                              .devices = options.devices,
                              .code = options.code};
    TY_TRY(writeLaunchRecord(folder, launch, Outlives::Process));
    if (!isMadeAgain) TY_TRY(syncFiles(folder)); // both at once: each wait for the disk delays the start
    row.id = id;
    row.name = spec.name;
    row.status = wire::RunStatus::Queued;
    row.sweep = options.sweep;
    row.trial = options.trial;
    row.paramsJson = spec::paramsToText(options.params);
    row.createdMs = wallClockMs();
    row.worldSize = spec.scaling.workers;
    row.folder = folder.root.string();
    row.forkedFrom = options.forkedFrom;
    row.forkedStep = step;
    return row;
}

// Returns the store, if it was opened for that: whoever closes it last waits for the disk.
Result<std::unique_ptr<store::Store>> writeRow(const store::Workspace& workspace, store::RunRow& row,
                                               const StartOptions& options) {
    if (options.store != nullptr) {
        TY_ASSIGN(store::Store * store, options.store->writer());
        TY_TRY(store->createRun(row));
        return std::unique_ptr<store::Store>();
    }
    TY_ASSIGN(auto store, store::Store::open(workspace));
    if (!options.queued) {
        TY_TRY(store->createRun(row));
        return store;
    }
    const auto written = store->together(
        [&]() -> Result<void> {
            TY_TRY(store->createRun(row));
            return store->takeQueued(options.queued->entry, row.id, options.queued->taking);
        },
        Outlives::PowerLoss);
    if (!written) return written.error();
    return store;
}

// Whether a power loss took the file: it was written without waiting for the disk.
bool isLost(const fs::path& file) {
    std::error_code failure;
    return fs::file_size(file, failure) == 0 || failure;
}

// A trial's own files, as its row knows them.
Result<void> restoreFiles(const store::Workspace& workspace, const RunFolder& folder, store::RunRow& row) {
    if (row.trial < 0) return {};
    if (isLost(folder.runFile())) TY_TRY(writeRunFile(folder, row, row.specJson));
    if (!isLost(folder.launchFile())) return {};
    TY_ASSIGN(const auto spec, spec::parseRunSpec(row.specJson, folder.runFile().string()));
    LaunchRecord launch{RunId(row.id), fs::absolute(workspace.root).string(), {}, ranksOf(spec, {})};
    if (!row.sweep.empty()) launch.code = codeOfFile(workspace.sweepFolder(row.sweep) / "launch.json");
    return writeLaunchRecord(folder, launch);
}

// Of a run that has finished.
std::string trainMoreRemedy(const spec::RunSpec& spec, const std::string& run) {
    return spec.epochs ? "train it for more epochs: trainyardctl continue " + shellArgument(run) + " EPOCHS"
                       : "train as long again in a new run: trainyardctl fork " + shellArgument(run + "@last");
}

// The run file that a run is resumed with.
Result<spec::RunSpec> changedSpec(const store::RunRow& row, const RunFolder& folder, spec::RunSpec spec,
                                  const ResumeChanges& changes) {
    const auto moreEpochs = changes.moreEpochs;
    if (moreEpochs < 0)
        return inputError("the number of epochs to add must be at least 1, not " + std::to_string(moreEpochs));
    if (moreEpochs > 0 && !spec.epochs)
        return inputError("is measured in steps, so epochs cannot be added to it", "run " + row.name,
                          trainMoreRemedy(spec, row.id));
    if (moreEpochs > 0) spec.epochs = *spec.epochs + moreEpochs;
    if (!changes.hosts && changes.settings.empty()) return spec;
    TY_TRY(spec::mayResumeWith(spec, changes.settings, row.name));
    TY_ASSIGN(const auto text, spec::withOverrides(spec::toJson(spec), changes.settings));
    TY_ASSIGN(spec, spec::parseRunSpec(text, "run " + row.name + " with --set"));
    if (changes.hosts) spec.hosts = *changes.hosts;
    spec::dropUsedSpares(spec);
    TY_ASSIGN(const auto launch, readLaunchRecord(folder));
    if (launch.program) return validatedFields(std::move(spec));
    const auto division = spec.data.division; // validation would decide anew what is "auto" in the file of an old run
    TY_ASSIGN(spec, validatedWith(launch.files, std::move(spec), folder.runFile().string()));
    spec.data.division = division;
    return spec;
}

// The list of a program's checkpoints with those behind that one superseded. What is on another host is looked at when
// the run begins.
Result<std::vector<store::CheckpointRow>> listedBackTo(std::int64_t checkpoint, std::vector<store::CheckpointRow> rows,
                                                       const spec::RunSpec& spec, const store::RunRow& run) {
    if (!spec.program)
        return inputError("goes on from its last good checkpoint", "run " + run.name,
                          "begin a new run from another one: trainyardctl fork " + run.id + "@STEP");
    const auto from = std::ranges::find(rows, checkpoint, &store::CheckpointRow::id);
    if (from == rows.end())
        return inputError("has that checkpoint no more", "run " + run.name,
                          "choose another: trainyardctl checkpoints " + run.id);
    if (savedPlaceOf(from->path).host.empty()) TY_TRY(stepOfProgram(from->path));
    const auto step = from->step;
    for (auto& each : rows) {
        each.last = each.id == checkpoint;
        each.superseded = !each.last && (each.superseded || each.step >= step);
        each.best = each.best && !each.superseded;
    }
    return rows;
}

// A finished run stays so when it cannot be continued.
Result<void> noteWhetherFinished(const RunFolder& folder, const store::RunRow& row) {
    auto read = readLaunchRecord(folder);
    if (!read) return {}; // the supervisor fails by it, and says so in the run's row
    auto& launch = *read;
    const auto finishedAs = row.status == wire::RunStatus::Finished ? row.specJson : std::string();
    if (launch.finishedAs == finishedAs) return {};
    launch.finishedAs = finishedAs;
    return writeLaunchRecord(folder, launch);
}

// A supervisor that has announced its end releases the lock a moment later.
Result<store::RunLock> lockForResume(const fs::path& folder, wire::RunStatus status) {
    const double deadline = monotonicSeconds() + (wire::isActive(status) ? 0 : 2);
    for (;;) {
        auto lock = store::RunLock::acquire(folder);
        if (lock || monotonicSeconds() > deadline) return lock;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

} // namespace

Result<spec::RunSpec> validated(spec::RunSpec spec, const std::string& file) {
    if (spec.program) { // nothing of it is in the catalog
        if (const auto errors = spec::validateFields(spec); !errors.empty()) return spec::toError(errors, file);
        return spec;
    }
    TY_ASSIGN(auto catalog, loadCatalog(workerProgram()));
    auto checked = spec;
    auto errors = spec::validate(checked, *catalog);
    if (!errors.empty()) { // a dataset may have been installed since the catalog was remembered
        TY_ASSIGN(catalog, refreshCatalog(workerProgram()));
        checked = std::move(spec);
        errors = spec::validate(checked, *catalog);
    }
    if (!errors.empty()) return spec::toError(errors, file);
    return checked;
}

void discard(const PreparedRun& run) {
    std::error_code ignored;
    fs::remove_all(run.folder.root, ignored);
}

Result<NewRun> makeRun(const store::Workspace& workspace, spec::RunSpec given, const StartOptions& how) {
    auto options = how;
    TY_ASSIGN(auto spec,
              options.program ? validatedFields(std::move(given)) : validatedWith(options.files, std::move(given), {}));
    const bool isCatalogs = !options.program && !spec.program;
    if (isCatalogs && !options.files.contains("model.path")) TY_TRY(pinModelFile(spec));
    if (isCatalogs && options.resumeFrom.empty() && !options.files.contains(spec::kWeightsFile))
        TY_TRY(checkWeightsFile(spec));
    if (spec.program) TY_TRY(program::checkNoSecrets(*spec.program)); // before anything is written
    TY_TRY(checkConfig(spec));
    if (!options.code && options.store == nullptr) { TY_ASSIGN(options.code, takeCode(workspace, spec)); }
    const std::string id = options.id.empty() ? newId() : options.id;
    if (spec.name.empty()) spec.name = newRunName();
    const RunFolder folder{spec.storage.empty() ? workspace.runFolder(id) : fs::absolute(fs::path(spec.storage) / id)};
    if (options.store == nullptr) removeAbandonedCheckpoints(folder); // one of very many runs does not look
    TY_ASSIGN(const auto step, startStep(options.resumeFrom, spec));
    TY_ASSIGN(const auto coming, ComingCheckpoint::bring(folder, spec.program ? std::string() : options.resumeFrom));
    TY_TRY(makeRunFolder(folder, options.store != nullptr ? LogFolder::WhenNeeded : LogFolder::Now));
    TY_ASSIGN(auto lock, store::RunLock::acquire(folder.root));
    PreparedRun run{id, folder, std::move(lock)};
    const auto moved = coming.moveTo(folder.startCheckpoint());
    auto row = moved ? makeFiles(workspace, folder, id, spec, step, options) : moved.error();
    const auto fits = row && isCatalogs ? startFits(folder, options) : Result<void>();
    if (row && fits) return NewRun{std::move(run), std::move(*row)};
    discard(run);
    return row ? fits.error() : std::move(row).error();
}

Result<PreparedRun> prepareRun(const store::Workspace& workspace, spec::RunSpec given, const StartOptions& options) {
    TY_ASSIGN(auto made, makeRun(workspace, std::move(given), options));
    if (auto written = writeRow(workspace, made.row, options); !written) {
        discard(made.run);
        return std::move(written).error();
    }
    return std::move(made.run);
}

Result<pid_t> supervisePrepared(const store::Workspace& workspace, const PreparedRun& run, Detachment detachment) {
    auto spawned = spawnSupervisor("supervise", run.folder.root, detachment, &run.lock);
    if (spawned) return spawned;
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(auto row, query->run(run.id));
    row.status = wire::RunStatus::Failed;
    row.finishedMs = wallClockMs();
    row.error = spawned.error();
    TY_ASSIGN(const auto store, store::Store::open(workspace));
    TY_TRY(store->updateRun(row));
    return spawned.error();
}

Result<std::string> startRun(const store::Workspace& workspace, spec::RunSpec spec, const StartOptions& options) {
    TY_ASSIGN(auto made, makeRun(workspace, std::move(spec), options));
    const auto store = writeRow(workspace, made.row, options); // open until the supervisor has opened it
    if (!store) {
        discard(made.run);
        return store.error();
    }
    TY_TRY(supervisePrepared(workspace, made.run, Detachment::Full));
    return made.run.id;
}

Result<PreparedRun> prepareResume(const store::Workspace& workspace, const std::string& run,
                                  const ResumeChanges& changes) {
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(auto row, query->run(run));
    TY_TRY(mustBeTrainedHere(row));
    if (isInTask(workspace, row))
        return inputError("trains in a Slurm task", "run " + row.name, "stop it first")
            .withCode(ErrorCode::AlreadyRunning);
    const RunFolder folder{row.folder};
    auto lock = lockForResume(folder.root, row.status);
    if (!lock)
        return inputError("is running already", "run " + row.name, "stop it first").withCode(ErrorCode::AlreadyRunning);
    TY_ASSIGN(row, query->run(row.id)); // it may have ended before the lock was free
    TY_TRY(restoreFiles(workspace, folder, row));
    TY_ASSIGN(const auto spec, spec::readRunSpec(folder.runFile()));
    if (changes.moreEpochs == 0 && row.status == wire::RunStatus::Finished)
        return inputError("has finished", "run " + row.name, trainMoreRemedy(spec, row.id));
    TY_ASSIGN(const auto changed, changedSpec(row, folder, spec, changes));
    std::optional<std::vector<store::CheckpointRow>> listed;
    if (changes.fromCheckpoint > 0) {
        TY_ASSIGN(auto rows, query->checkpoints(row.id));
        TY_ASSIGN(listed, listedBackTo(changes.fromCheckpoint, std::move(rows), spec, row));
    }
    TY_TRY(noteWhetherFinished(folder, row));
    if (changed != spec) TY_TRY(writeRunFile(folder, row, spec::toJson(changed)));
    row.status = wire::RunStatus::Queued;
    // A supervisor that died before the row said that it had started may have left points and checkpoints.
    if (row.startedMs == 0) row.startedMs = row.createdMs;
    TY_ASSIGN(const auto store, store::Store::open(workspace));
    if (listed) TY_TRY(store->setCheckpoints(row.id, *listed));
    TY_TRY(store->updateRun(row));
    return PreparedRun{row.id, folder, std::move(*lock)};
}

Result<void> resumeRun(const store::Workspace& workspace, const std::string& run, const ResumeChanges& changes) {
    TY_ASSIGN(const auto prepared, prepareResume(workspace, run, changes));
    TY_TRY(supervisePrepared(workspace, prepared, Detachment::Full));
    return {};
}

Result<void> resumeRun(const store::Workspace& workspace, const std::string& run, std::int64_t moreEpochs) {
    return resumeRun(workspace, run, ResumeChanges{moreEpochs, {}, {}});
}

} // namespace trainyard::run
