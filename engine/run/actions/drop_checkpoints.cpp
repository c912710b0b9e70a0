// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/actions/drop_checkpoints.h"

#include "engine/run/record/run_folder.h"
#include "engine/store/run_query.h"

#include <sys/stat.h>

#include <algorithm>

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

} // namespace

FileBytes bytesOf(const std::string& path) {
    struct stat info{};
    if (::lstat(path.c_str(), &info) != 0) return {};
    return {true, info.st_nlink > 1, static_cast<std::int64_t>(info.st_size)};
}

Result<DroppedCheckpoints> deleteCheckpoints(store::Store& writer, store::RunQuery& query, const std::string& run,
                                             const std::vector<store::CheckpointRow>& rows, Outlives outlives) {
    TY_ASSIGN(auto all, query.halfDeleted(run));
    all.insert(all.end(), rows.begin(), rows.end());
    std::vector<std::int64_t> ids;
    for (const auto& row : all) ids.push_back(row.id);
    DroppedCheckpoints dropped;
    if (ids.empty()) return dropped;
    std::vector<std::int64_t> marked;
    TY_TRY(writer.together(
        [&]() -> Result<void> {
            TY_ASSIGN(marked, writer.beginDeleting(ids));
            return {};
        },
        outlives));
    std::vector<fs::path> folders;
    for (const auto& row : all) {
        if (std::find(marked.begin(), marked.end(), row.id) == marked.end()) continue; // pinned a moment ago
        if (!removeFile(row.path, dropped)) continue;
        dropped.ids.push_back(row.id);
        const fs::path folder = fs::path(row.path).parent_path();
        if (std::find(folders.begin(), folders.end(), folder) == folders.end()) folders.push_back(folder);
    }
    // A file that came back after a loss of power would have no row.
    if (outlives == Outlives::PowerLoss)
        for (const auto& folder : folders) TY_TRY(syncFolder(folder));
    TY_TRY(writer.finishDeleting(dropped.ids));
    return dropped;
}

Result<bool> dropCheckpoints(store::KeptStore& store, const std::string& run, const fs::path& folder) {
    const auto lock = store::RunLock::acquire(folder);
    if (!lock) return false;
    TY_ASSIGN(store::RunQuery * query, store.reader());
    TY_ASSIGN(const auto rows, query->checkpoints(run));
    if (std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.pinned; })) return true;
    TY_ASSIGN(const auto half, query->halfDeleted(run));
    if (!rows.empty() || !half.empty()) {
        TY_ASSIGN(store::Store * writer, store.writer());
        TY_ASSIGN(const auto dropped, deleteCheckpoints(*writer, *query, run, rows, Outlives::Process));
        if (dropped.ids.size() < rows.size() + half.size()) return true; // pinned a moment ago
    }
    std::error_code failure;
    std::vector<fs::path> strays;
    for (const auto& entry : fs::directory_iterator(RunFolder{folder}.checkpoints(), failure))
        if (entry.path().filename().string().starts_with("step-")) strays.push_back(entry.path());
    for (const auto& file : strays) fs::remove(file, failure);
    return true;
}

} // namespace trainyard::run
