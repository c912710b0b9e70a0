// SPDX-License-Identifier: GPL-3.0-or-later
// Which commands are carried out on another host: those with --on, and those that name a run that lives there.
#include "app/ctl/help/completion.h"
#include "app/ctl/home.h"
#include "app/ctl/home/fetch_command.h"
#include "app/ctl/home/follow_there.h"
#include "app/ctl/home/head_call.h"
#include "app/ctl/home/mirror_command.h"
#include "app/ctl/home/slurm_call.h"
#include "engine/base/text/printable.h"
#include "engine/run/mirror/mirror_copy.h"
#include "engine/run/record/home_notes.h"
#include "engine/spec/run/host_ranks.h"
#include "remote/hosts/host_facts.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>

namespace trainyard::ctl {
namespace {

constexpr const char* kOn = "--on";
constexpr const char* kWorkspace = "--workspace";

bool namesRuns(WordKind kind) {
    return kind == WordKind::Run || kind == WordKind::RunOrSweep || kind == WordKind::Sweep ||
           kind == WordKind::Checkpoint;
}

// Files and folders that a command names are those of this computer.
bool needsFiles(const CommandInfo& command) {
    const auto isFile = [&command](const OptionInfo& option) {
        const auto kind = wordKind(command.name, option);
        const bool isWorkspace = std::find(option.names.begin(), option.names.end(), kWorkspace) != option.names.end();
        return !isWorkspace && (kind == WordKind::File || kind == WordKind::Folder);
    };
    return std::any_of(command.options.begin(), command.options.end(), isFile) ||
           std::any_of(command.arguments.begin(), command.arguments.end(), isFile);
}

void offerOn(CLI::App& command, Session& session) {
    for (auto* below : command.get_subcommands([](const CLI::App*) { return true; })) offerOn(*below, session);
    if (command.get_option_no_throw(kWorkspace) == nullptr || command.get_option_no_throw(kOn) != nullptr) return;
    if (needsFiles(commandTree(command)) || command.get_group().empty()) return;
    command.add_option(kOn, session.on, "act on the runs in this host's workspace")->type_name("HOST");
}

// The command that was given, and of how many words it is.
std::pair<const CLI::App*, std::size_t> parsedCommand(const CLI::App& app, std::size_t words = 0) {
    const auto below = app.get_subcommands();
    if (below.empty()) return {&app, words};
    return parsedCommand(*below.front(), words + 1);
}

// Without --on and --workspace, which are for this computer.
std::vector<std::string> wordsThere(const std::vector<std::string>& words) {
    std::vector<std::string> there;
    bool onlyArguments = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto& word = words[i];
        const auto isOption = [&](const std::string& name) { return word == name || word.starts_with(name + "="); };
        onlyArguments = onlyArguments || word == "--";
        if (!onlyArguments && (isOption(kOn) || isOption(kWorkspace))) i += word.find('=') == std::string::npos ? 1 : 0;
        else there.push_back(word);
    }
    return there;
}

// A word that names a run, and the run of another host that it means.
struct Named {
    std::string word;
    std::optional<run::HomeNote> away;
};

// A name means the newest run of that name, wherever it is.
std::optional<run::HomeNote> awayOf(const std::vector<run::HomeNote>& runs, store::RunQuery& query,
                                    const std::string& text) {
    auto away = run::findNote(runs, text);
    if (!away || away->id == text) return away;
    if (const auto here = query.run(text); here && here->createdMs > away->startedMs) return {};
    if (const auto here = query.sweep(text); here && here->createdMs > away->startedMs) return {};
    return away;
}

// The words of the command line that name runs or sweeps.
std::vector<std::string> runWords(const CLI::App& command) {
    std::vector<std::string> words;
    const auto info = commandTree(command);
    for (const auto& argument : info.arguments) {
        if (!namesRuns(wordKind(info.name, argument))) continue;
        const auto given = command.get_option(argument.names.front())->results();
        words.insert(words.end(), given.begin(), given.end());
    }
    return words;
}

Result<std::vector<Named>> namedBy(const CLI::App& command, const Session& session) {
    std::vector<Named> named;
    const auto words = runWords(command);
    if (words.empty()) return named;
    TY_ASSIGN(const auto workspace, session.workspace());
    const auto away = run::homeNotes(workspace);
    if (away.empty()) return named;
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    for (const auto& word : words) {
        const std::string run = word.substr(0, word.rfind('@'));
        auto found = awayOf(away, *query, run);
        named.push_back({word, found ? found : run::homeNote(workspace, run)});
    }
    return named;
}

// A command that needs files has that of a checkpoint which was fetched alone.
Result<void> takeFetched(const Session& session, std::vector<Named>& named) {
    TY_ASSIGN(const auto workspace, session.workspace());
    for (auto& each : named)
        if (each.away && run::fetchedCheckpoint(workspace, each.word)) each.away.reset();
    return {};
}

// The host of all those runs; empty: they are here.
Result<std::string> homeOf(const std::vector<Named>& named, bool canBeThere) {
    std::string host;
    for (const auto& each : named) {
        if (!each.away) continue;
        if (!canBeThere || (!host.empty() && host != each.away->host))
            return inputError("lives on " + each.away->host + ", and this command needs it here",
                              "run " + printable(each.word, 60), "trainyardctl fetch " + each.away->id);
        host = each.away->host;
    }
    const auto isHere = [](const Named& each) { return !each.away; };
    if (const auto here = std::find_if(named.begin(), named.end(), isHere); !host.empty() && here != named.end())
        return inputError("is on this computer, and others of the command are on " + host,
                          "run " + printable(here->word, 60), "fetch those with: trainyardctl fetch RUN");
    return host;
}

// By their ids, since there a name may mean another run.
void nameById(std::vector<std::string>& words, std::size_t afterCommand, const std::vector<Named>& named) {
    for (const auto& each : named) {
        const auto first = words.begin() + static_cast<std::ptrdiff_t>(std::min(afterCommand, words.size()));
        const auto found = std::find(first, words.end(), each.word);
        const auto at = each.word.rfind('@');
        if (found != words.end() && each.away)
            *found = each.away->id + (at == std::string::npos ? std::string() : each.word.substr(at));
    }
}

// The times of its runs are by its clock.
void sayClock(remote::Head& head, const std::string& host) {
    const auto ahead = remote::clockAhead(head.session());
    const auto text = ahead ? remote::clockText(*ahead) : std::string();
    if (!text.empty())
        std::fprintf(stderr, "trainyardctl: the clock of %s is %s of this computer's; the times below are the host's\n",
                     host.c_str(), text.c_str());
}

Result<int> actOn(const Session& session, const std::string& host, const std::vector<std::string>& words) {
    TY_ASSIGN(auto head, openHead(session, host));
    if (words.front() == "attach") return followThere(session, std::move(head), words);
    if (words.front() == "runs") sayClock(head, host);
    return passThrough(head, words);
}

// Each job has a workspace of its own.
Result<int> actInJobs(const Session& session, const std::vector<Named>& named, const std::vector<std::string>& words) {
    for (const auto& each : named)
        if (each.away->id != named.front().away->id)
            return inputError("is another job of Slurm, in another workspace", "run " + printable(each.word, 60),
                              "name one run at a time");
    return callInJob(session, named.front().away->id, words);
}

// A run that is deleted there is not to be remembered here.
void forgetDeleted(const Session& session, const std::vector<Named>& named) {
    const auto workspace = session.workspace();
    for (const auto& each : named)
        if (workspace && each.away) (void)run::forgetHome(*workspace, each.away->id);
}

Result<std::optional<int>> actIfAway(const CLI::App& app, const Session& session,
                                     const std::vector<std::string>& words) {
    const auto [parsed, commandWords] = parsedCommand(app);
    const CLI::App& command = *parsed;
    const auto* on = command.get_option_no_throw(kOn);
    if (command.get_name() == "fetch" || needsFiles(commandTree(command))) on = nullptr; // they see to it themselves
    auto there = wordsThere(words);
    if (on && !session.on.empty()) {
        TY_ASSIGN(const int code, actOn(session, session.on, there));
        return std::optional(code);
    }
    if (command.get_name() == "fetch" || !command.get_option_no_throw(kWorkspace)) return std::optional<int>();
    TY_ASSIGN(auto named, namedBy(command, session));
    if (on == nullptr) TY_TRY(takeFetched(session, named));
    TY_ASSIGN(const auto host, homeOf(named, on != nullptr));
    if (host.empty()) return std::optional<int>();
    nameById(there, commandWords, named);
    TY_ASSIGN(const int code,
              host == spec::kSlurmHost ? actInJobs(session, named, there) : actOn(session, host, there));
    if (code == 0 && command.get_name() == "delete") forgetDeleted(session, named);
    return std::optional(code);
}

} // namespace

CLI::Option* addHomeOption(CLI::App& command, Session& session) {
    return command.add_option(kOn, session.on, "start it on this host, where it continues without this computer")
        ->type_name("HOST");
}

void addHomeCommands(CLI::App& app, Session& session) {
    addFetchCommand(app, session);
    addMirrorCommand(app, session);
    for (auto* command : app.get_subcommands([](const CLI::App*) { return true; })) offerOn(*command, session);
}

std::optional<int> actAtHome(const CLI::App& app, const Session& session, const std::vector<std::string>& words) {
    const auto code = actIfAway(app, session, words);
    return code ? *code : std::optional(fail(code.error()));
}

} // namespace trainyard::ctl
