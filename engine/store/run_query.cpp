// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/run_query.h"

#include "engine/base/nearest_word.h"
#include "engine/base/text/printable.h"
#include "engine/base/text/quoted.h"
#include "engine/store/rows.h"
#include "engine/store/series_codec.h"

#include <algorithm>
#include <filesystem>

namespace trainyard::store {
namespace {

template <class Row, class... Values>
Result<std::vector<Row>> rowsOf(sqlite3* db, const std::string& table, const std::string& rest,
                                const Values&... values) {
    std::vector<Row> rows;
    TY_TRY(query(
        db, "SELECT " + columnList<Row>() + " FROM " + table + " " + rest,
        [&](Statement& s) { rows.push_back(readRow<Row>(s)); }, values...));
    return rows;
}

constexpr std::size_t kMostNamed = 5;

std::string newestOf(const std::vector<std::string>& names) {
    std::string list;
    for (std::size_t i = 0; i < std::min(names.size(), kMostNamed); ++i)
        list += (list.empty() ? "" : ", ") + printable(names[i], 60);
    return list;
}

// By id, by unique prefix of an id, or the newest of that name.
template <class Row>
Result<Row> oneOf(sqlite3* db, const std::string& table, const std::string& what, const std::string& idOrName,
                  const char* ifNoneIsNear = "") {
    using Rows = std::vector<Row>;
    TY_ASSIGN(Rows found, rowsOf<Row>(db, table, "WHERE id = ?", idOrName));
    if (!found.empty()) return found.front();
    TY_ASSIGN(Rows named, rowsOf<Row>(db, table, "WHERE name = ? ORDER BY created_ms DESC, id DESC LIMIT 1", idOrName));
    if (!named.empty()) return named.front(); // 20261128 is a name before it is the beginning of that day's ids
    if (!idOrName.empty()) {
        TY_ASSIGN(Rows begun, rowsOf<Row>(db, table, "WHERE substr(id, 1, ?) = ? LIMIT 2",
                                          static_cast<std::int64_t>(idOrName.size()), idOrName));
        if (begun.size() == 1) return begun.front();
        if (begun.size() > 1)
            return inputError("more than one " + what + " begins with \"" + printable(idOrName, 60) + "\"", {},
                              "give more of the id");
    }
    std::vector<std::string> names;
    TY_TRY(query(db, "SELECT DISTINCT name FROM " + table + " ORDER BY created_ms DESC LIMIT 1000",
                 [&](Statement& row) { names.push_back(row.text(0)); }));
    const std::string near = nearestWord(idOrName, names);
    std::string remedy = near.empty() ? std::string(ifNoneIsNear) : "did you mean \"" + printable(near, 60) + "\"?";
    if (remedy.empty() && names.empty()) remedy = "this workspace has no " + what + "s yet";
    if (remedy.empty()) remedy = "the newest: " + newestOf(names);
    return inputError("there is no " + what + " \"" + printable(idOrName, 60) + "\"", {}, std::move(remedy))
        .withCode(ErrorCode::RunUnknown);
}

// A finished trial has none where its sweep dropped them.
Error noCheckpoint(const RunRow& row) {
    const std::string file = row.folder + "/run.json";
    std::error_code ignored;
    std::string remedy;
    if (wire::isActive(row.status)) remedy = "save one first: trainyardctl checkpoint " + shellArgument(row.name);
    else if (std::filesystem::exists(file, ignored))
        remedy = (row.status == wire::RunStatus::Finished ? "train it again" : "start it again") +
                 (": trainyardctl run " + shellArgument(file));
    return inputError("has no checkpoint", "run " + row.name, std::move(remedy));
}

// Of a workspace whose database was lost.
bool hasRunFolders(const Workspace& workspace) {
    std::error_code ignored;
    return std::filesystem::directory_iterator(workspace.root / "runs", ignored) !=
           std::filesystem::directory_iterator();
}

} // namespace

RunQuery::RunQuery(sqlite3* db) : m_db(db) {}
RunQuery::~RunQuery() { closeDatabase(m_db); }

Result<std::unique_ptr<RunQuery>> RunQuery::open(const Workspace& workspace) {
    std::unique_ptr<RunQuery> reader(new RunQuery(nullptr));
    reader->m_workspace = workspace;
    TY_TRY(reader->ready());
    return reader;
}

Result<bool> RunQuery::ready() {
    if (m_db != nullptr) return true;
    std::error_code ignored;
    const std::filesystem::path file = m_workspace.database();
    if (!std::filesystem::exists(file, ignored)) return false;
    TY_ASSIGN(sqlite3 * db, openDatabase(file, Opening::Read));
    auto version = schemaVersion(db);
    if (version.ok() && *version == kSchemaVersion) {
        m_db = db;
        return true;
    }
    closeDatabase(db);
    if (!version.ok()) return std::move(version).error();
    TY_TRY(Store::open(m_workspace)); // an empty file: the writer makes its tables
    TY_ASSIGN(m_db, openDatabase(file, Opening::Read));
    return true;
}

Result<std::vector<RunRow>> RunQuery::runs(bool withArchived) {
    TY_ASSIGN(const bool any, ready());
    if (!any) return std::vector<RunRow>{};
    return rowsOf<RunRow>(m_db, "runs", "WHERE archived <= ? ORDER BY created_ms DESC, id DESC", withArchived);
}

Result<RunRow> RunQuery::run(const std::string& idOrName) {
    TY_ASSIGN(const bool any, ready());
    if (!any)
        return inputError("there is no run \"" + printable(idOrName, 60) + "\"", {},
                          hasRunFolders(m_workspace) ? "bring them back with: trainyardctl workspace repair"
                                                     : "this workspace has no runs yet")
            .withCode(ErrorCode::RunUnknown);
    return oneOf<RunRow>(m_db, "runs", "run", idOrName, "list them with: trainyardctl runs");
}

Result<std::vector<std::string>> RunQuery::seriesNames(const std::string& run) {
    std::vector<std::string> names;
    TY_ASSIGN(const bool any, ready());
    if (!any) return names;
    TY_TRY(query(
        m_db, "SELECT name FROM series WHERE run = ? AND count > 0 ORDER BY name",
        [&](Statement& row) { names.push_back(row.text(0)); }, run));
    return names;
}

Result<std::vector<SeriesSummary>> RunQuery::summaries(const std::string& run) {
    std::vector<SeriesSummary> rows;
    TY_ASSIGN(const bool any, ready());
    if (!any) return rows;
    TY_TRY(query(
        m_db,
        "SELECT name, count, last, min, max, last_step, min_step, max_step FROM series "
        "WHERE run = ? AND count > 0 ORDER BY name",
        [&](Statement& s) {
            rows.push_back({s.text(0), s.integer(1), s.number(2), s.number(3), s.number(4), s.integer(5), s.integer(6),
                            s.integer(7)});
        },
        run));
    return rows;
}

Result<std::vector<wire::Point>> RunQuery::points(const RunId& run, const std::string& series, std::int64_t first) {
    std::vector<wire::Point> points;
    TY_ASSIGN(const bool any, ready());
    if (!any) return points;
    first = std::max<std::int64_t>(first, 0);
    Result<void> decoded;
    TY_TRY(query(
        m_db,
        "SELECT c.first, c.data FROM series s JOIN chunks c ON c.series = s.id "
        "WHERE s.run = ? AND s.name = ? AND c.first + c.count > ? ORDER BY c.first",
        [&](Statement& row) {
            if (!decoded.ok()) return;
            auto chunk = decodeChunk(row.blob(1));
            if (!chunk.ok()) {
                decoded =
                    damagedError(chunk.error().message + " (" + printable(series, 60) + ")", m_workspace.database());
                return;
            }
            const auto skip = std::clamp<std::int64_t>(first - row.integer(0), 0, std::ssize(*chunk));
            points.insert(points.end(), chunk->begin() + static_cast<std::ptrdiff_t>(skip), chunk->end());
        },
        run, series, first));
    TY_TRY(std::move(decoded));
    return points;
}

Result<std::vector<CheckpointRow>> RunQuery::checkpoints(const std::string& run) {
    TY_ASSIGN(const bool any, ready());
    if (!any) return std::vector<CheckpointRow>{};
    return rowsOf<CheckpointRow>(m_db, "checkpoints",
                                 "WHERE run = ? AND deleting = 0 ORDER BY superseded DESC, step, id", run);
}

Result<std::map<std::string, std::vector<CheckpointRow>>> RunQuery::checkpointsByRun() {
    std::map<std::string, std::vector<CheckpointRow>> rows;
    TY_ASSIGN(const bool any, ready());
    if (!any) return rows;
    TY_TRY(query(m_db,
                 "SELECT " + columnList<CheckpointRow>() +
                     ", run FROM checkpoints WHERE deleting = 0 ORDER BY run, superseded DESC, step, id",
                 [&](Statement& s) {
                     auto row = readRow<CheckpointRow>(s);
                     rows[s.text(columnCount<CheckpointRow>())].push_back(std::move(row));
                 }));
    return rows;
}

Result<std::vector<CheckpointRow>> RunQuery::halfDeleted(const std::string& run) {
    TY_ASSIGN(const bool any, ready());
    if (!any) return std::vector<CheckpointRow>{};
    return rowsOf<CheckpointRow>(m_db, "checkpoints", "WHERE run = ? AND deleting = 1", run);
}

Result<std::vector<std::string>> RunQuery::runsWithHalfDeleted() {
    std::vector<std::string> runs;
    TY_ASSIGN(const bool any, ready());
    if (!any) return runs;
    TY_TRY(query(m_db, "SELECT DISTINCT run FROM checkpoints WHERE deleting = 1",
                 [&](Statement& row) { runs.push_back(row.text(0)); }));
    return runs;
}

Result<std::map<std::string, std::string>> RunQuery::hostsOfRankZero() {
    std::map<std::string, std::string> hosts;
    TY_ASSIGN(const bool any, ready());
    if (!any) return hosts;
    TY_TRY(query(m_db, "SELECT run, host FROM workers WHERE rank = 0 AND host <> ''",
                 [&](Statement& row) { hosts[row.text(0)] = row.text(1); }));
    return hosts;
}

const CheckpointRow* defaultCheckpoint(const std::vector<CheckpointRow>& rows) {
    const auto best = std::find_if(rows.begin(), rows.end(), [](const auto& row) { return row.best; });
    if (best != rows.end()) return &*best;
    return rows.empty() ? nullptr : &rows.back();
}

Result<CheckpointRow> RunQuery::checkpoint(const std::string& runAtCheckpoint) {
    const bool isName = run(runAtCheckpoint).ok(); // also of a run whose name has an @
    const auto at = isName ? std::string::npos : runAtCheckpoint.rfind('@');
    TY_ASSIGN(const auto row, run(runAtCheckpoint.substr(0, at)));
    TY_ASSIGN(const auto rows, checkpoints(row.id));
    if (rows.empty()) return noCheckpoint(row);
    return checkpointNamed(at == std::string::npos ? "" : runAtCheckpoint.substr(at + 1), rows, "run " + row.name);
}

Result<CheckpointRow> checkpointNamed(const std::string& which, const std::vector<CheckpointRow>& rows,
                                      const std::string& where) {
    if (rows.empty()) return inputError("has no checkpoint", where);
    const auto best = std::find_if(rows.begin(), rows.end(), [](const auto& each) { return each.best; });
    if (which.empty()) return *defaultCheckpoint(rows);
    if (which == "last") return rows.back();
    if (which == "best") {
        if (best != rows.end()) return *best;
        return inputError("no checkpoint has a score, so none is the best", where, "use @last or a step");
    }
    const auto isMeant = [&](const CheckpointRow& each) {
        return which == std::to_string(each.step) || which == std::filesystem::path(each.path).stem().string();
    };
    const auto meant = std::find_if(rows.rbegin(), rows.rend(), isMeant); // superseded ones come last
    if (meant != rows.rend()) return *meant;
    std::string steps;
    for (const auto& each : rows) steps += (steps.empty() ? "" : ", ") + std::to_string(each.step);
    const std::string words = best != rows.end() ? "best, last" : "last";
    return inputError("has no checkpoint \"" + which + "\"", where, "there are " + words + " and the steps " + steps);
}

Result<std::vector<wire::WorkerState>> RunQuery::workers(const std::string& run) {
    TY_ASSIGN(const bool any, ready());
    if (!any) return std::vector<wire::WorkerState>{};
    return rowsOf<wire::WorkerState>(m_db, "workers", "WHERE run = ? ORDER BY rank", run);
}

Result<std::vector<wire::LogLine>> RunQuery::log(const std::string& run, std::int64_t afterRow, std::int64_t* lastRow) {
    std::vector<wire::LogLine> lines;
    if (lastRow != nullptr) *lastRow = afterRow;
    TY_ASSIGN(const bool any, ready());
    if (!any) return lines;
    TY_TRY(query(
        m_db, "SELECT id, rank, level, text, wall_ms FROM log WHERE run = ? AND id > ? ORDER BY id",
        [&](Statement& s) {
            if (lastRow != nullptr) *lastRow = s.integer(0);
            lines.push_back({static_cast<int>(s.integer(1)), s.text(2), s.text(3), s.integer(4)});
        },
        run, afterRow));
    return lines;
}

Result<std::vector<RunEventRow>> RunQuery::events(const std::string& run) {
    TY_ASSIGN(const bool any, ready());
    if (!any) return std::vector<RunEventRow>{};
    return rowsOf<RunEventRow>(m_db, "run_events", "WHERE run = ? ORDER BY id", run);
}

Result<std::string> RunQuery::notice(const std::string& run) {
    std::string text;
    TY_ASSIGN(const bool any, ready());
    if (!any) return text;
    TY_TRY(query(
        m_db, "SELECT text FROM log WHERE run = ? AND level = ? ORDER BY id DESC LIMIT 1",
        [&](Statement& s) { text = s.text(0); }, run, std::string(kNoticeLevel)));
    return text;
}

Result<std::vector<SweepRow>> RunQuery::sweeps() {
    TY_ASSIGN(const bool any, ready());
    if (!any) return std::vector<SweepRow>{};
    return rowsOf<SweepRow>(m_db, "sweeps", "ORDER BY created_ms DESC, id DESC");
}

Result<SweepRow> RunQuery::sweep(const std::string& idOrName) {
    TY_ASSIGN(const bool any, ready());
    if (!any)
        return inputError("there is no sweep \"" + printable(idOrName, 60) + "\"", {},
                          "this workspace has no sweeps yet")
            .withCode(ErrorCode::RunUnknown);
    return oneOf<SweepRow>(m_db, "sweeps", "sweep", idOrName);
}

Result<std::vector<RunRow>> RunQuery::trials(const std::string& sweep) {
    TY_ASSIGN(const bool any, ready());
    if (!any || sweep.empty()) return std::vector<RunRow>{};
    return rowsOf<RunRow>(m_db, "runs", "WHERE sweep = ? ORDER BY trial, created_ms", sweep);
}

Result<void> RunQuery::eachTrial(const std::string& sweep, const std::function<void(const RunRow&)>& take) {
    TY_ASSIGN(const bool any, ready());
    if (!any || sweep.empty()) return {};
    return query(
        m_db, "SELECT " + columnList<RunRow>() + " FROM runs WHERE sweep = ? ORDER BY trial, created_ms",
        [&](Statement& row) { take(readRow<RunRow>(row)); }, sweep);
}

Result<std::vector<TrialEventRow>> RunQuery::trialEvents(const std::string& sweep, std::int64_t after) {
    TY_ASSIGN(const bool any, ready());
    if (!any) return std::vector<TrialEventRow>{};
    return rowsOf<TrialEventRow>(m_db, "trial_events", "WHERE sweep = ? AND number > ? ORDER BY number", sweep, after);
}

Result<void> RunQuery::eachTrialEvent(const std::string& sweep,
                                      const std::function<Result<void>(const TrialEventRow&)>& take) {
    TY_ASSIGN(const bool any, ready());
    if (!any) return {};
    Statement events(m_db,
                     "SELECT " + columnList<TrialEventRow>() + " FROM trial_events WHERE sweep = ? ORDER BY number");
    events.with(sweep);
    for (;;) {
        TY_ASSIGN(const bool more, events.step());
        if (!more) return {};
        TY_TRY(take(readRow<TrialEventRow>(events)));
    }
}

Result<std::vector<TrialEventRow>> RunQuery::adoptions(const std::string& sweep) {
    TY_ASSIGN(const bool any, ready());
    if (!any) return std::vector<TrialEventRow>{};
    return rowsOf<TrialEventRow>(m_db, "trial_events", "WHERE sweep = ? AND kind = 'adopted' ORDER BY number", sweep);
}

Result<std::vector<TrialEventRow>> RunQuery::trialStarts(const std::string& sweep) {
    TY_ASSIGN(const bool any, ready());
    if (!any) return std::vector<TrialEventRow>{};
    return rowsOf<TrialEventRow>(m_db, "trial_events", "WHERE sweep = ? AND kind = 'started' ORDER BY number", sweep);
}

Result<std::vector<TrialDecisionRow>> RunQuery::trialDecisions(const std::string& sweep) {
    TY_ASSIGN(const bool any, ready());
    if (!any) return std::vector<TrialDecisionRow>{};
    return rowsOf<TrialDecisionRow>(m_db, "trial_decisions", "WHERE sweep = ? ORDER BY trial", sweep);
}

Result<std::vector<SweepRequestRow>> RunQuery::openRequests(const std::string& sweep) {
    TY_ASSIGN(const bool any, ready());
    if (!any) return std::vector<SweepRequestRow>{};
    return rowsOf<SweepRequestRow>(m_db, "sweep_requests", "WHERE sweep = ? AND answer = '' ORDER BY id", sweep);
}

Result<std::string> RunQuery::requestAnswer(std::int64_t request) {
    std::string text;
    TY_ASSIGN(const bool any, ready());
    if (!any) return text;
    TY_TRY(query(
        m_db, "SELECT answer FROM sweep_requests WHERE id = ?", [&](Statement& s) { text = s.text(0); }, request));
    return text;
}

Result<Queue> RunQuery::queue() {
    Queue queue;
    TY_ASSIGN(const bool any, ready());
    if (!any) return queue;
    TY_TRY(query(m_db, "SELECT slots, paused FROM queue_settings",
                 [&](Statement& row) { queue.settings = {static_cast<int>(row.integer(0)), row.integer(1) != 0}; }));
    TY_ASSIGN(queue.rows, rowsOf<QueueRow>(m_db, "queue", "WHERE state <> 'started' ORDER BY place, id"));
    return queue;
}

Result<std::vector<RunRow>> RunQuery::activeRuns() {
    TY_ASSIGN(const bool any, ready());
    if (!any) return std::vector<RunRow>{};
    return rowsOf<RunRow>(m_db, "runs", "WHERE status IN " + activeWords() + " AND sweep = '' ORDER BY created_ms, id");
}

Result<std::vector<SweepRow>> RunQuery::activeSweeps() {
    TY_ASSIGN(const bool any, ready());
    if (!any) return std::vector<SweepRow>{};
    return rowsOf<SweepRow>(m_db, "sweeps", "WHERE status IN " + activeWords() + " ORDER BY created_ms, id");
}

Result<Changes> RunQuery::changesAfter(std::int64_t after) {
    Changes changes;
    TY_ASSIGN(const bool any, ready());
    if (!any) return changes;
    // Read first: rows committed during this call may be returned now and again by the next call.
    TY_TRY(query(m_db, "SELECT last FROM changes", [&](Statement& row) { changes.last = row.integer(0); }));
    if (changes.last == after) return changes;
    TY_ASSIGN(changes.runs,
              after < 0 ? runs()
                        : rowsOf<RunRow>(m_db, "runs", "WHERE changed > ? ORDER BY created_ms DESC, id DESC", after));
    bool sweepChanged = after < 0;
    TY_TRY(query(
        m_db, "SELECT EXISTS (SELECT 1 FROM sweeps WHERE changed > ?)",
        [&](Statement& row) { sweepChanged = sweepChanged || row.integer(0) != 0; }, after));
    if (sweepChanged) { TY_ASSIGN(changes.sweeps, sweeps()); }
    changes.queue = after < 0;
    TY_TRY(query(
        m_db, "SELECT changed > ? FROM queue_settings",
        [&](Statement& row) { changes.queue = changes.queue || row.integer(0) != 0; }, after));
    changes.checkpoints = after < 0;
    TY_TRY(query(
        m_db, "SELECT changed > ? FROM checkpoint_changes",
        [&](Statement& row) { changes.checkpoints = changes.checkpoints || row.integer(0) != 0; }, after));
    return changes;
}

Result<std::int64_t> RunQuery::dataVersion() {
    std::int64_t version = -1; // before there is a database
    TY_ASSIGN(const bool any, ready());
    if (any) TY_TRY(query(m_db, "PRAGMA data_version", [&](Statement& row) { version = row.integer(0); }));
    return version;
}

} // namespace trainyard::store
