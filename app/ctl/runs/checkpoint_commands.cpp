// SPDX-License-Identifier: GPL-3.0-or-later
// checkpoints, checkpoints pin | unpin | prune.
#include "app/ctl/runs/result_json.h"
#include "app/ctl/session.h"
#include "engine/base/clock.h"
#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"
#include "engine/run/actions/prune_checkpoints.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <memory>

namespace trainyard::ctl {
namespace {

using Table = std::vector<std::vector<std::string>>;

// A checkpoint and the run that it is of.
struct Listed {
    const run::RunCheckpoints* run;
    const store::CheckpointRow* row;
    double score() const { return run::scoreOf(*row, run->score); }
};

struct ListOptions {
    std::string run, filter, sort = "run";
    bool archived = false, pinned = false;
};

std::string numberText(double value, const char* format) {
    char text[32];
    std::snprintf(text, sizeof text, format, value);
    return std::isfinite(value) ? text : "-";
}

std::string wordsOf(const store::CheckpointRow& row) {
    std::string text;
    for (const auto& word : run::checkpointWords(row)) text += (text.empty() ? "" : ", ") + word;
    return text;
}

std::string countText(std::size_t count, const char* what) {
    return grouped(static_cast<std::int64_t>(count)) + " " + what + (count == 1 ? "" : "s");
}

Json listedJson(const run::RunCheckpoints& run, const store::CheckpointRow& row) {
    Json json{{"run", run.run.id}, {"name", run.run.name}};
    json.update(checkpointJson(row));
    json["host"] = run.host;
    json["score_by"] = run.score.series;
    return json;
}

// The run that was named, or those that the filter finds.
Result<std::vector<run::RunCheckpoints>> checkpointsOf(store::RunQuery& query, const std::string& run, bool archived,
                                                       const std::string& filter) {
    if (run.empty()) return run::listCheckpoints(query, archived, filter);
    TY_ASSIGN(auto row, query.run(run));
    TY_ASSIGN(auto rows, query.checkpoints(row.id));
    TY_ASSIGN(const auto hosts, query.hostsOfRankZero());
    const auto host = hosts.find(row.id);
    const auto score = run::scoreOf(row);
    return std::vector{run::RunCheckpoints{std::move(row), score, host == hosts.end() ? std::string() : host->second,
                                           std::move(rows)}};
}

void sortBy(const std::string& key, std::vector<Listed>& list) {
    const auto order = [&](auto value) {
        std::stable_sort(list.begin(), list.end(),
                         [&](const Listed& a, const Listed& b) { return value(a) > value(b); });
    };
    if (key == "size") order([](const Listed& each) { return each.row->bytes; });
    if (key == "step") order([](const Listed& each) { return each.row->step; });
    if (key == "saved") order([](const Listed& each) { return each.row->wallMs; });
    if (key == "score") // the better ones first; those without one last
        order([](const Listed& each) {
            const double score = each.score();
            const bool larger = each.run->score.better == spec::Better::Larger;
            return std::isfinite(score) ? (larger ? score : -score) : -INFINITY;
        });
}

void printList(const std::vector<Listed>& list, bool ofOneRun) {
    Table table{
        ofOneRun ? std::vector<std::string>{"step", "epoch", list.front().run->score.series, "size", "saved", "kept",
                                            "host", "file"}
                 : std::vector<std::string>{"run", "name", "step", "epoch", "score", "size", "saved", "kept", "host"}};
    for (const Listed& each : list) {
        const std::vector<std::string> common{grouped(each.row->step),
                                              numberText(each.row->epoch, "%.4g"),
                                              numberText(each.score(), "%.4f"),
                                              bytesText(each.row->bytes),
                                              shortTime(each.row->wallMs),
                                              wordsOf(*each.row),
                                              each.run->host.empty() ? "this computer" : each.run->host};
        std::vector<std::string> cells;
        if (!ofOneRun) cells = {each.run->run.id, each.run->run.name};
        cells.insert(cells.end(), common.begin(), common.end());
        if (ofOneRun) cells.push_back(each.row->path);
        table.push_back(std::move(cells));
    }
    printTable(table);
}

Result<int> list(const Session& session, const ListOptions& options) {
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    TY_ASSIGN(const auto runs, checkpointsOf(*open.query, options.run, options.archived, options.filter));
    std::vector<Listed> all;
    std::int64_t bytes = 0;
    for (const auto& run : runs)
        for (const auto& row : run.rows)
            if (row.pinned || !options.pinned) {
                all.push_back({&run, &row});
                bytes += row.bytes;
            }
    sortBy(options.sort, all);
    if (session.json) {
        Json json = Json::array();
        for (const Listed& each : all) json.push_back(listedJson(*each.run, *each.row));
        return printJson(json);
    }
    const bool ofOneRun = !options.run.empty();
    if (all.empty()) {
        if (ofOneRun && !options.pinned)
            std::printf("run %s has no checkpoint yet\n", shownName(runs[0].run.name).c_str());
        else std::printf("no %scheckpoints\n", options.pinned ? "pinned " : "");
        return 0;
    }
    printList(all, ofOneRun);
    if (!ofOneRun)
        std::printf("%s of %s, %s\n", countText(all.size(), "checkpoint").c_str(),
                    countText(runs.size(), "run").c_str(), bytesText(bytes).c_str());
    return 0;
}

Result<int> pin(const Session& session, const std::vector<std::string>& names, bool pinned) {
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    std::vector<run::PinEdit> edits;
    Json json = Json::array();
    for (const std::string& name : names) {
        TY_ASSIGN(auto row, open.query->checkpoint(name));
        row.pinned = pinned;
        edits.push_back({row.id, pinned});
        json.push_back(checkpointJson(row));
    }
    TY_TRY(run::pinCheckpoints(open.workspace, edits));
    if (session.json) return printJson(json);
    for (const std::string& name : names)
        std::printf("%s %s\n", pinned ? "pinned" : "unpinned", shownName(name).c_str());
    return 0;
}

struct PruneOptions {
    std::vector<std::string> runs;
    std::string filter, olderThan;
    int best = 1, last = 1;
    bool archived = false, unfinished = false, dryRun = false;
};

// "12h", "30d", "2w" in ms.
Result<std::int64_t> ageOf(const std::string& text) {
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [at, problem] = std::from_chars(text.data(), end, number);
    constexpr std::int64_t kHour = 3'600'000;
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> kUnits{
        {{"m", 60'000}, {"h", kHour}, {"d", 24 * kHour}, {"w", 7 * 24 * kHour}}};
    for (const auto& [unit, ms] : kUnits)
        if (problem == std::errc() && number >= 0 && number < 100'000 && std::string_view(at, end) == unit)
            return number * ms;
    return inputError("\"" + printable(text, 40) + "\" is not an age", "--older-than",
                      "give a whole number and m, h, d or w: 30d is thirty days");
}

Result<std::vector<run::RunCheckpoints>> chosenRuns(store::RunQuery& query, const PruneOptions& options) {
    if (options.runs.empty()) return run::listCheckpoints(query, options.archived, options.filter);
    std::vector<run::RunCheckpoints> all;
    for (const std::string& name : options.runs) {
        TY_ASSIGN(auto one, checkpointsOf(query, name, options.archived, {}));
        const bool twice =
            std::any_of(all.begin(), all.end(), [&](const auto& each) { return each.run.id == one[0].run.id; });
        if (!twice) all.push_back(std::move(one[0]));
    }
    return all;
}

Json planJson(const run::PrunePlan& plan) {
    Json deletes = Json::array(), keeps = Json::array();
    for (const auto& planned : plan.runs)
        for (const auto& each : planned.checkpoints) {
            Json json{{"run", planned.run.id}, {"name", planned.run.name}};
            json.update(checkpointJson(each.row));
            if (each.kept != run::KeptFor::No) json["why"] = run::toString(each.kept);
            (each.kept == run::KeptFor::No ? deletes : keeps).push_back(std::move(json));
        }
    return {{"deletes", std::move(deletes)}, {"keeps", std::move(keeps)}};
}

void printPlan(const run::PrunePlan& plan) {
    Table table{{"run", "name", "step", "size", "saved", ""}};
    for (const auto& planned : plan.runs)
        for (const auto& each : planned.checkpoints)
            table.push_back(
                {planned.run.id, planned.run.name, grouped(each.row.step), bytesText(each.row.bytes),
                 shortTime(each.row.wallMs),
                 each.kept == run::KeptFor::No ? "delete" : std::string("keep: ") + run::toString(each.kept)});
    if (table.size() > 1) printTable(table);
    std::printf("%s would be deleted, which frees %s\n",
                countText(static_cast<std::size_t>(plan.deletes), "checkpoint").c_str(),
                bytesText(plan.freedBytes).c_str());
    if (plan.sharedBytes > 0)
        std::printf("%s more are shared with a fork, a trial or the queue, and stay on the disk for them\n",
                    bytesText(plan.sharedBytes).c_str());
}

Result<int> prune(const Session& session, const PruneOptions& options) {
    run::PruneRule rule{{.best = options.best, .last = options.last}, !options.unfinished};
    if (!options.olderThan.empty()) {
        TY_ASSIGN(const auto age, ageOf(options.olderThan));
        rule.keep.savedBefore = wallClockMs() - age;
    }
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    TY_ASSIGN(const auto runs, chosenRuns(*open.query, options));
    TY_ASSIGN(const auto plan, run::planPrune(*open.query, runs, rule));
    Json json = planJson(plan);
    if (options.dryRun) {
        if (!session.json) return printPlan(plan), 0;
        json["freed_bytes"] = plan.freedBytes;
        json["shared_bytes"] = plan.sharedBytes;
        json["dry_run"] = true;
        return printJson(json);
    }
    TY_ASSIGN(const auto done, run::pruneCheckpoints(open.workspace, plan));
    for (const std::string& left : done.left) std::fprintf(stderr, "trainyardctl: %s\n", forTerminal(left).c_str());
    if (!session.json) {
        std::printf("deleted %s, %s freed\n", countText(static_cast<std::size_t>(done.deleted), "checkpoint").c_str(),
                    bytesText(done.freedBytes).c_str());
        if (done.code.deleted > 0)
            std::printf("deleted %s of code that no run needs, %s freed\n",
                        countText(static_cast<std::size_t>(done.code.deleted), "snapshot").c_str(),
                        bytesText(done.code.bytes).c_str());
        return 0;
    }
    json["deleted"] = done.deleted;
    json["freed_bytes"] = done.freedBytes;
    json["shared_bytes"] = done.sharedBytes;
    json["left"] = done.left;
    json["deleted_snapshots"] = done.code.deleted;
    json["dry_run"] = false;
    return printJson(json);
}

// What a command does with its options, made once it has been read.
template <class Options>
void act(CLI::App& command, Session& session, std::shared_ptr<Options> options,
         Result<int> (*action)(const Session&, const Options&)) {
    command.callback([&session, &command, options, action] {
        if (!command.get_subcommands().empty()) return; // it has said what to do
        session.action = [&session, options, action] {
            const auto code = action(session, *options);
            return code ? *code : fail(code.error());
        };
    });
}

void addPinCommand(CLI::App& above, Session& session, bool pinned) {
    using Names = std::vector<std::string>;
    const auto names = std::make_shared<Names>();
    auto* command =
        above.add_subcommand(pinned ? "pin" : "unpin", pinned ? "pin checkpoints, so that nothing deletes them"
                                                              : "unpin checkpoints, so that they can be pruned");
    command->add_option("CHECKPOINT", *names, "RUN[@CHECKPOINT]: @best (the default), @last or @STEP")->required();
    addCommonOptions(*command, session);
    act<Names>(
        *command, session, names,
        pinned ? +[](const Session& given, const Names& all) { return pin(given, all, true); }
               : +[](const Session& given, const Names& all) { return pin(given, all, false); });
}

void addPruneCommand(CLI::App& above, Session& session) {
    const auto options = std::make_shared<PruneOptions>();
    auto* command = above.add_subcommand("prune", "delete checkpoints by a rule; pinned ones stay");
    command->add_option("RUN", options->runs, "ids, beginnings of ids, or names; none: all runs of the workspace");
    command->add_option("--best", options->best, "best checkpoints of each run to keep (default: 1)")
        ->check(CLI::Range(0, 100'000));
    command->add_option("--last", options->last, "newest checkpoints of each run to keep (default: 1)")
        ->check(CLI::Range(0, 100'000));
    command->add_option("--older-than", options->olderThan, "only those older than this, for example 12h, 30d or 4w");
    command->add_option("--filter", options->filter, "only of runs that match, for example \"tag:draft\"");
    command->add_flag("--unfinished", options->unfinished, "also of stopped, failed and interrupted runs");
    command->add_flag("--archived", options->archived, "also of archived runs");
    command->add_flag("--dry-run", options->dryRun, "print what would be deleted, and delete nothing");
    addCommonOptions(*command, session);
    act<PruneOptions>(*command, session, options, prune);
}

} // namespace

void addCheckpointCommands(CLI::App& app, Session& session) {
    const auto options = std::make_shared<ListOptions>();
    auto* command =
        app.add_subcommand("checkpoints", "list the checkpoints of a run, or of all runs; pin and prune them");
    command->add_option("RUN", options->run, "id, beginning of an id, or name; none: all runs of the workspace");
    command->add_option("--filter", options->filter, "only of runs that match, for example \"tag:resnet\"");
    command->add_option("--sort", options->sort, "run (the newest first), size, step, saved or score")
        ->check(CLI::IsMember({"run", "size", "step", "saved", "score"}));
    command->add_flag("--pinned", options->pinned, "only pinned ones");
    command->add_flag("--archived", options->archived, "also of archived runs");
    addCommonOptions(*command, session);
    addPinCommand(*command, session, true);
    addPinCommand(*command, session, false);
    addPruneCommand(*command, session);
    addDiffCommand(*command, session);
    addCheckpointInspectCommand(*command, session);
    act<ListOptions>(*command, session, options, list);
}

} // namespace trainyard::ctl
