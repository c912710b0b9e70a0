// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/actions/drop_checkpoints.h"

#include "engine/run/record/run_folder.h"
#include "engine/store/run_query.h"

#include <sys/stat.h>

#include <algorithm>
#include <iterator>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;

// The file of a marked row. False when it stays, which `dropped` says.
bool removeFile(const std::string& path, DroppedCheckpoints& dropped) {
    const FileBytes file = bytesOf(path);
    std::error_code failure;
    fs::remove(path, failure);
    if (failure) {
        dropped.stays.push_back(path + ": " + failure.message());
        return false;
    }
    (file.shared ? dropped.sharedBytes : dropped.freedBytes) += file.bytes;
    return true;
}

struct LockedRun {
    fs::path folder;
    store::RunLock lock;
    std::vector<std::int64_t> rows; // its checkpoints
};

// Files of checkpoints that have no row.
void removeStrays(const fs::path& folder) {
    std::error_code failure;
    std::vector<fs::path> strays;
    for (const auto& entry : fs::directory_iterator(RunFolder{folder}.checkpoints(), failure))
        if (entry.path().filename().string().starts_with("step-")) strays.push_back(entry.path());
    for (const auto& file : strays) fs::remove(file, failure);
}

} // namespace

bool isOfRun(const fs::path& folder, const fs::path& checkpoint) {
    return checkpoint.parent_path() == RunFolder{folder}.checkpoints();
}

FileBytes bytesOf(const std::string& path) {
    struct stat info{};
    if (::lstat(path.c_str(), &info) != 0) return {};
    return {true, info.st_nlink > 1, static_cast<std::int64_t>(info.st_size)};
}

Result<DroppedCheckpoints> deleteCheckpoints(store::Store& writer, const std::vector<store::CheckpointRow>& rows,
                                             Outlives outlives) {
    std::vector<std::int64_t> ids;
    for (const auto& row : rows) ids.push_back(row.id);
    DroppedCheckpoints dropped;
    if (ids.empty()) return dropped;
    std::vector<std::int64_t> marked;
    TY_TRY(writer.together(
        [&]() -> Result<void> {
            TY_ASSIGN(marked, writer.beginDeleting(ids));
            return {};
        },
        outlives));
    std::sort(marked.begin(), marked.end());
    std::set<fs::path> folders;
    for (const auto& row : rows) {
        if (!std::binary_search(marked.begin(), marked.end(), row.id)) continue; // pinned a moment ago
        if (!removeFile(row.path, dropped)) continue;
        dropped.ids.push_back(row.id);
        folders.insert(fs::path(row.path).parent_path());
    }
    // A file that came back after a loss of power would have no row.
    if (outlives == Outlives::PowerLoss)
        for (const auto& folder : folders) TY_TRY(syncFolder(folder));
    TY_TRY(writer.finishDeleting(dropped.ids));
    return dropped;
}

Result<std::set<std::string>> dropCheckpoints(store::KeptStore& store, const std::vector<RunPlace>& runs) {
    TY_ASSIGN(store::RunQuery * query, store.reader());
    std::set<std::string> supervised;
    std::vector<LockedRun> locked;
    std::vector<store::CheckpointRow> rows; // of all of them
    for (const RunPlace& run : runs) {
        auto lock = store::RunLock::acquire(run.folder);
        if (!lock) {
            supervised.insert(run.id);
            continue;
        }
        TY_ASSIGN(auto listed, query->checkpoints(run.id));
        if (std::any_of(listed.begin(), listed.end(), [](const auto& row) { return row.pinned; })) continue;
        TY_ASSIGN(auto half, query->halfDeleted(run.id));
        locked.push_back({run.folder, std::move(*lock), {}});
        for (auto* const each : {&listed, &half}) {
            std::erase_if(*each, [&](const auto& row) { return !isOfRun(run.folder, row.path); });
            for (const auto& row : *each) locked.back().rows.push_back(row.id);
            std::move(each->begin(), each->end(), std::back_inserter(rows));
        }
    }
    if (!rows.empty()) {
        TY_ASSIGN(store::Store * writer, store.writer());
        TY_ASSIGN(auto dropped, deleteCheckpoints(*writer, rows, Outlives::Process));
        std::sort(dropped.ids.begin(), dropped.ids.end());
        std::erase_if(locked, [&](const LockedRun& run) { // one of them was pinned a moment ago
            return std::any_of(run.rows.begin(), run.rows.end(), [&](std::int64_t row) {
                return !std::binary_search(dropped.ids.begin(), dropped.ids.end(), row);
            });
        });
    }
    for (const LockedRun& run : locked) removeStrays(run.folder);
    return supervised;
}

} // namespace trainyard::run
