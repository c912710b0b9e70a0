// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/cluster/cluster.h"

#include "app/ctl/run_file.h"
#include "engine/base/json_text.h"
#include "engine/base/machine/mutex.h"
#include "engine/base/nearest_word.h"
#include "engine/base/text/printable.h"
#include "remote/files/transfer.h"
#include "remote/hosts/connect.h"

#include <nlohmann/json.hpp>

#include <poll.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace fs = std::filesystem;

namespace trainyard::ctl {
namespace {

Result<void> readFrom(const fs::path& file, ChosenCluster& chosen) {
    TY_ASSIGN(chosen.spec, spec::readClusterSpec(file));
    std::error_code ignored;
    chosen.file = fs::absolute(file, ignored).lexically_normal().string();
    return {};
}

Error noSuchCluster(const std::string& name, ClusterFrom from, const remote::ClusterBook& clusters) {
    std::vector<std::string> names;
    for (const auto& each : clusters.clusters()) names.push_back(each.spec.name);
    const std::string near = nearestWord(name, names);
    return inputError("no cluster file and no cluster that is up has the name \"" + printable(name) + "\"", {},
                      !near.empty()               ? "did you mean \"" + near + "\"?"
                      : from == ClusterFrom::File ? "correct the path of the file"
                                                  : "bring one up with: trainyardctl cluster up FILE");
}

Result<void> findCluster(const std::string& name, ClusterFrom from, ChosenCluster& chosen) {
    std::error_code ignored;
    const bool isFile = fs::is_regular_file(name, ignored);
    const remote::ClusterRecord* record = chosen.clusters.find(name);
    if (from == ClusterFrom::File && record != nullptr && !isFile) return readFrom(record->file, chosen);
    if (record == nullptr && !isFile) return noSuchCluster(name, from, chosen.clusters);
    if (from == ClusterFrom::File || record == nullptr) {
        TY_TRY(readFrom(name, chosen));
        record = from == ClusterFrom::File ? nullptr : chosen.clusters.find(chosen.spec.name);
    }
    if (record != nullptr) {
        chosen.spec = record->spec;
        chosen.file = record->file;
    }
    return {};
}

Result<std::vector<remote::ClusterMember>> named(std::vector<remote::ClusterMember> members,
                                                 const std::vector<std::string>& aliases) {
    if (aliases.empty()) return members;
    std::vector<remote::ClusterMember> chosen;
    for (const auto& alias : aliases) {
        const auto found = std::ranges::find(members, alias, [](const auto& each) { return each.host.alias; });
        if (found == members.end()) {
            std::vector<std::string> known;
            for (const auto& each : members) known.push_back(each.host.alias);
            const std::string near = nearestWord(alias, known);
            return inputError("\"" + printable(alias) + "\" is not a host of the cluster", "--host",
                              near.empty() ? "see: trainyardctl cluster status" : "did you mean \"" + near + "\"?");
        }
        chosen.push_back(*found);
    }
    return chosen;
}

} // namespace

Result<ChosenCluster> chooseCluster(const ClusterOptions& options, ClusterFrom from) {
    ChosenCluster chosen;
    TY_ASSIGN(chosen.hosts, remote::HostBook::load());
    TY_ASSIGN(chosen.clusters, remote::ClusterBook::load());
    TY_TRY(findCluster(options.cluster, from, chosen));
    auto members = membersOf(chosen.spec, chosen.hosts, chosen.clusters);
    if (!members) {
        Error error = std::move(members).error();
        error.where = chosen.file + ": " + error.where;
        return error;
    }
    TY_ASSIGN(chosen.members, named(std::move(*members), options.hosts));
    return chosen;
}

Result<std::vector<std::string>> overridesOfCluster(const std::string& cluster) {
    ClusterOptions options;
    options.cluster = cluster;
    TY_ASSIGN(const auto chosen, chooseCluster(options, ClusterFrom::Record));
    auto hosts = nlohmann::json::array();
    for (const auto& member : chosen.members) hosts.push_back(member.host.alias);
    return std::vector<std::string>{"hosts=" + jsonText(hosts), "scaling.place=free"};
}

Result<HostLink> connectTo(const remote::HostEntry& host, const remote::ConnectOptions& options) {
    HostLink link;
    TY_ASSIGN(link.session, remote::connectToHost(host, options));
    TY_ASSIGN(link.basics, remote::askBasics(*link.session));
    return link;
}

void sayOf(const std::string& alias, const std::string& text) {
    static Mutex mutex;
    const MutexLock lock(mutex);
    std::fprintf(stderr, "%s: %s\n", alias.c_str(), forTerminal(text).c_str());
}

Json hostResultJson(const remote::ClusterMember& member, const std::optional<Error>& error) {
    Json json{{"host", member.host.alias}, {"ok", !error}, {"error", nullptr}, {"error_code", nullptr}};
    if (error) {
        json["error"] = error->text();
        json["error_code"] = toString(error->code);
    }
    return json;
}

int worstCode(const std::vector<std::optional<Error>>& errors) {
    int worst = 0;
    for (const auto& error : errors)
        if (error) worst = std::max(worst, exitCode(error->kind));
    return worst;
}

void finishOrQuit(run::HostTasks& tasks) {
    while (tasks.count() > 0) {
        pollfd ready{tasks.fd(), POLLIN, 0};
        ::poll(&ready, 1, 200);
        tasks.deliver();
        if (interrupts() > 1) std::_Exit(exitCode(ErrorKind::Stopped));
    }
}

} // namespace trainyard::ctl
