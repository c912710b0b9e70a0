// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/share/copy_as.h"

#include "engine/base/text/printable.h"
#include "engine/base/text/quoted.h"
#include "engine/run/record/run_folder.h"
#include "engine/run/share/export_snippet.h"
#include "engine/run/share/import_runs.h"
#include "engine/spec/run/run_spec.h"
#include "engine/store/workspace.h"

#include <algorithm>
#include <array>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;

constexpr std::array kForms = {"command", "run-file", "c++", "python"}; // in the order of CopyForm

// The run's name as a file name that needs no quotation marks anywhere.
std::string fileNameOf(const store::RunRow& run) {
    std::string name;
    for (const char c : run.name) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        name += plain || (c == '-' && !name.empty()) || (c == '.' && !name.empty()) ? c : '_';
    }
    return name.substr(0, 60);
}

// " --workspace DIR" where a program would not find the run without it.
std::string workspaceOption(const store::Workspace& workspace) {
    const auto usual = store::usualRoot();
    std::error_code ignored;
    if (fs::weakly_canonical(usual, ignored) == fs::weakly_canonical(workspace.root, ignored)) return {};
    return " --workspace " + shellWord(workspace.root.string());
}

Result<std::string> runFileOf(const store::RunRow& run) {
    TY_TRY(mustBeTrainedHere(run));
    if (const auto launch = readLaunchRecord(RunFolder{run.folder}); launch && launch->program)
        return inputError("was started by a program of its own", "run " + printable(run.name, 60),
                          "start that program again");
    TY_ASSIGN(const auto spec, spec::parseRunSpec(run.specJson, "run " + printable(run.name, 60)));
    return spec::toJson(spec);
}

std::string commandOf(const store::RunRow& run, const std::string& file, const std::string& workspace) {
    const std::string name = fileNameOf(run) + ".json";
    std::string command = "cat > " + name + " <<'END'\n" + file + "\nEND\ntrainyardctl run " + name;
    if (!run.forkedFrom.empty() && run.forkedStep >= 0)
        command += " --from " + run.forkedFrom + "@" + std::to_string(run.forkedStep);
    return command + workspace + "\n";
}

// A text that a literal of C++ holds as it is: )" must not end it.
std::string rawLiteral(const std::string& text) {
    std::string mark = "json";
    while (text.find(")" + mark + "\"") != std::string::npos) mark += '_';
    return "R\"" + mark + "(" + text + ")" + mark + "\"";
}

std::string cppOf(const std::string& file, const store::Workspace& workspace, bool named) {
    const std::string where =
        named ? ", R\"path(" + workspace.root.string() + ")path\"" : std::string(); // no path holds )path"
    return "// Build: find_package(Trainyard REQUIRED), then link Trainyard::train.\n"
           "#include <trainyard/train.h>\n\n#include <iostream>\n\nnamespace ty = trainyard::train;\n\n"
           "int main() {\n    const auto file = ty::RunFile::parse(" +
           rawLiteral(file) +
           ");\n"
           "    auto run = ty::Run::start(file" +
           where +
           "); // it goes on without this program\n"
           "    std::cout << \"run \" << run.id() << std::endl;\n"
           "    const auto result = run.wait();\n"
           "    for (const auto& [name, value] : result.metrics) std::cout << name << ' ' << value << '\\n';\n"
           "    if (result.error) std::cerr << result.error->text() << '\\n';\n"
           "    return result.error ? 1 : 0;\n}\n";
}

Result<std::string> pythonOf(store::RunQuery& query, const store::RunRow& run, const store::Workspace& workspace,
                             bool named) {
    TY_TRY(mustBeTrainedHere(run));
    TY_ASSIGN([[maybe_unused]] const auto exported, query.checkpoint(run.id));
    std::vector<std::string> words{"export", run.id, "--format", "safetensors"};
    if (named) words.insert(words.end(), {"--workspace", workspace.root.string()});
    return exportingLoader(fileNameOf(run) + ".safetensors", words);
}

} // namespace

const char* toString(CopyForm form) { return kForms[static_cast<std::size_t>(form)]; }

std::optional<CopyForm> copyFormFromString(std::string_view word) {
    const auto at = std::find(kForms.begin(), kForms.end(), word);
    if (at == kForms.end()) return std::nullopt;
    return static_cast<CopyForm>(at - kForms.begin());
}

Result<std::string> copyAs(store::RunQuery& query, const store::Workspace& workspace, const store::RunRow& run,
                           CopyForm form) {
    const std::string option = workspaceOption(workspace);
    if (form == CopyForm::Python) return pythonOf(query, run, workspace, !option.empty());
    TY_ASSIGN(const std::string file, runFileOf(run));
    switch (form) {
    case CopyForm::Command: return commandOf(run, file, option);
    case CopyForm::RunFile: return file + "\n";
    case CopyForm::Cpp:
        if (!run.forkedFrom.empty())
            return inputError("began with a checkpoint of another run", "run " + printable(run.name, 60),
                              "copy the command, which begins with it again");
        return cppOf(file, workspace, !option.empty());
    case CopyForm::Python: break;
    }
    return std::string();
}

} // namespace trainyard::run
