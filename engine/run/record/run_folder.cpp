// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/run_folder.h"

#include "engine/base/files/disk_room.h"
#include "engine/base/json_text.h"
#include "engine/base/text/names.h"
#include "engine/run/record/rank_program_json.h"
#include "engine/run/record/run_code.h"
#include "engine/store/store.h"

#include <nlohmann/json.hpp>

#include <chrono>

namespace fs = std::filesystem;

namespace trainyard::run {
namespace {

constexpr std::chrono::minutes kQuietTime{1}; // without a change in it: nobody makes it any more

} // namespace

fs::path RunFolder::superseded(const store::CheckpointRow& row) const {
    return checkpoints() /
           (kSupersededPrefix + std::to_string(row.step) + "-" + std::to_string(row.id) + ".safetensors");
}

Result<void> makeRunFolder(const RunFolder& folder, LogFolder logs) {
    std::error_code failure;
    const auto above = folder.root.parent_path();
    const bool isFirst = std::filesystem::create_directories(above, failure);
    if (!failure && !std::filesystem::create_directory(folder.root, failure) && !failure)
        return environmentError("the run's folder exists already", folder.root.string(), "start the run again");
    if (!failure) std::filesystem::create_directory(folder.checkpoints(), failure);
    if (!failure && logs == LogFolder::Now) std::filesystem::create_directory(folder.logs(), failure);
    if (failure) return notMadeError("cannot create the run's folder", folder.root, failure);
    if (logs == LogFolder::WhenNeeded) return {};
    // The row that is about to tell of it outlives a loss of power, so the folder has to.
    if (isFirst) TY_TRY(syncFolder(above.parent_path()));
    return syncFolder(above);
}

Result<void> writeLaunchRecord(const RunFolder& folder, const LaunchRecord& record, Outlives outlives) {
    Json json{{"version", 1}, {"run", record.run}, {"workspace", record.workspace}, {"resumeFrom", record.resumeFrom}};
    if (record.program) json["program"] = programToJson(*record.program);
    if (!record.files.empty()) json["files"] = record.files;
    if (!record.devices.empty()) json["devices"] = record.devices;
    if (!record.finishedAs.empty()) json["finishedAs"] = record.finishedAs;
    if (record.code) json["code"] = codeToJson(*record.code);
    return writeFileAtomic(folder.launchFile(), jsonFile(json), outlives);
}

Result<LaunchRecord> readLaunchRecord(const RunFolder& folder) {
    TY_ASSIGN(const std::string text, readFile(folder.launchFile(), 1u << 20));
    const auto json = parseSortedJson(text);
    const auto field = [&](const char* key) {
        const auto found = json.is_object() ? json.find(key) : json.end();
        return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    LaunchRecord record{RunId(field("run")), field("workspace"), field("resumeFrom"), std::nullopt};
    if (record.run.empty() || record.workspace.empty())
        return inputError("not the launch record of a run", folder.launchFile().string());
    TY_ASSIGN(record.program, programOfRecord(json, folder.launchFile()));
    TY_ASSIGN(record.files, filesOfRecord(json, folder.launchFile()));
    TY_ASSIGN(record.devices, devicesOfRecord(json, folder.launchFile()));
    record.finishedAs = field("finishedAs");
    record.code = codeOfRecord(json);
    return record;
}

// The lock alone does not tell: whoever makes the folder may be on another computer, and a file server may not pass on
// its locks. A large checkpoint takes long to copy into it, and shows that all the time.
void removeAbandoned(const fs::path& folder, const std::function<bool()>& isRecorded) {
    std::error_code failure;
    const auto isOld = [&](const fs::path& path) {
        const auto age = fs::file_time_type::clock::now() - fs::last_write_time(path, failure);
        return !failure && age > kQuietTime;
    };
    if (!isPlainId(folder.filename().string()) || !fs::is_directory(folder, failure) || !isOld(folder)) return;
    for (const auto& entry : fs::recursive_directory_iterator(folder, failure))
        if (!isOld(entry.path())) return;
    if (failure) return;
    if (const auto lock = store::RunLock::acquire(folder); lock && !isRecorded()) fs::remove_all(folder, failure);
}

} // namespace trainyard::run
