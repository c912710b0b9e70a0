// SPDX-License-Identifier: GPL-3.0-or-later
// compare.
#include "app/ctl/session.h"
#include "engine/base/json_text.h"
#include "engine/run/actions/compare_runs.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace trainyard::ctl {
namespace {

struct CompareOptions {
    std::vector<std::string> runs;
    bool all = false; // what is the same, too
};

Json comparisonJson(const run::Comparison& comparison, bool all) {
    Json runs = Json::array();
    for (std::size_t i = 0; i < comparison.ids.size(); ++i)
        runs.push_back({{"id", comparison.ids[i]}, {"name", comparison.names[i]}});
    Json json{{"runs", runs}};
    for (const auto& row : comparison.rows)
        if (all || row.differs) json[run::toString(row.part)][row.name] = row.values;
    return json;
}

void printComparison(const run::Comparison& comparison, bool all) {
    const char* part = nullptr;
    std::vector<std::vector<std::string>> table;
    const auto flush = [&] {
        if (table.size() > 1) printTable(table);
        table.clear();
    };
    for (const auto& row : comparison.rows) {
        if (!all && !row.differs) continue;
        if (part != run::toString(row.part)) {
            flush();
            if (part) std::printf("\n");
            part = run::toString(row.part);
            table.push_back({part});
            for (const std::string& name : comparison.names) table.back().push_back(name);
        }
        std::vector<std::string> cells{row.name};
        for (std::size_t i = 0; i < row.values.size(); ++i) {
            const std::string difference = run::differenceText(row, i, 0);
            cells.push_back((row.values[i].empty() ? "-" : row.values[i]) +
                            (difference.empty() ? "" : " (" + difference + ")"));
        }
        table.push_back(std::move(cells));
    }
    flush();
    if (!part) std::printf("the runs do not differ\n");
}

Result<int> compare(const Session& session, const CompareOptions& options) {
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    std::vector<run::StoredRun> runs;
    for (const std::string& name : options.runs) {
        TY_ASSIGN(auto row, open.query->run(name));
        TY_ASSIGN(auto summaries, open.query->summaries(row.id));
        runs.emplace_back(std::move(row), std::move(summaries));
    }
    const auto comparison = run::compareRuns(runs);
    if (session.json) return printJson(comparisonJson(comparison, options.all));
    printComparison(comparison, options.all);
    return 0;
}

} // namespace

void addCompareCommand(CLI::App& app, Session& session) {
    const auto options = std::make_shared<CompareOptions>();
    auto* command = app.add_subcommand("compare", "results, settings and environment of runs side by side");
    command
        ->add_option("RUN", options->runs, "two or more: ids, beginnings of ids, or names; the first is the baseline")
        ->required()
        ->expected(2, 100);
    command->add_flag("--all", options->all, "also print what is equal");
    addCommonOptions(*command, session);
    command->callback([&session, options] {
        session.action = [&session, options] {
            const auto code = compare(session, *options);
            return code ? *code : fail(code.error());
        };
    });
}

} // namespace trainyard::ctl
