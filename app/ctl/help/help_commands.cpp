// SPDX-License-Identifier: GPL-3.0-or-later
// completion, and what the build and the shells ask for: manual, complete.
#include "app/ctl/help/completion.h"
#include "app/ctl/help/divided_line.h"
#include "app/ctl/help/manual_pages.h"
#include "app/ctl/help/shell_completion.h"
#include "app/ctl/session.h"
#include "app/manual/markdown_page.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/text/printable.h"
#include "engine/fetch/sources.h"
#include "engine/program/arguments/script_arguments.h"
#include "engine/spec/run/sections.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>

namespace trainyard::ctl {
namespace {

constexpr std::size_t kMostWords = 500; // a list that no one reads to its end

// Looks and changes nothing: dead runs are not marked, and no queue is started for a Tab.
Result<std::unique_ptr<store::RunQuery>> openStore(const std::string& folder) {
    TY_ASSIGN(const auto workspace, store::Workspace::open(folder));
    return store::RunQuery::open(workspace);
}

// The word by which a run can be named: its name for the newest of that name, its id for the others.
void addRuns(store::RunQuery& query, std::vector<Candidate>& words) {
    const auto runs = query.runs();
    if (!runs) return;
    std::set<std::string> named;
    for (const auto& run : *runs) {
        if (words.size() >= kMostWords) return;
        const bool byName = !run.name.empty() && named.insert(run.name).second;
        words.push_back({byName ? run.name : run.id, std::string(wire::toString(run.status)) + ", " +
                                                         shortTime(run.createdMs) + (byName ? "" : ", " + run.name)});
    }
}

void addSweeps(store::RunQuery& query, std::vector<Candidate>& words) {
    const auto sweeps = query.sweeps();
    if (!sweeps) return;
    std::set<std::string> named;
    for (const auto& sweep : *sweeps) {
        if (words.size() >= kMostWords) return;
        words.push_back({!sweep.name.empty() && named.insert(sweep.name).second ? sweep.name : sweep.id, "sweep"});
    }
}

// After RUN@, the run's checkpoints; before it, the runs.
void addCheckpoints(store::RunQuery& query, const std::string& typed, std::vector<Candidate>& words) {
    const auto at = typed.rfind('@');
    if (at == std::string::npos) return addRuns(query, words);
    const auto run = query.run(typed.substr(0, at));
    const auto rows = run ? query.checkpoints(run->id) : Result<std::vector<store::CheckpointRow>>(run.error());
    if (!rows) return;
    const std::string before = typed.substr(0, at + 1);
    for (const auto& row : *rows) {
        const std::string what = "step " + std::to_string(row.step) + ", " + shortTime(row.wallMs);
        if (row.best) words.push_back({before + "best", what});
        if (row.last) words.push_back({before + "last", what});
        words.push_back({before + std::to_string(row.step), what});
    }
}

void addSettings(const std::string& typed, std::vector<Candidate>& words) {
    if (typed.find('=') != std::string::npos) return;
    for (const auto& section : spec::runSections())
        for (const auto& param : section.params) words.push_back({param.name + '=', param.title});
    for (const char* name : {"epochs", "steps", "batch.perRank", "batch.global", "optimizer.lr", "seed", "name"})
        words.push_back({std::string(name) + '=', {}});
}

std::vector<Candidate> knownWords(WordKind kind, const std::string& typed, const std::string& workspace) {
    std::vector<Candidate> words;
    switch (kind) {
    case WordKind::Host: return knownHosts();
    case WordKind::Setting: addSettings(typed, words); return words;
    case WordKind::Dataset:
        for (const auto& source : fetch::sources()) words.push_back({source.name, source.title});
        return words;
    case WordKind::Free:
    case WordKind::File:
    case WordKind::Folder: return words;
    case WordKind::Run:
    case WordKind::RunOrSweep:
    case WordKind::Sweep:
    case WordKind::Checkpoint: break;
    }
    const auto query = openStore(workspace);
    if (!query) return words;
    if (kind == WordKind::Sweep || kind == WordKind::RunOrSweep) addSweeps(**query, words);
    if (kind != WordKind::Sweep) addCheckpoints(**query, typed, words);
    return words;
}

// Behind a script its own arguments, read from its source; nothing: the words are trainyardctl's.
std::optional<Completion> completeProgram(const CLI::App& app, const std::vector<std::string>& words) {
    if (words.empty()) return std::nullopt;
    auto program = divideLine(app, {words.begin(), words.end() - 1}).program;
    if (program.empty()) return std::nullopt;
    std::erase(program, "--");
    const std::string& typed = words.back();
    Completion completion;
    completion.files = program.empty() || !typed.starts_with('-');
    const auto known = completion.files ? program::ScriptArguments{}
                                        : program::readArguments(program.front()).valueOr(program::ScriptArguments{});
    for (const auto& argument : known.arguments)
        for (const auto& flag : argument.flags)
            if (flag.starts_with(typed) && (flag.starts_with("--") || typed == "-"))
                completion.words.push_back({flag, argument.help});
    return completion;
}

Result<void> writePages(const CommandInfo& program, const std::filesystem::path& folder, const std::string& runFile) {
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    for (const auto& page : manualPages(program))
        TY_TRY(writeFileAtomic(folder / manual::fileName(page), manual::toRoff(page)));
    if (runFile.empty()) return {};
    std::ostringstream text;
    text << std::ifstream(runFile).rdbuf();
    if (text.str().empty()) return inputError("there is nothing to read", runFile, "name RUN_FILE.md");
    const manual::Page page{
        .name = "trainyard-run-file",
        .section = 5,
        .summary = "run files and sweep files of Trainyard",
        .seeAlso = {"trainyard(1)", "trainyardctl(1)", "trainyardctl-run(1)", "trainyardctl-sweep(1)"}};
    return writeFileAtomic(folder / manual::fileName(page), manual::markdownToRoff(page, text.str()));
}

} // namespace

int printCompletion(const CLI::App& app, const std::vector<std::string>& words) {
    const auto program = commandTree(app);
    const std::string workspace = typedOption(words, "--workspace");
    auto found = completeProgram(app, words);
    if (!found)
        found = complete(program, words, [&workspace](WordKind kind, const std::string& typed) {
            return knownWords(kind, typed, workspace);
        });
    std::string out = ":";
    if (found->files) out += "files";
    if (found->folders) out += "folders";
    if (found->open) out += "open";
    out += out.size() == 1 ? "none\n" : "\n";
    for (const auto& each : found->words) out += printable(each.word, 400) + '\t' + printable(each.help, 120) + '\n';
    return std::fputs(out.c_str(), stdout) < 0 ? exitCode(ErrorKind::Environment) : 0;
}

void addHelpCommands(CLI::App& app, Session& session) {
    const auto shell = std::make_shared<std::string>();
    auto* completion = app.add_subcommand("completion", "print the completion script of a shell");
    completion->add_option("SHELL", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember(completedShells()));
    completion->callback([&session, shell] {
        session.action = [shell] {
            return std::fputs(shellCompletion(*shell), stdout) < 0 ? exitCode(ErrorKind::Environment) : 0;
        };
    });
    const auto paths = std::make_shared<std::pair<std::string, std::string>>();
    auto* pages = app.add_subcommand("manual", "write the manual pages (for the build)");
    pages->group(""); // not in the help
    pages->add_option("FOLDER", paths->first, "folder to write to")->required();
    pages->add_option("--run-file", paths->second, "RUN_FILE.md");
    pages->callback([&app, &session, paths] {
        session.action = [&app, paths] {
            const auto written = writePages(commandTree(app), paths->first, paths->second);
            return written ? 0 : fail(written.error());
        };
    });
}

} // namespace trainyard::ctl
