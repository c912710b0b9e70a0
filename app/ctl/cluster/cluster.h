// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands of `cluster` share.
#pragma once

#include "app/ctl/interrupt.h"
#include "app/ctl/session.h"
#include "engine/base/json_text.h"
#include "engine/run/launch/host_tasks.h"
#include "remote/book/cluster_book.h"
#include "remote/files/folder_copy.h"
#include "remote/files/transfer.h"

#include <optional>

namespace trainyard::ctl {

// What the command line says.
struct ClusterOptions {
    std::string cluster;              // CLUSTER: a cluster file, or the name of a cluster that is up
    std::vector<std::string> hosts;   // --host: aliases; empty: all
    std::vector<std::string> command; // of `exec`
    std::string from, to;             // of `rsync`: what is copied, and where to
    std::string host;                 // HOST of `forward`
    std::vector<std::string> ports;   // of `forward`
    bool acceptNewKeys = false;
    bool yes = false;
    bool setupAgain = false;
    bool force = false;
    std::string file;                   // FILE of `submit`
    std::vector<std::string> overrides; // its --set
    bool watch = false;                 // `status`: again and again
};

// A cluster and what is known of it.
struct ChosenCluster {
    spec::ClusterSpec spec;
    std::string file; // it was read from
    remote::HostBook hosts;
    remote::ClusterBook clusters;
    std::vector<remote::ClusterMember> members; // the hosts that --host names, or all
};

// The cluster that the options name; `up` reads the file, the others what was brought up. Input: there is none, a file
// is wrong, or a host is not one of it.
enum class ClusterFrom { File, Record };
Result<ChosenCluster> chooseCluster(const ClusterOptions& options, ClusterFrom from);

// A connection and what the host says about itself.
struct HostLink {
    std::shared_ptr<remote::SshSession> session;
    remote::HostBasics basics;
};
Result<HostLink> connectTo(const remote::HostEntry& host, const remote::ConnectOptions& options);

// "h1: text" on stderr, from any thread.
void sayOf(const std::string& alias, const std::string& text);
// {host, ok, error, error_code}: what every list of hosts has in JSON.
Json hostResultJson(const remote::ClusterMember& member, const std::optional<Error>& error);
// 0, or the exit code of the worst of these errors; 130 when one is Stopped.
int worstCode(const std::vector<std::optional<Error>>& errors);

// Waits for them; a second Ctrl+C ends the program, and with it what it has started on hosts.
void finishOrQuit(run::HostTasks& tasks);

// Does the work for every host, side by side, on other threads; returns the results in the order of the hosts.
// `done` is called here, as each ends. The first Ctrl+C is counted (interrupts()), a second ends the program.
template <class T>
std::vector<T> onHosts(const std::vector<remote::ClusterMember>& members,
                       const std::function<T(const remote::ClusterMember&)>& work,
                       const std::function<void(std::size_t, const T&)>& done = {}) {
    std::vector<std::optional<T>> ends(members.size());
    run::HostTasks tasks;
    for (std::size_t at = 0; at < members.size(); ++at)
        tasks.start<T>(
            std::to_string(at), [work, member = members[at]] { return work(member); },
            [&ends, &done, at](T end) {
                if (done) done(at, end);
                ends[at].emplace(std::move(end));
            });
    finishOrQuit(tasks);
    std::vector<T> all;
    for (auto& end : ends) all.push_back(std::move(*end));
    return all;
}

// Copies folders of this computer to those there, as `rsync up` and `up` do.
Result<remote::CopyEnd> copyFolders(remote::SshSession& session, const std::map<std::string, std::string>& folders,
                                    remote::DigestCache& digests, remote::Overwrite overwrite);

// What the commands do; they return the exit code.
int clusterUp(const Session& session, const ClusterOptions& options);
int clusterStatus(const Session& session, const ClusterOptions& options);
int clusterExec(const ClusterOptions& options);
int clusterDown(const Session& session, const ClusterOptions& options);
int clusterCopyUp(const Session& session, const ClusterOptions& options);
int clusterCopyDown(const Session& session, const ClusterOptions& options);
int clusterForward(const ClusterOptions& options);

} // namespace trainyard::ctl
