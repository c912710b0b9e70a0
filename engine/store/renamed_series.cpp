// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/renamed_series.h"

#include "engine/store/database.h"

#include <memory>

namespace trainyard::store {

Result<void> renameSeries(const Workspace& workspace, const std::string& run, const std::vector<RenamedSeries>& series,
                          int busyTimeoutMs) {
    TY_ASSIGN(sqlite3 * db, openDatabase(workspace.database(), Opening::WriteChecked));
    const std::unique_ptr<sqlite3, void (*)(sqlite3*)> open(db, closeDatabase);
    setBusyTimeout(db, busyTimeoutMs);
    return transaction(db, [&]() -> Result<void> {
        for (const auto& [from, to] : series) {
            bool isThere = false;
            TY_TRY(query(
                db, "SELECT 1 FROM series WHERE run = ? AND name = ?", [&](Statement&) { isThere = true; }, run, from));
            if (!isThere) continue;
            TY_TRY(execute(db, "DELETE FROM series WHERE run = ? AND name = ?", run, to));
            TY_TRY(execute(db, "UPDATE series SET name = ? WHERE run = ? AND name = ?", to, run, from));
        }
        return {};
    });
}

} // namespace trainyard::store
