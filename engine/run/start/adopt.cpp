// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/start/adopt.h"

#include "engine/program/checkpoints/checkpoint_structure.h"
#include "engine/run/record/kept_in_row.h"
#include "engine/run/start/model_file.h"
#include "engine/run/start/run_start.h"
#include "engine/spec/values/params.h"
#include "engine/store/files/safetensors.h"
#include "engine/store/run_query.h"

#include <algorithm>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;

// Under the name that the run itself would have given it. A link where the file system allows it: checkpoints are
// replaced, and never written to.
Result<fs::path> copyInto(const RunFolder& folder, const fs::path& file) {
    TY_ASSIGN(const auto checked, store::SafetensorsFile::open(file.string()));
    const fs::path target = folder.checkpoints() / file.filename();
    const fs::path temporary = folder.checkpoints() / (".adopted-" + file.filename().string() + ".tmp");
    std::error_code failure;
    fs::create_directories(folder.checkpoints(), failure);
    fs::remove(temporary, failure);
    fs::create_hard_link(file, temporary, failure);
    if (failure) fs::copy_file(file, temporary, failure);
    if (!failure) fs::rename(temporary, target, failure);
    std::error_code ignored;
    fs::remove(temporary, ignored); // it is still there also when both were links to one file
    if (!failure) return target;
    return environmentError("cannot copy the checkpoint: " + failure.message(), file.string());
}

// The same of a program's, a file or a folder: the program that wrote it may write it anew or delete it, so it is never
// a link. What was adopted before is used up.
Result<fs::path> copyProgramState(const RunFolder& folder, const store::CheckpointRow& from) {
    const auto look = program::lookAtCheckpoint(fs::path(from.path));
    if (look.structure == program::Structure::Cut) return inputError(look.problem, from.path);
    const std::string prefix = "adopted-";
    const fs::path target =
        folder.checkpoints() / (prefix + std::to_string(from.step)) / fs::path(from.path).filename();
    const fs::path temporary = folder.checkpoints() / ".adopted.tmp";
    std::error_code failure;
    fs::create_directories(folder.checkpoints(), failure);
    fs::remove_all(temporary, failure);
    fs::copy(from.path, temporary, fs::copy_options::recursive, failure);
    if (failure) {
        std::error_code ignored;
        fs::remove_all(temporary, ignored);
        return environmentError("cannot copy the checkpoint: " + failure.message(), from.path);
    }
    std::vector<fs::path> earlier;
    for (const auto& entry : fs::directory_iterator(folder.checkpoints(), failure))
        if (entry.path().filename().string().starts_with(prefix)) earlier.push_back(entry.path());
    for (const auto& path : earlier) fs::remove_all(path, failure);
    fs::create_directories(target.parent_path(), failure);
    fs::rename(temporary, target, failure);
    if (!failure) return target;
    return environmentError("cannot copy the checkpoint: " + failure.message(), from.path);
}

// Pinned ones that the run goes back to before: under a name of their own, since it saves those steps anew.
Result<void> setPinnedAside(store::Store& store, const RunFolder& folder, std::vector<store::CheckpointRow>& rows,
                            std::int64_t step) {
    for (auto& row : rows) {
        std::error_code failure;
        if (!row.pinned || row.superseded || row.step < step || !fs::exists(row.path, failure)) continue;
        const fs::path aside = folder.superseded(row);
        fs::create_hard_link(row.path, aside, failure);
        if (failure && failure != std::errc::file_exists) {
            failure.clear();
            fs::copy_file(row.path, aside, fs::copy_options::overwrite_existing, failure);
        }
        if (failure && failure != std::errc::file_exists)
            return environmentError("cannot keep the pinned checkpoint: " + failure.message(), row.path,
                                    "free disk space, or unpin it");
        row.path = aside.string();
        row.superseded = true;
        TY_TRY(store.supersede(row.id, row.path));
    }
    return {};
}

// The checkpoints before that step, and then this one.
std::vector<store::CheckpointRow> rowsWith(std::vector<store::CheckpointRow> rows, store::CheckpointRow adopted) {
    std::erase_if(rows, [&](const auto& row) { return !row.superseded && row.step >= adopted.step; });
    for (auto& row : rows) row.last = false;
    adopted.id = 0;
    // The run's next supervisor says which is the best.
    adopted.best = adopted.pinned = adopted.superseded = false;
    adopted.last = true;
    rows.push_back(std::move(adopted));
    return rows;
}

// A file that is not listed would be taken for one that was saved just before a crash.
void removeUnlisted(const RunFolder& folder, const std::vector<store::CheckpointRow>& rows) {
    std::error_code failure;
    std::vector<fs::path> gone;
    for (const auto& entry : fs::directory_iterator(folder.checkpoints(), failure)) {
        const auto& path = entry.path();
        if (!path.filename().string().starts_with("step-") || path.extension() != ".safetensors") continue;
        if (std::none_of(rows.begin(), rows.end(), [&](const auto& row) { return fs::path(row.path) == path; }))
            gone.push_back(path);
    }
    for (const auto& path : gone) fs::remove(path, failure);
}

} // namespace

Result<void> adoptState(const store::Workspace& workspace, const std::string& run, const store::CheckpointRow& from,
                        spec::RunSpec given, const spec::Params& params) {
    TY_ASSIGN(auto spec, validated(std::move(given), {}));
    TY_TRY(pinModelFile(spec));
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(auto row, query->run(run));
    const RunFolder folder{row.folder};
    const auto lock = store::RunLock::acquire(folder.root);
    if (!lock) return inputError("is running", "run " + row.name, "stop it first").withCode(ErrorCode::AlreadyRunning);
    TY_ASSIGN(row, query->run(run)); // what its supervisor wrote last
    TY_ASSIGN(auto rows, query->checkpoints(run));
    TY_ASSIGN(const auto store, store::Store::open(workspace));
    const bool isProgram = spec.program.has_value(); // whose checkpoints stay as they are
    if (!isProgram) TY_TRY(setPinnedAside(*store, folder, rows, from.step));
    TY_ASSIGN(const auto copy, isProgram ? copyProgramState(folder, from) : copyInto(folder, from.path));
    TY_TRY(writeRunFile(folder, row, spec::toJson(spec)));
    auto adopted = from;
    adopted.path = copy.string();
    rows = rowsWith(std::move(rows), std::move(adopted));
    row.status = wire::RunStatus::Stopped; // whatever its status was
    row.error = {};
    row.paramsJson = spec::paramsToText(params);
    row.step = from.step;
    row.epoch = from.epoch;
    const auto recorded = store->together([&]() -> Result<void> {
        TY_TRY(store->setCheckpoints(run, rows));
        TY_TRY(store->truncateAfter(run, from.step));
        return store->updateRun(row);
    });
    if (recorded && !isProgram) removeUnlisted(folder, rows);
    return recorded;
}

} // namespace trainyard::run
