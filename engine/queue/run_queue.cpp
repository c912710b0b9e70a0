// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/queue/run_queue.h"

#include "engine/base/nearest_word.h"
#include "engine/base/text/amounts.h"
#include "engine/base/text/printable.h"
#include "engine/run/launch/spawn.h"

#include <algorithm>
#include <charconv>

namespace trainyard::queue {
namespace {

// What is active once those of `claims` have started that are to.
std::vector<Claim> activeThen(std::vector<Claim> active, const std::vector<Claim>& claims,
                              const std::vector<Verdict>& verdicts) {
    for (std::size_t i = 0; i < claims.size(); ++i)
        if (verdicts[i].wait == Wait::None) active.push_back(heldBy(claims[i], verdicts[i].devices));
    return active;
}

// What an entry claims beside those before it, and where it is placed. Nothing of what cannot be read: it is refused as
// soon as it is its turn.
Claim claimOfEntry(QueueEntry& entry, const QueueRules& rules, const std::vector<Claim>& before,
                   const std::vector<Claim>& active) {
    if (isSweep(entry.row)) {
        const auto spec = spec::parseSweepSpec(entry.row.specJson);
        return spec ? claimOf(*spec, rules.rooms) : Claim{};
    }
    const auto spec = spec::parseRunSpec(entry.row.specJson);
    if (!spec) return {};
    if (spec->scaling.place == "free")
        entry.placement = place(*spec, rules.rooms, activeThen(active, before, judge(rules, before, active)));
    return claimOf(entry.placement ? placedAt(*spec, *entry.placement) : *spec, rules.rooms);
}

void judgeAll(QueueView& view, Active active, const run::HostRooms& rooms) {
    const QueueRules rules{view.settings.slots, view.settings.paused, rooms};
    std::vector<Claim> claims;
    for (QueueEntry& entry : view.waiting) claims.push_back(claimOfEntry(entry, rules, claims, active.claims));
    const auto verdicts = judge(rules, claims, active.claims);
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
        QueueEntry& entry = view.waiting[i];
        entry.verdict = verdicts[i];
        if (entry.verdict.wait == Wait::None) active.names.push_back(entry.row.name);
        if (entry.verdict.by < 0) continue;
        const auto by = static_cast<std::size_t>(entry.verdict.by);
        entry.by = entry.verdict.wait == Wait::Earlier ? view.waiting[by].row.name : active.names[by];
    }
}

// Of the host of a verdict, or else of this computer.
Sentence waitsFor(const char* here, const char* onHost, const Verdict& verdict, std::string needed, std::string free) {
    if (verdict.host.empty()) return {here, {std::move(needed), std::move(free)}};
    return {onHost, {printable(verdict.host, 60), std::move(needed), std::move(free)}};
}

} // namespace

bool isSweep(const store::QueueRow& row) { return spec::isSweepFile(row.specJson); }

std::filesystem::path queueFolder(const store::Workspace& workspace) { return workspace.root / "queue"; }

Result<QueueView> readQueue(store::RunQuery& query, const run::Room& room) {
    QueueView view;
    TY_ASSIGN(auto queue, query.queue());
    view.settings = queue.settings;
    for (auto& row : queue.rows) {
        if (row.state == store::QueueState::Waiting) view.waiting.push_back({std::move(row), {}});
        else if (row.state == store::QueueState::Refused) view.refused.push_back(std::move(row));
        else if (row.state == store::QueueState::Starting) view.starting.push_back(std::move(row));
    }
    const auto rooms = roomsWith(room);
    TY_ASSIGN(auto active, activeWork(query, rooms));
    view.active = static_cast<int>(active.claims.size());
    judgeAll(view, std::move(active), rooms);
    return view;
}

