// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/host_python.h"

#include "engine/base/error_json.h"
#include "engine/base/files/folders.h"
#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"
#include "engine/base/text/quoted.h"
#include "engine/program/command/interpreter.h"
#include "engine/run/launch/capture.h"
#include "engine/run/program/prepared_environment.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>

namespace trainyard::run {
namespace {

constexpr double kPythonSeconds = 30;
constexpr std::size_t kMostAnswer = 64u << 10, kMostText = 4000;

// Importing PyTorch takes seconds, so its version is read from its file. The current folder is none of Python's.
constexpr const char* kQuestion = R"py(
import sys
sys.path[:1] = []
import json, os
told = {"python": "%d.%d.%d" % sys.version_info[:3], "torch": "", "cuda": ""}
try:
    from importlib.util import find_spec
    spec = find_spec("torch")
    if spec and spec.origin:
        names = {}
        with open(os.path.join(os.path.dirname(spec.origin), "version.py")) as file:
            exec(file.read(), names)
        told["torch"] = str(names.get("__version__") or "").split("+")[0]
        told["cuda"] = str(names.get("cuda") or "")
except Exception:
    pass
print(json.dumps(told))
)py";

std::string lastLineOf(std::string_view text) {
    while (text.ends_with('\n')) text.remove_suffix(1);
    return printable(std::string(text.substr(text.rfind('\n') + 1)), 300);
}

std::string shortVersion(const std::string& version) {
    const auto second = version.find('.', version.find('.') + 1);
    return version.substr(0, second);
}

std::string torchOf(const HostPython& facts) {
    if (facts.torch.empty()) return "no PyTorch";
    return "PyTorch " + facts.torch + (facts.cuda.empty() ? " without CUDA" : " for CUDA " + facts.cuda);
}

Error differs(const std::string& first, const std::string& its, const std::string& second, const std::string& other,
              std::string remedy) {
    return environmentError(first + " has " + its + ", and " + second + " has " + other, "program.interpreter",
                            std::move(remedy))
        .withCode(ErrorCode::HostUnsuitable);
}

// What makes the second like the first.
std::string sameTorch(const HostPython& first, const std::string& host, const HostPython& other) {
    return "on " + host + ": " + shellArgument(other.interpreter) + " -m pip install torch==" + first.torch +
           "; or name an environment that is the same on both in program.interpreter";
}

Result<std::string> textIn(const Json& json, const char* name) {
    if (!json.contains(name) || !json[name].is_string())
        return inputError(std::string("lacks the text \"") + name + "\"", "the answer of a Python");
    const auto text = json[name].get<std::string>();
    if (text.size() > kMostText)
        return inputError(std::string("\"") + name + "\" is too long", "the answer of a Python");
    return printable(text, kMostText);
}

Result<HostPython> factsIn(std::string_view text) {
    const auto json = text.size() > kMostAnswer ? Json() : parseJson(text);
    if (!json.is_object()) return inputError("is no JSON object", "the answer of a Python");
    HostPython facts;
    if (json.contains("interpreter")) { TY_ASSIGN(facts.interpreter, textIn(json, "interpreter")); }
    TY_ASSIGN(facts.python, textIn(json, "python"));
    TY_ASSIGN(facts.torch, textIn(json, "torch"));
    TY_ASSIGN(facts.cuda, textIn(json, "cuda"));
    return facts;
}

Result<std::string> checkpointAnswer(const std::string& path) {
    std::error_code failure;
    if (!std::filesystem::exists(path, failure))
        return environmentError("there is no such checkpoint any more", path).withCode(ErrorCode::FileMissing);
    const auto look = program::lookAtCheckpoint(std::filesystem::path(path));
    return jsonText(Json{{"cut", look.structure == program::Structure::Cut}, {"problem", look.problem}});
}

Result<std::string> pythonAnswer(const std::string& named, const std::string& folder, const std::string& prepare) {
    TY_ASSIGN(const auto facts, askPython(named, folder, prepare));
    return toJson(facts);
}

} // namespace

Result<HostPython> askPython(const std::string& named, const std::string& folder, const std::string& prepare) {
    auto variables = program::processVariables();
    std::vector<std::string> words;
    if (!prepare.empty()) {
        TY_ASSIGN(const auto prepared, preparedEnvironment(prepare, folder, {.cache = cacheFolder() / "prepare"}));
        for (const auto& name : prepared.unset) {
            variables.erase(name);
            words.insert(words.end(), {"-u", name});
        }
        for (const auto& [name, value] : prepared.set) {
            variables.insert_or_assign(name, value);
            words.push_back(name + "=" + value);
        }
    }
    TY_ASSIGN(const auto found, program::findInterpreter(named, folder, variables));
    words.insert(words.end(), {found.file.string(), "-c", kQuestion});
    TY_ASSIGN(const auto said, capture("/usr/bin/env", words, kPythonSeconds));
    const auto facts = said.exitCode == 0 ? factsIn(said.output) : Result<HostPython>(HostPython{});
    if (said.exitCode != 0 || !facts)
        return environmentError("this Python does not start: " + lastLineOf(said.errors), found.file.string(),
                                "repair it, or name another one in program.interpreter");
    auto its = *facts;
    its.interpreter = found.file.string();
    return its;
}

std::string toJson(const HostPython& facts) {
    return jsonText(Json{
        {"interpreter", facts.interpreter}, {"python", facts.python}, {"torch", facts.torch}, {"cuda", facts.cuda}});
}

Result<HostPython> hostPythonFrom(std::string_view json) { return factsIn(json); }

Result<void> fitTogether(const std::map<std::string, HostPython>& hosts) {
    if (hosts.empty()) return {};
    const auto& [first, its] = *hosts.begin();
    for (const auto& [host, other] : hosts) {
        if (shortVersion(its.python) != shortVersion(other.python))
            return differs(first, "Python " + its.python, host, "Python " + other.python,
                           "name one that is the same on both in program.interpreter");
        if (its.torch == other.torch && its.cuda == other.cuda) continue;
        const bool firstLacks = its.torch.empty();
        return differs(first, torchOf(its), host, torchOf(other),
                       firstLacks ? sameTorch(other, first, its) : sameTorch(its, host, other));
    }
    return {};
}

program::StructureLook lookFrom(std::string_view text) {
    const auto json = text.size() > kMostAnswer ? Json() : parseJson(text);
    program::StructureLook look;
    if (!json.is_object() || !json.contains("cut") || !json["cut"].is_boolean()) return look;
    if (json["cut"].get<bool>()) look.structure = program::Structure::Cut;
    if (const auto problem = textIn(json, "problem")) look.problem = *problem;
    return look;
}

bool isAnswerCommand(const std::vector<std::string>& words) {
    return (words.size() == 4 && words[0] == "python") || (words.size() == 2 && words[0] == "checkpoint");
}

int answerCommand(const std::vector<std::string>& words) {
    const auto answer = words[0] == "python" ? pythonAnswer(words[1], words[2], words[3]) : checkpointAnswer(words[1]);
    std::puts((answer ? *answer : errorToJson(answer.error())).c_str());
    return answer ? 0 : exitCode(answer.error().kind);
}

} // namespace trainyard::run
