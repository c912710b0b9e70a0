// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/start/take_code.h"

#include "engine/program/command/command_script.h"
#include "engine/program/command/interpreter.h"
#include "engine/program/config/edit_config.h"
#include "engine/run/record/run_code.h"

#include <sys/stat.h>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;

// The file that is started, or the folder in which a module is looked for.
fs::path startOf(const spec::Program& program) {
    std::error_code ignored;
    if (!program.script.empty() && fs::is_regular_file(program.script, ignored)) return program.script;
    if (!program.script.empty()) return {};
    if (program.folder.empty()) return {}; // it is found where the keeper runs
    if (!program.module.empty()) return program.folder;
    const auto word = program::scriptWord(program.command, program.folder);
    return word ? fs::path(program.folder) / program.command[*word] : fs::path();
}

// Other people's files, or those of all of this user's work, lie there.
bool isShared(const fs::path& folder, const program::Variables& variables) {
    const auto home = variables.find("HOME");
    if (home != variables.end() && fs::path(home->second).lexically_normal() == folder) return true;
    struct stat status{};
    return folder == folder.root_path() || (::stat(folder.c_str(), &status) == 0 && (status.st_mode & S_ISVTX) != 0);
}

} // namespace

std::optional<program::CodePlace> codePlace(const spec::Program& program) {
    std::error_code ignored;
    auto start = startOf(program);
    if (program.code == "inPlace" || start.empty()) return std::nullopt;
    start = fs::absolute(start, ignored).lexically_normal();
    const bool isFile = program.module.empty();
    if (!start.has_filename()) start = start.parent_path(); // "folder/"
    const auto variables = program::processVariables();
    program::CodePlace place{.project = program::projectFolder(isFile ? start.parent_path() : start, variables)};
    place.isLoose =
        !fs::exists(place.project / ".git", ignored) && !fs::exists(place.project / "pyproject.toml", ignored);
    place.isShared = place.isLoose && isShared(place.project, variables);
    if (isFile) place.always = {start.lexically_relative(place.project).string()};
    return place;
}

Result<std::optional<RunCode>> takeCode(const store::Workspace& workspace, const spec::RunSpec& spec) {
    const auto place = spec.program ? codePlace(*spec.program) : std::nullopt;
    if (!place) return std::optional<RunCode>();
    TY_ASSIGN(const auto taken, codeStore(workspace).take(*place));
    return std::optional(RunCode{taken.digest, taken.project});
}

Result<void> checkConfig(const spec::RunSpec& spec) {
    if (!spec.program || !spec.program->config) return {};
    const auto& program = *spec.program;
    const auto variables = program::processVariables();
    const fs::path folder = !program.folder.empty() ? fs::path(program.folder)
                            : program.script.empty()
                                ? fs::path()
                                : program::projectFolder(fs::path(program.script).parent_path(), variables);
    TY_ASSIGN([[maybe_unused]] const auto text,
              program::withSettings(folder / program.config->file, program.config->set));
    return {};
}

} // namespace trainyard::run
