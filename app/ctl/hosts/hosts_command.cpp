// SPDX-License-Identifier: GPL-3.0-or-later
// hosts add|list|test|clean|remove, and the launcher for hosts over SSH.
#include "app/ctl/help/completion.h"
#include "app/ctl/hosts/host_questions.h"
#include "app/ctl/hosts/hosts_clean.h"
#include "app/ctl/launchers.h"
#include "app/ctl/session.h"
#include "engine/base/json_text.h"
#include "engine/run/launch/host_tasks.h"
#include "engine/run/launch/programs.h"
#include "engine/spec/run/host_ranks.h"
#include "remote/book/cluster_book.h"
#include "remote/book/ssh_config.h"
#include "remote/hosts/connect.h"
#include "remote/hosts/host_probe.h"
#include "remote/launch/ssh_launcher.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <string_view>

namespace trainyard::ctl {
namespace {

struct HostOptions {
    remote::HostEntry host;
    std::string target, channel = "auto";
    std::vector<std::string> names;
    bool replace = false, yes = false, dryRun = false;
};

// What the next connection is made over, as far as that is known before.
std::string channelOf(const remote::HostEntry& host) {
    return remote::channelText(remote::chooseChannel(remote::channelFacts(host)));
}

Json hostJson(const remote::HostEntry& host) {
    return {{"alias", host.alias},
            {"host", host.target()},
            {"user", host.user},
            {"port", host.port},
            {"identity_file", host.identityFile},
            {"address", host.address},
            {"channel", toString(host.channel)},
            {"over", channelOf(host)}};
}

Result<int> addHost(const Session& session, const HostOptions& options) {
    TY_ASSIGN(auto book, remote::HostBook::load());
    TY_ASSIGN(auto host, book.resolve(options.target));
    if (!options.host.alias.empty() && options.host.alias != host.alias) {
        if (host.sshName.empty()) host.sshName = host.alias; // as the SSH config has it
        host.alias = options.host.alias;
    }
    host.channel = remote::channelWish(options.channel).value_or(remote::ChannelWish::Auto);
    if (!options.host.identityFile.empty()) host.identityFile = options.host.identityFile;
    if (!options.host.address.empty()) host.address = options.host.address;
    TY_TRY(book.add(host, options.replace));
    if (session.json) return printJson(hostJson(host));
    std::printf("%s is %s; check it with: trainyardctl hosts test %s\n", host.alias.c_str(), host.label().c_str(),
                host.alias.c_str());
    return 0;
}

Result<int> listHosts(const Session& session) {
    TY_ASSIGN(const auto book, remote::HostBook::load());
    Json list = Json::array();
    std::vector<std::vector<std::string>> table{{"alias", "host", "over"}};
    for (const auto& host : book.hosts()) {
        list.push_back(hostJson(host));
        table.push_back({host.alias, host.label(), channelOf(host).substr(std::string_view("over ").size())});
    }
    if (session.json) return printJson(list);
    if (book.hosts().empty()) std::printf("no hosts yet; add one with: trainyardctl hosts add user@host\n");
    else printTable(table);
    return 0;
}

Result<int> removeHosts(const Session& session, const std::vector<std::string>& names) {
    TY_ASSIGN(auto book, remote::HostBook::load());
    for (const auto& name : names) TY_TRY(book.remove(name));
    if (session.json) return printJson({{"removed", names}});
    return 0;
}

Json reportJson(const remote::HostReport& report) {
    Json checks = Json::array();
    for (const auto& check : report.checks)
        checks.push_back({{"name", check.name},
                          {"ok", check.ok},
                          {"detail", check.detail},
                          {"fix", check.fix},
                          {"code", check.ok ? Json(nullptr) : Json(toString(check.code))},
                          {"seconds", check.seconds}});
    return {{"alias", report.alias},
            {"ok", report.ok()},
            {"over", report.over ? Json(remote::channelText(*report.over)) : Json(nullptr)},
            {"checks", std::move(checks)},
            {"cores", report.facts.cores},
            {"system", report.facts.system},
            {"gpus", report.facts.gpus.size()}};
}

void printReport(const remote::HostEntry& host, const remote::HostReport& report) {
    std::printf("%s (%s)\n", host.alias.c_str(), host.label().c_str());
    for (const auto& check : report.checks)
        std::printf("  %s %-8s %s%s%s\n", check.ok ? "ok  " : "FAIL", check.name.c_str(), check.detail.c_str(),
                    check.fix.empty() ? "" : ": ", check.fix.c_str());
    std::fflush(stdout);
}

// Side by side; each report is printed as soon as those before it are.
Result<std::vector<remote::HostReport>> probeAll(const remote::HostBook& book, const std::vector<std::string>& names,
                                                 const remote::ProbeOptions& options, bool print) {
    std::vector<remote::HostEntry> hosts;
    for (const auto& name : names) {
        TY_ASSIGN(auto host, book.resolve(name));
        hosts.push_back(std::move(host));
    }
    std::vector<std::optional<remote::HostReport>> reports(hosts.size());
    std::size_t printed = 0;
    run::HostTasks tasks;
    for (std::size_t index = 0; index < hosts.size(); ++index)
        tasks.start<remote::HostReport>(
            std::to_string(index),
            [host = hosts[index], name = names[index], options] {
                auto report = remote::probeHost(host, options);
                if (report.question) report.checks[1].fix += ": trainyardctl hosts test " + name + " --accept-new-key";
                return report;
            },
            [&, index](remote::HostReport report) {
                reports[index] = std::move(report);
                for (; print && printed < reports.size() && reports[printed]; ++printed)
                    printReport(hosts[printed], *reports[printed]);
            });
    tasks.finish();
    std::vector<remote::HostReport> all;
    for (auto& report : reports) all.push_back(std::move(*report));
    return all;
}

// All hosts of the book when none is named. Input: there is none.
Result<std::vector<std::string>> namedOrAll(const remote::HostBook& book, std::vector<std::string> names) {
    if (names.empty())
        for (const auto& host : book.hosts()) names.push_back(host.alias);
    if (names.empty()) return inputError("there is no host", {}, "trainyardctl hosts add user@host");
    return names;
}

Result<int> clean(const Session& session, const HostOptions& options) {
    TY_ASSIGN(const auto book, remote::HostBook::load());
    TY_ASSIGN(const auto names, namedOrAll(book, options.names));
    std::vector<remote::HostEntry> hosts;
    for (const auto& name : names) {
        TY_ASSIGN(auto host, book.resolve(name));
        hosts.push_back(std::move(host));
    }
    return cleanHosts(session, hosts, askingOptions(false), options.dryRun);
}

// Notes why a host of the list needs the system's ssh, so that the next connection begins with it.
Result<void> noteChannels(remote::HostBook& book, const std::vector<remote::HostReport>& reports) {
    for (const auto& report : reports) {
        const auto* known = book.find(report.alias);
        if (known == nullptr || !report.over || !remote::isWorthNoting(*report.over, known->sshReason)) continue;
        remote::HostEntry host = *known;
        host.sshReason = *report.over;
        TY_TRY(book.add(std::move(host), true));
    }
    return {};
}

struct Way {
    std::string from;
    remote::HostReport& to;
    remote::HostCheck check{};
};

// Hosts that are named together are to train together: the ways between those that let us in. What was found is one
// more check of the host that is to be reached.
Result<void> tryWays(const remote::HostBook& book, const std::vector<std::string>& names,
                     const remote::ConnectOptions& connect, bool print, std::vector<remote::HostReport>& reports) {
    std::map<std::string, remote::HostReport*> open;
    for (std::size_t index = 0; index < names.size(); ++index)
        if (reports[index].facts.cores > 0) open[names[index]] = &reports[index];
    std::deque<Way> ways;
    run::HostTasks tasks;
    for (const auto& [from, to] : spec::waysToTry(names)) {
        if (from == to || !open.contains(from) || !open.contains(to)) continue;
        TY_ASSIGN(auto here, book.resolve(from));
        TY_ASSIGN(auto there, book.resolve(to));
        auto& way = ways.emplace_back(from, *open[to]);
        tasks.start<remote::HostCheck>(
            from + ">" + to, [here, there, connect] { return remote::probeWay(here, there, connect); },
            [&way](remote::HostCheck check) { way.check = std::move(check); });
    }
    tasks.finish();
    for (const auto& [from, to, check] : ways) {
        if (print)
            std::printf("%s %s to %s: %s%s%s\n", check.ok ? "ok  " : "FAIL", from.c_str(), to.alias.c_str(),
                        check.detail.c_str(), check.fix.empty() ? "" : ": ", check.fix.c_str());
        to.checks.push_back(check);
    }
    return {};
}

Result<int> testHosts(const Session& session, const HostOptions& options) {
    TY_ASSIGN(auto book, remote::HostBook::load());
    TY_ASSIGN(const auto names, namedOrAll(book, options.names));
    remote::ProbeOptions probe;
    probe.connect = askingOptions(options.yes);
    probe.workerProgram = run::workerProgram();
    TY_ASSIGN(auto reports, probeAll(book, names, probe, !session.json));
    if (!options.names.empty()) TY_TRY(tryWays(book, names, probe.connect, !session.json, reports));
    Json list = Json::array();
    bool all = true;
    for (const auto& report : reports) {
        all = all && report.ok();
        list.push_back(reportJson(report));
    }
    TY_TRY(noteChannels(book, reports));
    if (session.json) printJson(list);
    return all ? 0 : exitCode(ErrorKind::Environment);
}

Result<void> signIn(const std::vector<std::string>& hosts) {
    TY_ASSIGN(const auto book, remote::HostBook::load());
    return remote::signInToHosts(book, hosts, askingOptions(false));
}

Result<std::unique_ptr<run::Launcher>> makeLauncher(std::filesystem::path workerProgram) {
    TY_ASSIGN(auto book, remote::HostBook::load());
    TY_ASSIGN(const auto clusters, remote::ClusterBook::load());
    remote::SshLauncherOptions options;
    options.environments = remote::environmentsOf(clusters, book);
    options.book = std::move(book);
    options.workerProgram = std::move(workerProgram);
    const char* pool = std::getenv("TRAINYARD_HOST_POOL");
    const bool isOff = pool != nullptr && std::string_view(pool) == "off";
    const auto& worker = options.workerProgram;
    if (!isOff && (worker == run::workerProgram() || run::isKeeper(worker))) options.relayProgram = run::relayProgram();
    options.say = [](const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); };
    return remote::makeSshLauncher(std::move(options));
}

Result<void> endProcess(const std::string& alias, std::int64_t pid) {
    TY_ASSIGN(const auto book, remote::HostBook::load());
    TY_ASSIGN(const auto host, book.resolve(alias));
    TY_ASSIGN(const auto session, remote::connectToHost(host, askingOptions(false)));
    TY_ASSIGN(const auto killed, session->exec({"kill", "-KILL", std::to_string(pid)}));
    if (killed.ok()) return {};
    return environmentError("cannot end process " + std::to_string(pid) + ": " + killed.complaint(), alias);
}

} // namespace

