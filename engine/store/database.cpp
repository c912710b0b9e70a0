// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/database.h"

#include "engine/base/files/disk_room.h"
#include "engine/base/machine/mutex.h"
#include "engine/base/machine/program.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <limits>
#include <thread>
#include <unordered_map>
#include <utility>

namespace trainyard::store {
namespace {

std::string fileOf(sqlite3* db) {
    const char* name = sqlite3_db_filename(db, "main");
    return name != nullptr ? name : "";
}

// Compiled statements that are not in use, by connection. Holds connections of several threads.
class KeptStatements {
public:
    sqlite3_stmt* take(sqlite3* db, const std::string& sql) { // null: there is none
        const MutexLock lock(m_mutex);
        const auto of = m_kept.find(db);
        if (of == m_kept.end()) return nullptr;
        const auto found = of->second.find(sql);
        return found == of->second.end() ? nullptr : std::exchange(found->second, nullptr);
    }
    void putBack(sqlite3* db, std::string sql, sqlite3_stmt* statement) {
        sqlite3_reset(statement);
        sqlite3_clear_bindings(statement);
        if (isWorthKeeping(sql)) {
            const MutexLock lock(m_mutex);
            auto& of = m_kept[db];
            if (of.size() < kMostKept || of.contains(sql)) std::swap(of[std::move(sql)], statement);
        }
        sqlite3_finalize(statement);
    }
    void drop(sqlite3* db) {
        const MutexLock lock(m_mutex);
        const auto of = m_kept.find(db);
        if (of == m_kept.end()) return;
        for (const auto& [sql, statement] : of->second) sqlite3_finalize(statement);
        m_kept.erase(of);
    }

private:
    static constexpr std::size_t kMostKept = 64; // of a connection; none has more of its own words
    // Some pragmas act while they are compiled.
    static bool isWorthKeeping(const std::string& sql) { return !sql.starts_with("PRAGMA"); }

