// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/actions/edit_runs.h"

#include "engine/base/text/printable.h"

#include <algorithm>
#include <filesystem>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;

RunEdit inverseOf(const RunEdit& edit, const store::RunRow& row) {
    RunEdit back{edit.run};
    if (edit.name) back.name = row.name;
    if (edit.tags) back.tags = row.tags;
    if (edit.notes) back.notes = row.notes;
    if (edit.color) back.color = row.color;
    if (edit.archived) back.archived = row.archived;
    return back;
}

Result<void> applyEdit(store::Store& store, const RunEdit& edit) {
    const RunId run(edit.run);
    if (edit.name) TY_TRY(store.rename(run, *edit.name));
    if (edit.tags) TY_TRY(store.setTags(run, *edit.tags));
    if (edit.notes) TY_TRY(store.setNotes(run, *edit.notes));
    if (edit.color) TY_TRY(store.setColor(run, *edit.color));
    if (edit.archived) TY_TRY(store.setArchived(run, *edit.archived));
    return {};
}

// Of a folder that is gone, nothing.
std::uintmax_t bytesBelow(const fs::path& folder) {
    std::uintmax_t bytes = 0;
    std::error_code error;
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        std::error_code skipped;
        if (at->is_regular_file(skipped) && !at->is_symlink(skipped)) bytes += at->file_size(skipped);
    }
    return bytes;
}

fs::path folderOf(const store::Workspace& workspace, const store::RunRow& row) {
    return row.folder.empty() ? workspace.runFolder(row.id) : fs::path(row.folder);
}

Result<void> mayBeDeleted(const store::RunRow& row, const fs::path& folder) {
    const std::string shown = "run " + printable(row.name, 60);
    if (!row.archived) return inputError(shown + " is not archived", row.id, "archive it first");
    if (store::RunLock::isHeld(folder)) return inputError(shown + " is still supervised", row.id, "stop it first");
    // Nothing but the folder that was made for the run.
    if (folder.filename() != row.id)
        return environmentError(shown + " has a folder that does not have its id", folder.string(),
                                "delete its files by hand");
    return {};
}

} // namespace

Result<std::vector<RunEdit>> editRuns(const store::Workspace& workspace, const std::vector<RunEdit>& edits) {
    TY_ASSIGN(const auto writer, store::Store::open(workspace));
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    std::vector<RunEdit> back;
    const auto made = writer->together([&]() -> Result<void> {
        for (const RunEdit& edit : edits) {
            TY_ASSIGN(const auto row, query->run(edit.run));
            back.push_back(inverseOf(edit, row));
            TY_TRY(applyEdit(*writer, edit));
        }
        return {};
    });
    if (!made) return made.error();
    std::reverse(back.begin(), back.end());
    return back;
}

Result<std::vector<ArchivedRun>> archivedRuns(const store::Workspace& workspace) {
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(auto rows, query->runs(true));
    std::vector<ArchivedRun> runs;
    for (store::RunRow& row : rows)
        if (row.archived) {
            const std::uintmax_t bytes = bytesBelow(folderOf(workspace, row));
            runs.push_back({std::move(row), bytes});
        }
    return runs;
}

Result<std::uintmax_t> deleteRuns(const store::Workspace& workspace, const std::vector<std::string>& runs) {
    TY_ASSIGN(const auto writer, store::Store::open(workspace));
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    std::uintmax_t bytes = 0;
    for (const std::string& run : runs) {
        TY_ASSIGN(const auto row, query->run(run));
        const fs::path folder = folderOf(workspace, row);
        TY_TRY(mayBeDeleted(row, folder));
        const std::uintmax_t freed = bytesBelow(folder);
        // The folder first: a row without one can be deleted again, a folder without a row would never be found.
        std::error_code error;
        fs::remove_all(folder, error);
        if (error)
            return environmentError("the folder cannot be deleted: " + error.message(), folder.string(),
                                    "check its permissions, and delete the run again");
        TY_TRY(writer->deleteArchived(row.id));
        bytes += freed;
    }
    return bytes;
}

} // namespace trainyard::run
