// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/book/cluster_book.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace fs = std::filesystem;

namespace trainyard::remote {
namespace {

constexpr std::size_t kMaxRecord = 8u << 20;

Result<ClusterRecord> readRecord(const fs::path& file) {
    TY_ASSIGN(const std::string text, readFile(file, kMaxRecord));
    const auto json = parseJson(text);
    const bool whole = json.is_object() && json.contains("cluster") && json.value("file", Json()).is_string() &&
                       json.value("added", Json()).is_array();
    const std::string remedy = "move it away, and bring the cluster up again";
    if (!whole) return inputError("this is not the record of a cluster (malformed JSON)", file.string(), remedy);
    ClusterRecord record;
    TY_ASSIGN(record.spec, spec::parseClusterSpec(jsonText(json["cluster"]), file.string()));
    record.file = json["file"].get<std::string>();
    for (const auto& alias : json["added"])
        if (alias.is_string()) record.added.push_back(alias.get<std::string>());
    if (record.spec.name != file.stem())
        return inputError("it holds the cluster \"" + printable(record.spec.name) + "\"", file.string(), remedy);
    return record;
}

// The entry that a host of a cluster file stands for when the list of hosts does not have it.
Result<HostEntry> described(const spec::ClusterHost& host, const HostBook& hosts) {
    if (!host.isDescribed()) {
        TY_ASSIGN(HostEntry entry, hosts.resolve(host.alias));
        return entry;
    }
    HostEntry entry;
    entry.alias = host.alias;
    entry.hostName = host.hostName;
    entry.user = host.user;
    entry.port = host.port == 0 ? 22 : host.port;
    entry.identityFile = host.identityFile;
    entry.address = host.address;
    TY_TRY(validateHost(entry));
    return entry;
}

Result<ClusterMember> memberOf(const spec::ClusterSpec& cluster, const spec::ClusterHost& host, const HostBook& hosts,
                               const ClusterBook& clusters) {
    ClusterMember member;
    TY_ASSIGN(member.host, described(host, hosts));
    const std::string& alias = member.host.alias;
    member.needs = spec::needsOf(cluster, host);
    bool own = false;
    for (const auto& other : clusters.clusters()) {
        if (std::ranges::find(other.added, alias) == other.added.end()) continue;
        if (other.spec.name != cluster.name)
            return inputError("the cluster \"" + other.spec.name + "\" has brought \"" + alias + "\" up", "alias",
                              "bring that one down first: trainyardctl cluster down " + other.spec.name +
                                  "; or choose another alias");
        own = true;
    }
    const HostEntry* listed = hosts.find(alias);
    if (own || listed == nullptr) return member;
    if (host.isDescribed() && *listed != member.host)
        return inputError("the list of hosts has another \"" + alias + "\": " + listed->label(), "alias",
                          "choose another alias, or write \"" + alias + "\" alone for that host");
    member.isListed = true;
    return member;
}

} // namespace

Result<ClusterBook> ClusterBook::load(const fs::path& folder) {
    ClusterBook book;
    book.m_folder = folder.empty() ? configFolder() / "clusters" : folder;
    std::error_code failure;
    std::vector<fs::path> files;
    for (fs::directory_iterator it(book.m_folder, failure), end; !failure && it != end; it.increment(failure))
        if (it->path().extension() == ".json") files.push_back(it->path());
    if (failure && failure != std::errc::no_such_file_or_directory)
        return environmentError("the folder cannot be read: " + failure.message(), book.m_folder.string(),
                                "make it readable, or set XDG_CONFIG_HOME to a folder of yours");
    std::ranges::sort(files);
    for (const auto& file : files) {
        TY_ASSIGN(ClusterRecord record, readRecord(file));
        book.m_clusters.push_back(std::move(record));
    }
    return book;
}

const ClusterRecord* ClusterBook::find(std::string_view name) const {
    const auto found = std::ranges::find_if(m_clusters, [&](const auto& each) { return each.spec.name == name; });
    return found == m_clusters.end() ? nullptr : &*found;
}

Result<void> ClusterBook::put(ClusterRecord record) {
    Json json;
    json["version"] = 1;
    json["file"] = record.file;
    json["added"] = record.added;
    json["cluster"] = parseJson(spec::clusterJson(record.spec));
    std::error_code failure;
    if (fs::create_directories(m_folder, failure); failure)
        return environmentError("the folder cannot be made: " + failure.message(), m_folder.string(),
                                "set XDG_CONFIG_HOME to a folder that you can write to");
    const fs::path file = fileOf(record.spec.name);
    TY_TRY(writeFileAtomic(file, jsonFile(json)));
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write, failure);
    std::erase_if(m_clusters, [&](const auto& each) { return each.spec.name == record.spec.name; });
    m_clusters.push_back(std::move(record));
    std::ranges::sort(m_clusters, {}, [](const auto& each) { return each.spec.name; });
    return {};
}

Result<void> ClusterBook::remove(const std::string& name) {
    std::error_code failure;
    fs::remove(fileOf(name), failure);
    if (failure) return environmentError("cannot be removed: " + failure.message(), fileOf(name).string());
    std::erase_if(m_clusters, [&](const auto& each) { return each.spec.name == name; });
    return {};
}

Result<std::vector<ClusterMember>> membersOf(const spec::ClusterSpec& cluster, const HostBook& hosts,
                                             const ClusterBook& clusters) {
    std::vector<ClusterMember> members;
    for (std::size_t i = 0; i < cluster.hosts.size(); ++i) {
        const std::string path = "hosts." + std::to_string(i);
        auto member = memberOf(cluster, cluster.hosts[i], hosts, clusters);
        if (!member) {
            Error error = std::move(member).error();
            error.where = path + (error.where.empty() ? "" : ".") + error.where;
            return error;
        }
        for (const auto& each : members)
            if (each.host.alias == member->host.alias)
                return inputError("\"" + member->host.alias + "\" is there twice", path, "remove one of the two");
        members.push_back(std::move(*member));
    }
    return members;
}

std::map<std::string, std::map<std::string, std::string>> environmentsOf(const ClusterBook& clusters,
                                                                         const HostBook& hosts) {
    std::map<std::string, std::map<std::string, std::string>> environments;
    for (const auto& record : clusters.clusters())
        for (const auto& host : record.spec.hosts)
            if (const auto entry = described(host, hosts))
                environments[entry->alias] = spec::needsOf(record.spec, host).environment;
    return environments;
}

} // namespace trainyard::remote
