// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/checkpoints/checkpoint_watch.h"

#include <sys/stat.h>

#include <algorithm>
#include <cmath>

namespace trainyard::program {
namespace {

constexpr double kSettledSeconds = 60;
constexpr std::uint64_t kSettledEvery = 16; // looks

// It has not changed while it was looked at.
bool isAsListed(const FoundCheckpoint& found) {
    return std::ranges::all_of(found.files, [](const ListedFile& file) {
        struct stat info{};
        return ::lstat(file.path.c_str(), &info) == 0 && static_cast<std::uint64_t>(info.st_size) == file.bytes &&
               static_cast<std::uint64_t>(info.st_ino) == file.number &&
               std::int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec == file.changedNs;
    });
}

} // namespace

void resolveProgress(const CheckpointName& name, const StructureLook& look, SavedByProgram& saved) {
    saved.step = name.step ? name.step : look.step;
    if (name.epoch) saved.epoch = static_cast<double>(*name.epoch);
    else saved.epoch = look.epoch;
    if (saved.step || !name.number) return;
    // "checkpoint0010.pth" is of epoch 10 where the file says 10, or 9 or 11 as it counts from one.
    const bool isEpoch = saved.epoch && std::abs(*saved.epoch - static_cast<double>(*name.number)) <= 1;
    if (!isEpoch) saved.step = name.number;
}

std::vector<SavedByProgram> CheckpointWatch::look(double now, const std::set<pid_t>& groups) {
    static const std::set<std::string> kNone;
    const bool all = m_looks++ % kSettledEvery == 0;
    m_listing.setRoots(rootsOf(m_folders));
    const auto found = findCheckpoints(m_listing.look(all ? kNone : m_settled), m_listing.rules());
    std::set<std::string> there;
    std::vector<const FoundCheckpoint*> ready;
    for (const auto& each : found) {
        there.insert(each.path);
        Seen& seen = m_seen[each.path];
        if (seen.files != each.files) {
            const bool isAgain = !seen.files.empty() && !seen.told && now - seen.since <= 2 * kQuietSeconds;
            seen = {.files = each.files, .since = now, .isAgain = isAgain};
            m_settled.erase(each.path);
        }
        if (mayBeTold(each, seen, now)) ready.push_back(&each);
        settle(each, seen, now);
    }
    std::erase_if(m_seen, [&](const auto& each) {
        const bool gone = !there.contains(each.first) && (all || !m_settled.contains(each.first));
        if (gone) m_settled.erase(each.first);
        return gone;
    });
    auto saved = tell(ready, now, groups);
    m_writing = std::ranges::any_of(
        m_seen, [&](const auto& each) { return !each.second.told && now - each.second.since < kQuietSecondsUntold; });
    return saved;
}

// Nobody writes any more, so that time tells nothing.
std::vector<SavedByProgram> CheckpointWatch::lookAtTheEnd(double now, bool well) {
    auto saved = look(now, {});
    auto last = look(now + (well ? kQuietSecondsUntold : kQuietSeconds), {});
    saved.insert(saved.end(), std::make_move_iterator(last.begin()), std::make_move_iterator(last.end()));
    return saved;
}

void CheckpointWatch::name(const std::filesystem::path& path) {
    constexpr std::size_t kMost = 1000;
    const auto folder = path.parent_path().lexically_normal();
    if (std::ranges::find(m_folders, folder) == m_folders.end() && m_folders.size() < kMost)
        m_folders.push_back(folder);
    m_listing.addPattern(path.filename().string());
}

std::vector<SavedByProgram> CheckpointWatch::tell(const std::vector<const FoundCheckpoint*>& ready, double now,
                                                  const std::set<pid_t>& groups) {
    std::vector<SavedByProgram> saved;
    if (ready.empty()) return saved;
    const auto writers = filesOpenForWriting(groups);
    for (const FoundCheckpoint* each : ready) {
        Seen& seen = m_seen[each->path];
        const CompletenessFacts facts{seen.look->structure, isOpen(*each, writers), quietFor(*each, seen, now)};
        if (!isComplete(facts) || !isAsListed(*each)) continue;
        seen.told = true;
        saved.push_back({.path = each->path,
                         .isFolder = each->isFolder,
                         .bytes = each->bytes(),
                         .changedMs = each->changedNs() / 1'000'000});
        resolveProgress(each->name, *seen.look, saved.back());
    }
    std::ranges::stable_sort(saved, {}, &SavedByProgram::changedMs);
    return saved;
}

// A single file that is saved anew more often than once a second is never quiet, and yet whole each time that nobody
// writes to it.
double CheckpointWatch::quietFor(const FoundCheckpoint& found, const Seen& seen, double now) {
    const double quiet = now - seen.since;
    const bool isWhole = seen.look && seen.look->structure == Structure::Whole;
    return seen.isAgain && isWhole && !found.isFolder ? std::max(quiet, kQuietSeconds) : quiet;
}

// All but who has it open, which costs the most to find out.
bool CheckpointWatch::mayBeTold(const FoundCheckpoint& found, Seen& seen, double now) const {
    if (seen.told || (now - seen.since < kQuietSeconds && (!seen.isAgain || found.isFolder))) return false;
    if (!seen.look) seen.look = lookAtCheckpoint(found);
    if (seen.look->structure == Structure::Cut) {
        // A mark beside the folder is no file of it.
        if (found.isFolder && now - seen.since < kSettledSeconds) seen.look.reset();
        return false;
    }
    return isComplete({seen.look->structure, false, quietFor(found, seen, now)});
}

bool CheckpointWatch::isOpen(const FoundCheckpoint& found, const std::set<FileId>& writers) const {
    return !writers.empty() && std::ranges::any_of(found.files, [&](const ListedFile& file) {
        return writers.contains(fileIdOf(file.path.c_str()));
    });
}

// One that is written over and over ("last.ckpt") never settles.
void CheckpointWatch::settle(const FoundCheckpoint& found, const Seen& seen, double now) {
    const bool numbered = found.name.step || found.name.epoch || found.name.number;
    if (seen.told && numbered && now - seen.since > kSettledSeconds) m_settled.insert(found.path);
}

} // namespace trainyard::program
