// SPDX-License-Identifier: GPL-3.0-or-later
// lineage.
#include "app/ctl/session.h"
#include "engine/base/clock.h"
#include "engine/base/json_text.h"
#include "engine/run/record/data_file.h"
#include "engine/sweep/results/lineage.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace trainyard::ctl {
namespace {

using Kind = sweep::LineageEntry::Kind;

// What the run of an entry was trained on; null for a sweep, or one that is gone.
Json dataOf(store::RunQuery& query, const sweep::LineageEntry& entry) {
    if (entry.kind == Kind::Sweep || entry.kind == Kind::Resumed) return {};
    const auto row = query.run(entry.id);
    return row ? run::readDataFile(run::RunFolder{row->folder}) : Json();
}

Json entryJson(const sweep::LineageEntry& entry, const Json& data) {
    Json changes = Json::array();
    for (const auto& change : entry.changes)
        changes.push_back({{"setting", change.setting}, {"before", change.before}, {"after", change.after}});
    const auto numberOr = [](auto number, bool there) { return there ? Json(number) : Json(nullptr); };
    const bool known = entry.status != wire::RunStatus::Unknown;
    return {{"kind", sweep::toString(entry.kind)},
            {"depth", entry.depth},
            {entry.kind == Kind::Sweep ? "sweep" : "run", entry.id},
            {"name", entry.name},
            {"status", known ? Json(wire::toString(entry.status)) : Json(nullptr)},
            {"step", numberOr(entry.step, entry.step >= 0)},
            {"trial", numberOr(entry.trial, entry.trial >= 0)},
            {"donor", numberOr(entry.donor, entry.donor >= 0)},
            {"t", numberOr(entry.t, entry.kind == Kind::Adopted)},
            {"time", entry.wallMs > 0 ? Json(isoTime(entry.wallMs)) : Json(nullptr)},
            {"asked", entry.asked},
            {"weights", data.is_object() ? data.value("weights", Json(nullptr)) : Json(nullptr)},
            {"changes", std::move(changes)}};
}

// Whether another entry of that depth follows before the tree goes back above it.
bool goesOn(const std::vector<sweep::LineageEntry>& entries, std::size_t at, int depth) {
    for (std::size_t next = at + 1; next < entries.size(); ++next) {
        if (entries[next].depth < depth) return false;
        if (entries[next].depth == depth) return true;
    }
    return false;
}

void printEntries(store::RunQuery& query, const sweep::Lineage& lineage) {
    std::vector<std::vector<std::string>> table;
    for (std::size_t at = 0; at < lineage.entries.size(); ++at) {
        const auto& entry = lineage.entries[at];
        std::string lead;
        for (int depth = 1; depth < entry.depth; ++depth) lead += goesOn(lineage.entries, at, depth) ? "│  " : "   ";
        if (entry.depth > 0) lead += goesOn(lineage.entries, at, entry.depth) ? "├─ " : "└─ ";
        const bool known = entry.status != wire::RunStatus::Unknown && entry.kind != Kind::Resumed;
        std::string changes = sweep::changesText(entry.changes);
        if (const auto weights = run::weightsText(dataOf(query, entry)); !weights.empty())
            changes = weights + (changes.empty() ? "" : "; " + changes);
        table.push_back({lead + (entry.name.empty() || entry.kind == Kind::Resumed ? "" : entry.name + ", ") +
                             sweep::describe(entry) + (entry.asked ? " *" : ""),
                         entry.kind == Kind::Resumed ? "" : entry.id, known ? wire::toString(entry.status) : "",
                         changes});
    }
    printTable(table);
    if (lineage.otherTrials > 0)
        std::printf("and %d more trials of the sweep: trainyardctl lineage SWEEP\n", lineage.otherTrials);
}

Result<int> printLineage(const Session& session, const std::string& name) {
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    TY_ASSIGN(const auto lineage, sweep::readLineage(*open.query, name));
    if (!session.json) return printEntries(*open.query, lineage), 0;
    Json entries = Json::array();
    for (const auto& entry : lineage.entries) entries.push_back(entryJson(entry, dataOf(*open.query, entry)));
    return printJson({{"entries", std::move(entries)}, {"other_trials", lineage.otherTrials}});
}

} // namespace

void addLineageCommand(CLI::App& app, Session& session) {
    const auto name = std::make_shared<std::string>();
    auto* command =
        app.add_subcommand("lineage", "show the ancestors and descendants of a run, and what changed between them");
    command->add_option("RUN", *name, "run or sweep: id, beginning of an id, or name")->required();
    addCommonOptions(*command, session);
    command->callback([&session, name] {
        session.action = [&session, name] {
            const auto code = printLineage(session, *name);
            return code ? *code : fail(code.error());
        };
    });
}

} // namespace trainyard::ctl
