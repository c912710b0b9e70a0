// SPDX-License-Identifier: GPL-3.0-or-later
// cluster down: ends what Trainyard runs on the hosts and removes what it has put there.
#include "app/ctl/cluster/cluster.h"
#include "app/ctl/hosts/host_questions.h"
#include "app/ctl/hosts/hosts_clean.h"
#include "engine/base/json_text.h"
#include "engine/run/attach/run_control.h"
#include "engine/run/attach/run_follower.h"
#include "engine/sweep/control/sweep_control.h"
#include "engine/sweep/control/sweep_follower.h"
#include "remote/files/host_cache.h"
#include "remote/hosts/host_facts.h"
#include "remote/hosts/host_setup.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <set>

namespace trainyard::ctl {
namespace {

constexpr double kSaveSeconds = 20; // for what no supervisor of this workspace ends

// What a host has, and what became of it.
struct DownEnd {
    std::optional<Error> error;
    HostLink link;
    std::map<std::string, int> workers; // by run
    std::vector<remote::CachedItem> items;
    std::vector<remote::Stays> stays; // of each item
    int ended = 0;                    // processes
    std::int64_t freedBytes = 0;
};

Result<void> findOut(const remote::ClusterMember& member, const remote::ConnectOptions& connect, DownEnd& end) {
    TY_ASSIGN(end.link, connectTo(member.host, connect));
    TY_ASSIGN(end.workers, remote::workersByRun(*end.link.session));
    return {};
}

Result<void> endWork(DownEnd& end) {
    TY_ASSIGN(end.ended, remote::endWorkers(*end.link.session, kSaveSeconds));
    TY_ASSIGN(end.items, remote::readHostCache(*end.link.session, end.link.basics));
    return {};
}

Result<void> clearHost(const std::string& cluster, DownEnd& end) {
    auto& session = *end.link.session;
    for (std::size_t i = 0; i < end.items.size(); ++i) {
        if (end.stays[i] != remote::Stays::No) continue;
        TY_TRY(remote::removeItem(session, end.link.basics, end.items[i]));
        end.freedBytes += end.items[i].bytes;
    }
    TY_ASSIGN(const auto removed, session.exec({"rm", "-rf", "--", remote::clusterFolder(end.link.basics, cluster)}));
    if (!removed.ok()) return environmentError("cannot be removed: " + removed.complaint(), session.host().label());
    return {};
}

using Step = std::function<Result<void>(const remote::ClusterMember&, DownEnd&)>;

// The next step on every host that has not failed yet.
void onEach(const std::vector<remote::ClusterMember>& members, std::vector<DownEnd>& ends, const Step& step) {
    std::map<std::string, DownEnd> before;
    for (std::size_t at = 0; at < members.size(); ++at) before[members[at].host.alias] = ends[at];
    ends = onHosts<DownEnd>(members, [before, step](const remote::ClusterMember& member) {
        DownEnd end = before.at(member.host.alias);
        if (end.error) return end;
        if (auto done = step(member, end); !done) end.error = std::move(done).error();
        return end;
    });
}

// The runs and sweeps of the workspace that use hosts of the cluster.
struct OwnWork {
    std::set<std::string> runs, sweeps; // ids
    bool empty() const { return runs.empty() && sweeps.empty(); }
};

OwnWork ownWork(const ChosenCluster& chosen, const std::vector<DownEnd>& hosts, store::RunQuery& query) {
    OwnWork work;
    const auto add = [&work](const store::RunRow& row) {
        if (!wire::isActive(row.status)) return;
        if (row.sweep.empty()) work.runs.insert(row.id);
        else work.sweeps.insert(row.sweep);
    };
    for (const auto& host : hosts)
        for (const auto& [run, count] : host.workers)
            if (const auto row = query.run(run); row && row->id == run) add(*row);
    const auto active = query.activeRuns();
    for (const auto& row : active ? *active : std::vector<store::RunRow>{}) {
        const auto spec = spec::parseRunSpec(row.specJson, row.name);
        for (const auto& name : spec ? spec->hosts : std::vector<std::string>{}) {
            const auto host = chosen.hosts.resolve(name);
            if (host &&
                std::ranges::any_of(chosen.members, [&](const auto& each) { return each.host.alias == host->alias; }))
                add(row);
        }
    }
    return work;
}

Result<void> stopAndWait(const store::Workspace& workspace, const OwnWork& work) {
    for (const auto& sweep : work.sweeps) TY_TRY(sweep::stopSweep(workspace, sweep, wire::StopMode::SaveAndStop));
    for (const auto& run : work.runs) TY_TRY(run::stopRun(workspace, run, wire::StopMode::SaveAndStop));
    for (const auto& run : work.runs) {
        TY_ASSIGN(const auto follower, run::RunFollower::open(workspace, run));
        for (bool ended = false; !ended;) {
            TY_ASSIGN(const auto update, follower->poll(200));
            ended = update.ended;
        }
    }
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    for (const auto& sweep : work.sweeps) TY_TRY(sweep::SweepFollower(workspace, sweep).wait(*query));
    return {};
}

std::string question(const ChosenCluster& chosen, const std::vector<DownEnd>& hosts, const OwnWork& work) {
    int processes = 0;
    for (const auto& host : hosts)
        for (const auto& [run, count] : host.workers) processes += count;
    std::string text = "Take the cluster " + chosen.spec.name + " (" + std::to_string(chosen.members.size()) +
                       (chosen.members.size() == 1 ? " host" : " hosts") + ") down";
    const auto own = work.runs.size() + work.sweeps.size();
    if (own > 0) text += ", stop " + std::to_string(own) + " of your runs and sweeps (they save first)";
    if (processes > 0) text += ", end " + std::to_string(processes) + " worker processes there";
    return text + "?";
}

// Takes the hosts that are down out of the list of hosts. The others stay, so that this can be said again.
Result<void> forget(ChosenCluster& chosen, const std::vector<DownEnd>& ends) {
    const auto* before = chosen.clusters.find(chosen.spec.name);
    if (before == nullptr) return {};
    remote::ClusterRecord record = *before;
    bool all = true;
    for (std::size_t at = 0; at < ends.size(); ++at)
        if (ends[at].error) all = false;
    std::vector<std::string> left;
    for (const auto& alias : record.added) {
        const auto member = std::ranges::find(chosen.members, alias, [](const auto& each) { return each.host.alias; });
        const auto at = static_cast<std::size_t>(member - chosen.members.begin());
        if (member != chosen.members.end() && ends[at].error) left.push_back(alias);
        else if (chosen.hosts.find(alias) != nullptr) TY_TRY(chosen.hosts.remove(alias));
    }
    if (all) return chosen.clusters.remove(chosen.spec.name);
    record.added = std::move(left);
    return chosen.clusters.put(std::move(record));
}

int tell(const Session& session, const ChosenCluster& chosen, const std::vector<DownEnd>& ends) {
    auto list = Json::array();
    std::vector<std::optional<Error>> errors;
    for (std::size_t at = 0; at < ends.size(); ++at) {
        const DownEnd& end = ends[at];
        errors.push_back(end.error);
        auto json = hostResultJson(chosen.members[at], end.error);
        json["ended_processes"] = end.ended;
        json["freed_bytes"] = end.freedBytes;
        const auto kept = end.items.size() - static_cast<std::size_t>(std::ranges::count(end.stays, remote::Stays::No));
        json["kept"] = kept;
        list.push_back(std::move(json));
        if (session.json) continue;
        const std::string& alias = chosen.members[at].host.alias;
        if (end.error) std::printf("%s FAILED: %s\n", alias.c_str(), forTerminal(end.error->text()).c_str());
        else
            std::printf("%s down: ended %d processes, freed %s%s\n", alias.c_str(), end.ended,
                        bytesText(end.freedBytes).c_str(),
                        kept == 0 ? "" : (", kept " + std::to_string(kept) + " (see: hosts clean)").c_str());
    }
    if (session.json) printJson(list);
    return worstCode(errors);
}

Result<int> takeDown(const Session& session, const ClusterOptions& options) {
    TY_ASSIGN(auto chosen, chooseCluster(options, ClusterFrom::Record));
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    std::vector<DownEnd> ends(chosen.members.size());
    onEach(chosen.members, ends, [connect = askingOptions(false)](const auto& member, DownEnd& end) {
        return findOut(member, connect, end);
    });
    const OwnWork work = ownWork(chosen, ends, *open.query);
    if (!options.yes && !askYesNo(question(chosen, ends, work)))
        return inputError("nothing was taken down", {}, "say yes, or give --yes");
    if (!work.empty()) TY_TRY(stopAndWait(open.workspace, work));
    onEach(chosen.members, ends, [](const auto&, DownEnd& end) { return endWork(end); });
    for (auto& end : ends) end.stays = judgeCache(end.items, newestHere(*open.query, end.items));
    onEach(chosen.members, ends, [name = chosen.spec.name](const auto&, DownEnd& end) { return clearHost(name, end); });
    TY_TRY(forget(chosen, ends));
    return tell(session, chosen, ends);
}

} // namespace

int clusterDown(const Session& session, const ClusterOptions& options) {
    const auto code = takeDown(session, options);
    return code ? *code : fail(code.error());
}

} // namespace trainyard::ctl
