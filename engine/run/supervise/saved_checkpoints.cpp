// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/saved_checkpoints.h"

#include "engine/base/amounts.h"

#include <algorithm>

namespace trainyard::run {

SavedCheckpoints::SavedCheckpoints(const RunTask& task, HostCalls& calls, RunJournal& journal, Requests requests)
    : m_folder(task.folder), m_calls(calls), m_journal(journal), m_requests(std::move(requests)),
      m_book(task.spec.checkpoint) {}

void SavedCheckpoints::saved(const std::string& host, const wire::CheckpointSaved& saved) {
    if (host.empty()) return record(saved, saved.path);
    for (const auto& each : m_copies.add({host, saved}, m_book, m_requests.isAsked)) {
        m_journal.log(0, "info",
                      "the checkpoint of step " + grouped(each.saved.step) + " on " + each.host +
                          " is given up: newer ones were saved before it could be copied here");
        m_calls.remove(each.host, each.saved.path);
    }
    copyNext();
}

void SavedCheckpoints::copyNext() {
    const auto copy = m_copies.begin();
    if (!copy) return;
    const auto path = m_folder.checkpoints() / std::filesystem::path(copy->saved.path).filename();
    m_calls.fetch(copy->host, copy->saved.path, path, [this, copy = *copy, path](const Result<void>& fetched) {
        m_copies.end();
        if (fetched) {
            record(copy.saved, path);
        } else {
            Error cause = fetched.error();
            cause.message = "it could not be copied from " + copy.host + ": " + cause.message;
            notSaved(copy.saved.step, std::move(cause));
        }
        copyNext();
    });
}

void SavedCheckpoints::record(const wire::CheckpointSaved& saved, const std::filesystem::path& path) {
    m_unsaved.saved();
    m_journal.log(0, "info", "checkpoint of step " + grouped(saved.step) + " saved, " + bytesText(saved.bytes));
    m_book.notePins(m_journal.storedCheckpoints());
    m_book.add(saved, path, wallClockMs());
    auto voidFiles = m_book.prune();
    m_journal.checkpoints(m_book.rows(), std::move(voidFiles));
    m_journal.soon();
    m_requests.settle(saved.step, {});
}

// Training continues: a later save may succeed.
void SavedCheckpoints::notSaved(std::int64_t step, Error cause) {
    const auto text = notSavedText(step, cause);
    m_journal.warn(0, text);
    const Error error{cause.kind, text, {}, {}, ErrorCode::CheckpointNotSaved};
    m_unsaved.failed(step, std::move(cause));
    m_requests.settle(step, error);
    m_journal.publish();
}

bool SavedCheckpoints::has(std::int64_t step) const {
    return std::ranges::any_of(m_book.rows(), [&](const auto& row) { return row.step == step; });
}

void SavedCheckpoints::adopt() {
    m_journal.points(m_book.unstoredPoints(m_folder.checkpoints(), m_journal.series()));
    for (auto& notice : m_book.adopt(m_folder.checkpoints(), m_journal.series()))
        m_journal.log(-1, "warning", std::move(notice));
}

std::int64_t SavedCheckpoints::newestStepHere() const {
    std::int64_t newest = m_book.newestStep();
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(m_folder.checkpoints(), ignored))
        newest = std::max(newest, checkpointStep(entry.path().filename().string()));
    return newest;
}

std::optional<store::CheckpointRow> SavedCheckpoints::newestGood(std::string& damage) {
    const auto before = m_book.rows().size();
    auto newest = m_book.newestGood(damage);
    if (!damage.empty()) m_journal.log(-1, "warning", damage);
    if (before != m_book.rows().size()) m_journal.checkpoints(m_book.rows(), {});
    return newest;
}

Result<void> SavedCheckpoints::atTheEnd(const char* ending, std::int64_t step) const {
    std::optional<std::int64_t> newest;
    for (const auto& row : m_book.rows()) // a folder that vanished took its files with it
        if (std::error_code ignored; std::filesystem::exists(row.path, ignored)) newest = row.step;
    if (auto error = m_unsaved.atTheEnd(ending, step, newest)) return std::move(*error);
    return {};
}

} // namespace trainyard::run
