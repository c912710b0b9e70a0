// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/checkpoint_feed.h"

#include "engine/base/clock.h"

#include <sys/stat.h>

#include <fstream>

namespace trainyard::run {
namespace {

constexpr double kLookSeconds = 1;

// When the supervisor's first generation began: a later one also finds what was saved just before the one before died.
std::int64_t firstBegun(const RankFiles& files, int generation) {
    const auto mark = files.program() / "begun";
    struct stat info{};
    if (generation > 0 && ::stat(mark.c_str(), &info) == 0)
        return std::int64_t{info.st_mtim.tv_sec} * 1000 + info.st_mtim.tv_nsec / 1'000'000;
    std::ofstream(mark) << "its time is that of the first generation\n";
    return wallClockMs();
}

std::vector<std::filesystem::path> foldersOf(const KeptRank& rank) {
    auto folders = foldersWritten(rank);
    for (auto& named : program::foldersNamed(rank.command.words, rank.command.folder))
        folders.push_back(std::move(named));
    return folders;
}

program::FinderRules rulesOf(const KeptRank& rank, int generation) {
    program::FinderRules rules;
    rules.patterns = rank.spec.program->checkpoints.patterns;
    rules.startedMs = firstBegun(rank.files, generation);
    return rules;
}

std::vector<wire::CheckpointSaved> messagesOf(const std::vector<program::SavedByProgram>& found, std::int64_t step,
                                              double epoch) {
    std::vector<wire::CheckpointSaved> all;
    // One that names its step is not also called by the epoch that the program happens to be in.
    for (const auto& each : found)
        all.push_back({each.path,
                       each.step.value_or(step),
                       each.epoch.value_or(each.step ? 0 : epoch),
                       static_cast<std::int64_t>(each.bytes),
                       {}});
    return all;
}

} // namespace

CheckpointFeed::CheckpointFeed(const KeptRank& rank, int generation)
    : m_folder(rank.command.folder), m_watch(foldersOf(rank), rulesOf(rank, generation)) {}

std::vector<wire::CheckpointSaved> CheckpointFeed::look(double now, std::int64_t step, double epoch) {
    if (now < m_due) return {};
    m_due = now + kLookSeconds;
    m_watch.clockIs(wallClockMs());
    const auto below = descendants();
    return messagesOf(m_watch.look(now, {below.begin(), below.end()}), step, epoch);
}

std::vector<wire::CheckpointSaved> CheckpointFeed::lookAtTheEnd(double now, bool well, std::int64_t step,
                                                                double epoch) {
    m_watch.clockIs(wallClockMs());
    return messagesOf(m_watch.lookAtTheEnd(now, well), step, epoch);
}

void CheckpointFeed::named(const std::string& path) { m_watch.name(m_folder / path); }

} // namespace trainyard::run
