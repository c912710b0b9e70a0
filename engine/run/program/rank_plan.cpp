// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/rank_plan.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/files/folders.h"
#include "engine/program/arguments/script_arguments.h"
#include "engine/program/checkpoints/resume_words.h"
#include "engine/program/command/argument_words.h"
#include "engine/program/command/command_script.h"
#include "engine/program/command/interpreter.h"
#include "engine/program/command/rank_words.h"
#include "engine/program/config/edit_config.h"
#include "engine/run/launch/programs.h"
#include "engine/run/program/editable_paths.h"
#include "engine/run/program/prepared_environment.h"

#include <cstdlib>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;

// Secrets are taken from where the run was started: handed on by inheritance, to other computers over this process's
// standard input.
Result<void> checkSecrets(const KeptRank& rank) {
    for (const auto& name : rank.spec.program->secrets)
        if (!rank.secrets.contains(name) && !std::getenv(name.c_str()))
            return inputError("the secret " + name + " is not set where this run was started", "program.secrets",
                              "export " + name + " there, then start the run again");
    return {};
}

Result<void> checkScript(const spec::Program& program) {
    std::error_code failure;
    if (program.script.empty() || fs::is_regular_file(program.script, failure)) return {};
    const bool isFolder = fs::is_directory(program.script, failure);
    return inputError(isFolder ? "is a folder" : "there is no such file", program.script,
                      isFolder ? "name the script in it, or give the package as program.module" : "check its path")
        .withCode(ErrorCode::FileMissing);
}

// Where a script or module is looked for, and what is above it.
fs::path homeOf(const spec::Program& program) {
    if (!program.script.empty()) return fs::path(program.script).parent_path();
    std::error_code ignored;
    return program.folder.empty() ? fs::current_path(ignored) : fs::path(program.folder);
}

std::optional<program::ScriptArguments> argumentsOfScript(const spec::RunSpec& spec, bool resumes) {
    const bool mayMatter = !spec.program->arguments.empty() || spec.scaling.workers > 1 ||
                           (resumes && spec.program->resume.empty()) || spec.program->config;
    if (spec.program->script.empty() || !mayMatter) return std::nullopt;
    auto read = program::readArguments(spec.program->script);
    if (!read) return std::nullopt; // Python says it better
    return std::move(*read);
}

// trainyard.py and trainyardctl, which a program may use inside a run: behind all that is its own.
void addOwn(std::map<std::string, std::string>& environment, const program::Variables& variables) {
    const auto append = [&](const char* name, const fs::path& folder) {
        const auto inherited = variables.find(name);
        auto& path = environment.try_emplace(name, inherited == variables.end() ? "" : inherited->second).first->second;
        path += (path.empty() ? "" : ":") + folder.string();
    };
    if (const auto folder = pythonModuleFolder(); !folder.empty()) append("PYTHONPATH", folder);
    append("PATH", programFolder());
}

Result<void> checkCode(const CodePaths& code, const spec::Program& program) {
    std::error_code ignored;
    if (!code.areCopies() || fs::is_directory(code.copy(), ignored)) return {};
    if (program.code == "shared")
        return inputError("this host does not see the code of the run: program.code is \"shared\"",
                          code.copy().string(),
                          "put the workspace on a file system that all hosts have, or write \"snapshot\"")
            .withCode(ErrorCode::FileMissing);
    return inputError("the snapshot of this run's code is gone", code.copy().string(),
                      "start the run anew: it then runs the code as it is now")
        .withCode(ErrorCode::FileMissing);
}

// Packages that `pip install -e` takes from the project come from its copy, before site-packages has its say.
void addEditable(KeptRank& rank, const program::Variables& variables) {
    if (rank.interpreter.empty()) return;
    std::vector<fs::path> prefixes{fs::path(rank.interpreter).parent_path().parent_path()};
    if (const auto home = variables.find("HOME"); home != variables.end())
        prefixes.push_back(fs::path(home->second) / ".local");
    for (const auto& prefix : prefixes)
        for (const auto& path : editablePaths(prefix, rank.code.project())) {
            const auto copy = rank.code.of(path);
            if (copy == path) continue;
            auto& search = rank.command.environment["PYTHONPATH"];
            search += (search.empty() ? "" : ":") + copy.string();
        }
}

