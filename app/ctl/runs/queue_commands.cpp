// SPDX-License-Identifier: GPL-3.0-or-later
// queue, and what is asked of it.
#include "app/ctl/run_file.h"
#include "app/ctl/session.h"
#include "engine/base/json_text.h"
#include "engine/queue/queue_starts.h"
#include "engine/queue/run_queue.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace trainyard::ctl {
namespace {

struct QueueOptions {
    std::string entry;
    std::int64_t place = 1;
    int slots = 1;
    std::vector<std::string> hosts;
};

const char* kindOf(const store::QueueRow& row) { return queue::isSweep(row) ? "sweep" : "run"; }

Json entryJson(const queue::QueueEntry& entry, std::size_t place) {
    return {{"entry", entry.row.id},
            {"place", place},
            {"name", entry.row.name},
            {"kind", kindOf(entry.row)},
            {"added_ms", entry.row.addedMs},
            {"forked_from", entry.row.forkedFrom.empty() ? Json(nullptr) : Json(entry.row.forkedFrom)},
            {"wait", queue::toString(entry.verdict.wait)},
            {"reason", queue::describe(entry).text()}};
}

Json queueJson(const queue::QueueView& view) {
    Json waiting = Json::array(), refused = Json::array();
    for (std::size_t i = 0; i < view.waiting.size(); ++i) waiting.push_back(entryJson(view.waiting[i], i + 1));
    for (const auto& row : view.refused)
        refused.push_back({{"entry", row.id},
                           {"name", row.name},
                           {"kind", kindOf(row)},
                           {"error", row.error.text()},
                           {"error_kind", toString(row.error.kind)},
                           {"error_code", toString(row.error.code)}});
    return {{"slots", view.settings.slots},
            {"paused", view.settings.paused},
            {"active", view.active},
            {"waiting", waiting},
            {"refused", refused}};
}

void printQueue(const queue::QueueView& view) {
    std::printf("%d of %d slot%s taken%s\n", view.active, view.settings.slots, view.settings.slots == 1 ? "" : "s",
                view.settings.paused ? "; the queue is paused (resume it with: trainyardctl queue resume)" : "");
    if (view.waiting.empty() && view.refused.empty()) {
        std::printf("the queue is empty; add a run or a sweep with: trainyardctl run --queue FILE.json\n");
        return;
    }
    std::vector<std::vector<std::string>> table{{"entry", "place", "kind", "name", "added", "state"}};
    for (std::size_t i = 0; i < view.waiting.size(); ++i) {
        const auto& entry = view.waiting[i];
        table.push_back({std::to_string(entry.row.id), std::to_string(i + 1), kindOf(entry.row), entry.row.name,
                         shortTime(entry.row.addedMs), queue::describe(entry).text()});
    }
    for (const auto& row : view.refused)
        table.push_back({std::to_string(row.id), "-", kindOf(row), row.name, shortTime(row.addedMs),
                         "refused: " + row.error.text()});
    printTable(table);
}

Result<int> show(const Session& session, const OpenWorkspace& open) {
    TY_ASSIGN(const auto view, queue::readQueue(*open.query, run::roomHere()));
    if (session.json) return printJson(queueJson(view));
    printQueue(view);
    return 0;
}

Result<int> list(const Session& session, const QueueOptions&) {
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    return show(session, open);
}

// `change` is given the workspace and the entry that was named; then the queue is shown.
template <class Change>
Result<int> changeEntry(const Session& session, const QueueOptions& options, Change change) {
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    TY_ASSIGN(const auto view, queue::readQueue(*open.query, run::roomHere()));
    TY_ASSIGN(const auto entry, queue::findEntry(view, options.entry));
    TY_TRY(change(open.workspace, entry));
    return show(session, open);
}

Result<int> move(const Session& session, const QueueOptions& options) {
    return changeEntry(session, options, [&](const store::Workspace& workspace, const store::QueueRow& entry) {
        return store::moveQueued(workspace, entry.id, options.place);
    });
}

// Its checks are those of a new entry.
Result<int> changeHosts(const Session& session, const QueueOptions& options) {
    return changeEntry(session, options,
                       [&](const store::Workspace& workspace, const store::QueueRow& entry) -> Result<void> {
                           auto hosts = options.hosts;
                           if (hosts == std::vector<std::string>{"local"}) hosts.clear();
                           return queue::moveToHosts(workspace, entry, hosts);
                       });
}

Result<int> removeEntry(const Session& session, const QueueOptions& options) {
    return changeEntry(session, options,
                       [](const store::Workspace& workspace, const store::QueueRow& entry) -> Result<void> {
                           TY_ASSIGN([[maybe_unused]] const auto removed, store::removeQueued(workspace, entry.id));
                           return {};
                       });
}

Result<int> retry(const Session& session, const QueueOptions& options) {
    return changeEntry(session, options, [](const store::Workspace& workspace, const store::QueueRow& entry) {
        return queue::retryQueued(workspace, entry.id);
    });
}

Result<int> start(const Session& session, const QueueOptions& options) {
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    TY_ASSIGN(const auto view, queue::readQueue(*open.query, run::roomHere()));
    TY_ASSIGN(const auto entry, queue::findEntry(view, options.entry));
    TY_ASSIGN(const auto started, queue::startQueued(open.workspace, entry, store::Taking::Now));
    return started.isSweep ? afterSweepStart(session, open.workspace, started.id, true)
                           : afterStart(session, open.workspace, started.id, true);
}

// `change` changes the settings; then the queue is shown.
template <class Change>
Result<int> set(const Session& session, Change change) {
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    TY_ASSIGN(auto queue, open.query->queue());
    change(queue.settings);
    { // which makes the database where there is none yet
        TY_ASSIGN([[maybe_unused]] const auto store, store::Store::open(open.workspace));
    }
    TY_TRY(queue::setQueueSettings(open.workspace, queue.settings));
    return show(session, open);
}

Result<int> pause(const Session& session, const QueueOptions&) {
    return set(session, [](store::QueueSettings& settings) { settings.paused = true; });
}

Result<int> resume(const Session& session, const QueueOptions&) {
    return set(session, [](store::QueueSettings& settings) { settings.paused = false; });
}

Result<int> setSlots(const Session& session, const QueueOptions& options) {
    return set(session, [&](store::QueueSettings& settings) { settings.slots = options.slots; });
}

using QueueAction = Result<int> (*)(const Session&, const QueueOptions&);

CLI::App* addVerb(CLI::App& queue, Session& session, const char* name, const char* help, QueueAction action,
                  const std::shared_ptr<QueueOptions>& options) {
    auto* command = queue.add_subcommand(name, help);
    addCommonOptions(*command, session);
    command->callback([&session, options, action] {
        session.action = [&session, options, action] {
            const auto code = action(session, *options);
            return code ? *code : fail(code.error());
        };
    });
    return command;
}

} // namespace

