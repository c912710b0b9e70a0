// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/launch/launcher.h"
#include "engine/run/program/bond/rank_note.h"

#include <memory>

namespace trainyard::run {

inline constexpr char kAdoptWord = 'a'; // with two descriptors to a keeper's door, and back from it

// Whether the keeper that left the note lives: it is that process which listens there.
bool isKeeperAlive(const RankNote& note);

// Takes the place of a keeper's dead supervisor. From then on the keeper is as one that this process has started, but
// for its exit status, which stands in its note; one that has left none was killed. Waits some seconds. Environment:
// it is gone or does not answer.
Result<std::unique_ptr<WorkerProcess>> adoptKeeper(const std::filesystem::path& runFolder, const RankNote& note);

// SIGKILL, if it lives; its program dies with it.
void endKeeper(const RankNote& note);

} // namespace trainyard::run