// What is left of the command line to be taken from the snapshot. The program runs where the user's files are, so what
// its arguments name is read there.
void useCopies(KeptRank& rank, const program::Variables& variables) {
    auto& command = rank.command;
    rank.shown = command.words;
    if (!rank.code.areCopies()) return;
    for (auto& word : rank.shown) word = rank.code.named(word);
    const auto& program = *rank.spec.program;
    const auto at =
        program.command.empty() ? std::nullopt : program::scriptWord(command.words, rank.code.of(command.folder));
    if (at) command.words[*at] = rank.code.of(command.folder / command.words[*at]).string();
    const auto inherited = variables.find("PYTHONPATH");
    if (const auto own = command.environment.find("PYTHONPATH"); own != command.environment.end())
        own->second = rank.code.searchPath(own->second, command.folder);
    else if (inherited != variables.end())
        command.environment["PYTHONPATH"] = rank.code.searchPath(inherited->second, command.folder);
    addEditable(rank, variables);
    if (program.module.empty()) return;
    auto& path = command.environment["PYTHONPATH"];
    path = rank.code.of(command.folder).string() + (path.empty() ? "" : ":" + path);
    const auto words = CodePaths::moduleWords(program.module);
    command.words.erase(command.words.begin() + 1, command.words.begin() + 3); // -m and the module
    command.words.insert(command.words.begin() + 1, words.begin(), words.end());
}

fs::path usersFolder(const spec::Program& program, const fs::path& home, const program::Variables& variables) {
    return program.folder.empty() ? program::projectFolder(home, variables) : fs::path(program.folder);
}

// What program.prepare has set and unset, for all that is looked for from here on.
Result<void> prepare(KeptRank& rank, const fs::path& folder, program::Variables& variables) {
    const auto& text = rank.spec.program->prepare;
    if (text.empty()) return {};
    auto cache = cacheFolder();
    if (cache.empty()) cache = rank.files.program(); // this user has no home
    // A copy on a host is this run's alone: what is set there would be set anew for the next one.
    const auto within = folder.lexically_relative(rank.code.copy());
    const bool isInCopy = rank.code.areCopies() && !within.empty() && *within.begin() != "..";
    TY_ASSIGN(const auto prepared,
              preparedEnvironment(text, isInCopy ? fs::path("/") : folder, {.cache = cache / "prepare"}));
    rank.command.unset = prepared.unset;
    for (const auto& name : prepared.unset) variables.erase(name);
    for (const auto& [name, value] : prepared.set) variables.insert_or_assign(name, value);
    rank.prepared = prepared.set;
    return {};
}

// The rank's own copy of a file of settings, and the argument that names it.
Result<void> placeConfig(KeptRank& rank, const program::ScriptArguments* known,
                         const program::Placeholders& placeholders) {
    auto& program = *rank.spec.program;
    if (!program.config) return {};
    const auto& config = *program.config;
    const fs::path file = rank.code.of((rank.command.folder / config.file).lexically_normal());
    auto set = config.set;
    for (auto& [name, value] : set)
        if (auto* text = std::get_if<std::string>(&value)) *text = program::filled(*text, placeholders);
    TY_ASSIGN(const auto text, program::withSettings(file, set));
    const auto copy = rank.files.config(file.extension().string());
    TY_TRY(writeFileAtomic(copy, text, Outlives::Process));
    if (!program.command.empty() || !program.words.empty()) {
        auto& words = program.command.empty() ? program.words : program.command;
        const auto* argument = known ? program::findArgument(*known, config.argument) : nullptr;
        auto flag = config.argument.starts_with('-') ? config.argument : "--" + config.argument;
        if (argument && !argument->flags.empty()) flag = argument->flags.front();
        words.push_back(std::move(flag));
        words.push_back(copy.string());
    } else {
        program.arguments.insert_or_assign(config.argument, copy.string());
    }
    return {};
}

