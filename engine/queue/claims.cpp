// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/queue/claims.h"

#include "engine/spec/run/host_ranks.h"
#include "engine/sweep/judge/slot_count.h"

#include <algorithm>

namespace trainyard::queue {
namespace {

constexpr const char* kHere = "";
constexpr std::int64_t kMegabyte = 1'000'000;

run::Room roomHereOf(const run::HostRooms& rooms) {
    const auto found = rooms.find(kHere);
    return found == rooms.end() ? run::Room{} : found->second;
}

// Of so many ranks of a run on a computer.
Share shareOf(const spec::Scaling& scaling, int ranks, const run::Room& room) {
    Share share;
    share.memoryBytes = kMegabyte * scaling.memoryMb * ranks;
    if (scaling.device == "cuda" || (scaling.device == "auto" && room.devices > 0)) {
        share.cores = ranks;
        share.devices = ranks;
        return share;
    }
    const int threads = scaling.threadsPerWorker > 0 ? scaling.threadsPerWorker : std::max(1, room.cores / ranks);
    share.cores = ranks * threads;
    return share;
}

void firstDevices(Share& share, int count) {
    share.devices = 0;
    share.these.clear();
    for (int device = 0; device < count; ++device) share.these.push_back(device);
}

// Trials come and go on other hosts, so a sweep has them to itself.
void takeWhole(Claim& claim) {
    for (auto& [host, share] : claim)
        if (host != kHere) share = {.whole = true};
}

// Of trials of one worker each on all of the hosts, which share `parallel` of them; 0: one on each.
Claim claimOver(const std::vector<std::string>& hosts, spec::RunSpec trial, int parallel, const run::HostRooms& rooms) {
    Claim claim;
    const auto count = static_cast<int>(hosts.size());
    trial.hosts.clear();
    for (const std::string& host : hosts) {
        if (!spec::isThisComputer(host)) {
            claim[host].whole = true;
            continue;
        }
        Share here = claimOf(trial, rooms)[kHere];
        const int sideBySide = std::max(1, (parallel + count - 1) / count);
        here.cores *= sideBySide;
        here.memoryBytes *= sideBySide;
        firstDevices(here, here.devices);
        claim[kHere] = here;
    }
    return claim;
}

} // namespace

Claim claimOf(const spec::RunSpec& spec, const run::HostRooms& rooms) {
    std::map<std::string, int> ranksOf;
    for (int rank = 0; rank < spec.scaling.workers; ++rank)
        ++ranksOf[spec::hostOfRank(spec.hosts, {rank, spec.scaling.workers})];
    Claim claim;
    for (const auto& [host, ranks] : ranksOf) {
        const auto room = host == kHere ? std::optional(roomHereOf(rooms)) : std::nullopt;
        const auto found = rooms.find(host);
        if (room) claim[host] = shareOf(spec.scaling, ranks, *room);
        else if (found != rooms.end()) claim[host] = shareOf(spec.scaling, ranks, found->second);
        else claim[host].whole = true;
    }
    return claim;
}

Claim claimOf(const spec::SweepSpec& spec, const run::HostRooms& rooms) {
    const auto room = roomHereOf(rooms);
    const auto run = spec::parseRunSpec(spec.runJson);
    if (!run) return {{kHere, {.cores = room.cores}}};
    if (const auto hosts = sweep::hostsOfTrials(spec); !hosts.empty())
        return claimOver(hosts, *run, spec.parallel, rooms);
    Claim claim = claimOf(*run, rooms);
    takeWhole(claim);
    const auto here = claim.find(kHere);
    if (here == claim.end()) return claim;
    Share& share = here->second;
    share.memoryBytes *= std::max(1, spec.parallel);
    if (const auto slots = sweep::slotCount(spec, run->scaling.workers, {}, room); slots.devices > 0) {
        share.cores = slots.slots * slots.workers;
        firstDevices(share, std::min(slots.devices, slots.slots * slots.ranks));
        return claim;
    }
    firstDevices(share, share.devices);
    if (spec.parallel > 0) share.cores *= spec.parallel;
    else if (share.cores > 0) share.cores = room.cores;
    return claim;
}

Claim heldBy(Claim claim, const Devices& dealt) {
    for (auto& [host, share] : claim) {
        if (share.devices == 0) continue;
        const auto found = dealt.find(host);
        firstDevices(share, share.devices);
        if (found != dealt.end()) share.these = found->second;
    }
    return claim;
}

run::HostRooms roomsWith(const run::Room& here) {
    auto rooms = run::knownHosts();
    rooms[kHere] = here;
    return rooms;
}

} // namespace trainyard::queue
