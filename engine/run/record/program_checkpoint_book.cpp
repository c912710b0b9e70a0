// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/program_checkpoint_book.h"

#include "engine/run/record/keep_rule.h"
#include "engine/run/record/place/saved_place.h"
#include "engine/spec/run/better.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>
#include <tuple>

namespace trainyard::run {
namespace {

constexpr double kBadWithinSeconds = 60;

bool isOnHost(const std::string& path) { return !savedPlaceOf(path).host.empty(); }

bool isGone(const store::CheckpointRow& row) {
    if (isOnHost(row.path)) return false; // who wants it asks there
    std::error_code failure;
    return !std::filesystem::exists(row.path, failure) && !failure; // of a disk that does not answer nothing is known
}

// When the file, or a name in the folder, was last changed; of what cannot be asked: just now.
std::int64_t changedMs(const std::string& path) {
    struct stat info{};
    if (::stat(path.c_str(), &info) != 0) return std::numeric_limits<std::int64_t>::max();
    return std::int64_t{info.st_mtim.tv_sec} * 1000 + info.st_mtim.tv_nsec / 1'000'000;
}

auto orderOf(const store::CheckpointRow& row) {
    return std::tuple(!row.superseded, row.step, row.bytes, row.wallMs, std::string_view(row.path));
}

} // namespace

bool isBadCheckpoint(const ProgramEnd& end) {
    return end.byItself && !end.hasPoints && end.seconds < kBadWithinSeconds;
}

void ProgramCheckpointBook::load(std::vector<store::CheckpointRow> rows) {
    m_rows = std::move(rows);
    sort();
}

void ProgramCheckpointBook::notePins(const std::vector<store::CheckpointRow>& stored) {
    for (auto& row : m_rows)
        if (const auto there = std::ranges::find(stored, row.path, &store::CheckpointRow::path); there != stored.end())
            row.pinned = there->pinned;
}

bool ProgramCheckpointBook::add(const wire::CheckpointSaved& saved, std::int64_t wallMs) {
    auto known = std::ranges::find(m_rows, saved.path, &store::CheckpointRow::path);
    if (known != m_rows.end() && known->step == saved.step && known->bytes == saved.bytes &&
        (isOnHost(saved.path) || changedMs(saved.path) <= known->wallMs))
        return false;
    if (known == m_rows.end()) known = m_rows.insert(m_rows.end(), store::CheckpointRow{});
    known->path = saved.path;
    known->step = saved.step;
    known->epoch = saved.epoch;
    known->bytes = saved.bytes;
    known->wallMs = wallMs;
    known->metrics = saved.metrics;
    known->superseded = false;
    m_bad.erase(saved.path);
    dropGone();
    sort();
    return true;
}

std::optional<store::CheckpointRow> ProgramCheckpointBook::newestGood(std::string& notice, const Look& lookAt) {
    dropGone();
    std::optional<store::CheckpointRow> newest;
    std::set<std::string> cut;
    for (std::size_t at = m_rows.size(); at-- > 0 && !newest;) {
        const auto& row = m_rows[at];
        if (row.superseded) continue;
        const std::string said = "the checkpoint of step " + std::to_string(row.step) + " ";
        const auto look = lookAt ? lookAt(row.path) : program::lookAtCheckpoint(std::filesystem::path(row.path));
        if (look.structure == program::Structure::Cut) {
            notice = said + "cannot be used: " + look.problem;
            cut.insert(row.path);
        } else if (m_bad.contains(row.path)) {
            notice = said + "is passed over: " + m_bad.at(row.path);
        } else {
            newest = row;
        }
    }
    std::erase_if(m_rows, [&](const auto& row) { return cut.contains(row.path); });
    sort();
    return newest;
}

void ProgramCheckpointBook::turnedOutBad(const std::string& path) {
    m_bad[path] = "the program ended within a minute, and before its first point, when it went on from " + path;
}

bool ProgramCheckpointBook::passOver(std::int64_t fromStep, const std::string& why) {
    dropGone();
    bool isLeft = false;
    for (const auto& row : m_rows) {
        if (row.superseded) continue;
        if (row.step >= fromStep) m_bad[row.path] = why;
        else isLeft = isLeft || !m_bad.contains(row.path);
    }
    return isLeft;
}

std::vector<std::filesystem::path> ProgramCheckpointBook::dropCopies(const std::filesystem::path& folder, int keep,
                                                                     bool bestOnly) {
    if (keep <= 0 && !bestOnly) return {};
    const Score score{m_policy.scoreBy, spec::betterOf(m_policy.scoreBy, m_policy.mode)};
    const auto kept = judgeKept(m_rows, score, {.best = 1, .last = bestOnly ? 0 : keep});
    const auto best = std::ranges::find(m_rows, true, &store::CheckpointRow::best);
    std::set<std::filesystem::path> dropped;
    for (std::size_t at = 0; at < m_rows.size(); ++at) {
        const auto& row = m_rows[at];
        const bool isOfBest = best != m_rows.end() && row.step == best->step;
        const bool stays = kept[at] != KeptFor::No || (bestOnly && isOfBest);
        if (!stays && std::filesystem::path(row.path).parent_path() == folder) dropped.emplace(row.path);
    }
    std::erase_if(m_rows, [&](const auto& row) { return dropped.contains(row.path); });
    sort();
    return {dropped.begin(), dropped.end()};
}

std::int64_t ProgramCheckpointBook::newestStep() const {
    return m_rows.empty() || m_rows.back().superseded ? -1 : m_rows.back().step;
}

void ProgramCheckpointBook::dropGone() { std::erase_if(m_rows, isGone); }

void ProgramCheckpointBook::sort() {
    std::ranges::sort(m_rows, {}, orderOf);
    const auto ranked = rankedByScore(m_rows, {m_policy.scoreBy, spec::betterOf(m_policy.scoreBy, m_policy.mode)});
    for (auto& row : m_rows) row.best = row.last = false;
    if (!ranked.empty()) m_rows[ranked.front()].best = true;
    if (!m_rows.empty() && !m_rows.back().superseded) m_rows.back().last = true;
}

} // namespace trainyard::run
