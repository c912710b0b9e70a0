// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/facts/python_facts.h"

#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"
#include "engine/run/launch/capture.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;

constexpr double kPythonSeconds = 5;
constexpr int kMostEntries = 20'000;

constexpr const char* kQuestion = "import json, sys; print(json.dumps({'version': sys.version.split()[0], "
                                  "'prefix': sys.prefix, 'path': sys.path}))";

// As pip compares names.
std::string normalised(std::string_view name) {
    std::string out;
    for (const char c : name) {
        const bool isBetween = c == '_' || c == '.' || c == '-';
        if (isBetween && out.ends_with('-')) continue;
        out += isBetween ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    }
    return out;
}

void addPackages(const fs::path& folder, std::map<std::string, std::string>& packages) {
    std::error_code failure;
    int count = 0;
    for (fs::directory_iterator at(folder, failure), end; !failure && at != end && ++count < kMostEntries;
         at.increment(failure))
        if (auto package = packageOf(at->path().filename().string())) packages.insert(std::move(*package));
}

// numpy-1.26.4-py311h64a7726_0.json
void addConda(const fs::path& prefix, std::map<std::string, std::string>& packages) {
    std::error_code failure;
    int count = 0;
    for (fs::directory_iterator at(prefix / "conda-meta", failure), end;
         !failure && at != end && ++count < kMostEntries; at.increment(failure)) {
        const auto name = at->path().stem().string();
        if (at->path().extension() != ".json") continue;
        const auto build = name.rfind('-'),
                   version = build == name.npos || build == 0 ? name.npos : name.rfind('-', build - 1);
        if (version == name.npos || version == 0) continue;
        packages.emplace(name.substr(0, version),
                         name.substr(version + 1, build - version - 1) + " " + name.substr(build + 1));
    }
}

void addDifferences(const std::map<std::string, std::string>& then, const std::map<std::string, std::string>& now,
                    std::vector<std::string>& found) {
    for (const auto& [name, version] : then) {
        const auto at = now.find(name);
        if (at == now.end()) found.push_back(name + " " + version + ", now missing");
        else if (at->second != version) found.push_back(name + " " + version + ", now " + at->second);
    }
}

} // namespace

std::optional<std::pair<std::string, std::string>> packageOf(std::string_view name) {
    bool isKnown = false;
    for (const std::string_view ending : {".dist-info", ".egg-info"})
        if (name.ends_with(ending)) {
            name.remove_suffix(ending.size());
            isKnown = true;
        }
    if (!isKnown) return std::nullopt;
    const auto dash = name.find('-');
    if (dash == name.npos || dash == 0) return std::nullopt; // an egg-info of a source folder has no version
    auto version = name.substr(dash + 1);
    if (const auto python = version.find("-py"); python != version.npos) version = version.substr(0, python);
    if (version.empty()) return std::nullopt;
    return std::pair(printable(normalised(name.substr(0, dash)), 100), printable(version, 60));
}

Result<PythonFacts> pythonFacts(const std::string& interpreter) {
    TY_ASSIGN(const auto answer, capture(interpreter, {"-c", kQuestion}, kPythonSeconds));
    const auto json = parseSortedJson(answer.output);
    PythonFacts facts{interpreter};
    try {
        json.at("version").get_to(facts.version);
        for (const auto& folder : json.at("path"))
            if (const auto path = folder.get<std::string>(); !path.empty()) addPackages(path, facts.packages);
        addConda(json.at("prefix").get<std::string>(), facts.conda);
    } catch (const nlohmann::json::exception&) {
        return environmentError("does not say which Python it is", interpreter);
    }
    return facts;
}

std::vector<std::string> differences(const PythonFacts& then, const PythonFacts& now) {
    std::vector<std::string> found;
    if (then.version != now.version) found.push_back("Python " + then.version + ", now " + now.version);
    if (then.file != now.file) found.push_back("its Python was " + then.file + ", now " + now.file);
    addDifferences(then.packages, now.packages, found);
    addDifferences(then.conda, now.conda, found);
    return found;
}

} // namespace trainyard::run
