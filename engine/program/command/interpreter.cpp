// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/command/interpreter.h"

#include "engine/base/text/printable.h"
#include "engine/base/text/quoted.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <string_view>
#include <vector>

extern char** environ;

namespace trainyard::program {
namespace {

namespace fs = std::filesystem;

constexpr int kMostFolders = 64;          // above a script that are looked at
constexpr std::size_t kMostPlaces = 4096; // of conda's list of environments

std::string variable(const Variables& variables, const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
}

bool isThere(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

bool isFolder(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored);
}

bool isProgram(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

std::optional<uid_t> ownerOf(const fs::path& path) {
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0) return std::nullopt;
    return status.st_uid;
}

// A folder that anyone may have put above a script, as into /tmp, must not choose the program that runs.
bool isTrusted(const fs::path& environment, const fs::path& folder) {
    const auto owner = ownerOf(environment);
    return owner && (*owner == ::geteuid() || *owner == 0 || owner == ownerOf(folder));
}

std::string quoted(const fs::path& path) { return "\"" + printable(path.string(), 300) + "\""; }

bool looksLikeEnvironment(const fs::path& folder) {
    std::error_code ignored;
    return isThere(folder / "pyvenv.cfg") || isFolder(folder / "conda-meta") ||
           fs::is_symlink(folder / "bin" / "python", ignored) || isThere(folder / "bin" / "python");
}

// bin/python, else bin/python3, of an environment.
Result<Interpreter> ofEnvironment(const fs::path& folder, std::string reason) {
    for (const char* name : {"python", "python3"}) {
        const fs::path file = folder / "bin" / name;
        if (!isProgram(file)) continue;
        const auto kind = isFolder(folder / "conda-meta") ? Interpreter::Kind::Conda : Interpreter::Kind::Venv;
        return Interpreter{file, kind, folder, std::move(reason)};
    }
    if (looksLikeEnvironment(folder))
        return inputError("the Python of " + quoted(folder) + " is gone: bin/python is missing or cannot be started",
                          "program.interpreter",
                          "make the environment again (python3 -m venv " + shellArgument(folder.string()) +
                              "), or name another one in program.interpreter");
    return inputError(quoted(folder) + " is a folder without bin/python", "program.interpreter",
                      "name a Python, the folder of a venv, or conda:NAME");
}

std::optional<fs::path> onPath(const std::string& name, const Variables& variables) {
    const std::string path = variable(variables, "PATH");
    for (std::size_t at = 0; at <= path.size();) {
        const auto end = std::min(path.find(':', at), path.size());
        // An empty or relative one would be that of another folder than the caller's.
        if (const fs::path folder = path.substr(at, end - at); folder.is_absolute() && isProgram(folder / name))
            return folder / name;
        at = end + 1;
    }
    return std::nullopt;
}

// Where conda's environments may be: the roots that its variables name, those of its usual installers.
std::vector<fs::path> condaRoots(const Variables& variables) {
    std::vector<fs::path> roots;
    if (const std::string program = variable(variables, "CONDA_EXE"); !program.empty())
        roots.push_back(fs::path(program).parent_path().parent_path());
    if (const std::string root = variable(variables, "MAMBA_ROOT_PREFIX"); !root.empty()) roots.emplace_back(root);
    if (const fs::path prefix = variable(variables, "CONDA_PREFIX"); !prefix.empty())
        roots.push_back(prefix.parent_path().filename() == "envs" ? prefix.parent_path().parent_path() : prefix);
    static constexpr std::array kNames{"miniconda3", "anaconda3", "miniforge3", "mambaforge", "micromamba", "conda"};
    const fs::path home = variable(variables, "HOME");
    for (const char* name : kNames)
        for (const fs::path& above : {home, fs::path("/opt")})
            if (above.is_absolute()) roots.push_back(above / name);
    return roots;
}

// conda's own list of what it has made, wherever that is.
std::optional<fs::path> fromCondaList(const std::string& name, const Variables& variables) {
    const fs::path home = variable(variables, "HOME");
    if (!home.is_absolute()) return std::nullopt;
    std::ifstream file(home / ".conda" / "environments.txt");
    std::string line;
    for (std::size_t at = 0; at < kMostPlaces && std::getline(file, line); ++at)
        if (const fs::path place = line; place.is_absolute() && place.filename() == name && isFolder(place))
            return place;
    return std::nullopt;
}

Result<Interpreter> ofConda(const std::string& name, const Variables& variables) {
    if (name.empty() || name.find('/') != name.npos || name.front() == '.')
        return inputError("\"conda:" + printable(name, 80) + "\" is no name of an environment", "program.interpreter",
                          "for example: conda:base; of one in a folder write the folder");
    const std::string reason = "conda environment " + name;
    const auto roots = condaRoots(variables);
    std::string folders = variable(variables, "CONDA_ENVS_PATH");
    if (folders.empty()) folders = variable(variables, "CONDA_ENVS_DIRS");
    for (std::size_t at = 0; at < folders.size();) {
        const auto end = std::min(folders.find(':', at), folders.size());
        if (const fs::path place = fs::path(folders.substr(at, end - at)) / name; isFolder(place))
            return ofEnvironment(place, reason);
        at = end + 1;
    }
    for (const auto& root : roots) {
        if (name == "base" && isFolder(root / "conda-meta")) return ofEnvironment(root, reason);
        if (isFolder(root / "envs" / name)) return ofEnvironment(root / "envs" / name, reason);
    }
    if (const auto place = fromCondaList(name, variables)) return ofEnvironment(*place, reason);
    return inputError("there is no conda environment \"" + printable(name, 80) + "\"", "program.interpreter",
                      "see: conda env list; one elsewhere is named by its folder");
}

Result<Interpreter> named(const std::string& name, const fs::path& folder, const Variables& variables) {
    constexpr std::string_view kConda = "conda:";
    if (name.starts_with(kConda)) return ofConda(name.substr(kConda.size()), variables);
    if (name.find('/') == name.npos && name.front() != '~') {
        if (const auto found = onPath(name, variables)) return Interpreter{*found, {}, {}, "named"};
        if (!isThere(folder / name))
            return inputError("there is no program \"" + printable(name, 80) + "\" in $PATH", "program.interpreter",
                              "name a Python that is there, the folder of a venv, or conda:NAME");
    }
    fs::path path = name;
    if (name == "~" || name.starts_with("~/"))
        path = fs::path(variable(variables, "HOME")) / name.substr(name.size() > 1 ? 2 : 1);
    if (path.is_relative()) path = folder / path;
    path = path.lexically_normal();
    if (isFolder(path)) return ofEnvironment(path.has_filename() ? path : path.parent_path(), "named");
    if (!isThere(path))
        return inputError("there is no " + quoted(path), "program.interpreter",
                          "name a Python, the folder of a venv, or conda:NAME; empty, it is found");
    if (!isProgram(path))
        return inputError(quoted(path) + " cannot be started", "program.interpreter",
                          "name a Python itself, as venv/bin/python");
    const fs::path prefix = path.parent_path().parent_path();
    if (isThere(prefix / "pyvenv.cfg")) return Interpreter{path, Interpreter::Kind::Venv, prefix, "named"};
    if (isFolder(prefix / "conda-meta")) return Interpreter{path, Interpreter::Kind::Conda, prefix, "named"};
    return Interpreter{path, {}, {}, "named"};
}

std::optional<Result<Interpreter>> besideOrAbove(const fs::path& folder) {
    fs::path at = folder;
    for (int count = 0; count < kMostFolders; ++count, at = at.parent_path()) {
        for (const char* name : {".venv", "venv"}) {
            const fs::path place = at / name;
            if (isThere(place / "pyvenv.cfg") && isTrusted(place, folder))
                return ofEnvironment(place, std::string(name) + " of " + at.string());
        }
        if (at == at.parent_path()) break;
    }
    return std::nullopt;
}

} // namespace

Variables processVariables() {
    Variables variables;
    for (char** each = environ; each && *each; ++each) {
        const std::string_view text = *each;
        if (const auto equals = text.find('='); equals != text.npos && equals > 0)
            variables.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    return variables;
}

Result<Interpreter> findInterpreter(const std::string& name, const fs::path& folder, const Variables& variables) {
    std::error_code ignored;
    const fs::path from = fs::absolute(folder, ignored).lexically_normal();
    if (!name.empty()) return named(name, from, variables);
    if (auto found = besideOrAbove(from)) return *std::move(found);
    for (const char* each : {"VIRTUAL_ENV", "CONDA_PREFIX"})
        if (const fs::path place = variable(variables, each); place.is_absolute() && isFolder(place))
            if (auto found = ofEnvironment(place, std::string("$") + each)) return found;
    for (const char* each : {"python3", "python"})
        if (const auto found = onPath(each, variables)) return Interpreter{*found, {}, {}, "$PATH"};
    return environmentError("there is no python3", "$PATH", "install Python, or name one in program.interpreter");
}

Variables activation(const Interpreter& interpreter, const Variables& variables) {
    if (interpreter.kind == Interpreter::Kind::Plain) return {};
    const std::string bin = (interpreter.prefix / "bin").string(), path = variable(variables, "PATH");
    Variables set{{"PATH", path.empty() ? bin : bin + ":" + path}};
    set[interpreter.kind == Interpreter::Kind::Venv ? "VIRTUAL_ENV" : "CONDA_PREFIX"] = interpreter.prefix.string();
    return set;
}

fs::path projectFolder(const fs::path& folder, const Variables& variables) {
    std::error_code ignored;
    const fs::path from = fs::absolute(folder, ignored).lexically_normal();
    const fs::path home = fs::path(variable(variables, "HOME")).lexically_normal();
    fs::path at = from;
    for (int count = 0; count < kMostFolders && at != home && at != at.parent_path(); ++count, at = at.parent_path())
        if (isThere(at / ".git") || isThere(at / "pyproject.toml")) return at;
    return from;
}

} // namespace trainyard::program