Sentence describe(const QueueEntry& entry) {
    const Verdict& verdict = entry.verdict;
    const std::string name = printable(entry.by, 60);
    const std::string needed = std::to_string(verdict.needed), free = std::to_string(verdict.free);
    switch (verdict.wait) {
    case Wait::None: return Engine::tr("starts now");
    case Wait::Paused: return Engine::tr("the queue is paused");
    case Wait::SlotsFull: return {Engine::tr("waiting for a slot: %1 of %2 in use"), {needed, free}};
    case Wait::HostBusy: return {Engine::tr("waiting for %1, which %2 uses"), {printable(verdict.host, 60), name}};
    case Wait::DeviceBusy:
        return waitsFor(Engine::tr("waiting for CUDA devices: it needs %1, %2 free"),
                        Engine::tr("waiting for CUDA devices of %1: it needs %2, %3 free"), verdict, needed, free);
    case Wait::MemoryBusy:
        return waitsFor(Engine::tr("waiting for memory: it needs %1, %2 free"),
                        Engine::tr("waiting for memory of %1: it needs %2, %3 free"), verdict,
                        bytesText(verdict.needed), bytesText(verdict.free));
    case Wait::CoresBusy:
        return waitsFor(Engine::tr("waiting for cores: it needs %1, %2 free"),
                        Engine::tr("waiting for cores of %1: it needs %2, %3 free"), verdict, needed, free);
    case Wait::Earlier: return {Engine::tr("waiting for its turn after %1"), {name}};
    }
    return {};
}

Result<store::QueueRow> findEntry(const QueueView& view, const std::string& numberOrName) {
    std::vector<const store::QueueRow*> rows;
    for (const auto& entry : view.waiting) rows.push_back(&entry.row);
    for (const auto& row : view.refused) rows.push_back(&row);
    std::int64_t number = -1;
    const char* end = numberOrName.data() + numberOrName.size();
    if (std::from_chars(numberOrName.data(), end, number).ptr != end) number = -1;
    std::vector<std::string> names;
    for (const auto* row : rows) {
        if (row->id == number) return *row;
        names.push_back(row->name);
    }
    const auto named = std::find(names.begin(), names.end(), numberOrName);
    if (named != names.end()) return *rows[static_cast<std::size_t>(named - names.begin())];
    const std::string near = nearestWord(numberOrName, names);
    return inputError("there is no entry \"" + printable(numberOrName, 60) + "\" in the queue", {},
                      near.empty() ? "see: trainyardctl queue" : "did you mean \"" + printable(near, 60) + "\"?")
        .withCode(ErrorCode::NotQueued);
}

Result<void> setQueueSettings(const store::Workspace& workspace, const store::QueueSettings& settings) {
    TY_TRY(store::setQueueSettings(workspace, settings));
    return ensureQueueSupervisor(workspace);
}

Result<void> retryQueued(const store::Workspace& workspace, std::int64_t entry) {
    TY_TRY(store::retryQueued(workspace, entry));
    return ensureQueueSupervisor(workspace);
}

Result<void> restoreQueued(const store::Workspace& workspace, const store::QueueRow& row) {
    TY_TRY(store::restoreQueued(workspace, row));
    return ensureQueueSupervisor(workspace);
}

Result<void> ensureQueueSupervisor(const store::Workspace& workspace) {
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    return ensureQueueSupervisor(workspace, *query);
}

Result<void> ensureQueueSupervisor(const store::Workspace& workspace, store::RunQuery& query) {
    TY_ASSIGN(const auto queue, query.queue());
    const bool wanted = std::any_of(queue.rows.begin(), queue.rows.end(), [&](const store::QueueRow& row) {
        return row.state == store::QueueState::Starting ||
               (row.state == store::QueueState::Waiting && !queue.settings.paused);
    });
    const auto folder = queueFolder(workspace);
    // One that is about to end looks once more after it has let go of its lock.
    if (!wanted || store::RunLock::isHeld(folder)) return {};
    auto lock = store::RunLock::acquire(folder);
    if (!lock) return lock.error().code == ErrorCode::AlreadyRunning ? Result<void>() : std::move(lock).error();
    TY_ASSIGN([[maybe_unused]] const auto pid,
              run::spawnSupervisor("supervise-queue", folder, run::Detachment::Full, &*lock));
    return {};
}

} // namespace trainyard::queue
