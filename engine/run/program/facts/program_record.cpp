// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/facts/program_record.h"

#include "engine/base/files/atomic_file.h"
#include "engine/program/command/interpreter.h"
#include "engine/program/command/secret_words.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>

namespace trainyard::run {
namespace {

constexpr std::size_t kMostRecord = 8u << 20;

Json objectIn(const std::filesystem::path& file) {
    const auto text = readFile(file, kMostRecord);
    auto json = text ? parseJson(*text) : Json();
    return json.is_object() ? json : Json();
}

} // namespace

std::filesystem::path startedFile(const RunFolder& folder) { return folder.root / "program" / "started.json"; }
std::filesystem::path recordFile(const RunFolder& folder) { return folder.root / "program" / "record.json"; }
std::filesystem::path patchFile(const RunFolder& folder) { return folder.root / "program" / "changes.patch"; }

Result<void> writeStarted(const std::filesystem::path& file, const StartedProgram& started) {
    return writeFileAtomic(file,
                           jsonFile(Json{{"words", started.words},
                                         {"folder", started.folder},
                                         {"interpreter", started.interpreter},
                                         {"environment", started.environment}}),
                           Outlives::Process);
}

std::optional<StartedProgram> readStarted(const std::filesystem::path& file) {
    const auto json = objectIn(file);
    StartedProgram started;
    try {
        json.at("words").get_to(started.words);
        json.at("folder").get_to(started.folder);
        json.at("interpreter").get_to(started.interpreter);
        json.at("environment").get_to(started.environment);
    } catch (const nlohmann::json::exception&) { return std::nullopt; }
    return started;
}

std::map<std::string, std::string> recordedVariables(const std::map<std::string, std::string>& environment) {
    static constexpr std::array<std::string_view, 8> kBegins{"CUDA",    "NCCL", "GLOO",  "TORCH",
                                                             "PYTORCH", "OMP",  "SLURM", "PYTHON"};
    std::map<std::string, std::string> kept;
    for (const auto& [name, value] : environment) {
        const bool isWanted =
            std::ranges::any_of(kBegins, [&name = name](auto begin) { return name.starts_with(begin); });
        const bool isSecret =
            program::isSecretName(name) || program::isSecretValue(value) || name.find("JWT") != name.npos;
        if (isWanted && !isSecret) kept.emplace(name, value);
    }
    return kept;
}

Json recordOf(const RunCode* code, const GitFacts* git, const std::optional<PythonFacts>& python,
              const std::string& driver) {
    Json json{{"version", 1}};
    if (code) json["code"] = {{"digest", code->digest}, {"project", code->project}};
    if (git && !git->missing.empty()) json["git"] = {{"missing", git->missing}};
    else if (git)
        json["git"] = {{"commit", git->commit},
                       {"branch", git->branch},
                       {"remote", git->remote},
                       {"changed", !git->patch.empty() || git->patchIsCut},
                       {"patch_incomplete", git->patchIsCut},
                       {"untracked", git->untracked},
                       {"submodules", git->submodules}};
    if (python)
        json["python"] = {{"file", python->file},
                          {"version", python->version},
                          {"packages", python->packages},
                          {"conda", python->conda}};
    if (!driver.empty()) json["driver"] = driver;
    return json;
}

Json readProgramRecord(const RunFolder& folder) {
    auto record = objectIn(recordFile(folder));
    auto started = objectIn(startedFile(folder));
    if (started.is_object()) {
        if (record.is_null()) record = Json::object();
        record["started"] = std::move(started);
    }
    const auto launch = readLaunchRecord(folder);
    if (launch && launch->code && !record.contains("code")) {
        if (record.is_null()) record = Json::object();
        record["code"] = {{"digest", launch->code->digest}, {"project", launch->code->project}};
    }
    return record;
}

std::optional<PythonFacts> pythonOfRecord(const Json& record) {
    PythonFacts facts;
    try {
        const auto& json = record.at("python");
        json.at("file").get_to(facts.file);
        json.at("version").get_to(facts.version);
        json.at("packages").get_to(facts.packages);
        json.at("conda").get_to(facts.conda);
    } catch (const nlohmann::json::exception&) { return std::nullopt; }
    return facts;
}

std::vector<std::string> changesSince(const RunFolder& folder, const spec::Program& program) {
    const auto then = pythonOfRecord(readProgramRecord(folder));
    if (!then || !program.command.empty()) return {};
    const std::filesystem::path home = program.script.empty() ? std::filesystem::path(program.folder)
                                                              : std::filesystem::path(program.script).parent_path();
    const auto found = program::findInterpreter(program.interpreter, home, program::processVariables());
    if (!found) return {"its Python was " + then->file + ", now there is none: " + found.error().message};
    const auto now = pythonFacts(found->file.string());
    return now ? differences(*then, *now) : std::vector<std::string>{now.error().text()};
}

std::string cudaDriver() {
    std::ifstream file("/proc/driver/nvidia/version");
    for (std::string word; file >> word;)
        if (!word.empty() && word.find('.') != word.npos && word.find_first_not_of("0123456789.") == word.npos)
            return word;
    return {};
}

} // namespace trainyard::run