    Mutex m_mutex;
    std::unordered_map<sqlite3*, std::unordered_map<std::string, sqlite3_stmt*>> m_kept TY_GUARDED_BY(m_mutex);
};

KeptStatements& keptStatements() {
    static auto& kept = *new KeptStatements; // outlives every connection
    return kept;
}

// Above this size only the small tables are checked at opening: a chunk of points carries its own checksum.
constexpr std::int64_t kWholeCheckBytes = 32 << 20;

Result<void> quickCheck(sqlite3* db, const std::filesystem::path& file) {
    std::error_code ignored;
    const bool whole = static_cast<std::int64_t>(std::filesystem::file_size(file, ignored)) <= kWholeCheckBytes;
    std::string problem;
    for (const char* table : {"runs", "workers", "series", "checkpoints", "sweeps"}) {
        const std::string sql = whole ? "PRAGMA quick_check(1)" : "PRAGMA quick_check(" + std::string(table) + ")";
        TY_TRY(query(db, sql, [&](Statement& row) { problem = row.text(0); }));
        if (problem != "ok") return damagedError(problem, file);
        if (whole) break;
    }
    return {};
}

// SQLite does not wait by itself when two processes turn a new database to WAL at the same time.
Result<void> useWal(sqlite3* db) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(kBusyTimeoutMs);
    for (;;) {
        const auto changed = execute(db, "PRAGMA journal_mode = WAL");
        const int code = sqlite3_errcode(db);
        if (changed.ok() || (code != SQLITE_BUSY && code != SQLITE_LOCKED)) return changed;
        if (std::chrono::steady_clock::now() > deadline) return changed;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

Result<void> prepareForWriting(sqlite3* db, const std::filesystem::path& file) {
    if (sqlite3_db_readonly(db, "main") == 1)
        return environmentError("the database is read-only", file.string(),
                                "make it writable or choose another workspace");
    TY_TRY(useWal(db));
    TY_TRY(execute(db, "PRAGMA synchronous = FULL"));
    TY_TRY(execute(db, "PRAGMA foreign_keys = ON"));
    return makeTables(db, file);
}

constexpr int kFirstPauseUs = 50, kMostPauseUs = 5000;

// Between the tries of one call. SQLite's own pauses begin with 1 ms, several times what most transactions take.
int waitForOthers(void* mostMs, int tries) {
    int pause = kFirstPauseUs, before = 0; // microseconds
    for (int i = 0; i < tries; ++i) {
        before += pause;
        pause = std::min(2 * pause, kMostPauseUs);
    }
    if (before >= 1000 * static_cast<int>(reinterpret_cast<std::intptr_t>(mostMs))) return 0;
    std::this_thread::sleep_for(std::chrono::microseconds(pause));
    return 1;
}

} // namespace

void setBusyTimeout(sqlite3* db, int milliseconds) {
    sqlite3_busy_handler(db, waitForOthers, reinterpret_cast<void*>(static_cast<std::intptr_t>(milliseconds)));
}

Error damagedError(const std::string& detail, const std::filesystem::path& file) {
    return environmentError(
        "the database is damaged: " + detail, file.string(),
        "stop the programs that use the workspace, then restore the runs with: trainyardctl workspace repair");
}

int lastErrno(sqlite3_file* file) {
    int code = 0;
    if (file != nullptr && file->pMethods != nullptr)
        file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &code);
    return code;
}

// Why the last call failed. SQLite itself remembers it of some calls only; its files of every one.
int systemErrno(sqlite3* db) {
    if (const int code = sqlite3_system_errno(db); code != 0) return code;
    for (const int which : {SQLITE_FCNTL_JOURNAL_POINTER, SQLITE_FCNTL_FILE_POINTER}) { // the log, or the database
        sqlite3_file* file = nullptr;
        if (sqlite3_file_control(db, "main", which, static_cast<void*>(&file)) != SQLITE_OK) continue;
        if (const int code = lastErrno(file); code != 0) return code;
    }
    return 0;
}

// A call of the system that failed under SQLite.
Error systemErrorUnder(const std::string& what, int code, const std::string& file, std::string remedy) {
    if (const auto room = roomRemedy(code, std::filesystem::path(file).parent_path()); !room.empty())
        remedy = room + "; what was recorded before is safe";
    else if (auto limit = limitRemedy(code); !limit.empty()) remedy = std::move(limit);
    return environmentError(code != 0 ? what + ": " + std::strerror(code) : what, file, std::move(remedy))
        .withCode(errorCodeOfErrno(code));
}

Error databaseError(sqlite3* db, const std::filesystem::path& opened) {
    const int code = sqlite3_errcode(db) & 0xFF;
    const std::string file = opened.empty() ? fileOf(db) : opened.string(), text = sqlite3_errmsg(db);
    std::error_code ignored; // a folder can be opened for reading, and not be read
    if ((code == SQLITE_CANTOPEN || code == SQLITE_IOERR) && std::filesystem::is_directory(file, ignored))
        return systemErrorUnder("the database cannot be opened", EISDIR, file,
                                "move the folder away, or choose another workspace");
    switch (code) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return environmentError("the database has been in use by another process for 10 seconds", file,
                                "close the program that holds it and try again");
    case SQLITE_READONLY:
        return environmentError("the database is read-only", file, "make it writable or choose another workspace");
    case SQLITE_FULL:
        return environmentError("the disk is full", file, "free some space; what was recorded before is safe")
            .withCode(ErrorCode::DiskFull);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return damagedError(text, file);
    case SQLITE_CANTOPEN: {
        int reason = systemErrno(db); // of a file that could not be made, SQLite keeps that it is not there
        if (reason == ENOENT && isOutOfInodes(std::filesystem::path(file).parent_path())) reason = ENOSPC;
        return systemErrorUnder("the database cannot be opened", reason, file,
                                "check that the folder exists and is yours");
    }
    case SQLITE_IOERR: {
        const int reason = systemErrno(db);
        return systemErrorUnder("the database could not be read or written" + (reason != 0 ? "" : ": " + text), reason,
                                file, "check the disk; what was recorded before is safe");
    }
    case SQLITE_NOMEM: return outOfMemoryError();
    default: return environmentError("the database reports: " + text, file);
    }
}

