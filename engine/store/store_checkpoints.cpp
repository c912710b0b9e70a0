// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints in the store: the list that a supervisor writes, pins, and rows whose files are being deleted.
#include "engine/store/rows.h"

#include <filesystem>
#include <set>

namespace trainyard::store {
namespace {

// By path, so that a checkpoint keeps its id for as long as it exists.
std::string upsertText() {
    std::string names = "run", marks = "?", changes = "deleting = 0";
    const CheckpointRow any;
    columns(any, [&](const char* name, const auto&, Column kind) {
        if (kind == Column::Key) return;
        names += ", " + std::string(name);
        marks += ", ?";
        if (kind == Column::State) changes += ", " + std::string(name) + " = excluded." + name;
    });
    return "INSERT INTO checkpoints (" + names + ") VALUES (" + marks + ") ON CONFLICT (run, path) DO UPDATE SET " +
           changes;
}

} // namespace

Result<std::vector<std::string>> Store::setCheckpoints(const std::string& run, const std::vector<CheckpointRow>& rows) {
    std::vector<std::string> kept;
    const auto written = inTransaction([&]() -> Result<void> {
        std::set<std::string> listed;
        for (const CheckpointRow& row : rows) listed.insert(row.path);
        std::vector<std::int64_t> gone;
        TY_TRY(query(
            m_db, "SELECT id, path, pinned FROM checkpoints WHERE run = ?",
            [&](Statement& row) {
                const std::string path = row.text(1);
                std::error_code ignored;
                if (listed.contains(path)) return;
                if (row.integer(2) != 0 && std::filesystem::exists(path, ignored)) kept.push_back(path);
                else gone.push_back(row.integer(0));
            },
            run));
        for (const std::int64_t id : gone) TY_TRY(execute(m_db, "DELETE FROM checkpoints WHERE id = ?", id));
        Statement upsert(m_db, upsertText());
        for (const CheckpointRow& row : rows) {
            int at = 1;
            upsert.bind(at, run);
            columns(row, [&](const char*, const auto& member, Column kind) {
                if (kind != Column::Key) bindMember(upsert, ++at, member);
            });
            TY_TRY(upsert.run());
        }
        return {};
    });
    if (!written) return written.error();
    return kept;
}

Result<void> Store::supersede(std::int64_t checkpoint, const std::string& path) {
    return inTransaction([&] {
        return execute(m_db, "UPDATE checkpoints SET superseded = 1, best = 0, last = 0, path = ? WHERE id = ?", path,
                       checkpoint);
    });
}

Result<std::vector<std::int64_t>> Store::beginDeleting(const std::vector<std::int64_t>& checkpoints) {
    std::vector<std::int64_t> marked;
    const auto written = inTransaction([&]() -> Result<void> {
        for (const std::int64_t id : checkpoints) {
            TY_TRY(execute(m_db, "UPDATE checkpoints SET deleting = 1 WHERE id = ? AND pinned = 0", id));
            if (sqlite3_changes(m_db) > 0) marked.push_back(id);
        }
        return {};
    });
    if (!written) return written.error();
    return marked;
}

Result<void> Store::finishDeleting(const std::vector<std::int64_t>& checkpoints) {
    return inTransaction([&]() -> Result<void> {
        for (const std::int64_t id : checkpoints)
            TY_TRY(execute(m_db, "DELETE FROM checkpoints WHERE id = ? AND deleting = 1", id));
        return {};
    });
}

Result<bool> Store::setPinned(std::int64_t checkpoint, bool pinned) {
    bool known = false, before = false;
    const auto written = inTransaction([&]() -> Result<void> {
        TY_TRY(query(
            m_db, "SELECT pinned FROM checkpoints WHERE id = ? AND deleting = 0",
            [&](Statement& row) {
                known = true;
                before = row.integer(0) != 0;
            },
            checkpoint));
        if (!known) return inputError("the checkpoint is not there any more", {}, "see: trainyardctl checkpoints");
        if (before == pinned) return {};
        return execute(m_db, "UPDATE checkpoints SET pinned = ? WHERE id = ?", pinned, checkpoint);
    });
    if (!written) return written.error();
    return before != pinned;
}

} // namespace trainyard::store
