// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/unique_fd.h"
#include "engine/run/program/bond/rank_note.h"

#include <filesystem>
#include <vector>

namespace trainyard::run {

inline constexpr const char* kGuardWord = "guard"; // trainyard-relay guard FOLDER
// How many supervisors in a row have lived for less than a minute. Handed from each to the next in its environment.
inline constexpr const char* kShortLives = "TRAINYARD_SHORT_LIVES";

// Rule: whether a run gets another supervisor when its own was killed and no keeper is left to start one.
// Not one that was asked to stop, nor one whose ranks have all ended well, nor after five supervisors in a row that
// have lived for less than a minute. `notes`: of the last ranks.
bool getsAnotherSupervisor(const std::vector<RankNote>& notes, int shortLives);

// A process beside the supervisor that starts another one if it is killed: keepers do that too, but between two
// generations there is none. Costs nothing while it waits.
class SupervisorGuard {
public:
    // A supervisor that gets none, as where there are too many processes, is not replaced between generations.
    void begin(const std::filesystem::path& runFolder);
    // The run ends as it should.
    void dismiss();

private:
    UniqueFd m_line;
};

// In the guard's process: waits for the end of the supervisor at the other end of `line`. Returns an exit code.
int guardSupervisor(const std::filesystem::path& runFolder, int line);

} // namespace trainyard::run
