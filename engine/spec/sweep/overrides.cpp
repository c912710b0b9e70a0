// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/sweep/overrides.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"
#include "engine/spec/run/run_fields.h"
#include "engine/spec/sweep/paths.h"
#include "engine/spec/sweep/sweep_spec.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>

namespace trainyard::spec {
namespace {

constexpr std::size_t kMaxRunFile = 16u << 20;

Result<std::pair<std::string, std::string>> assignmentOf(const std::string& given) {
    const auto equals = given.find('=');
    if (equals == std::string::npos || equals == 0)
        return inputError("\"" + given + "\" has no path=value", "--set", "for example: --set optimizer.lr=0.05");
    return std::pair{given.substr(0, equals), given.substr(equals + 1)};
}

// What begins with one of these is a field of the sweep file; all else is one of the run that it varies.
bool isOfSweep(const std::string& path) {
    static constexpr std::array kKeys = {"run",     "space", "searcher",  "scheduler", "trials",   "parallel", "reuse",
                                         "scoreBy", "mode",  "score",     "stop",      "budget",   "atEnd",    "seeds",
                                         "runFile", "first", "warmStart", "keep",      "perDevice"};
    if (path == "failure.retries" || path == "failure.maxShare") return true; // a run has a failure of its own
    return std::find(kKeys.begin(), kKeys.end(), path.substr(0, path.find('.'))) != kKeys.end();
}

// A sweep whose own file names no score goes by that of its run, which may yet be changed.
std::string withScoreOf(const std::string& given, const std::string& whole) {
    Errors ignored;
    const Json before = parseTree(given, ignored);
    if (before.contains("scoreBy") || before.contains("mode")) return whole;
    Json tree = parseTree(whole, ignored);
    tree.erase("scoreBy");
    tree.erase("mode");
    return jsonText(tree);
}

} // namespace

Result<std::string> readWithOverrides(const std::string& file, const std::vector<std::string>& overrides) {
    TY_ASSIGN(auto text, readFile(file, kMaxRunFile));
    const bool sweep = isSweepFile(text);
    if (sweep) { // with the run file it names, if any, in it
        TY_ASSIGN(const auto whole, readSweepSpec(file));
        text = withScoreOf(text, toJson(whole));
    }
    text = withAbsolutePaths(text, std::filesystem::absolute(file).parent_path());
    return sweep ? withSweepOverrides(std::move(text), overrides) : withOverrides(std::move(text), overrides);
}

Result<std::string> withSweepOverrides(std::string text, const std::vector<std::string>& overrides) {
    for (const auto& given : overrides) {
        TY_ASSIGN(auto assignment, assignmentOf(given));
        auto& [path, value] = assignment;
        if (!isOfSweep(path)) path = "run." + path;
        TY_ASSIGN(text, withOverride(text, path, value));
    }
    return text;
}

Result<std::string> withOverrides(std::string text, const std::vector<std::string>& overrides) {
    for (const auto& given : overrides) {
        TY_ASSIGN(const auto assignment, assignmentOf(given));
        TY_ASSIGN(text, withOverride(text, assignment.first, assignment.second));
    }
    return text;
}

} // namespace trainyard::spec
