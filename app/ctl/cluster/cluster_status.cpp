// SPDX-License-Identifier: GPL-3.0-or-later
// cluster status: what of a cluster can be used, and what runs there.
#include "app/ctl/cluster/cluster.h"
#include "app/ctl/hosts/host_questions.h"
#include "engine/base/clock.h"
#include "engine/base/json_text.h"
#include "engine/run/launch/programs.h"
#include "engine/spec/run/host_ranks.h"
#include "remote/files/deploy.h"
#include "remote/hosts/host_facts.h"
#include "remote/hosts/host_setup.h"
#include "remote/hosts/port_probe.h"
#include "remote/hosts/remote_host.h"

#include <nlohmann/json.hpp>

#include <poll.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <set>

namespace trainyard::ctl {
namespace {

constexpr int kWatchMs = 5000;

struct HostStatus {
    std::optional<Error> error; // why nothing is known
    bool hasWorker = false;
    remote::SetupState setup = remote::SetupState::None;
    remote::HostFacts facts;
    double clockAhead = 0;
    std::map<std::string, int> workers; // by run
};

// A connection that is kept from one look to the next.
struct Looked {
    HostLink link;
    HostStatus status;
};

Result<Looked> look(const std::string& cluster, const remote::ClusterMember& member,
                    const remote::ConnectOptions& connect, const HostLink& before) {
    Looked looked{before, {}};
    HostStatus& status = looked.status;
    if (!looked.link.session || !looked.link.session->alive()) {
        TY_ASSIGN(looked.link, connectTo(member.host, connect));
    }
    auto& session = *looked.link.session;
    const auto& basics = looked.link.basics;
    TY_ASSIGN(status.setup,
              remote::readSetup(session, basics, {cluster, member.needs.setup, member.needs.environment}));
    TY_ASSIGN(status.hasWorker, remote::hasWorker(session, basics, run::workerProgram()));
    TY_ASSIGN(auto answer, remote::askFacts(session, basics));
    status.facts = std::move(answer.facts);
    TY_ASSIGN(status.clockAhead, remote::clockAhead(session));
    TY_ASSIGN(status.workers, remote::workersByRun(session));
    return looked;
}

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

std::string gpuText(const remote::HostFacts& facts) {
    std::string text;
    for (const auto& gpu : facts.gpus)
        text += (text.empty() ? "" : ", ") + std::to_string(std::lround(gpu.busy * 100)) + " %";
    return text.empty() ? "-" : text;
}

std::string clockCell(double ahead) {
    const auto text = remote::clockText(ahead);
    return text.empty() ? "right" : text;
}

void print(const ChosenCluster& chosen, const std::vector<HostStatus>& all, store::RunQuery* query) {
    std::vector<std::vector<std::string>> table{{"host", "reached", "worker", "setup", "cores", "load", "GPU",
                                                 "memory free", "disk free", "clock", "runs (processes)"}};
    for (std::size_t at = 0; at < all.size(); ++at) {
        const HostStatus& status = all[at];
        const auto& facts = status.facts;
        const std::string& alias = chosen.members[at].host.alias;
        if (status.error) {
            table.push_back({alias, "no", "-", "-", "-", "-", "-", "-", "-", "-", "-"});
            continue;
        }
        char load[16];
        std::snprintf(load, sizeof load, "%.2f", facts.load);
        table.push_back({alias, "yes", status.hasWorker ? "yes" : "no", toString(status.setup),
                         std::to_string(facts.cores), load, gpuText(facts),
                         bytesText(facts.freeMemoryBytes) + " of " + bytesText(facts.memoryBytes),
                         bytesText(facts.freeDiskBytes), clockCell(status.clockAhead), runsText(status, query)});
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
    json["gpu_busy"] = Json::array();
    for (const auto& gpu : status.facts.gpus) json["gpu_busy"].push_back(gpu.busy);
    json["clock_ahead_s"] = status.clockAhead;
    json["runs"] = Json::array();
    for (const auto& [run, count] : status.workers) json["runs"].push_back({{"run", run}, {"processes", count}});
    return json;
}

// How fast one host of the cluster sends to another.
struct Speed {
    std::string from, to;
    std::optional<double> bytesPerSecond;
    std::optional<Error> error;
};

// What is asked of all hosts again and again.
class ClusterWatch {
public:
    explicit ClusterWatch(ChosenCluster chosen) : m_chosen(std::move(chosen)), m_links(m_chosen.members.size()) {}

    void look();
    void measure(); // after a look
    void show(const Session& session, store::RunQuery* query) const;
    int code() const;

private:
    ChosenCluster m_chosen;
    std::vector<HostLink> m_links;
    std::vector<HostStatus> m_all;
    std::vector<Speed> m_speeds;
};

void ClusterWatch::look() {
    std::map<std::string, HostLink> before;
    for (std::size_t at = 0; at < m_links.size(); ++at) before[m_chosen.members[at].host.alias] = m_links[at];
    auto looks = onHosts<Looked>(
        m_chosen.members, [name = m_chosen.spec.name, connect = askingOptions(false), before](const auto& member) {
            auto looked = ctl::look(name, member, connect, before.at(member.host.alias));
            if (looked) return std::move(*looked);
            Looked unknown;
            unknown.status.error = std::move(looked).error();
            return unknown;
        });
    m_all.clear();
    for (std::size_t at = 0; at < looks.size(); ++at) {
        m_links[at] = std::move(looks[at].link);
        m_all.push_back(std::move(looks[at].status));
    }
}

// One pair after another, as they may share a cable, and each in one direction.
void ClusterWatch::measure() {
    std::map<std::string, const HostLink*> links;
    std::vector<std::string> names;
    for (std::size_t at = 0; at < m_links.size(); ++at) {
        if (!m_links[at].session) continue;
        names.push_back(m_chosen.members[at].host.alias);
        links[names.back()] = &m_links[at];
    }
    std::set<std::set<std::string>> measured;
    for (const auto& [receiver, sender] : spec::waysToTry(names)) {
        if (receiver == sender || interrupts() > 0 || !measured.insert({receiver, sender}).second) continue;
        const auto& [there, basics] = *links.at(sender);
        const auto address = remote::clusterAddress(*there, basics);
        auto speed = address ? remote::probeSpeed(*there, *address, *links.at(receiver)->session)
                             : Result<std::optional<double>>(address.error());
        m_speeds.push_back({sender, receiver, speed ? *speed : std::nullopt,
                            speed ? std::nullopt : std::optional(std::move(speed).error())});
    }
}

Json speedJson(const Speed& speed) {
    return {{"from", speed.from},
            {"to", speed.to},
            {"bytes_per_s", speed.bytesPerSecond ? Json(*speed.bytesPerSecond) : Json(nullptr)},
            {"error", speed.error ? Json(speed.error->text()) : Json(nullptr)}};
}

std::string speedText(const Speed& speed) {
    if (speed.error) return forTerminal(speed.error->text());
    if (!speed.bytesPerSecond) return "not measured: one of the hosts has neither Perl nor Python";
    return remote::speedText(*speed.bytesPerSecond);
}

void ClusterWatch::show(const Session& session, store::RunQuery* query) const {
    if (session.json) {
        Json list = Json::array();
        for (std::size_t at = 0; at < m_all.size(); ++at) list.push_back(statusJson(m_chosen.members[at], m_all[at]));
        if (m_speeds.empty()) {
            printJson(list);
            return;
        }
        Json speeds = Json::array();
        for (const auto& speed : m_speeds) speeds.push_back(speedJson(speed));
        printJson({{"hosts", std::move(list)}, {"speeds", std::move(speeds)}});
        return;
    }
    print(m_chosen, m_all, query);
    for (const auto& speed : m_speeds)
        std::printf("%s to %s: %s\n", speed.from.c_str(), speed.to.c_str(), speedText(speed).c_str());
    std::fflush(stdout);
}

int ClusterWatch::code() const {
    std::vector<std::optional<Error>> errors;
    for (const auto& status : m_all) errors.push_back(status.error);
    return worstCode(errors);
}

void waitForNextLook() {
    const double until = monotonicSeconds() + kWatchMs / 1000.0;
    while (interrupts() == 0 && monotonicSeconds() < until) ::poll(nullptr, 0, 100);
}

} // namespace

int clusterStatus(const Session& session, const ClusterOptions& options) {
    auto chosen = chooseCluster(options, ClusterFrom::Record);
    if (!chosen) return fail(chosen.error());
    const auto open = OpenWorkspace::open(session);
    store::RunQuery* const query = open ? open->query.get() : nullptr;
    ClusterWatch watch(std::move(*chosen));
    watch.look();
    if (!options.watch) {
        watch.show(session, query);
        return watch.code();
    }
    countInterrupts();
    watch.measure();
    const bool isTerminal = !session.json && ::isatty(STDOUT_FILENO) == 1;
    while (interrupts() == 0) {
        if (isTerminal) std::printf("\x1b[H\x1b[J"); // in the place of the last look
        watch.show(session, query);
        waitForNextLook();
        if (interrupts() == 0) watch.look();
    }
    return watch.code();
}

} // namespace trainyard::ctl
