// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/checkpoints/checkpoint_watch.h"
#include "engine/run/program/rank_plan.h"
#include "engine/wire/messages.h"

namespace trainyard::run {

// Gathers the checkpoints that a program has saved, for its supervisor: of rank 0, about once a second.
class CheckpointFeed {
public:
    // Looks in {output}, in the program's folder, and in folders that its command line names. What the program has
    // written since this supervisor's first generation counts.
    CheckpointFeed(const KeptRank& rank, int generation);

    // Those that have become complete. `step` and `epoch` of the newest point, for those that do not say theirs.
    std::vector<wire::CheckpointSaved> look(double now, std::int64_t step, double epoch);
    // The same once the program has ended, and nobody writes any more. `well`: by itself, with exit code 0.
    std::vector<wire::CheckpointSaved> lookAtTheEnd(double now, bool well, std::int64_t step, double epoch);
    // One that the program itself has named.
    void named(const std::string& path);
    bool isWriting() const { return m_watch.isWriting(); }

private:
    std::filesystem::path m_folder; // of the program
    program::CheckpointWatch m_watch;
    double m_due = 0;
};

} // namespace trainyard::run
