// SPDX-License-Identifier: GPL-3.0-or-later
// SQLite behind Result: statements, transactions and the words for what can go wrong. Only for engine/store.
#pragma once

#include "engine/base/result.h"

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::store {

inline constexpr int kBusyTimeoutMs = 10'000;

// What the last call on `db` failed with: kind Environment, names the file and the remedy. `opened`: the file, where
// `db` does not know it because it could not be opened.
Error databaseError(sqlite3* db, const std::filesystem::path& opened = {});
Error damagedError(const std::string& detail, const std::filesystem::path& file);

// How long a call waits for a transaction of another process before it fails.
void setBusyTimeout(sqlite3* db, int milliseconds);

// Ends a connection that Statement was used on. Null: there is none.
void closeDatabase(sqlite3* db);

// A prepared statement. Its compiled form is kept with the connection, for the next one of the same text: compiling the
// triggers along with a change costs more than the change. Parameters are numbered from 1, columns from 0. After a
// failed prepare every call is harmless and step() returns the error.
class Statement {
public:
    Statement(sqlite3* db, const std::string& sql);
    ~Statement();
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    void bind(int at, std::int64_t value) { sqlite3_bind_int64(m_statement, at, value); }
    void bind(int at, int value) { sqlite3_bind_int64(m_statement, at, value); }
    void bind(int at, bool value) { sqlite3_bind_int64(m_statement, at, value ? 1 : 0); }
    void bind(int at, double value) { sqlite3_bind_double(m_statement, at, value); } // NaN becomes NULL
    void bind(int at, std::string_view value);
    void bind(int at, const std::string& value) { bind(at, std::string_view(value)); }
    void bind(int at, const char* value) { bind(at, std::string_view(value)); } // not bool, which a pointer prefers
    void bind(int at, std::span<const std::byte> value);
    template <class... Values>
    Statement& with(const Values&... values) {
        [[maybe_unused]] int at = 0; // there may be no values
        (bind(++at, values), ...);
        return *this;
    }

    Result<bool> step(); // true: there is a row
    Result<void> run();  // for statements without rows; resets, so that it can run again
    void reset() { sqlite3_reset(m_statement); }

    std::int64_t integer(int column) const { return sqlite3_column_int64(m_statement, column); }
    double number(int column) const; // NULL is NaN
    std::string text(int column) const;
    std::span<const std::byte> blob(int column) const; // until the next step

private:
    sqlite3* m_db;
    std::string m_sql;
    sqlite3_stmt* m_statement = nullptr;
};

// One statement without rows.
template <class... Values>
Result<void> execute(sqlite3* db, const std::string& sql, const Values&... values) {
    return Statement(db, sql).with(values...).run();
}
// Calls `row` for each row of a query.
template <class... Values>
Result<void> query(sqlite3* db, const std::string& sql, const std::function<void(Statement&)>& row,
                   const Values&... values) {
    Statement statement(db, sql);
    statement.with(values...);
    for (;;) {
        auto more = statement.step();
        if (!more.ok()) return std::move(more).error();
        if (!*more) return {};
        row(statement);
    }
}
// Several statements in one string, without parameters.
Result<void> executeScript(sqlite3* db, const char* sql);

// Runs `body` between BEGIN IMMEDIATE and COMMIT; rolls back when it fails. Waits for other writers first, so that the
// transaction cannot fail half-way because another one started.
Result<void> transaction(sqlite3* db, const std::function<Result<void>()>& body);

// Opens the database of a workspace. For writing: creates it with its tables, and checks it.
enum class Opening { Read, Write, WriteChecked }; // Checked: its structure was looked at a moment ago
Result<sqlite3*> openDatabase(const std::filesystem::path& file, Opening opening);
// Makes the tables of an empty file. Environment when they are of a version that this program does not know, with code
// NewerVersion when a newer one has written them.
Result<void> makeTables(sqlite3* db, const std::filesystem::path& file);
Result<int> schemaVersion(sqlite3* db);
extern const int kSchemaVersion;

} // namespace trainyard::store
