// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/rank_plan.h"

#include "engine/program/arguments/script_arguments.h"
#include "engine/program/checkpoints/resume_words.h"
#include "engine/program/command/interpreter.h"
#include "engine/program/command/rank_words.h"
#include "engine/run/launch/programs.h"

#include <cstdlib>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;

// Secrets are taken from where the run was started, and handed on by inheritance alone.
Result<void> checkSecrets(const spec::Program& program) {
    for (const auto& name : program.secrets)
        if (!std::getenv(name.c_str()))
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
    const bool mayMatter =
        !spec.program->arguments.empty() || spec.scaling.workers > 1 || (resumes && spec.program->resume.empty());
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

} // namespace

Result<void> planRank(KeptRank& rank) {
    auto& program = *rank.spec.program;
    TY_TRY(checkSecrets(program));
    TY_TRY(checkScript(program));
    const auto variables = program::processVariables();
    const auto home = homeOf(program);
    rank.command.folder = program.folder.empty() ? program::projectFolder(home, variables) : fs::path(program.folder);
    rank.command.printed = rank.files.printed();
    rank.command.environment = rankEnvironment(rank.spec, rank.place, rank.files);
    if (program.command.empty()) {
        TY_ASSIGN(const auto python, program::findInterpreter(program.interpreter, home, variables));
        rank.interpreter = python.file.string();
        for (auto& [name, value] : program::activation(python, variables))
            rank.command.environment.emplace(name, value);
    }
    const program::Placeholders placeholders{.rank = rank.place.rank,
                                             .localRank = rank.place.localRank,
                                             .worldSize = rank.place.worldSize,
                                             .output = rank.files.output().string(),
                                             .checkpoint = rank.place.checkpoint,
                                             .run = rank.place.run,
                                             .seed = rank.spec.seed,
                                             .port = rank.place.port};
    for (auto& [name, value] : rank.command.environment)
        if (program.environment.contains(name)) value = program::filled(value, placeholders);
    addOwn(rank.command.environment, variables);
    const bool resumes = !rank.place.checkpoint.empty();
    const auto known = argumentsOfScript(rank.spec, resumes);
    if (resumes && known && program.resume.empty()) program.resume = program::suggestionsFor(*known).resume;
    const program::RankExtras extras{.passSeed = rank.spec.seed != spec::RunSpec{}.seed};
    TY_ASSIGN(rank.command.words,
              program::rankWords(program, rank.interpreter, known ? &*known : nullptr, placeholders, extras));
    return {};
}

} // namespace trainyard::run
