// SPDX-License-Identifier: GPL-3.0-or-later
// cluster up: every host is tested, gets what its file says and the worker, and is put into the list of hosts.
#include "app/ctl/cluster/cluster.h"
#include "app/ctl/hosts/host_questions.h"
#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"
#include "engine/run/launch/programs.h"
#include "remote/book/shell_quote.h"
#include "remote/files/deploy.h"
#include "remote/hosts/host_probe.h"
#include "remote/hosts/host_setup.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace trainyard::ctl {
namespace {

using remote::SetupState;

// What became of one host.
struct UpEnd {
    std::optional<Error> error; // what ended it; the steps after it were left out
    std::vector<std::string> did;
    SetupState setup = SetupState::None;
    std::optional<remote::SetupEnd> setupRun; // when it ran
    std::int64_t workerBytes = 0;
};

struct UpPlan {
    std::string cluster;
    std::string file; // as a word of a command
    remote::ConnectOptions connect;
    bool setupAgain = false;
    std::shared_ptr<remote::DigestCache> digests = std::make_shared<remote::DigestCache>();
};

bool stopAsked() { return interrupts() > 0; }

Result<void> goOn() {
    if (stopAsked()) return stoppedError("stopped");
    return {};
}

// The first check that fails. The setup may install missing libraries; deployWorker() checks them.
Result<void> testHost(const remote::HostEntry& host, const UpPlan& plan, bool setupFollows) {
    remote::ProbeOptions options;
    options.connect = plan.connect;
    options.workerProgram = run::workerProgram();
    const auto report = remote::probeHost(host, options);
    for (const auto& check : report.checks)
        if (!check.ok && !(setupFollows && check.name == "version"))
            return environmentError(check.name + ": " + check.detail, host.label(), check.fix)
                .withCode(ErrorCode(check.code));
    return {};
}

Result<void> setUp(const HostLink& link, const remote::ClusterMember& member, const UpPlan& plan, UpEnd& end) {
    const remote::SetupPlan setup{plan.cluster, member.needs.setup, member.needs.environment};
    const std::string count = std::to_string(setup.commands.size()), &alias = member.host.alias;
    const auto onStep = [&](std::size_t step) {
        sayOf(alias, "setup " + std::to_string(step) + "/" + count + ": " + printable(setup.commands[step - 1], 100));
    };
    end.setup = SetupState::Failed; // until it has gone well
    TY_ASSIGN(end.setupRun, remote::runSetup(*link.session, link.basics, setup, onStep, stopAsked));
    if (end.setupRun->failed > 0)
        return environmentError(
            "setup command " + std::to_string(end.setupRun->failed) + " " + end.setupRun->status.text() + ": " +
                printable(setup.commands[end.setupRun->failed - 1], 100),
            link.session->host().label() + ":" + end.setupRun->log, "correct it, and bring the cluster up again");
    end.setup = SetupState::Done;
    end.did.push_back("ran " + count + (count == "1" ? " setup command" : " setup commands"));
    return {};
}

Result<void> bringUp(const remote::ClusterMember& member, const UpPlan& plan, UpEnd& end) {
    TY_ASSIGN(const HostLink link, connectTo(member.host, plan.connect));
    TY_ASSIGN(end.setup, remote::readSetup(*link.session, link.basics,
                                           {plan.cluster, member.needs.setup, member.needs.environment}));
    const bool setupFollows = end.setup == SetupState::Due || end.setup == SetupState::Failed ||
                              (plan.setupAgain && end.setup != SetupState::None);
    TY_TRY(goOn());
    TY_TRY(testHost(member.host, plan, setupFollows));
    TY_TRY(goOn());
    TY_ASSIGN(const auto copied,
              copyFolders(*link.session, member.needs.folders, *plan.digests, remote::Overwrite::Refuse));
    if (copied.files > 0)
        end.did.push_back("copied " + std::to_string(copied.files) + (copied.files == 1 ? " file" : " files"));
    TY_TRY(goOn());
    if (setupFollows) TY_TRY(setUp(link, member, plan, end));
    TY_TRY(goOn());
    TY_ASSIGN(const auto deployed,
              remote::deployWorker(*link.session, link.basics, {.worker = run::workerProgram()}, *plan.digests));
    end.workerBytes = deployed.bytesSent;
    if (deployed.bytesSent > 0) end.did.push_back("copied the worker (" + bytesText(deployed.bytesSent) + ")");
    return {};
}

UpEnd upOn(const remote::ClusterMember& member, const UpPlan& plan) {
    UpEnd end;
    if (auto brought = bringUp(member, plan, end); !brought) end.error = std::move(brought).error();
    if (end.error && end.error->code == ErrorCode::HostKeyUnknown) // the list of hosts does not have the host yet
        end.error->remedy =
            "compare it with the host's, then: trainyardctl cluster up " + plan.file + " --accept-new-key";
    return end;
}

// The hosts that are ready, in the list of hosts; those that were not there are the cluster's.
Result<void> noteUp(ChosenCluster& chosen, std::vector<UpEnd>& ends) {
    const auto* before = chosen.clusters.find(chosen.spec.name);
    remote::ClusterRecord record{chosen.spec, chosen.file, before ? before->added : std::vector<std::string>{}};
    for (std::size_t at = 0; at < ends.size(); ++at) {
        const auto& member = chosen.members[at];
        if (member.isListed || ends[at].error) continue;
        const auto* listed = chosen.hosts.find(member.host.alias);
        if (listed == nullptr || *listed != member.host) {
            TY_TRY(chosen.hosts.add(member.host, true));
            ends[at].did.push_back(listed == nullptr ? "added to the list of hosts" : "changed in the list of hosts");
        }
        if (std::ranges::find(record.added, member.host.alias) == record.added.end())
            record.added.push_back(member.host.alias);
    }
    return chosen.clusters.put(std::move(record));
}

// Hosts that an earlier file had and this one has not.
std::vector<std::string> leftOver(const ChosenCluster& chosen) {
    std::vector<std::string> left;
    const auto* record = chosen.clusters.find(chosen.spec.name);
    for (const auto& alias : record ? record->added : std::vector<std::string>{})
        if (std::ranges::none_of(chosen.members, [&](const auto& each) { return each.host.alias == alias; }))
            left.push_back(alias);
    return left;
}

void print(const ChosenCluster& chosen, const std::vector<UpEnd>& ends) {
    for (std::size_t at = 0; at < ends.size(); ++at) {
        const std::string& alias = chosen.members[at].host.alias;
        std::string did;
        for (const auto& each : ends[at].did) did += (did.empty() ? ": " : ", ") + each;
        if (!ends[at].error) {
            std::printf("%s %s%s\n", alias.c_str(), did.empty() ? "unchanged" : "ready", did.c_str());
            continue;
        }
        std::printf("%s FAILED: %s\n", alias.c_str(), forTerminal(ends[at].error->text()).c_str());
        if (!ends[at].setupRun || ends[at].setupRun->failed == 0) continue;
        for (std::string text = ends[at].setupRun->tail; !text.empty();) {
            const auto newline = std::min(text.find('\n'), text.size());
            std::printf("  | %s\n", printable(text.substr(0, newline)).c_str());
            text.erase(0, newline + 1);
        }
    }
    for (const auto& alias : leftOver(chosen))
        std::printf("%s is no longer in the file; `trainyardctl cluster down` removes it\n", alias.c_str());
}

Json upJson(const remote::ClusterMember& member, const UpEnd& end) {
    auto json = hostResultJson(member, end.error);
    json["changed"] = !end.did.empty();
    json["setup"] = toString(end.setup);
    json["worker_bytes"] = end.workerBytes;
    const bool failed = end.setupRun && end.setupRun->failed > 0;
    json["setup_exit_code"] = failed ? Json(remote::shellCode(end.setupRun->status)) : nullptr;
    json["setup_log"] = end.setupRun ? Json(end.setupRun->log) : nullptr;
    return json;
}

} // namespace

int clusterUp(const Session& session, const ClusterOptions& options) {
    auto chosen = chooseCluster(options, ClusterFrom::File);
    if (!chosen) return fail(chosen.error());
    const UpPlan plan{chosen->spec.name, remote::shellQuote(options.cluster).valueOr(options.cluster),
                      askingOptions(options.acceptNewKeys), options.setupAgain};
    countInterrupts();
    auto ends = onHosts<UpEnd>(chosen->members, [plan](const auto& member) { return upOn(member, plan); });
    if (auto recorded = noteUp(*chosen, ends); !recorded) return fail(recorded.error());
    std::vector<std::optional<Error>> errors;
    auto list = Json::array();
    for (std::size_t at = 0; at < ends.size(); ++at) {
        errors.push_back(ends[at].error);
        list.push_back(upJson(chosen->members[at], ends[at]));
    }
    if (session.json) printJson(list);
    else print(*chosen, ends);
    return worstCode(errors);
}

} // namespace trainyard::ctl
