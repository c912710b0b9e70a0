// SPDX-License-Identifier: GPL-3.0-or-later
// Where a run trains whose run file leaves that to the moment at which it starts (scaling.place "free").
#pragma once

#include "engine/queue/claims.h"
#include "engine/store/run_query.h"

#include <optional>

namespace trainyard::queue {

// The hosts that a run trains on, in the order of its run file, and its other hosts, which become its spares.
struct Placement {
    std::vector<std::string> hosts{}, spares{};
    bool operator==(const Placement&) const = default;
};
// Rule: where a run is placed that takes the least busy hosts.
// Picks as many hosts of the run file, spares included, as the run has workers, or fewer if fewer have room: those
// with room for their ranks beside the active runs, the least busy first. If none has room, the least busy of all.
// Nothing if there is no choice.
std::optional<Placement> place(const spec::RunSpec& spec, const run::HostRooms& rooms,
                               const std::vector<Claim>& active);
// The run file with that. What a run was started with is what it is resumed with.
spec::RunSpec placedAt(spec::RunSpec spec, const Placement& placement);

// What the active runs and sweeps of a workspace claim, with their names side by side. Nothing is claimed by those that
// Slurm has: they are not on a computer that the queue deals with.
struct Active {
    std::vector<Claim> claims{};
    std::vector<std::string> names{};
};
Result<Active> activeWork(store::RunQuery& query, const run::HostRooms& rooms);
// A run file as it is started now, beside what is active in the workspace; where the workspace cannot be read, as it
// is written.
spec::RunSpec placedNow(const store::Workspace& workspace, spec::RunSpec spec);

} // namespace trainyard::queue
