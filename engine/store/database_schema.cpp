// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/database.h"
#include "store_schema.h"

namespace trainyard::store {
namespace {

// schema.sql, as it was first released. A later change of it is a step here, from one version to the next.
constexpr int kFirstReleased = 10;

} // namespace

const int kSchemaVersion = kFirstReleased;

Result<int> schemaVersion(sqlite3* db) {
    int version = 0;
    TY_TRY(query(db, "PRAGMA user_version", [&](Statement& row) { version = static_cast<int>(row.integer(0)); }));
    return version;
}

Result<void> makeTables(sqlite3* db, const std::filesystem::path& file) {
    // 0 for an empty file
    const auto checked = [&]() -> Result<int> {
        TY_ASSIGN(const int version, schemaVersion(db));
        if (version == 0 || version == kSchemaVersion) return version;
        const std::string found = "the database has schema version " + std::to_string(version);
        if (version > kSchemaVersion)
            return environmentError(found + " and this program knows " + std::to_string(kSchemaVersion), file.string(),
                                    "use the newer program that has written it, or another workspace")
                .withCode(ErrorCode::NewerVersion);
        return environmentError(found + ", which was never released", file.string(), "use another workspace");
    };
    TY_ASSIGN(const int before, checked());
    if (before == kSchemaVersion) return {};
    return transaction(db, [&]() -> Result<void> {
        TY_ASSIGN(const int version, checked()); // another process may have been first
        if (version == kSchemaVersion) return {};
        TY_TRY(executeScript(db, kSchemaSql));
        return execute(db, "PRAGMA user_version = " + std::to_string(kSchemaVersion));
    });
}

} // namespace trainyard::store
