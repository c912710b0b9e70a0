// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/hosts/program_hosts.h"

#include "engine/run/record/run_code.h"

#include <algorithm>

namespace trainyard::run {
namespace {

// What a link within the project leads to, under the link's name.
void addLinked(const program::CodeFile& link, const std::vector<program::ListedCode>& all, OwnFolder& folder) {
    const auto target = (std::filesystem::path(link.path).parent_path() / link.link).lexically_normal().string();
    for (const auto& [file, content] : all) {
        if (!file.link.empty() || !file.path.starts_with(target)) continue;
        const auto rest = file.path.substr(target.size());
        if (!rest.empty() && rest.front() != '/') continue;
        folder.files.push_back({link.path + rest, content, file.size, file.isProgram});
    }
}

Result<OwnFolder> codeOf(const RunTask& task) {
    const auto store = codeStore(task.workspace);
    const auto& digest = task.launch.code->digest;
    TY_ASSIGN(const auto list, store.list(digest));
    OwnFolder folder{store.tree(digest), "code"};
    for (const auto& [file, content] : list.files)
        if (file.link.empty()) folder.files.push_back({file.path, content, file.size, file.isProgram});
        else addLinked(file, list.files, folder);
    std::ranges::sort(folder.files, {}, &OwnFolder::File::path);
    return folder;
}

} // namespace

Result<ProgramNeeds> ProgramNeeds::of(const RunTask& task) {
    const auto& program = *task.spec.program;
    ProgramNeeds needs{task.launch.run,        {}, program.interpreter, program.folder, program.prepare,
                       program.command.empty()};
    if (!program.script.empty()) needs.folder = std::filesystem::path(program.script).parent_path().string();
    if (task.launch.code && program.code == "snapshot") { TY_ASSIGN(needs.code, codeOf(task)); }
    return needs;
}

Result<ProgramThere> prepareProgram(Launcher& launcher, const HostName& host, const ProgramNeeds& needs) {
    const auto onHost = [&host](Error error) {
        error.where = error.where.empty() ? host.text() : host.text() + ": " + error.where;
        return error;
    };
    ProgramThere there;
    if (needs.code) { TY_ASSIGN(there.code, launcher.stageOwn(host, needs.run, *needs.code)); }
    if (!needs.isPython) return there;
    const auto said = launcher.ask(host, {"python", needs.interpreter, needs.folder, needs.prepare});
    if (!said) return isLostHost(said.error().code) ? said.error() : onHost(said.error());
    auto facts = hostPythonFrom(*said);
    if (!facts) return onHost(std::move(facts).error());
    there.python = std::move(*facts);
    return there;
}

} // namespace trainyard::run
