// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/store.h"

#include "engine/base/clock.h"
#include "engine/base/files/temporary_name.h"
#include "engine/base/text/names.h"
#include "engine/base/text/printable.h"
#include "engine/store/last_words.h"
#include "engine/store/rows.h"
#include "engine/store/run_color.h"
#include "engine/store/workspace.h"

#include <algorithm>

namespace trainyard::store {
namespace {

namespace fs = std::filesystem;

// A run whose lock was never held counts as alive for this long after its row was created.
constexpr std::int64_t kStartGraceMs = 15'000;
// Of 4 KB in the log of a store with many small writes, until it goes into the database, which waits for the disk
// twice. Most of them are the same few pages again and again. SQLite's own number is 1000.
constexpr int kLogPages = 8000;
constexpr std::size_t kMaxTagCharacters = 1000, kMaxNoteCharacters = 10'000;

template <class Row>
Result<void> insertRow(sqlite3* db, const std::string& table, const Row& row) {
    Statement statement(db,
                        "INSERT INTO " + table + " (" + columnList<Row>() + ") VALUES (" + placeholders<Row>() + ")");
    int at = 0;
    columns(row, [&](const char*, const auto& member, Column) { bindMember(statement, ++at, member); });
    return statement.run();
}

template <class Row>
Result<void> updateRow(sqlite3* db, const std::string& table, const Row& row) {
    Statement statement(db, "UPDATE " + table + " SET " + changeList<Row>() + " WHERE id = ?");
    int at = 0;
    bindChanges(statement, at, row);
    statement.bind(++at, row.id);
    TY_TRY(statement.run());
    if (sqlite3_changes(db) == 0) return inputError("there is no \"" + printable(row.id, 60) + "\" in " + table);
    return {};
}

Result<void> changeRun(sqlite3* db, const std::string& run, const std::string& column, const auto& value) {
    TY_TRY(execute(db, "UPDATE runs SET " + column + " = ? WHERE id = ?", value, run));
    if (sqlite3_changes(db) == 0)
        return inputError("there is no run \"" + printable(run, 60) + "\"").withCode(ErrorCode::RunUnknown);
    return {};
}

Result<void> mustBeFit(const std::string& problem, const std::string& text, const char* what, const char* remedy) {
    if (problem.empty()) return {};
    return inputError(problem + ", found \"" + printable(text, 80) + "\"", what, remedy);
}

Result<void> mustBeNew(sqlite3* db, const std::string& table, const std::string& id) {
    bool known = false;
    TY_TRY(query(db, "SELECT 1 FROM " + table + " WHERE id = ?", [&](Statement&) { known = true; }, id));
    if (known) return inputError("\"" + printable(id, 60) + "\" exists already in " + table);
    return {};
}

// The smallest colour from `from` on that no visible run has, be it chosen for it. A caller that creates many trials
// starts after the newest one's colour instead of searching all of them each time.
Result<void> takeColour(sqlite3* db, int from, int& colour) {
    return query(
        db,
        "SELECT min(c) FROM (SELECT ? AS c UNION ALL SELECT color_index + 1 FROM runs WHERE archived = 0 AND "
        "color_index >= ? UNION ALL SELECT CAST(color AS INTEGER) FROM runs WHERE color <> '' AND archived = 0 AND "
        "CAST(color AS INTEGER) > ?) WHERE NOT EXISTS (SELECT 1 FROM runs WHERE archived = 0 AND color_index = c) "
        "AND NOT EXISTS (SELECT 1 FROM runs WHERE color <> '' AND archived = 0 AND CAST(color AS INTEGER) = c + 1)",
        [&](Statement& found) { colour = static_cast<int>(found.integer(0)); }, from, from, from);
}

// The run's supervisor is gone. Where it could not write the row any more, it has left its reason: the run has failed.
Result<void> markDead(sqlite3* db, const std::string& run, const std::optional<Error>& words, const std::string& remedy,
                      std::int64_t now) {
    const Error reason = words ? *words
                               : runError("its supervisor died: it was killed, or the computer went down", {}, remedy)
                                     .withCode(ErrorCode::SupervisorLost);
    const auto status = words ? wire::RunStatus::Failed : wire::RunStatus::Interrupted;
    Statement dead(db, "UPDATE runs SET " + changeList<Error>() +
                           ", status = ?, finished_ms = ?, supervisor_pid = 0, socket_path = '' WHERE id = ?");
    int at = 0;
    bindChanges(dead, at, reason);
    bindMember(dead, ++at, status);
    bindMember(dead, ++at, now);
    bindMember(dead, ++at, run);
    return dead.run();
}

// Its supervisor may be on its way. Where the lock was held once, it alone decides; and what was made in the future was
// made before the clock went back.
bool mayBeStarting(const fs::path& folder, std::int64_t createdMs, std::int64_t now) {
    return createdMs <= now && now - createdMs < kStartGraceMs && !RunLock::wasEverHeld(folder);
}

// Whoever deletes a run's folder deletes the file of its lock, too; the supervisor goes on.
bool livesWithoutFolder(const fs::path& folder, std::int64_t supervisor) {
    if (supervisor <= 0 || RunLock::wasEverHeld(folder)) return false;
    const auto words = readFile("/proc/" + std::to_string(supervisor) + "/cmdline");
    return words && words->find(std::string("supervise") + '\0' + folder.string()) != std::string::npos;
}

} // namespace

Store::Store(sqlite3* db) : m_db(db) {}
Store::~Store() { closeDatabase(m_db); }

void Store::setBusyTimeout(int milliseconds) { store::setBusyTimeout(m_db, milliseconds); }

void Store::setSyncInterval(double seconds) {
    m_syncSeconds = seconds;
    if (seconds > 0) sqlite3_wal_autocheckpoint(m_db, kLogPages);
}

Result<std::unique_ptr<Store>> Store::open(const Workspace& workspace, Check check) {
    const auto opening = check == Check::Now ? Opening::Write : Opening::WriteChecked;
    TY_ASSIGN(sqlite3 * db, openDatabase(workspace.database(), opening));
    return std::unique_ptr<Store>(new Store(db));
}

Result<void> Store::together(const std::function<Result<void>()>& writes, Outlives outlives) {
    m_together = true;
    auto written = commit(writes, outlives);
    m_together = false;
    return written;
}

Result<void> Store::inTransaction(const std::function<Result<void>()>& writes) {
    return m_together ? writes() : commit(writes, Outlives::Process);
}

// In WAL mode a synced commit also makes all earlier commits durable, including those of other connections.
Result<void> Store::commit(const std::function<Result<void>()>& writes, Outlives outlives) {
    const double now = monotonicSeconds();
    const bool waits = outlives == Outlives::PowerLoss || now >= m_syncedAt + m_syncSeconds;
    if (waits != m_waits) TY_TRY(execute(m_db, waits ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL"));
    m_waits = waits;
    TY_TRY(transaction(m_db, writes));
    if (waits) m_syncedAt = now;
    return {};
}

Result<void> Store::createRun(RunRow& row) {
    return inTransaction([&]() -> Result<void> {
        TY_TRY(mustBeNew(m_db, "runs", row.id));
        const bool follows = m_newestColour && !row.sweep.empty();
        TY_TRY(takeColour(m_db, follows ? *m_newestColour + 1 : 0, row.colorIndex));
        if (row.createdMs == 0) row.createdMs = wallClockMs();
        if (row.paramsJson.empty()) row.paramsJson = "{}";
        TY_TRY(insertRow(m_db, "runs", row));
        m_newestColour = row.colorIndex;
        return {};
    });
}

Result<void> Store::updateRun(const RunRow& row) {
    return inTransaction([&] { return updateRow(m_db, "runs", row); });
}

Result<void> Store::setWorkers(const std::string& run, const std::vector<wire::WorkerState>& workers) {
    return inTransaction([&]() -> Result<void> {
        TY_TRY(execute(m_db, "DELETE FROM workers WHERE run = ?", run));
        Statement insert(m_db, "INSERT INTO workers (run, " + columnList<wire::WorkerState>() + ") VALUES (?, " +
                                   placeholders<wire::WorkerState>() + ")");
        for (const wire::WorkerState& worker : workers) {
            int at = 1;
            insert.bind(at, run);
            columns(worker, [&](const char*, const auto& member, Column) { bindMember(insert, ++at, member); });
            TY_TRY(insert.run());
        }
        return {};
    });
}

Result<void> Store::appendLog(const std::string& run, const std::vector<wire::LogLine>& lines) {
    return inTransaction([&]() -> Result<void> {
        Statement insert(m_db, "INSERT INTO log (run, rank, level, text, wall_ms) VALUES (?, ?, ?, ?, ?)");
        for (const wire::LogLine& line : lines)
            TY_TRY(insert.with(run, line.rank, line.level, line.text, line.wallMs).run());
        return {};
    });
}

Result<void> Store::createSweep(const SweepRow& row) {
    return inTransaction([&]() -> Result<void> {
        TY_TRY(mustBeNew(m_db, "sweeps", row.id));
        SweepRow made = row;
        if (made.createdMs == 0) made.createdMs = wallClockMs();
        return insertRow(m_db, "sweeps", made);
    });
}

Result<void> Store::updateSweep(const SweepRow& row) {
    return inTransaction([&] { return updateRow(m_db, "sweeps", row); });
}

Result<void> Store::takeBackSweep(const std::string& sweep) {
    return inTransaction([&] {
        return execute(m_db, "DELETE FROM sweeps WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM runs WHERE sweep = ?1)",
                       sweep);
    });
}

Result<void> Store::rename(const RunId& run, const std::string& name) {
    TY_TRY(mustBeFit(nameProblem(name), name, "name", "choose another name, for example mlp-2"));
    return inTransaction([&] { return changeRun(m_db, run, "name", name); });
}

Result<void> Store::setArchived(const std::string& run, bool archived) {
    return inTransaction([&] { return changeRun(m_db, run, "archived", archived); });
}

Result<void> Store::setTags(const RunId& run, const std::string& tags) {
    const char* remedy = "choose other tags, for example: baseline good";
    TY_TRY(mustBeFit(lineProblem(tags, kMaxTagCharacters), tags, "tags", remedy));
    return inTransaction([&] { return changeRun(m_db, run, "tags", tags); });
}

Result<void> Store::setNotes(const RunId& run, const std::string& notes) {
    std::string lines = notes; // ends of lines and tabs are what notes have and a line has not
    std::replace_if(lines.begin(), lines.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
    const std::string problem = lineProblem(lines, kMaxNoteCharacters);
    const bool isLong = !problem.empty() && lineProblem(lines, lines.size()).empty();
    TY_TRY(mustBeFit(problem, notes, "notes", isLong ? "shorten it" : "write plain text"));
    return inTransaction([&] { return changeRun(m_db, run, "notes", notes); });
}

Result<void> Store::setColor(const RunId& run, const std::string& color) {
    TY_ASSIGN(const auto choice, readColorChoice(color));
    return inTransaction([&] { return changeRun(m_db, run, "color", toText(choice)); });
}

Result<void> Store::deleteArchived(const std::string& run) {
    return inTransaction([&]() -> Result<void> {
        TY_TRY(execute(m_db, "DELETE FROM runs WHERE id = ? AND archived = 1", run));
        if (sqlite3_changes(m_db) > 0) return {};
        return inputError("there is no archived run \"" + printable(run, 60) + "\"").withCode(ErrorCode::RunUnknown);
    });
}

Result<std::vector<std::string>> Store::markInterrupted(const Workspace& workspace) {
    const std::string active = activeWords();
    const std::int64_t now = wallClockMs();
    std::vector<std::string> ids;
    const auto inSlurm = [&](const std::string& sweep) {
        std::error_code ignored;
        return fs::exists(workspace.slurmRecord(sweep), ignored);
    };
    const auto sweepAlive = [&](const std::string& id) { return RunLock::isHeld(workspace.sweepFolder(id)); };
    const Result<void> marked = inTransaction([&]() -> Result<void> {
        std::vector<std::pair<std::string, fs::path>> runs;
        std::vector<std::string> sweeps;
        TY_TRY(
            query(m_db,
                  "SELECT id, folder, status, sweep, created_ms, supervisor_pid, (SELECT s.status IN " + active +
                      " FROM sweeps s WHERE s.id = runs.sweep) FROM runs WHERE status IN " + active + " ORDER BY rowid",
                  [&](Statement& row) {
                      const std::string id = row.text(0), named = row.text(1), sweep = row.text(3);
                      const auto folder = named.empty() ? workspace.runFolder(id) : fs::path(named);
                      if (RunLock::isHeld(folder) || mayBeStarting(folder, row.integer(4), now)) return;
                      if (livesWithoutFolder(folder, row.integer(5))) return;
                      // A trial that waits for its turn has no supervisor of its own yet.
                      if (row.text(2) == wire::toString(wire::RunStatus::Queued) && !sweep.empty() && sweepAlive(sweep))
                          return;
                      // One that a task of Slurm's trains has none here: who collects the sweep's trials judges it.
                      if (row.integer(5) == 0 && row.integer(6) != 0 && inSlurm(sweep)) return;
                      runs.emplace_back(id, folder);
                  }));
        TY_TRY(query(m_db, "SELECT id, created_ms FROM sweeps WHERE status IN " + active + " ORDER BY rowid",
                     [&](Statement& row) {
                         const std::string id = row.text(0);
                         if (inSlurm(id)) return;
                         if (!sweepAlive(id) && !mayBeStarting(workspace.sweepFolder(id), row.integer(1), now))
                             sweeps.push_back(id);
                     }));
        const std::string word = wire::toString(wire::RunStatus::Interrupted);
        // In that of a job, who resumes it by hand would train it beside its job.
        const std::string remedy = submittedFrom(workspace)
                                       ? "its job continues it when Slurm starts it again; else: scontrol requeue JOB"
                                       : "resume it from its last checkpoint";
        for (const auto& [id, folder] : runs) TY_TRY(markDead(m_db, id, lastWords(folder), remedy, now));
        for (const std::string& id : sweeps)
            TY_TRY(execute(m_db, "UPDATE sweeps SET status = ?, finished_ms = ?, supervisor_pid = 0 WHERE id = ?", word,
                           now, id));
        for (const auto& [id, folder] : runs) {
            ids.push_back(id);
            removeAbandonedTemporaries(folder / "checkpoints"); // that its ranks did not come to finish
        }
        ids.insert(ids.end(), sweeps.begin(), sweeps.end());
        return {};
    });
    if (!marked.ok()) return marked.error();
    return ids;
}

} // namespace trainyard::store
