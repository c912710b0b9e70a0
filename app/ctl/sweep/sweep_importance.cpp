// SPDX-License-Identifier: GPL-3.0-or-later
// `sweep importance SWEEP`: which parameters decide whether a trial is among the best.
#include "app/ctl/session.h"
#include "engine/base/json_text.h"
#include "engine/sweep/results/sweep_result.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace trainyard::ctl {
namespace {

Result<sweep::SweepImportance> importanceIn(store::RunQuery& query, const store::SweepRow& row) {
    TY_ASSIGN(const auto spec, sweep::specOf(row));
    TY_ASSIGN(const auto ranking, sweep::rankTrials(query, row.id, spec));
    return sweep::importanceOfSweep(spec, ranking);
}

int importanceCommand(const Session& session, const std::string& name) {
    const auto open = OpenWorkspace::open(session);
    if (!open) return fail(open.error());
    const auto row = open->query->sweep(name);
    if (!row) return fail(row.error());
    const auto found = importanceIn(*open->query, *row);
    if (!found) return fail(found.error());
    if (session.json) {
        Json importance = Json::object();
        for (const auto& axis : found->axes) importance[axis.path] = axis.share;
        return printJson(
            {{"sweep", row->id}, {"method", "ped-anova"}, {"trials", found->results}, {"importance", importance}});
    }
    std::printf("%s, %zu results, the best tenth against all (PED-ANOVA):\n", shownName(row->name).c_str(),
                found->results);
    std::vector<std::vector<std::string>> table{{"parameter", "importance"}};
    for (const auto& axis : found->axes) {
        char text[16];
        std::snprintf(text, sizeof text, "%5.1f%%", 100 * axis.share);
        table.push_back({axis.path, text});
    }
    printTable(table);
    return 0;
}

} // namespace

void addImportanceCommand(CLI::App& sweep, Session& session) {
    const auto name = std::make_shared<std::string>();
    auto* command = sweep.add_subcommand("importance", "say how much each parameter decides");
    command->add_option("SWEEP", *name, "id, beginning of an id, or name")->required();
    addCommonOptions(*command, session);
    command->callback(
        [&session, name] { session.action = [&session, name] { return importanceCommand(session, *name); }; });
}

} // namespace trainyard::ctl