void closeDatabase(sqlite3* db) {
    if (db != nullptr) keptStatements().drop(db);
    sqlite3_close_v2(db);
}

Statement::Statement(sqlite3* db, const std::string& sql) : m_db(db), m_sql(sql) {
    m_statement = keptStatements().take(db, sql);
    if (m_statement == nullptr)
        sqlite3_prepare_v2(db, sql.c_str(), static_cast<int>(sql.size()), &m_statement, nullptr);
}

Statement::~Statement() {
    if (m_statement != nullptr) keptStatements().putBack(m_db, std::move(m_sql), m_statement);
}

void Statement::bind(int at, std::string_view value) {
    sqlite3_bind_text64(m_statement, at, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void Statement::bind(int at, std::span<const std::byte> value) {
    sqlite3_bind_blob64(m_statement, at, value.data(), value.size(), SQLITE_TRANSIENT);
}

Result<bool> Statement::step() {
    if (m_statement == nullptr) return databaseError(m_db);
    const int code = sqlite3_step(m_statement);
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    return databaseError(m_db);
}

Result<void> Statement::run() {
    for (;;) { // pragmas return a row, which is ignored
        auto more = step();
        if (!more.ok()) {
            Error error = std::move(more).error();
            reset();
            return error;
        }
        if (!*more) break;
    }
    reset();
    return {};
}

double Statement::number(int column) const {
    if (sqlite3_column_type(m_statement, column) == SQLITE_NULL) return std::numeric_limits<double>::quiet_NaN();
    return sqlite3_column_double(m_statement, column);
}

std::string Statement::text(int column) const {
    const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(m_statement, column));
    return data == nullptr ? std::string()
                           : std::string(data, static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column)));
}

std::span<const std::byte> Statement::blob(int column) const {
    const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(m_statement, column));
    return {data, static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column))};
}

Result<void> executeScript(sqlite3* db, const char* sql) {
    if (sqlite3_exec(db, sql, nullptr, nullptr, nullptr) != SQLITE_OK) return databaseError(db);
    return {};
}

Result<void> transaction(sqlite3* db, const std::function<Result<void>()>& body) {
    TY_TRY(execute(db, "BEGIN IMMEDIATE"));
    Result<void> done = body();
    if (done.ok()) done = execute(db, "COMMIT");
    // Some errors (a full disk) have rolled back already.
    if (!done.ok() && sqlite3_get_autocommit(db) == 0) (void)execute(db, "ROLLBACK").ok();
    return done;
}

Result<sqlite3*> openDatabase(const std::filesystem::path& file, Opening opening) {
    sqlite3* db = nullptr;
    const bool forWriting = opening != Opening::Read;
    const int mode = forWriting ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    const int code = sqlite3_open_v2(file.c_str(), &db, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
    const auto fail = [&](Error error) -> Result<sqlite3*> {
        closeDatabase(db);
        if (error.where.empty()) error.where = file.string();
        return error;
    };
    if (db == nullptr) return environmentError("not enough memory to open the database", file.string());
    if (code != SQLITE_OK) return fail(databaseError(db, file));
    setBusyTimeout(db, kBusyTimeoutMs);
    if (forWriting) {
        auto ready = prepareForWriting(db, file);
        if (ready.ok() && opening == Opening::Write) ready = quickCheck(db, file);
        if (!ready.ok()) return fail(std::move(ready).error());
        return db;
    }
    auto version = schemaVersion(db);
    if (!version.ok()) return fail(std::move(version).error());
    if (*version != 0 && *version != kSchemaVersion) return fail(makeTables(db, file).error());
    return db;
}

} // namespace trainyard::store
