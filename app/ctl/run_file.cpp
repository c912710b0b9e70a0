// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/run_file.h"

#include "engine/base/atomic_file.h"
#include "engine/spec/paths.h"

#include <algorithm>

namespace trainyard::ctl {
namespace {

constexpr std::size_t kMaxFile = 16u << 20;

Result<std::pair<std::string, std::string>> split(const std::string& given) {
    const auto equals = given.find('=');
    if (equals == std::string::npos || equals == 0)
        return inputError("\"" + given + "\" has no path=value", "--set", "for example: --set optimizer.lr=0.05");
    return std::pair{given.substr(0, equals), given.substr(equals + 1)};
}

} // namespace

Result<std::string> readWithOverrides(const std::string& file, const std::vector<std::string>& overrides) {
    TY_ASSIGN(auto text, readFile(file, kMaxFile));
    const bool sweep = spec::isSweepFile(text);
    if (sweep) { // with the run file it names, if any, in it
        TY_ASSIGN(const auto whole, spec::readSweepSpec(file));
        text = spec::toJson(whole);
    }
    text = spec::withAbsolutePaths(text, std::filesystem::absolute(file).parent_path());
    for (const auto& given : overrides) {
        TY_ASSIGN(auto assignment, split(given));
        auto& [path, value] = assignment;
        const std::string first = path.substr(0, path.find('.'));
        const bool ofSweep = first == "run" || first == "space" || first == "search" || first == "trials" ||
                             first == "parallel" || first == "scoreBy" || first == "mode" || first == "runFile";
        if (sweep && !ofSweep) path = "run." + path;
        TY_ASSIGN(text, spec::withOverride(text, path, value));
    }
    return text;
}

Result<std::string> withOverrides(std::string text, const std::vector<std::string>& overrides) {
    for (const auto& given : overrides) {
        TY_ASSIGN(const auto assignment, split(given));
        TY_ASSIGN(text, spec::withOverride(text, assignment.first, assignment.second));
    }
    return text;
}

Result<store::RunRow> runOf(const Session& session, const std::string& given) {
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    return open.query->run(given.substr(0, given.rfind('@')));
}

Result<store::CheckpointRow> findCheckpoint(const Session& session, const std::string& given) {
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    const auto at = given.rfind('@');
    const std::string which = at == std::string::npos ? "" : given.substr(at + 1);
    TY_ASSIGN(const auto row, open.query->run(given.substr(0, at)));
    TY_ASSIGN(const auto rows, open.query->checkpoints(row.id));
    const std::string where = "run " + row.name;
    if (rows.empty()) return inputError("has no checkpoint", where);
    const auto isBest = [](const auto& each) { return each.best; };
    const auto best = std::find_if(rows.begin(), rows.end(), isBest);
    if (which.empty()) return best != rows.end() ? *best : rows.back();
    if (which == "last") return rows.back();
    if (which == "best") {
        if (best != rows.end()) return *best;
        return inputError("no checkpoint has a score, so none is the best", where, "use @last or a step");
    }
    std::string steps;
    for (const auto& each : rows) {
        const std::string step = std::to_string(each.step);
        if (which == step || which == std::filesystem::path(each.path).stem().string()) return each;
        steps += (steps.empty() ? "" : ", ") + step;
    }
    return inputError("has no checkpoint \"" + which + "\"", where, "there are best, last and the steps " + steps);
}

} // namespace trainyard::ctl
