// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/metrics/framework_files.h"

#include "engine/imports/mlflow_database.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace trainyard::program {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostCandidates = 2'000;
constexpr std::int64_t kTick = 2'000'000'000; // nanoseconds; that of the coarsest file systems
constexpr int kMostTries = 30;                // at what a file that grows is
constexpr int kLooksForOld = 5;               // files that stood there are looked at less often
constexpr const char* kTrainerState = "trainer_state.json";

struct Seen {
    bool isFolder = false, isFile = false;
    std::int64_t changed = 0, size = 0; // nanoseconds since 1970; bytes
};
Seen seenOf(const fs::path& path) {
    struct stat found{};
    if (::lstat(path.c_str(), &found) != 0) return {};
    return {S_ISDIR(found.st_mode), S_ISREG(found.st_mode),
            std::int64_t{found.st_mtim.tv_sec} * 1'000'000'000 + found.st_mtim.tv_nsec, found.st_size};
}

// out/checkpoint-500/trainer_state.json and out/trainer_state.json are of one run.
fs::path runOfState(const fs::path& file) {
    const fs::path folder = file.parent_path();
    return folder.filename().string().starts_with("checkpoint-") ? folder.parent_path() : folder;
}

} // namespace

FrameworkFiles::FrameworkFiles(std::vector<fs::path> folders, std::int64_t startMs) : m_startMs(startMs) {
    for (auto& folder : folders) {
        std::error_code ignored;
        const fs::path real = fs::weakly_canonical(folder, ignored);
        m_folders.emplace(real.empty() ? std::move(folder) : real, Folder{});
    }
    scan(nullptr);
    for (const auto& [file, candidate] : std::exchange(m_candidates, {})) m_old.emplace(file, candidate.size);
}

bool FrameworkFiles::isNew(std::int64_t changed) const { return changed + kTick >= m_startMs * 1'000'000; }

void FrameworkFiles::limit(const std::string& what, const Told* told) {
    if (told != nullptr && m_limits.insert(what).second) told->notice(what);
}

// What stood there at the first look is known, so that the start may follow a clock that is set back.
void FrameworkFiles::followClock(std::int64_t nowNs) {
    if (nowNs < m_startMs * 1'000'000 - kTick) m_startMs = nowNs / 1'000'000;
}

// A folder whose entries have changed is listed again; a map keeps its places while folders are added.
void FrameworkFiles::scan(const Told* told) {
    const auto clock = std::chrono::system_clock::now().time_since_epoch();
    followClock(std::chrono::nanoseconds(clock).count());
    for (auto& [path, folder] : m_folders) {
        if (folder.isData) continue;
        const Seen seen = seenOf(path);
        if (!seen.isFolder || seen.changed == folder.changed) continue;
        // What comes at the same tick of the file system's clock does not change its time.
        const auto now = std::chrono::system_clock::now().time_since_epoch();
        const bool isFresh = std::chrono::nanoseconds(now).count() - seen.changed < kTick;
        folder.changed = isFresh ? 0 : seen.changed;
        list(path, folder, told);
    }
}

void FrameworkFiles::list(const fs::path& path, Folder& folder, const Told* told) {
    std::error_code failure;
    std::vector<fs::path> names;
    for (fs::directory_iterator at(path, fs::directory_options::skip_permission_denied, failure), end;
         !failure && at != end; at.increment(failure)) {
        names.push_back(at->path());
        if (names.size() <= kMostEntries) continue;
        folder.isData = true;
        return limit(path.string() + " has more than " + std::to_string(kMostEntries) +
                         " entries: metrics in it are not looked for",
                     told);
    }
    std::sort(names.begin(), names.end());
    for (const fs::path& each : names) {
        const Seen seen = seenOf(each);
        if (seen.isFile && mayHoldMetrics(each)) candidate(each, told);
        if (!seen.isFolder || folder.depth == kMostDepth || !mayLeadToMetrics(each)) continue;
        if (m_folders.size() < kMostFolders) m_folders.emplace(each, Folder{.depth = folder.depth + 1});
        else
            limit("more than " + std::to_string(kMostFolders) + " folders: metrics in others are not looked for", told);
    }
}

void FrameworkFiles::candidate(const fs::path& file, const Told* told) {
    const auto followed = files();
    const bool isFollowed = std::find(followed.begin(), followed.end(), file) != followed.end();
    const bool isOld = m_old.contains(file) || (told != nullptr && !isNew(seenOf(file).changed));
    if (isFollowed || isOld) return;
    if (m_candidates.size() < kMostCandidates)
        m_candidates.emplace(file, Candidate{told == nullptr ? seenOf(file).size : -1});
    else
        limit("more than " + std::to_string(kMostCandidates) + " files that may hold metrics: others are not read",
              told);
}

