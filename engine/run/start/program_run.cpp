// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/start/program_run.h"

#include "engine/base/machine/cores.h"
#include "engine/base/text/printable.h"
#include "engine/program/arguments/script_arguments.h"
#include "engine/program/command/argument_words.h"
#include "engine/run/launch/cuda_devices.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;

// The files that the driver makes, one for each device.
int cudaDevices() {
    int found = 0;
    std::error_code ignored;
    for (const auto& each : fs::directory_iterator("/dev", ignored)) {
        const std::string name = each.path().filename().string();
        constexpr std::string_view kDevice = "nvidia";
        found += name.starts_with(kDevice) && name.size() > kDevice.size() &&
                         name.find_first_not_of("0123456789", kDevice.size()) == name.npos
                     ? 1
                     : 0;
    }
    return visibleOf(found, std::getenv(kVisibleDevices));
}

fs::path absoluteIn(const std::string& path, const fs::path& folder) {
    const fs::path given = path;
    return (given.is_absolute() ? given : folder / given).lexically_normal();
}

Result<void> checkScript(const fs::path& script) {
    std::error_code ignored;
    if (!fs::exists(script, ignored))
        return inputError("there is no such script", printable(script.string(), 300),
                          "write it as it is called from here, or put -- before a command that is no script")
            .withCode(ErrorCode::FileMissing);
    if (fs::is_directory(script, ignored) && !fs::exists(script / "__main__.py", ignored))
        return inputError("this is a folder, not a script", printable(script.string(), 300),
                          "name the script in it, or a module with -m");
    return {};
}

// "train.sh" is the file here, as "train.py" is, though a shell would look for it in $PATH.
Result<void> nameFile(std::vector<std::string>& command, const fs::path& here) {
    std::string& first = command.front();
    std::error_code ignored;
    if (first.find('.') == first.npos || !fs::is_regular_file(absoluteIn(first, here), ignored)) return {};
    if (::access(absoluteIn(first, here).c_str(), X_OK) == 0) {
        if (first.find('/') == first.npos) first = "./" + first;
        return {};
    }
    if (!first.ends_with(".sh"))
        return inputError("this file cannot be started", printable(first, 300),
                          "write the program that runs it before it, as in: trainyardctl run -- julia train.jl");
    command.insert(command.begin(), "bash");
    return {};
}

// The launcher gave each process its number by an argument.
void passLocalRank(CommandRun& made) {
    if (made.known && program::findArgument(*made.known, "local_rank")) return; // every rank of such a script gets it
    if (made.known && made.known->unread.empty() && !made.known->arguments.empty()) return; // it would be refused
    auto& words = made.spec.program->words;
    words.insert(words.begin(), "--local_rank={localRank}");
}

} // namespace

program::Machine thisMachine() { return {cudaDevices(), availableCores()}; }

Result<CommandRun> runOfCommand(const std::vector<std::string>& words, const fs::path& folder) {
    TY_ASSIGN(auto line, program::commandLineOf(words, thisMachine()));
    auto& program = line.program;
    std::error_code ignored;
    const fs::path here = fs::absolute(folder, ignored).lexically_normal();
    program.folder = here.string();
    if (program.interpreter.find('/') != std::string::npos)
        program.interpreter = absoluteIn(program.interpreter, here).string();
    if (!program.command.empty()) TY_TRY(nameFile(program.command, here));
    CommandRun made;
    made.hosts = line.hosts;
    if (!program.script.empty()) {
        const fs::path script = absoluteIn(program.script, here);
        TY_TRY(checkScript(script));
        program.script = script.string();
        // One that cannot be read may still be what Python runs: it says itself what is wrong with it.
        if (auto known = program::readArguments(script)) made.known = std::move(*known);
    }
    if (made.known)
        if (auto values = program::argumentsOf(program.words, *made.known)) {
            program.arguments = std::move(*values);
            program.words.clear();
        }
    const bool byWords = program.arguments.empty();
    made.spec = spec::programRun(std::move(program));
    if (line.passLocalRank && byWords && made.spec.program->command.empty()) passLocalRank(made);
    if (line.workers) made.spec.scaling.workers = *line.workers;
    if (line.threadsPerWorker) made.spec.scaling.threadsPerWorker = *line.threadsPerWorker;
    if (line.maxRestarts) made.spec.failure.maxRestarts = *line.maxRestarts;
    if (line.onCpu) made.spec.scaling.device = "cpu";
    return made;
}

} // namespace trainyard::run
