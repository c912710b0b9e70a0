// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/queue/claims.h"

#include "engine/spec/host_ranks.h"
#include "engine/sweep/slot_count.h"

#include <algorithm>

namespace trainyard::queue {
namespace {

// Of trials of one worker each on all of the hosts, which share `parallel` of them; 0: one on each.
Claim claimOver(const std::vector<std::string>& hosts, spec::RunSpec trial, int parallel, const run::Room& room) {
    Claim claim;
    const auto count = static_cast<int>(hosts.size());
    trial.hosts.clear();
    for (const std::string& host : hosts) {
        if (!spec::isThisComputer(host)) {
            claim.hosts.push_back(host);
            continue;
        }
        const Claim here = claimOf(trial, room);
        claim.cores = here.cores * std::max(1, (parallel + count - 1) / count);
        claim.devices = here.devices;
    }
    return claim;
}

} // namespace

Claim claimOf(const spec::RunSpec& spec, const run::Room& room) {
    Claim claim;
    int ranksHere = 0;
    for (int rank = 0; rank < spec.scaling.workers; ++rank) {
        const std::string host = spec::hostOfRank(spec.hosts, rank, spec.scaling.workers);
        if (host.empty()) ++ranksHere;
        else if (claim.hosts.empty() || claim.hosts.back() != host) claim.hosts.push_back(host); // dealt in blocks
    }
    if (ranksHere == 0) return claim;
    const auto& scaling = spec.scaling;
    if (scaling.device == "cuda" || (scaling.device == "auto" && room.devices > 0)) {
        claim.cores = ranksHere;
        for (int rank = 0; rank < ranksHere; ++rank) claim.devices.push_back("cuda:" + std::to_string(rank));
        return claim;
    }
    const int threads = scaling.threadsPerWorker > 0 ? scaling.threadsPerWorker : std::max(1, room.cores / ranksHere);
    claim.cores = ranksHere * threads;
    return claim;
}

Claim claimOf(const spec::SweepSpec& spec, const run::Room& room) {
    const auto run = spec::parseRunSpec(spec.runJson);
    if (!run) return {.cores = room.cores};
    Claim claim = claimOf(*run, room);
    if (const auto hosts = sweep::hostsOfTrials(spec); !hosts.empty())
        return claimOver(hosts, *run, spec.parallel, room);
    if (const auto slots = sweep::slotCount(spec, run->scaling.workers, 0, 0, room); slots.devices > 0) {
        claim.cores = slots.slots * slots.workers;
        claim.devices.clear();
        for (int device = 0; device < std::min(slots.devices, slots.slots * slots.ranks); ++device)
            claim.devices.push_back("cuda:" + std::to_string(device));
        return claim;
    }
    if (spec.parallel > 0) claim.cores *= spec.parallel;
    else if (claim.cores > 0) claim.cores = room.cores;
    return claim;
}

} // namespace trainyard::queue
