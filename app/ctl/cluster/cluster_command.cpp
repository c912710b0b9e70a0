// SPDX-License-Identifier: GPL-3.0-or-later
// cluster up|status|exec|rsync|forward|down.
#include "app/ctl/cluster/cluster.h"
#include "app/ctl/run_file.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace trainyard::ctl {
namespace {

using Options = std::shared_ptr<ClusterOptions>;

constexpr const char* kCluster = "name of a cluster that is up, or a cluster file";

void addUp(CLI::App& cluster, Session& session, const Options& options) {
    auto* up = cluster.add_subcommand("up", "test the hosts of a cluster file, set them up and add them to the hosts");
    up->add_option("FILE", options->cluster, "cluster file (JSON), or the name of a cluster that is up")->required();
    up->add_flag("--accept-new-key", options->acceptNewKeys, "accept the key of a host not seen before");
    up->add_flag("--setup", options->setupAgain, "run the setup commands again");
    addCommonOptions(*up, session);
    up->callback(
        [&session, options] { session.action = [&session, options] { return clusterUp(session, *options); }; });
}

void addStatus(CLI::App& cluster, Session& session, const Options& options) {
    auto* status = cluster.add_subcommand("status", "show which hosts of a cluster are usable, and what runs there");
    status->add_option("CLUSTER", options->cluster, kCluster)->required();
    status->add_option("--host", options->hosts, "only this host; may be repeated")->type_name("HOST")->take_all();
    status->add_flag("--watch", options->watch,
                     "repeat every 5 s until Ctrl+C, with the network speed between the hosts (measured once)");
    addCommonOptions(*status, session);
    status->callback(
        [&session, options] { session.action = [&session, options] { return clusterStatus(session, *options); }; });
}

void addSubmit(CLI::App& cluster, Session& session, const Options& options) {
    auto* submit = cluster.add_subcommand(
        "submit", "add a run or sweep to the queue, to be trained on the cluster's least busy hosts");
    submit->add_option("CLUSTER", options->cluster, kCluster)->required();
    submit->add_option("FILE", options->file, "run or sweep file (JSON)")->required();
    submit->add_option("--set", options->overrides, "path=value: replaces one field of the file; may be repeated")
        ->type_name("PATH=VALUE")
        ->take_all();
    addCommonOptions(*submit, session);
    submit->callback([&session, options] {
        session.action = [&session, options] {
            return submitToCluster(session, options->cluster, options->file, options->overrides);
        };
    });
}

void addExec(CLI::App& cluster, Session& session, const Options& options) {
    auto* exec = cluster.add_subcommand("exec", "run a command on the hosts of a cluster; Ctrl+C ends it everywhere");
    exec->add_option("CLUSTER", options->cluster, kCluster)->required();
    exec->add_option("COMMAND", options->command, "after --: the command and its arguments")->required();
    exec->add_option("--host", options->hosts, "only on this host; may be repeated")->type_name("HOST")->take_all();
    exec->add_flag("--accept-new-key", options->acceptNewKeys, "accept the key of a host not seen before");
    exec->callback([&session, options] { session.action = [options] { return clusterExec(*options); }; });
}

void addDown(CLI::App& cluster, Session& session, const Options& options) {
    auto* down = cluster.add_subcommand("down", "end the runs on the hosts and remove the files copied there");
    down->add_option("CLUSTER", options->cluster, kCluster)->required();
    down->add_flag("--yes", options->yes, "do not ask for confirmation");
    addCommonOptions(*down, session);
    down->callback(
        [&session, options] { session.action = [&session, options] { return clusterDown(session, *options); }; });
}

void addCopies(CLI::App& cluster, Session& session, const Options& options) {
    auto* rsync = cluster.add_subcommand("rsync", "copy folders to the hosts of a cluster and back");
    rsync->require_subcommand(1);
    auto* up = rsync->add_subcommand("up", "copy a folder, or the folders of the cluster file, to the hosts");
    auto* down =
        rsync->add_subcommand("down", "copy a folder from the hosts, each into a local folder named after the host");
    for (auto* command : {up, down}) {
        const bool isUp = command == up;
        command->add_option("CLUSTER", options->cluster, kCluster)->required();
        command->add_option(isUp ? "LOCAL" : "REMOTE", options->from, isUp ? "local folder or file" : "folder there")
            ->required(!isUp);
        command->add_option(isUp ? "REMOTE" : "LOCAL", options->to, isUp ? "folder there" : "folder here")
            ->required(!isUp);
        command->add_option("--host", options->hosts, "only this host; may be repeated")->type_name("HOST")->take_all();
        command->add_flag("--force", options->force, "overwrite newer files, too");
        addCommonOptions(*command, session);
        command->callback([&session, options, isUp] {
            session.action = [&session, options, isUp] {
                return isUp ? clusterCopyUp(session, *options) : clusterCopyDown(session, *options);
            };
        });
    }
}

void addForward(CLI::App& cluster, Session& session, const Options& options) {
    auto* forward = cluster.add_subcommand("forward", "forward ports of a host to 127.0.0.1 until Ctrl+C");
    forward->add_option("CLUSTER", options->cluster, kCluster)->required();
    forward->add_option("HOST", options->host, "alias of a host of the cluster")->required();
    forward->add_option("PORTS", options->ports, "LOCAL:REMOTE, such as 8080:80")->required();
    forward->callback([&session, options] { session.action = [options] { return clusterForward(*options); }; });
}

} // namespace

void addClusterCommand(CLI::App& app, Session& session) {
    auto* cluster = app.add_subcommand("cluster", "set up hosts as a cluster, and work with all of them");
    cluster->require_subcommand(1);
    const auto options = std::make_shared<ClusterOptions>();
    addUp(*cluster, session, options);
    addSubmit(*cluster, session, options);
    addStatus(*cluster, session, options);
    addExec(*cluster, session, options);
    addCopies(*cluster, session, options);
    addForward(*cluster, session, options);
    addDown(*cluster, session, options);
}

} // namespace trainyard::ctl
