// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/queue/placement.h"

#include "engine/run/record/run_folder.h"
#include "engine/run/slurm/slurm_job.h"
#include "engine/spec/run/host_ranks.h"

#include <algorithm>

namespace trainyard::queue {
namespace {

// Each once, however often and under which of its names the run file has it.
std::vector<std::string> differentHosts(const spec::RunSpec& spec) {
    std::vector<std::string> hosts;
    auto all = spec.hosts;
    all.insert(all.end(), spec.spareHosts.begin(), spec.spareHosts.end());
    for (const auto& host : all) {
        const auto same = [&host](const std::string& other) {
            return other == host || (spec::isThisComputer(other) && spec::isThisComputer(host));
        };
        if (std::none_of(hosts.begin(), hosts.end(), same)) hosts.push_back(host);
    }
    return hosts;
}

std::string claimName(const std::string& host) { return spec::isThisComputer(host) ? std::string() : host; }

// From 0, nothing is active there, to 1 and more: all of it is taken.
double loadOf(const std::string& host, const run::HostRooms& rooms, const std::vector<Claim>& active) {
    const auto room = rooms.find(claimName(host));
    double load = 0;
    for (const auto& claim : active) {
        const auto found = claim.find(claimName(host));
        if (found == claim.end()) continue;
        if (room == rooms.end() || found->second.whole) return 1;
        const auto& share = found->second;
        const double devices = static_cast<double>(share.these.size()) + share.devices;
        load += std::max(share.cores / static_cast<double>(std::max(1, room->second.cores)),
                         devices / std::max(1, room->second.devices));
    }
    return load;
}

bool hasRoom(const std::string& host, int ranks, spec::RunSpec spec, const run::HostRooms& rooms,
             const std::vector<Claim>& active) {
    spec.hosts = {host};
    spec.scaling.workers = ranks;
    const QueueRules rules{.slots = static_cast<int>(active.size()) + 1, .rooms = rooms};
    return judge(rules, {claimOf(spec, rooms)}, active).front().wait == Wait::None;
}

Placement chosen(const std::vector<std::string>& pool, const std::vector<std::string>& hosts) {
    Placement placement;
    for (const auto& host : pool) {
        const bool isChosen = std::find(hosts.begin(), hosts.end(), host) != hosts.end();
        (isChosen ? placement.hosts : placement.spares).push_back(host);
    }
    return placement;
}

// What a run was started with stands in its folder; what cannot be read was nothing.
Devices devicesDealtTo(const store::RunRow& row) {
    const auto launch = run::readLaunchRecord(run::RunFolder{row.folder});
    return launch ? launch->devices : Devices{};
}

// The run on the hosts where its ranks are: a spare may have taken the place of one.
spec::RunSpec placedWhere(spec::RunSpec spec, const std::vector<wire::WorkerState>& workers) {
    spec.hosts.clear();
    for (const auto& worker : workers) spec.hosts.push_back(worker.host.empty() ? "local" : worker.host);
    spec.scaling.workers = static_cast<int>(workers.size());
    return spec;
}

} // namespace

std::optional<Placement> place(const spec::RunSpec& spec, const run::HostRooms& rooms,
                               const std::vector<Claim>& active) {
    const auto pool = differentHosts(spec);
    if (spec.scaling.place != "free" || pool.size() < 2) return {};
    auto byLoad = pool;
    std::stable_sort(byLoad.begin(), byLoad.end(), [&](const std::string& a, const std::string& b) {
        return loadOf(a, rooms, active) < loadOf(b, rooms, active);
    });
    const auto most = std::min(pool.size(), static_cast<std::size_t>(spec.scaling.workers));
    for (auto count = most; count > 0; --count) {
        const int ranks = (spec.scaling.workers + static_cast<int>(count) - 1) / static_cast<int>(count);
        std::vector<std::string> fit;
        for (const auto& host : byLoad)
            if (fit.size() < count && hasRoom(host, ranks, spec, rooms, active)) fit.push_back(host);
        if (fit.size() == count) return chosen(pool, fit);
    }
    byLoad.resize(most);
    return chosen(pool, byLoad);
}

spec::RunSpec placedAt(spec::RunSpec spec, const Placement& placement) {
    spec.hosts = placement.hosts;
    spec.spareHosts = placement.spares;
    return spec;
}

Result<Active> activeWork(store::RunQuery& query, const run::HostRooms& rooms) {
    Active active;
    const Claim unknown{{"", {.cores = rooms.at("").cores}}};
    TY_ASSIGN(const auto runs, query.activeRuns());
    for (const auto& row : runs) {
        auto spec = spec::parseRunSpec(row.specJson);
        if (spec && !spec->hosts.empty()) {
            TY_ASSIGN(const auto workers, query.workers(row.id));
            if (!workers.empty()) *spec = placedWhere(std::move(*spec), workers);
        }
        active.names.push_back(row.name);
        active.claims.push_back(spec ? heldBy(claimOf(*spec, rooms), devicesDealtTo(row)) : unknown);
    }
    TY_ASSIGN(const auto sweeps, query.activeSweeps());
    for (const auto& row : sweeps) {
        if (run::isSlurmJob(query.workspace().root, row.id))
            continue; // its trials are on the nodes that Slurm has dealt them
        const auto spec = spec::parseSweepSpec(row.specJson);
        active.names.push_back(row.name);
        active.claims.push_back(spec ? claimOf(*spec, rooms) : unknown);
    }
    return active;
}

spec::RunSpec placedNow(const store::Workspace& workspace, spec::RunSpec spec) {
    if (spec.scaling.place != "free") return spec;
    const auto query = store::RunQuery::open(workspace);
    const auto rooms = roomsWith(run::roomHere());
    const auto active = query ? activeWork(**query, rooms) : Result<Active>(Active{});
    if (!active) return spec;
    const auto placement = place(spec, rooms, active->claims);
    return placement ? placedAt(std::move(spec), *placement) : spec;
}

} // namespace trainyard::queue
