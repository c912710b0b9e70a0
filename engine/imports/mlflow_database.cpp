// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/mlflow_database.h"

#include "engine/base/files/file_reader.h"
#include "engine/base/text/printable.h"
#include "engine/imports/mlflow_values.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <vector>

namespace trainyard::imports {
namespace {

constexpr int kWaitMs = 2000;
constexpr const char* kCopy = "copy the file again, or export it anew from MLflow";

struct CloseDatabase {
    void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
};
struct EndStatement {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

// A database of another program, for reading.
class ForeignDatabase {
public:
    static Result<ForeignDatabase> open(const std::filesystem::path& path, int waitMs) {
        sqlite3* db = nullptr;
        const int code = sqlite3_open_v2(path.c_str(), &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
        ForeignDatabase opened(db, path.string());
        if (code != SQLITE_OK) return opened.failure();
        sqlite3_busy_timeout(db, waitMs);
        // Nothing in its schema is run: no functions of views, no shadow tables written to.
        sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
        sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
        return opened;
    }

    // Calls `row` for each row; the values are those of the parameters.
    Result<void> query(const char* sql, const std::vector<std::string>& values,
                       const std::function<void(sqlite3_stmt*)>& row) const {
        sqlite3_stmt* raw = nullptr;
        if (sqlite3_prepare_v2(m_db.get(), sql, -1, &raw, nullptr) != SQLITE_OK) return failure();
        const std::unique_ptr<sqlite3_stmt, EndStatement> statement(raw);
        for (std::size_t at = 0; at < values.size(); ++at)
            sqlite3_bind_text(raw, static_cast<int>(at) + 1, values[at].data(), static_cast<int>(values[at].size()),
                              SQLITE_STATIC);
        for (;;) {
            const int code = sqlite3_step(raw);
            if (code == SQLITE_DONE) return {};
            if (code != SQLITE_ROW) return failure();
            row(raw);
        }
    }

    // Input where a table is missing or lacks a column. A view or a virtual table of that name is none.
    Result<void> mustHave(const char* table, std::initializer_list<std::string_view> columns) const {
        bool found = false;
        TY_TRY(query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ? "
                     "AND sql NOT LIKE 'CREATE VIRTUAL%'",
                     {table}, [&](sqlite3_stmt*) { found = true; }));
        if (!found) return foreign(std::string("there is no table ") + table);
        std::string all = ",";
        TY_TRY(query("SELECT name FROM pragma_table_info(?)", {table},
                     [&](sqlite3_stmt* row) { all += textOf(row, 0) + ","; }));
        for (const std::string_view column : columns)
            if (all.find("," + std::string(column) + ",") == std::string::npos)
                return foreign(std::string("the table ") + table + " has no column " + std::string(column));
        return {};
    }

    static std::string textOf(sqlite3_stmt* row, int column) {
        const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(row, column));
        return text == nullptr ? std::string()
                               : std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(row, column)));
    }

private:
    ForeignDatabase(sqlite3* db, std::string name) : m_db(db), m_name(std::move(name)) {}

    Error foreign(const std::string& what) const {
        return inputError("is not an MLflow database: " + what, m_name, "name an mlflow.db");
    }

    Error failure() const {
        if (m_db == nullptr)
            return environmentError("not enough memory to read it", m_name, "close other programs")
                .withCode(ErrorCode::OutOfMemory);
        const std::string detail = printable(sqlite3_errmsg(m_db.get()));
        switch (sqlite3_errcode(m_db.get())) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return environmentError("is locked by another program", m_name,
                                    "import it when that program does not write, or a copy of it");
        case SQLITE_CANTOPEN:
        case SQLITE_PERM:
        case SQLITE_IOERR: return environmentError("cannot be read: " + detail, m_name, "check its permissions");
        default: return inputError("is damaged: " + detail, m_name, kCopy);
        }
    }

    std::unique_ptr<sqlite3, CloseDatabase> m_db;
    std::string m_name;
};

Result<ForeignDatabase> openMlflow(const std::filesystem::path& path, int waitMs = kWaitMs) {
    TY_ASSIGN(auto database, ForeignDatabase::open(path, waitMs));
    TY_TRY(database.mustHave("runs", {"run_uuid", "name", "status", "lifecycle_stage", "start_time"}));
    TY_TRY(database.mustHave("metrics", {"key", "value", "timestamp", "step", "is_nan", "run_uuid"}));
    TY_TRY(database.mustHave("params", {"key", "value", "run_uuid"}));
    TY_TRY(database.mustHave("tags", {"key", "value", "run_uuid"}));
    return database;
}

// MLflow keeps what is no number beside it, and infinity as the largest double.
double valueOf(sqlite3_stmt* row, int value, int isNan) {
    if (sqlite3_column_int(row, isNan) != 0) return std::numeric_limits<double>::quiet_NaN();
    const double number = sqlite3_column_double(row, value);
    if (number == std::numeric_limits<double>::max()) return std::numeric_limits<double>::infinity();
    if (number == std::numeric_limits<double>::lowest()) return -std::numeric_limits<double>::infinity();
    return number;
}

