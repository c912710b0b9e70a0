// SPDX-License-Identifier: GPL-3.0-or-later
// cluster status: what of a cluster can be used, and what runs there.
#include "app/ctl/cluster/cluster.h"
#include "app/ctl/host_questions.h"
#include "engine/run/launch/programs.h"
#include "remote/deploy.h"
#include "remote/host_facts.h"
#include "remote/host_setup.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace trainyard::ctl {
namespace {

using Json = nlohmann::ordered_json;

struct HostStatus {
    std::optional<Error> error; // why nothing is known
    bool hasWorker = false;
    remote::SetupState setup = remote::SetupState::None;
    remote::HostFacts facts;
    std::map<std::string, int> workers; // by run
};

Result<HostStatus> look(const std::string& cluster, const remote::ClusterMember& member,
                        const remote::ConnectOptions& connect) {
    HostStatus status;
    TY_ASSIGN(const HostLink link, connectTo(member.host, connect));
    TY_ASSIGN(status.setup,
              remote::readSetup(*link.session, link.basics, {cluster, member.needs.setup, member.needs.environment}));
    TY_ASSIGN(status.hasWorker, remote::hasWorker(*link.session, link.basics, run::workerProgram()));
    TY_ASSIGN(auto answer, remote::askFacts(*link.session, link.basics));
    status.facts = std::move(answer.facts);
    TY_ASSIGN(status.workers, remote::workersByRun(*link.session));
    return status;
}

// The name of a run of this workspace, else its id.
std::string nameOf(const std::string& run, store::RunQuery* query) {
    const auto row = query ? query->run(run) : Result<store::RunRow>(inputError(""));
    return row && row->id == run ? shownName(row->name) : run;
}

std::string runsText(const HostStatus& status, store::RunQuery* query) {
    std::string text;
    for (const auto& [run, count] : status.workers)
        text += (text.empty() ? "" : ", ") + nameOf(run, query) + " (" + std::to_string(count) + ")";
    return text.empty() ? "-" : text;
}

void print(const ChosenCluster& chosen, const std::vector<HostStatus>& all, store::RunQuery* query) {
    std::vector<std::vector<std::string>> table{
        {"host", "reached", "worker", "setup", "cores", "load", "memory free", "runs (processes)"}};
    for (std::size_t at = 0; at < all.size(); ++at) {
        const HostStatus& status = all[at];
        const std::string& alias = chosen.members[at].host.alias;
        if (status.error) {
            table.push_back({alias, "no", "-", "-", "-", "-", "-", "-"});
            continue;
        }
        char load[16];
        std::snprintf(load, sizeof load, "%.2f", status.facts.load);
        table.push_back({alias, "yes", status.hasWorker ? "yes" : "no", toString(status.setup),
                         std::to_string(status.facts.cores), load,
                         bytesText(status.facts.freeMemoryBytes) + " of " + bytesText(status.facts.memoryBytes),
                         runsText(status, query)});
    }
    printTable(table);
    for (std::size_t at = 0; at < all.size(); ++at)
        if (all[at].error)
            std::printf("%s: %s\n", chosen.members[at].host.alias.c_str(), forTerminal(all[at].error->text()).c_str());
}

Json statusJson(const remote::ClusterMember& member, const HostStatus& status) {
    Json json = hostResultJson(member, status.error);
    if (status.error) return json;
    json["worker"] = status.hasWorker;
    json["setup"] = toString(status.setup);
    json["cores"] = status.facts.cores;
    json["load"] = status.facts.load;
    json["memory_bytes"] = status.facts.memoryBytes;
    json["free_memory_bytes"] = status.facts.freeMemoryBytes;
    json["free_disk_bytes"] = status.facts.freeDiskBytes;
    json["gpus"] = status.facts.gpus.size();
    json["runs"] = Json::array();
    for (const auto& [run, count] : status.workers) json["runs"].push_back({{"run", run}, {"processes", count}});
    return json;
}

} // namespace

int clusterStatus(const Session& session, const ClusterOptions& options) {
    const auto chosen = chooseCluster(options, ClusterFrom::Record);
    if (!chosen) return fail(chosen.error());
    const auto open = OpenWorkspace::open(session);
    const auto all = onHosts<HostStatus>(
        chosen->members, [name = chosen->spec.name, connect = askingOptions(false)](const auto& member) {
            auto status = look(name, member, connect);
            if (status) return std::move(*status);
            HostStatus unknown;
            unknown.error = std::move(status).error();
            return unknown;
        });
    std::vector<std::optional<Error>> errors;
    Json list = Json::array();
    for (std::size_t at = 0; at < all.size(); ++at) {
        errors.push_back(all[at].error);
        list.push_back(statusJson(chosen->members[at], all[at]));
    }
    if (session.json) printJson(list);
    else print(*chosen, all, open ? open->query.get() : nullptr);
    return worstCode(errors);
}

} // namespace trainyard::ctl
