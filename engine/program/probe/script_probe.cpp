// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/probe/script_probe.h"

#include "engine/base/clock.h"
#include "engine/base/machine/confined_program.h"
#include "engine/program/arguments/script_arguments.h"
#include "engine/program/command/interpreter.h"
#include "engine/program/probe/probe_source.h"

#include <sys/wait.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <initializer_list>
#include <system_error>

namespace trainyard::program {
namespace {

namespace fs = std::filesystem;

constexpr double kAnswerShare = 0.8; // of the time: the probe itself ends then, with what it has found

// Nothing of it may start a training, ask a server, or take a device.
std::vector<std::string> environmentOf(const Interpreter& python, Variables variables) {
    for (auto& [name, value] : activation(python, variables)) variables[name] = value;
    for (const auto& [name, value] :
         std::initializer_list<std::pair<const char*, const char*>>{{"CUDA_VISIBLE_DEVICES", ""},
                                                                    {"HF_HUB_OFFLINE", "1"},
                                                                    {"LOCAL_RANK", "0"},
                                                                    {"MPLBACKEND", "Agg"},
                                                                    {"OMP_NUM_THREADS", "1"},
                                                                    {"OPENBLAS_NUM_THREADS", "1"},
                                                                    {"PYTHONDONTWRITEBYTECODE", "1"},
                                                                    {"RANK", "0"},
                                                                    {"WANDB_MODE", "disabled"},
                                                                    {"WORLD_SIZE", "1"}})
        variables[name] = value;
    std::vector<std::string> all;
    for (const auto& [name, value] : variables) all.push_back(name + "=" + value);
    return all;
}

// Of pyenv, asdf and the like a file called python3 is a script that finds the true one by starting programs. It is the
// user's own, as in a run.
fs::path trueInterpreter(const fs::path& file, const std::vector<std::string>& environment, const fs::path& folder) {
    constexpr double kSeconds = 5;
    std::ifstream content(file, std::ios::binary);
    std::array<char, 2> begin{};
    if (!content.read(begin.data(), begin.size()) || std::string_view(begin.data(), 2) != "#!") return file;
    const auto answer = runConfined({.words = {file.string(), "-c", "import sys; print(sys.executable)"},
                                     .environment = environment,
                                     .folder = folder,
                                     .limits = {.wallSeconds = kSeconds},
                                     .isTrusted = true});
    if (!answer) return file;
    std::string path = answer->output.substr(0, answer->output.find('\n'));
    std::error_code failure;
    return fs::is_regular_file(path, failure) ? fs::path(path) : file;
}

std::string secondsText(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", seconds);
    return text;
}

Error endedBadly(const ConfinedAnswer& answer, const std::string& script, const ProbeOptions& options) {
    if (answer.isLate)
        return inputError("did not come to its arguments within " + secondsText(options.seconds) + " s", script,
                          "build the parser before anything is loaded or downloaded");
    if (answer.isTooLong) return inputError("has more arguments than can be shown", script, "type its words by hand");
    const int signal = WIFSIGNALED(answer.status) ? WTERMSIG(answer.status) : 0;
    if (signal == SIGXCPU)
        return inputError("computed for too long before it came to its arguments", script,
                          "build the parser before anything is loaded");
    if (signal != 0) return inputError("crashed when it was tried (signal " + std::to_string(signal) + ")", script);
    return inputError("gave no answer when it was tried (exit code " + std::to_string(WEXITSTATUS(answer.status)) + ")",
                      script,
                      "let it parse its arguments before it ends; the interpreter has to be Python 3.7 or newer");
}

} // namespace

Result<ProbeAnswer> probeScript(const fs::path& script, const ProbeOptions& options) {
    std::error_code failure;
    const fs::path file = fs::weakly_canonical(fs::absolute(script, failure), failure);
    if (!fs::is_regular_file(file, failure))
        return inputError(fs::is_directory(file, failure) ? "is a folder" : "there is no such file", script.string(),
                          "name a Python script")
            .withCode(ErrorCode::FileMissing);
    const auto variables = processVariables();
    const fs::path home = file.parent_path();
    TY_ASSIGN(const auto python, findInterpreter(options.interpreter, home, variables));
    const fs::path project = projectFolder(home, variables);
    const fs::path folder = options.folder.empty() ? project : fs::path(options.folder);
    const auto environment = environmentOf(python, variables);
    const bool isReal = options.imports == ProbeImports::Real;
    ConfinedProgram program{.words = {trueInterpreter(python.file, environment, folder).string(), "-c",
                                      std::string(probeSource()), isReal ? "real" : "stubs",
                                      secondsText(options.seconds * kAnswerShare), project.string(), file.string()},
                            .environment = environment,
                            .folder = folder,
                            .limits = {.wallSeconds = options.seconds,
                                       .cpuSeconds = 2 * options.seconds,
                                       .memoryBytes = options.memoryBytes}};
    TY_ASSIGN(const auto answer, runConfined(program));
    auto read = readProbeAnswer(answer.output, script.string());
    if (!read) return endedBadly(answer, script.string(), options);
    return read;
}

Result<ProbedArguments> probeArguments(const fs::path& script, const ProbeOptions& options) {
    TY_ASSIGN(auto read, readArguments(script));
    const double begun = monotonicSeconds();
    const auto probe = probeScript(script, options);
    ProbedArguments all;
    all.seconds = monotonicSeconds() - begun;
    if (!probe) all.problem = probe.error();
    all.arguments = probe ? withProbe(std::move(read), *probe) : std::move(read);
    return all;
}

} // namespace trainyard::program