int tellQueued(const Session& session, const store::Workspace& workspace, const Result<store::QueueRow>& added) {
    if (!added) return fail(added.error());
    const auto query = store::RunQuery::open(workspace);
    if (!query) return fail(query.error());
    const auto view = queue::readQueue(**query, run::roomHere());
    if (!view) return fail(view.error());
    for (std::size_t i = 0; i < view->waiting.size(); ++i) {
        const auto& entry = view->waiting[i];
        if (entry.row.id != added->id) continue;
        if (session.json) return printJson(entryJson(entry, i + 1));
        std::printf("%s is entry %lld of the queue, at place %zu: %s\n", shownName(entry.row.name).c_str(),
                    static_cast<long long>(entry.row.id), i + 1, queue::describe(entry).text().c_str());
        return 0;
    }
    if (session.json)
        return printJson({{"entry", added->id}, {"place", nullptr}, {"name", added->name}, {"kind", kindOf(*added)}});
    std::printf("%s is entry %lld of the queue, and has started\n", shownName(added->name).c_str(),
                static_cast<long long>(added->id));
    return 0;
}

void addQueueCommands(CLI::App& app, Session& session) {
    auto* queue =
        app.add_subcommand("queue", "list the runs and sweeps that wait; the commands below change the queue");
    queue->require_subcommand(0, 1);
    addCommonOptions(*queue, session);
    queue->callback([&session, queue] {
        if (!queue->get_subcommands().empty()) return; // one below has the word
        session.action = [&session] {
            const auto code = list(session, {});
            return code ? *code : fail(code.error());
        };
    });
    const auto options = std::make_shared<QueueOptions>();
    auto* moveCommand = addVerb(*queue, session, "move", "move an entry to another place", move, options);
    auto* hostsCommand = addVerb(*queue, session, "hosts", "train a waiting run on other hosts", changeHosts, options);
    auto* removeCommand = addVerb(*queue, session, "remove", "remove an entry from the queue", removeEntry, options);
    auto* startCommand = addVerb(*queue, session, "start", "start an entry now, without waiting", start, options);
    auto* retryCommand = addVerb(*queue, session, "retry", "queue a refused entry again", retry, options);
    for (auto* command : {moveCommand, hostsCommand, removeCommand, startCommand, retryCommand})
        command->add_option("ENTRY", options->entry, "number or name of the entry")->required();
    hostsCommand->add_option("HOST", options->hosts, "names of the hosts; local: this computer")->required();
    moveCommand->add_option("PLACE", options->place, "1: the first")->required();
    addVerb(*queue, session, "pause", "start nothing new; active runs continue", pause, options);
    addVerb(*queue, session, "resume", "start entries again", resume, options);
    addVerb(*queue, session, "slots", "set how many runs and sweeps may be active at once", setSlots, options)
        ->add_option("NUMBER", options->slots, "1 to 64")
        ->required();
}

} // namespace trainyard::ctl
