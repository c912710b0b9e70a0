// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/run/launch/launcher.h"
#include "engine/wire/messages.h"

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::run {

inline constexpr std::size_t kLargestNote = 16 << 10; // bytes

// A stop that was asked for, and where the run stood then.
struct NotedStop {
    wire::StopMode mode = wire::StopMode::SaveAndStop;
    std::int64_t step = 0, wallMs = 0;
    bool operator==(const NotedStop&) const = default;
};

// What a keeper leaves in the run's folder, program/rankN.json, so that another supervisor finds it when its own was
// killed; after its end the record of how that was.
struct RankNote {
    int generation = 0, rank = 0, worldSize = 1, localRank = 0, localWorldSize = 1;
    pid_t keeper = 0, program = 0;
    std::string socket;                // that it listens at
    std::optional<NotedStop> stop{};   // asked for by its supervisor
    bool isGivenUp = false;            // it had no supervisor for too long, and ends its program
    std::optional<ExitStatus> ended{}; // the keeper has, in this way

    std::string toJson() const;
    // Input, with `place`, when it is no note, or has a number out of range.
    static Result<RankNote> parse(std::string_view text, const std::string& place);
};

// Of this rank, below the run's folder.
std::filesystem::path rankNoteFile(const std::filesystem::path& runFolder, int rank);
// Survives the end of this process.
Result<void> writeRankNote(const std::filesystem::path& runFolder, const RankNote& note);
// All that can be read, by rank.
std::vector<RankNote> readRankNotes(const std::filesystem::path& runFolder);
// Before other ranks are started.
void removeRankNotes(const std::filesystem::path& runFolder);

// Rule: what a new supervisor does with keepers of one that was killed.
enum class Adoption {
    Nothing, // none lives
    All,     // all ranks of one group live: they are adopted, and go on
    EndRest, // a keeper is gone: the others are ended, and all ranks start again
    Await    // they end their programs, as they were without a supervisor for too long
};
// `lives`: whether the keeper of the note at the same place does.
Adoption judgeAdoption(const std::vector<RankNote>& notes, const std::vector<bool>& lives);

} // namespace trainyard::run