LauncherKind sshLauncher() {
    return {
        .serves = [](const std::string&) { return true; }, .make = makeLauncher, .signIn = signIn, .end = endProcess};
}

std::optional<int> answerForSsh(const char* question) { return remote::answeredForSsh(question); }

std::vector<Candidate> knownHosts() {
    std::vector<Candidate> words;
    if (const auto book = remote::HostBook::load())
        for (const auto& host : book->hosts()) words.push_back({host.alias, host.label()});
    if (const auto others = remote::sshConfigHosts())
        for (const auto& host : *others) words.push_back({host.alias, "SSH config"});
    return words;
}

void addHostsCommand(CLI::App& app, Session& session) {
    const auto options = std::make_shared<HostOptions>();
    auto* hosts = app.add_subcommand("hosts", "the hosts that runs can use over SSH");
    hosts->require_subcommand(1);
    const auto act = [&session, options](CLI::App* command, Result<int> (*action)(const Session&, const HostOptions&)) {
        addCommonOptions(*command, session);
        command->callback([&session, options, action] {
            session.action = [&session, options, action] {
                const auto code = action(session, *options);
                return code ? *code : fail(code.error());
            };
        });
    };
    auto* add = hosts->add_subcommand("add", "add a host to the list");
    add->add_option("HOST", options->target, "user@host[:port], or a name of your SSH config")->required();
    add->add_option("--alias", options->host.alias, "its name in run files (default: the host's)");
    add->add_option("--identity", options->host.identityFile,
                    "key file: the private one, or the public one of a key that the agent has")
        ->type_name("FILE");
    add->add_option("--address", options->host.address, "address at which other hosts reach it");
    add->add_option("--channel", options->channel,
                    "SSH client: the library, the system's ssh, or the first that works (auto)")
        ->check(CLI::IsMember({"auto", "library", "ssh"}));
    add->add_flag("--replace", options->replace, "replace a host of the same alias");
    act(add, [](const Session& s, const HostOptions& o) { return addHost(s, o); });
    act(hosts->add_subcommand("list", "list the hosts"),
        [](const Session& s, const HostOptions&) { return listHosts(s); });
    auto* test = hosts->add_subcommand("test", "check that runs will work on hosts (default: all)");
    test->add_option("HOST", options->names, "aliases, or user@host[:port]");
    test->add_flag("--accept-new-key", options->yes, "accept the key of a host not seen before");
    act(test, [](const Session& s, const HostOptions& o) { return testHosts(s, o); });
    auto* cleaner = hosts->add_subcommand(
        "clean", "delete leftovers of runs on hosts, and files that can be copied there again (default: all hosts)");
    cleaner->add_option("HOST", options->names, "aliases, or user@host[:port]");
    cleaner->add_flag("--dry-run", options->dryRun, "only print what would be deleted");
    act(cleaner, [](const Session& s, const HostOptions& o) { return clean(s, o); });
    auto* remove = hosts->add_subcommand("remove", "remove hosts from the list");
    remove->add_option("HOST", options->names, "aliases")->required();
    act(remove, [](const Session& s, const HostOptions& o) { return removeHosts(s, o.names); });
}

} // namespace trainyard::ctl
