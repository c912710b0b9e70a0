// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/database_state.h"

#include "engine/base/text/ids.h"
#include "engine/store/database.h"

#include <memory>

namespace trainyard::store {
namespace {

namespace fs = std::filesystem;

bool meansDamage(int code) { return (code & 0xFF) == SQLITE_CORRUPT || (code & 0xFF) == SQLITE_NOTADB; }

} // namespace

Result<DatabaseState> databaseState(const Workspace& workspace) {
    const fs::path file = workspace.database();
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return DatabaseState::Absent;
    sqlite3* db = nullptr;
    const int opened = sqlite3_open_v2(file.c_str(), &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
    const std::unique_ptr<sqlite3, void (*)(sqlite3*)> owner(db, closeDatabase);
    if (db == nullptr || opened != SQLITE_OK) return databaseError(db, file);
    setBusyTimeout(db, kBusyTimeoutMs);
    std::string problem;
    const auto checked = query(db, "PRAGMA quick_check(1)", [&](Statement& row) { problem = row.text(0); });
    if (!checked && !meansDamage(sqlite3_extended_errcode(db))) return checked.error();
    if (!checked || problem != "ok") return DatabaseState::Damaged;
    int tables = 0; // of an empty file: none
    TY_TRY(query(db, "SELECT count(*) FROM sqlite_schema WHERE name = 'runs'",
                 [&](Statement& row) { tables = static_cast<int>(row.integer(0)); }));
    return tables == 0 ? DatabaseState::Absent : DatabaseState::Whole;
}

Result<fs::path> moveDatabaseAside(const Workspace& workspace) {
    const Workspace aside{workspace.root / ("damaged-" + newId())};
    std::error_code failure;
    fs::create_directory(aside.root, failure);
    for (const char* end : {"", "-wal", "-shm"}) {
        const fs::path file = workspace.database().string() + end;
        std::error_code ignored;
        if (!failure && fs::exists(file, ignored)) fs::rename(file, aside.database().string() + end, failure);
    }
    if (!failure) return aside.root;
    return environmentError("the damaged database cannot be moved: " + failure.message(), aside.root.string(),
                            "check that the workspace is yours and that the disk has room");
}

} // namespace trainyard::store
