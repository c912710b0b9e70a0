// SPDX-License-Identifier: GPL-3.0-or-later
// cluster rsync up|down: folders to the hosts of a cluster and back.
#include "app/ctl/cluster/cluster.h"
#include "app/ctl/hosts/host_questions.h"
#include "engine/base/json_text.h"
#include "remote/files/folder_copy.h"
#include "remote/hosts/connect.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace fs = std::filesystem;

namespace trainyard::ctl {
namespace {

struct CopyResult {
    std::optional<Error> error;
    remote::CopyEnd end;
};

remote::Overwrite overwriteBy(const ClusterOptions& options) {
    return options.force ? remote::Overwrite::Force : remote::Overwrite::Refuse;
}

// From several hosts each goes into a folder of its own.
fs::path placeFor(const ClusterOptions& options, const std::string& alias, std::size_t hosts) {
    return hosts == 1 ? fs::path(options.to) : fs::path(options.to) / alias;
}

int tellCopies(const Session& session, const std::vector<remote::ClusterMember>& members,
               const std::vector<CopyResult>& results) {
    auto list = Json::array();
    std::vector<std::optional<Error>> errors;
    for (std::size_t at = 0; at < results.size(); ++at) {
        const auto& [error, end] = results[at];
        const std::string& alias = members[at].host.alias;
        errors.push_back(error);
        auto json = hostResultJson(members[at], error);
        json["files"] = end.files;
        json["bytes"] = end.bytes;
        list.push_back(std::move(json));
        if (session.json) continue;
        if (error) std::printf("%s FAILED: %s\n", alias.c_str(), forTerminal(error->text()).c_str());
        else if (end.files == 0) std::printf("%s unchanged\n", alias.c_str());
        else
            std::printf("%s copied %zu %s (%s)\n", alias.c_str(), end.files, end.files == 1 ? "file" : "files",
                        bytesText(end.bytes).c_str());
    }
    if (session.json) printJson(list);
    return worstCode(errors);
}

using CopyWork = std::function<Result<remote::CopyEnd>(remote::SshSession&, const remote::ClusterMember&)>;

int copyOnHosts(const Session& session, const ChosenCluster& chosen, const CopyWork& work) {
    const auto results =
        onHosts<CopyResult>(chosen.members, [work, connect = askingOptions(false)](const auto& member) -> CopyResult {
            const auto link = remote::connectToHost(member.host, connect);
            if (!link) return {link.error(), {}};
            auto end = work(**link, member);
            if (end) return {std::nullopt, *end};
            return {std::move(end).error(), {}};
        });
    return tellCopies(session, chosen.members, results);
}

} // namespace

Result<remote::CopyEnd> copyFolders(remote::SshSession& session, const std::map<std::string, std::string>& folders,
                                    remote::DigestCache& digests, remote::Overwrite overwrite) {
    remote::CopyEnd all;
    for (const auto& [local, there] : folders) {
        TY_ASSIGN(const auto end, remote::copyUp(session, local, there, digests, overwrite));
        all.files += end.files;
        all.bytes += end.bytes;
    }
    return all;
}

int clusterCopyUp(const Session& session, const ClusterOptions& options) {
    const auto chosen = chooseCluster(options, ClusterFrom::Record);
    if (!chosen) return fail(chosen.error());
    if (options.from.empty() != options.to.empty())
        return fail(inputError("LOCAL is given without REMOTE", "REMOTE",
                               "name both, or neither for the folders of the cluster file"));
    const auto digests = std::make_shared<remote::DigestCache>();
    return copyOnHosts(session, *chosen, [digests, options](remote::SshSession& host, const auto& member) {
        const std::map<std::string, std::string> one{{options.from, options.to}};
        return copyFolders(host, options.from.empty() ? member.needs.folders : one, *digests, overwriteBy(options));
    });
}

int clusterCopyDown(const Session& session, const ClusterOptions& options) {
    const auto chosen = chooseCluster(options, ClusterFrom::Record);
    if (!chosen) return fail(chosen.error());
    const auto digests = std::make_shared<remote::DigestCache>();
    const std::size_t hosts = chosen->members.size();
    return copyOnHosts(session, *chosen, [digests, options, hosts](remote::SshSession& host, const auto& member) {
        return remote::copyDown(host, options.from, placeFor(options, member.host.alias, hosts), *digests,
                                overwriteBy(options));
    });
}

} // namespace trainyard::ctl
