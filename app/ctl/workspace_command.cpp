// SPDX-License-Identifier: GPL-3.0-or-later
// workspace repair.
#include "app/ctl/session.h"
#include "engine/base/error_json.h"
#include "engine/base/json_text.h"
#include "engine/run/actions/repair_workspace.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>

namespace trainyard::ctl {
namespace {

Json repairJson(const run::Repaired& repaired) {
    Json runs = Json::array(), leftOut = Json::array();
    for (const auto& each : repaired.runs)
        runs.push_back({{"id", each.row.id},
                        {"name", each.row.name},
                        {"status", wire::toString(each.row.status)},
                        {"checkpoints", each.checkpoints},
                        {"points", each.points},
                        {"from", each.fromRecord ? "record" : "folder"}});
    for (const auto& each : repaired.leftOut) leftOut.push_back(parseJson(errorToJson(each)));
    const Json aside = repaired.aside.empty() ? Json() : Json(repaired.aside.string());
    return {{"runs", runs}, {"left_out", leftOut}, {"damaged_database", aside}};
}

void printRepair(const run::Repaired& repaired) {
    if (!repaired.aside.empty()) std::printf("the database was damaged; it is kept in %s\n", repaired.aside.c_str());
    if (repaired.runs.empty()) return (void)std::printf("every run with a folder is recorded\n");
    std::vector<std::vector<std::string>> table{{"run", "name", "status", "step", "checkpoints", "points", "from"}};
    for (const auto& each : repaired.runs)
        table.push_back({each.row.id, each.row.name, wire::toString(each.row.status), grouped(each.row.step),
                         std::to_string(each.checkpoints), grouped(each.points),
                         each.fromRecord ? "the record" : "its folder"});
    printTable(table);
}

Result<int> repair(const Session& session) {
    TY_ASSIGN(const auto workspace, session.workspace());
    TY_ASSIGN(const auto repaired, run::repairWorkspace(workspace));
    if (session.json) printJson(repairJson(repaired));
    else printRepair(repaired);
    for (const auto& each : repaired.leftOut)
        std::fprintf(stderr, "trainyardctl: %s\n", forTerminal(each.text()).c_str());
    return repaired.leftOut.empty() ? 0 : exitCode(repaired.leftOut.front().kind);
}

} // namespace

void addWorkspaceCommand(CLI::App& app, Session& session) {
    auto* workspace = app.add_subcommand("workspace", "maintain the folder of the runs");
    workspace->require_subcommand(1);
    auto* command = workspace->add_subcommand(
        "repair", "restore runs that the database has lost, from their folders and its readable part");
    addCommonOptions(*command, session);
    command->callback([&session] {
        session.action = [&session] {
            const auto code = repair(session);
            return code ? *code : fail(code.error());
        };
    });
}

} // namespace trainyard::ctl
