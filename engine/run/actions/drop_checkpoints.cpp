// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/actions/drop_checkpoints.h"

#include "engine/run/record/run_folder.h"
#include "engine/store/run_query.h"

#include <algorithm>

namespace trainyard::run {

// The files go first: rows without files are seen again, and files without rows are not.
Result<bool> dropCheckpoints(store::KeptStore& store, const std::string& run, const std::filesystem::path& folder) {
    const auto lock = store::RunLock::acquire(folder);
    if (!lock) return false;
    TY_ASSIGN(store::RunQuery * query, store.reader());
    TY_ASSIGN(const auto rows, query->checkpoints(run));
    if (std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.pinned; })) return true;
    std::error_code failure;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(RunFolder{folder}.checkpoints(), failure))
        if (entry.path().filename().string().starts_with("step-")) files.push_back(entry.path());
    for (const auto& file : files) std::filesystem::remove(file, failure);
    if (rows.empty()) return true;
    TY_ASSIGN(store::Store * writer, store.writer());
    TY_TRY(writer->setCheckpoints(run, {}));
    return true;
}

} // namespace trainyard::run