void FrameworkFiles::look(const Told& told) {
    scan(&told);
    each(told, false);
}

void FrameworkFiles::end(const Told& told) {
    scan(&told);
    each(told, true);
}

// A file that stood there before is followed once it is written to, a new one once it tells what it is.
void FrameworkFiles::lookForNew(bool isEnd) {
    const auto isSettled = [&](const fs::path& file, std::int64_t size, std::int64_t oldBytes) {
        const auto form = size > 0 ? formOf(file) : std::nullopt;
        if (form) follow(file, *form, oldBytes);
        return form.has_value();
    };
    if (isEnd || m_looks++ % kLooksForOld == 0)
        std::erase_if(m_old, [&](const auto& old) {
            const Seen seen = seenOf(old.first);
            const bool isWritten = seen.isFile && (seen.size != old.second || isNew(seen.changed));
            if (isWritten) (void)isSettled(old.first, seen.size, std::min(old.second, seen.size));
            return isWritten;
        });
    for (auto next = m_candidates.begin(); next != m_candidates.end();) {
        auto& [size, tries] = next->second;
        const Seen seen = seenOf(next->first);
        const bool hasGrown = seen.isFile && seen.size != std::exchange(size, seen.size);
        const bool isDone = hasGrown && (isSettled(next->first, seen.size, 0) || ++tries == kMostTries);
        next = isDone ? m_candidates.erase(next) : std::next(next);
    }
}

void FrameworkFiles::each(const Told& told, bool isEnd) {
    lookForNew(isEnd);
    for (std::size_t at = 0; at < m_files.size(); ++at) {
        FollowedFile& file = *m_files[at];
        const SourceKind kind = sourceOf(file.form());
        const FrameworkTold each{[&](const std::string& series, const imports::Point& point) {
                                     told.point(kind, static_cast<int>(at), series, point);
                                 },
                                 [&](std::int64_t step) { told.beginsAgain(kind, step); }};
        const auto looked = isEnd ? file.end(each) : file.look(each);
        if (!looked) told.notice("metrics are no longer read: " + looked.error().text());
    }
    for (Database& database : m_databases) lookAt(database, told);
}

void FrameworkFiles::follow(const fs::path& file, FrameworkForm form, std::int64_t oldBytes) {
    if (form == FrameworkForm::MlflowDatabase) {
        m_databases.push_back({.path = file, .number = -1 - static_cast<int>(m_databases.size())});
        return;
    }
    if (m_files.size() == kMostFiles || goesOn(file, form)) return;
    std::string prefix;
    if (form == FrameworkForm::EventFile) {
        const fs::path folder = file.parent_path();
        const auto known = m_folders.find(folder);
        if (known == m_folders.end() || known->second.depth > 0) // the name of a run's own folder says nothing
            prefix = prefixOfFolder(folder, m_eventFolders.contains(folder.parent_path()));
        m_eventFolders.insert(folder);
    }
    m_files.push_back(std::make_unique<FollowedFile>(file, form, std::move(prefix), oldBytes));
}

// Each checkpoint of Hugging Face's trainer has the whole history.
bool FrameworkFiles::goesOn(const fs::path& file, FrameworkForm form) {
    if (form != FrameworkForm::JsonDocument || file.filename() != kTrainerState) return false;
    for (const auto& known : m_files) {
        if (known->form() != form || known->path().filename() != kTrainerState) continue;
        if (runOfState(known->path()) != runOfState(file)) continue;
        if (seenOf(known->path()).changed <= seenOf(file).changed) known->goesOnIn(file);
        return true;
    }
    return false;
}

// Of a database that several programs share, the first run that began after the start.
void FrameworkFiles::lookAt(Database& database, const Told& told) const {
    const auto read = imports::readMlflowRowsSince(
        database.path, m_startMs, database.lastRow,
        [&](const std::string& run, const std::string& series, const imports::Point& point) {
            if (database.run.empty()) database.run = run;
            if (run == database.run) told.point(SourceKind::Mlflow, database.number, series, point);
        });
    if (read) database.lastRow = *read; // else it is locked, or gone: the next look
}

std::vector<fs::path> FrameworkFiles::files() const {
    std::vector<fs::path> all;
    for (const auto& file : m_files) all.push_back(file->path());
    for (const auto& database : m_databases) all.push_back(database.path);
    return all;
}

} // namespace trainyard::program
