// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/queue_rows.h"

#include "engine/base/clock.h"
#include "engine/store/rows.h"

#include <algorithm>
#include <array>

namespace trainyard::store {
namespace {

// In the order of the enumeration.
constexpr std::array kStateWords = {"waiting", "starting", "started", "refused"};

Error notQueued(std::int64_t entry, const char* what) {
    return inputError("entry " + std::to_string(entry) + " " + what, "queue", "see: trainyardctl queue")
        .withCode(ErrorCode::NotQueued);
}

// `writes` is given a connection of its own, in one transaction that waits for the disk.
Result<void> change(const Workspace& workspace, const std::function<Result<void>(sqlite3*)>& writes) {
    TY_ASSIGN(sqlite3 * opened, openDatabase(workspace.database(), Opening::WriteChecked));
    const std::unique_ptr<sqlite3, void (*)(sqlite3*)> db(opened, closeDatabase);
    return transaction(db.get(), [&] { return writes(db.get()); });
}

Result<void> insertQueued(sqlite3* db, const QueueRow& row) {
    Statement insert(db,
                     "INSERT INTO queue (" + columnList<QueueRow>() + ") VALUES (" + placeholders<QueueRow>() + ")");
    int at = 0;
    columns(row, [&](const char*, const auto& member, Column) { bindMember(insert, ++at, member); });
    return insert.run();
}

// Nothing happens to an entry that is not `before`.
Result<void> turn(sqlite3* db, std::int64_t entry, QueueState before, QueueState after, const Error& why) {
    Statement update(db, "UPDATE queue SET " + changeList<Error>() + ", state = ? WHERE id = ? AND state = ?");
    int at = 0;
    bindChanges(update, at, why);
    bindMember(update, ++at, after);
    bindMember(update, ++at, entry);
    bindMember(update, ++at, before);
    return update.run();
}

} // namespace

const char* toString(QueueState state) {
    const auto index = static_cast<std::size_t>(state);
    return index < kStateWords.size() ? kStateWords[index] : "unknown";
}

QueueState queueStateFromString(std::string_view word) {
    const auto found = std::find(kStateWords.begin(), kStateWords.end(), word);
    return static_cast<QueueState>(found - kStateWords.begin()); // past the last word: Unknown
}

Result<QueueRow> addQueued(const Workspace& workspace, QueueRow row) {
    const auto changed = change(workspace, [&](sqlite3* db) -> Result<void> {
        if (row.addedMs == 0) row.addedMs = wallClockMs();
        TY_TRY(query(db,
                     "SELECT coalesce(max(place), 0) + 1, (SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence "
                     "WHERE name = 'queue') FROM queue",
                     [&](Statement& next) {
                         row.place = next.integer(0);
                         row.id = next.integer(1);
                     }));
        return insertQueued(db, row);
    });
    if (!changed) return changed.error();
    return row;
}

Result<void> moveQueued(const Workspace& workspace, std::int64_t entry, std::int64_t place) {
    return change(workspace, [&](sqlite3* db) -> Result<void> {
        std::vector<std::int64_t> order, places;
        TY_TRY(query(db, "SELECT id, place FROM queue WHERE state = 'waiting' ORDER BY place, id", [&](Statement& row) {
            order.push_back(row.integer(0));
            places.push_back(row.integer(1));
        }));
        const auto found = std::find(order.begin(), order.end(), entry);
        if (found == order.end()) return notQueued(entry, "does not wait in the queue");
        order.erase(found);
        const auto last = std::ssize(order) + 1;
        order.insert(order.begin() + static_cast<std::ptrdiff_t>(std::clamp<std::int64_t>(place, 1, last) - 1), entry);
        for (std::size_t i = 0; i < order.size(); ++i)
            TY_TRY(execute(db, "UPDATE queue SET place = ? WHERE id = ?", static_cast<std::int64_t>(i) + places.front(),
                           order[i]));
        return {};
    });
}

Result<QueueRow> removeQueued(const Workspace& workspace, std::int64_t entry) {
    QueueRow removed;
    const auto changed = change(workspace, [&](sqlite3* db) -> Result<void> {
        TY_TRY(query(
            db, "SELECT " + columnList<QueueRow>() + " FROM queue WHERE id = ? AND state IN ('waiting', 'refused')",
            [&](Statement& row) { removed = readRow<QueueRow>(row); }, entry));
        if (removed.id == 0) return notQueued(entry, "is not in the queue");
        return execute(db, "DELETE FROM queue WHERE id = ?", entry);
    });
    if (!changed) return changed.error();
    return removed;
}

Result<void> restoreQueued(const Workspace& workspace, const QueueRow& row) {
    return change(workspace, [&](sqlite3* db) { return insertQueued(db, row); });
}

Result<void> refuseQueued(const Workspace& workspace, std::int64_t entry, const Error& why) {
    return change(workspace,
                  [&](sqlite3* db) { return turn(db, entry, QueueState::Waiting, QueueState::Refused, why); });
}

Result<void> retryQueued(const Workspace& workspace, std::int64_t entry) {
    return change(workspace, [&](sqlite3* db) -> Result<void> {
        TY_TRY(turn(db, entry, QueueState::Refused, QueueState::Waiting, {}));
        if (sqlite3_changes(db) == 0) return notQueued(entry, "was not refused");
        return {};
    });
}

Result<void> confirmStarted(const Workspace& workspace, std::int64_t entry) {
    return change(workspace, [&](sqlite3* db) {
        return execute(db,
                       "UPDATE queue SET state = 'started', spec = '', checkpoint = '' WHERE id = ? AND state = "
                       "'starting'",
                       entry);
    });
}

Result<void> setQueueSettings(const Workspace& workspace, const QueueSettings& settings) {
    if (settings.slots < 1 || settings.slots > kMaxQueueSlots)
        return inputError("must be from 1 to " + std::to_string(kMaxQueueSlots) + ", found " +
                              std::to_string(settings.slots),
                          "slots", "for example: trainyardctl queue slots 2")
            .withCode(ErrorCode::FieldInvalid);
    return change(workspace, [&](sqlite3* db) {
        return execute(db, "UPDATE queue_settings SET slots = ?, paused = ?", settings.slots, settings.paused);
    });
}

Result<void> Store::takeQueued(std::int64_t entry, const std::string& run, Taking taking) {
    return inTransaction([&]() -> Result<void> {
        const char* unlessPaused = taking == Taking::InTurn ? " AND NOT (SELECT paused FROM queue_settings)" : "";
        TY_TRY(execute(m_db,
                       std::string("UPDATE queue SET state = 'starting', run = ? WHERE id = ? AND state = 'waiting'") +
                           unlessPaused,
                       run, entry));
        if (sqlite3_changes(m_db) == 0) return notQueued(entry, "does not wait any more, or the queue is paused");
        return {};
    });
}

} // namespace trainyard::store