// Another host may not have the user's folder: then it runs in the copy of that.
fs::path folderOf(const KeptRank& rank, const fs::path& home, const program::Variables& variables) {
    const auto folder = usersFolder(*rank.spec.program, home, variables);
    std::error_code ignored;
    if (!rank.code.areCopies() || fs::is_directory(folder, ignored)) return folder;
    const auto copy = rank.code.of(folder);
    return fs::is_directory(copy, ignored) ? copy : rank.code.copy();
}

bool isGivenOutput(const KeptRank& rank) {
    const auto output = rank.files.output().string();
    const auto holds = [&](const std::string& text) { return text.find(output) != text.npos; };
    const auto& own = rank.spec.program->environment;
    return std::ranges::any_of(rank.command.words, holds) ||
           std::ranges::any_of(rank.command.environment,
                               [&](const auto& each) { return own.contains(each.first) && holds(each.second); });
}

} // namespace

std::vector<fs::path> foldersWritten(const KeptRank& rank) {
    std::vector<fs::path> folders{rank.files.output()};
    // What appears in the project may be another trial's then, or another run's.
    if (!rank.place.trial.empty() && isGivenOutput(rank)) return folders;
    folders.push_back(rank.command.folder);
    if (rank.code.areCopies()) folders.push_back(rank.code.copy());
    return folders;
}

Result<void> planRank(KeptRank& rank) {
    auto& program = *rank.spec.program;
    auto variables = program::processVariables();
    const auto home = homeOf(program);
    TY_TRY(checkSecrets(rank));
    TY_TRY(checkCode(rank.code, program));
    program.script = rank.code.of(program.script).string();
    TY_TRY(checkScript(program));
    rank.command.folder = folderOf(rank, home, variables);
    rank.command.printed = rank.files.printed();
    TY_TRY(prepare(rank, usersFolder(program, home, variables), variables));
    rank.command.environment = rankEnvironment(rank.spec, rank.place, rank.files);
    for (const auto& [name, value] : rank.secrets) rank.command.environment.emplace(name, value);
    if (program.command.empty()) {
        TY_ASSIGN(const auto python, program::findInterpreter(program.interpreter, home, variables));
        rank.interpreter = python.file.string();
        for (auto& [name, value] : program::activation(python, variables))
            rank.command.environment.emplace(name, value);
    }
    rank.command.environment.insert(rank.prepared.begin(), rank.prepared.end());
    const program::Placeholders placeholders{.rank = rank.place.rank,
                                             .localRank = rank.place.localRank,
                                             .worldSize = rank.place.worldSize,
                                             .output = rank.files.output().string(),
                                             .checkpoint = rank.place.checkpoint,
                                             .run = rank.place.run,
                                             .trial = rank.place.trial,
                                             .seed = rank.spec.seed,
                                             .port = rank.place.port};
    for (auto& [name, value] : rank.command.environment)
        if (program.environment.contains(name)) value = program::filled(value, placeholders);
    addOwn(rank.command.environment, variables);
    const bool resumes = !rank.place.checkpoint.empty();
    const auto known = argumentsOfScript(rank.spec, resumes);
    TY_TRY(placeConfig(rank, known ? &*known : nullptr, placeholders));
    if (resumes && known && program.resume.empty()) program.resume = program::suggestionsFor(*known).resume;
    const program::RankExtras extras{.passSeed = rank.spec.seed != spec::RunSpec{}.seed};
    TY_ASSIGN(rank.command.words,
              program::rankWords(program, rank.interpreter, known ? &*known : nullptr, placeholders, extras));
    useCopies(rank, variables);
    return {};
}

} // namespace trainyard::run