Result<ImportedRun> readRun(const ForeignDatabase& database, const MlflowRun& from) {
    ImportedRun run;
    run.name = from.name;
    TY_TRY(database.query("SELECT status FROM runs WHERE run_uuid = ?", {from.id},
                          [&](sqlite3_stmt* row) { run.ending = mlflowEnding(ForeignDatabase::textOf(row, 0)); }));
    std::string key;
    std::vector<Point> points;
    const auto add = [&] {
        if (!points.empty()) addSorted(run, key, points);
        points.clear();
    };
    TY_TRY(database.query("SELECT key, value, is_nan, timestamp, step FROM metrics WHERE run_uuid = ? ORDER BY key",
                          {from.id}, [&](sqlite3_stmt* row) {
                              const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(row, 0));
                              if (text != nullptr && key != text) {
                                  add();
                                  key = text;
                              }
                              points.push_back({.step = sqlite3_column_int64(row, 4),
                                                .wallSeconds = sqlite3_column_double(row, 3) / 1000,
                                                .value = valueOf(row, 1, 2)});
                          }));
    add();
    TY_TRY(database.query(
        "SELECT key, value FROM params WHERE run_uuid = ? ORDER BY key", {from.id}, [&](sqlite3_stmt* row) {
            run.set(printable(ForeignDatabase::textOf(row, 0)), settingOf(ForeignDatabase::textOf(row, 1)));
        }));
    TY_TRY(database.query("SELECT key, value FROM tags WHERE run_uuid = ?", {from.id}, [&](sqlite3_stmt* row) {
        const std::string tag = ForeignDatabase::textOf(row, 0);
        if (tag == "mlflow.note.content") run.notes = ForeignDatabase::textOf(row, 1);
        if (tag == "mlflow.runName" && run.name.empty()) run.name = ForeignDatabase::textOf(row, 1);
    }));
    run.settle();
    return run;
}

} // namespace

bool isSqliteFile(const std::filesystem::path& path) {
    auto file = FileReader::open(path);
    std::array<char, 16> head{};
    return file && file->read(head.data(), std::ssize(head)) &&
           std::string_view(head.data(), head.size()) == std::string_view("SQLite format 3\0", 16);
}

Result<std::vector<MlflowRun>> listMlflowRuns(const std::filesystem::path& path) {
    TY_ASSIGN(const auto database, openMlflow(path));
    std::vector<MlflowRun> runs;
    TY_TRY(database.query("SELECT run_uuid, name FROM runs WHERE lifecycle_stage IS NOT 'deleted' "
                          "ORDER BY start_time, run_uuid",
                          {}, [&](sqlite3_stmt* row) {
                              runs.push_back({ForeignDatabase::textOf(row, 0), ForeignDatabase::textOf(row, 1)});
                          }));
    return runs;
}

Result<std::int64_t>
readMlflowRowsSince(const std::filesystem::path& path, std::int64_t sinceMs, std::int64_t lastRow,
                    const std::function<void(const std::string&, const std::string&, const Point&)>& told) {
    TY_ASSIGN(const auto database, openMlflow(path, 0));
    const std::string since = std::to_string(sinceMs), last = std::to_string(lastRow);
    TY_TRY(database.query("SELECT m.run_uuid, m.key, m.value, m.is_nan, m.timestamp, m.step, m.rowid FROM metrics m "
                          "JOIN runs r ON r.run_uuid = m.run_uuid "
                          "WHERE m.rowid > CAST(?1 AS INTEGER) AND (r.start_time >= CAST(?2 AS INTEGER) OR m.timestamp "
                          ">= CAST(?2 AS INTEGER)) "
                          "AND r.lifecycle_stage IS NOT 'deleted' ORDER BY m.rowid",
                          {last, since}, [&](sqlite3_stmt* row) {
                              told(ForeignDatabase::textOf(row, 0), ForeignDatabase::textOf(row, 1),
                                   {.step = sqlite3_column_int64(row, 5),
                                    .wallSeconds = sqlite3_column_double(row, 4) / 1000,
                                    .value = valueOf(row, 2, 3)});
                              lastRow = std::max<std::int64_t>(lastRow, sqlite3_column_int64(row, 6));
                          }));
    return lastRow;
}

Result<void> readMlflowRuns(const std::filesystem::path& path, const std::vector<MlflowRun>& runs,
                            const std::function<Result<void>(const MlflowRun&, ImportedRun)>& told) {
    TY_ASSIGN(const auto database, openMlflow(path));
    TY_TRY(database.query("BEGIN", {}, [](sqlite3_stmt*) {})); // all of them as at one moment
    for (const MlflowRun& each : runs) {
        TY_ASSIGN(auto run, readRun(database, each));
        TY_TRY(told(each, std::move(run)));
    }
    return {};
}

} // namespace trainyard::imports
