// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/hosts/saved_checkpoints.h"

#include "engine/base/clock.h"
#include "engine/base/error_code.h"
#include "engine/base/text/amounts.h"
#include "engine/run/program/host_python.h"
#include "engine/run/record/place/saved_place.h"
#include "engine/run/record/series/source_series.h"

#include <algorithm>
#include <utility>

namespace trainyard::run {
namespace {

constexpr double kCopyAgainSeconds = 2;   // from a try that has failed to the next
constexpr double kToldWithinSeconds = 30; // of having been saved
constexpr double kSaySeconds = 30;        // from a line of the log that a program has saved to the next

} // namespace

SavedCheckpoints::SavedCheckpoints(const RunTask& task, HostCalls& calls, RunJournal& journal, Requests requests)
    : m_folder(task.folder), m_calls(calls), m_journal(journal), m_requests(std::move(requests)),
      m_book(task.spec.checkpoint), m_linkSeconds(task.spec.failure.linkSeconds) {
    if (!task.spec.program) return;
    m_program.emplace(Program{ProgramCheckpointBook(task.spec.checkpoint), CheckpointCopies(m_folder.checkpoints()),
                              task.spec.program->checkpoints.copy, task.spec.checkpoint.keep});
}

void SavedCheckpoints::load(std::vector<store::CheckpointRow> rows) {
    if (m_program) m_program->book.load(std::move(rows));
    else m_book.load(std::move(rows));
}

const std::vector<store::CheckpointRow>& SavedCheckpoints::rows() const {
    return m_program ? m_program->book.rows() : m_book.rows();
}

void SavedCheckpoints::saved(const HostName& host, const wire::CheckpointSaved& saved) {
    if (m_program) return recordOfProgram(host, saved);
    if (host.empty()) return record(saved, saved.path);
    for (const auto& each : m_copies.add({host, saved}, m_book, m_requests.isAsked)) {
        if (m_lost && m_lost->copy.saved.step == each.saved.step) m_lost.reset();
        m_journal.log(0, "info",
                      "the checkpoint of step " + grouped(each.saved.step) + " on " + each.host.text() +
                          " is given up: newer ones were saved before it could be copied here");
        m_calls.remove(each.host, each.saved.path);
    }
    copyNext();
}

void SavedCheckpoints::copyNext() {
    if (m_lost && m_lost->again > monotonicSeconds()) return;
    const auto copy = m_copies.begin();
    if (!copy) return;
    const auto path = m_folder.checkpoints() / std::filesystem::path(copy->saved.path).filename();
    m_calls.fetch(copy->host, copy->saved.path, path,
                  [this, copy = *copy, path, number = ++m_begun](const Result<void>& fetched) {
                      if (number == m_begun) copied(copy, path, fetched);
                  });
}

void SavedCheckpoints::copied(const CopyQueue::Copy& copy, const std::filesystem::path& path,
                              const Result<void>& fetched) {
    if (!fetched && waitsForLink(copy, fetched.error())) return m_copies.postpone();
    m_lost.reset();
    if (fetched) m_lostSince.reset();
    m_copies.end();
    if (fetched) record(copy.saved, path);
    else giveUp(copy, fetched.error());
    copyNext();
}

// Unless it keeps those of another host waiting, as its own may be gone for good.
bool SavedCheckpoints::waitsForLink(const CopyQueue::Copy& copy, const Error& error) {
    if (!isLostHost(error.code) || !m_mayWait || m_calls.isStopped() || m_copies.isInTheWay()) return false;
    const double now = monotonicSeconds();
    if (!m_lostSince) m_lostSince = now;
    if (now - *m_lostSince >= m_linkSeconds) return false;
    if (!m_lost) {
        m_lost = LostCopy{copy, error, 0};
        m_journal.warn(0, "the checkpoint of step " + grouped(copy.saved.step) + " is copied again once " +
                              copy.host.text() + " can be reached: " + error.text());
        m_journal.publish();
    }
    m_lost->again = now + kCopyAgainSeconds;
    return true;
}

void SavedCheckpoints::serve(double now) {
    if (m_program) takeCopies();
    if (!m_lost) return;
    if (m_calls.isStopped()) return giveUpLost();
    if (now >= m_lost->again) copyNext();
}

void SavedCheckpoints::waitForLinks(bool may) {
    m_mayWait = may;
    if (!may) giveUpLost();
}

void SavedCheckpoints::giveUpLost() {
    if (!m_lost) return;
    const auto lost = *std::exchange(m_lost, std::nullopt);
    ++m_begun;
    m_copies.begin(); // if it only waits
    m_copies.end();
    giveUp(lost.copy, lost.cause);
    copyNext();
}

// Each of the others from a host that is lost would take as long to find that out.
void SavedCheckpoints::giveUp(const CopyQueue::Copy& copy, const Error& cause) {
    notCopied(copy, cause);
    if (!isLostHost(cause.code) || (m_mayWait && !m_calls.isStopped())) return;
    for (const auto& each : m_copies.takeOf(copy.host)) notCopied(each, cause);
}

void SavedCheckpoints::notCopied(const CopyQueue::Copy& copy, Error cause) {
    cause.message = "it could not be copied from " + copy.host.text() + ": " + cause.message;
    notSaved(copy.saved.step, std::move(cause));
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

// Some programs save every second.
void SavedCheckpoints::saySaved(const wire::CheckpointSaved& saved) {
    auto& said = *m_program;
    if (monotonicSeconds() < said.saidAt + kSaySeconds) {
        ++said.unsaid;
        return;
    }
    said.saidAt = monotonicSeconds();
    const int others = std::exchange(said.unsaid, 0);
    m_journal.log(0, "info",
                  "checkpoint of step " + grouped(saved.step) + " saved, " + bytesText(saved.bytes) + ": " +
                      saved.path + (others > 0 ? "; " + std::to_string(others) + " more since the one before" : ""));
}

// Its score, if the program does not say it, is that of the points by its step. A checkpoint is told of soon after it
// was saved: one whose step was long ago counts something else, such as epochs, and gets the newest points.
void SavedCheckpoints::recordOfProgram(const HostName& host, wire::CheckpointSaved saved) {
    saved.path = recordedPath({host, saved.path});
    const auto& series = m_journal.series();
    const bool isOfLate = m_journal.state().trainSeconds - series.secondsAt(saved.step) < kToldWithinSeconds;
    if (saved.metrics.empty()) saved.metrics = isOfLate ? series.valuesAt(saved.step) : series.lastValues();
    std::erase_if(saved.metrics, [](const auto& each) { return !tellsOfTraining(each.first); });
    if (m_program->copy == "all" && host.empty()) m_program->copies.add(saved);
    else list(saved);
    m_requests.settle(saved.step, {});
}

void SavedCheckpoints::list(const wire::CheckpointSaved& saved) {
    auto& book = m_program->book;
    book.notePins(m_journal.storedCheckpoints());
    if (!book.add(saved, wallClockMs())) return;
    saySaved(saved);
    const bool isCopy = std::filesystem::path(saved.path).parent_path() == m_folder.checkpoints();
    const auto best = std::ranges::find(rows(), true, &store::CheckpointRow::best);
    const bool bestOnly = m_program->copy == "best";
    if (bestOnly && !isCopy && best != rows().end() && best->path == saved.path) m_program->copies.add(saved);
    m_journal.checkpoints(rows(), book.dropCopies(m_folder.checkpoints(), m_program->keep, bestOnly));
    m_journal.soon();
}

// One that could not be copied is listed where the program has it.
void SavedCheckpoints::takeCopies() {
    while (auto done = m_program->copies.take()) {
        auto saved = done->saved;
        if (!done->isWhole) {
            m_journal.warn(0, "the checkpoint of step " + grouped(saved.step) +
                                  " could not be copied: " + done->isWhole.error().text());
            m_journal.publish();
        } else if (!*done->isWhole) {
            m_journal.log(0, "info", "the program has changed " + saved.path + " while it was copied");
            continue; // it is told again once it is complete
        } else {
            saved.path = done->path.string();
        }
        list(saved);
    }
}

bool SavedCheckpoints::passOver(std::int64_t fromStep, const std::string& why) {
    return m_program && m_program->book.passOver(fromStep, why);
}

// Of a host that does not answer nothing is known: whoever wants the file hears of it.
program::StructureLook SavedCheckpoints::lookAt(const std::string& recorded) {
    const auto place = savedPlaceOf(recorded);
    if (place.host.empty()) return program::lookAtCheckpoint(std::filesystem::path(recorded));
    const auto said = m_calls.on<std::string>(
        place.host, [place](Launcher& launcher) { return launcher.ask(place.host, {"checkpoint", place.path}); });
    if (!said) {
        if (said.error().code != ErrorCode::FileMissing) return {};
        return {.structure = program::Structure::Cut, .problem = said.error().message};
    }
    return lookFrom(*said);
}

std::optional<store::CheckpointRow> SavedCheckpoints::newestOfProgram(std::string& damage) {
    const auto before = rows().size();
    auto newest = m_program->book.newestGood(damage, [this](const std::string& path) { return lookAt(path); });
    if (!damage.empty()) m_journal.log(-1, "warning", damage);
    if (before != rows().size()) m_journal.checkpoints(rows(), {});
    m_program->begunFrom = newest ? newest->path : std::string();
    m_program->begunAt = monotonicSeconds();
    m_program->newestPoint = newest ? newest->step : 0; // to which the curves go back
    return newest;
}

void SavedCheckpoints::noteProgramEnd(bool byItself) {
    if (!m_program || m_program->begunFrom.empty()) return;
    const bool hasPoints = m_journal.state().newestPoint() > m_program->newestPoint;
    if (isBadCheckpoint({byItself, monotonicSeconds() - m_program->begunAt, hasPoints}))
        m_program->book.turnedOutBad(m_program->begunFrom);
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
    return std::ranges::any_of(rows(), [&](const auto& row) { return row.step == step; });
}

void SavedCheckpoints::adopt() {
    if (m_program) return; // the next keeper finds what was saved meanwhile
    m_journal.points(m_book.unstoredPoints(m_folder.checkpoints(), m_journal.series()));
    for (auto& notice : m_book.adopt(m_folder.checkpoints(), m_journal.series()))
        m_journal.log(-1, "warning", std::move(notice));
}

std::int64_t SavedCheckpoints::newestStepHere() const {
    if (m_program) return m_program->book.newestStep();
    std::int64_t newest = m_book.newestStep();
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(m_folder.checkpoints(), ignored))
        newest = std::max(newest, checkpointStep(entry.path().filename().string()));
    return newest;
}

std::optional<store::CheckpointRow> SavedCheckpoints::newestGood(std::string& damage) {
    if (m_program) return newestOfProgram(damage);
    const auto before = m_book.rows().size();
    auto newest = m_book.newestGood(damage);
    if (!damage.empty()) m_journal.log(-1, "warning", damage);
    if (before != m_book.rows().size()) m_journal.checkpoints(m_book.rows(), {});
    return newest;
}

Result<void> SavedCheckpoints::atTheEnd(const char* ending, std::int64_t step) const {
    if (m_program) return {}; // it saves when it likes
    std::optional<std::int64_t> newest;
    for (const auto& row : m_book.rows()) // a folder that vanished took its files with it
        if (std::error_code ignored; std::filesystem::exists(row.path, ignored)) newest = row.step;
    if (auto error = m_unsaved.atTheEnd(ending, step, newest)) return std::move(*error);
    return {};
}

} // namespace trainyard::run
