// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/queue/queue_starts.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"
#include "engine/base/text/ids.h"
#include "engine/queue/run_queue.h"
#include "engine/run/record/run_code.h"
#include "engine/run/start/run_start.h"
#include "engine/run/start/take_code.h"
#include "engine/spec/run/host_ranks.h"
#include "engine/sweep/control/sweep_control.h"
#include "engine/sweep/results/warm_start.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace trainyard::queue {
namespace {

namespace fs = std::filesystem;

// Its own copy, a link where the file system allows it.
Result<std::string> keepCheckpoint(const store::Workspace& workspace, const std::string& checkpoint) {
    if (checkpoint.empty()) return std::string();
    std::error_code failure;
    fs::create_directories(queueFolder(workspace), failure);
    const fs::path kept = queueFolder(workspace) / (newId() + ".safetensors");
    fs::create_hard_link(checkpoint, kept, failure);
    if (failure) {
        failure.clear();
        fs::copy_file(checkpoint, kept, failure);
    }
    if (failure) return environmentError("cannot keep the checkpoint for the queue: " + failure.message(), checkpoint);
    return kept.string();
}

// The snapshot of its code that an entry starts from, whatever is edited while it waits.
fs::path codeFile(const store::Workspace& workspace, const store::QueueRow& entry) {
    return queueFolder(workspace) / run::queuedCodeName(entry);
}

// An entry that starts before this is written takes its snapshot itself, a moment later.
Result<void> keepCode(const store::Workspace& workspace, const store::QueueRow& entry, const run::RunCode& code) {
    std::error_code ignored; // of the write, which says more
    fs::create_directories(queueFolder(workspace), ignored);
    return writeFileAtomic(codeFile(workspace, entry), jsonFile(Json{{"code", run::codeToJson(code)}}));
}

Result<store::QueueRow> add(const store::Workspace& workspace, store::QueueRow row,
                            const std::optional<run::RunCode>& code) {
    {
        TY_ASSIGN(const auto store, store::Store::open(workspace)); // which makes the database, or brings it up to date
    }
    TY_ASSIGN(auto added, store::addQueued(workspace, std::move(row)));
    if (code) TY_TRY(keepCode(workspace, added, *code));
    TY_TRY(ensureQueueSupervisor(workspace));
    return added;
}

// Earlier sweeps that are in the record must serve now; others have to wait in the queue before it.
Result<void> checkWarmStart(const store::Workspace& workspace, const spec::SweepSpec& spec) {
    if (spec.warmStart.empty()) return {};
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(const auto queue, query->queue());
    const auto waits = [&](const spec::WarmStart& start) {
        return std::any_of(queue.rows.begin(), queue.rows.end(), [&](const store::QueueRow& row) {
            return row.name == start.sweep && row.state != store::QueueState::Refused && isSweep(row);
        });
    };
    const auto trains = [&](const spec::WarmStart& start) {
        const auto row = query->sweep(start.sweep);
        return row && wire::isActive(row->status);
    };
    spec::SweepSpec recorded = spec;
    std::erase_if(recorded.warmStart, [&](const auto& start) { return waits(start) || trains(start); });
    TY_ASSIGN([[maybe_unused]] const auto complete, sweep::withEarlierResults(workspace, recorded));
    return {};
}

Result<std::string> startRunOf(const store::Workspace& workspace, const store::QueueRow& entry, store::Taking taking,
                               const Devices& devices, const std::optional<Placement>& placement) {
    TY_ASSIGN(auto spec, spec::parseRunSpec(entry.specJson));
    spec = placement ? placedAt(std::move(spec), *placement) : placedNow(workspace, std::move(spec));
    run::StartOptions options;
    options.resumeFrom = entry.checkpoint;
    options.forkedFrom = entry.forkedFrom;
    options.queued = run::QueuedStart{entry.id, taking};
    options.devices = devices;
    options.code = run::codeOfFile(codeFile(workspace, entry));
    return run::startRun(workspace, std::move(spec), options);
}

Result<std::string> startSweepOf(const store::Workspace& workspace, const store::QueueRow& entry,
                                 store::Taking taking) {
    TY_ASSIGN(const auto spec, spec::parseSweepSpec(entry.specJson));
    return sweep::startSweep(
        workspace, spec,
        {.queued = run::QueuedStart{entry.id, taking}, .code = run::codeOfFile(codeFile(workspace, entry))});
}

// Whether what was recorded has never had a supervisor.
template <class Row>
bool isFresh(const Result<Row>& row, std::int64_t Row::* begun) {
    return row && (*row).*begun == 0 && (wire::isActive(row->status) || row->status == wire::RunStatus::Interrupted);
}

} // namespace

Result<store::QueueRow> enqueue(const store::Workspace& workspace, spec::RunSpec given, const QueuedFork& fork) {
    TY_ASSIGN(auto spec, run::validated(std::move(given), {}));
    if (spec.name.empty()) spec.name = newRunName();
    TY_ASSIGN(const auto code, run::takeCode(workspace, spec));
    TY_ASSIGN(const auto checkpoint, keepCheckpoint(workspace, fork.checkpoint));
    store::QueueRow row;
    row.name = spec.name;
    row.specJson = spec::toJson(spec);
    row.checkpoint = checkpoint;
    row.forkedFrom = fork.from;
    auto added = add(workspace, std::move(row), code);
    std::error_code ignored;
    if (!added && !checkpoint.empty()) fs::remove(checkpoint, ignored);
    return added;
}

Result<store::QueueRow> enqueue(const store::Workspace& workspace, spec::SweepSpec given) {
    TY_TRY(checkWarmStart(workspace, given));
    TY_ASSIGN(auto valid, sweep::validated(std::move(given)));
    auto& spec = valid.spec;
    if (spec.name.empty()) spec.name = newRunName();
    store::QueueRow row;
    row.name = spec.name;
    row.specJson = spec::toJson(spec);
    TY_ASSIGN(const auto varied, spec::parseRunSpec(spec.runJson, "the sweep's run"));
    TY_ASSIGN(const auto code, run::takeCode(workspace, varied));
    return add(workspace, std::move(row), code);
}

Result<void> moveToHosts(const store::Workspace& workspace, const store::QueueRow& entry,
                         const std::vector<std::string>& hosts) {
    if (isSweep(entry))
        return inputError("is a sweep, whose file names the hosts of its trials", "entry " + std::to_string(entry.id),
                          "remove it, and add it with other hosts: trainyardctl queue remove " +
                              std::to_string(entry.id));
    TY_ASSIGN(auto spec, spec::parseRunSpec(entry.specJson));
    spec.hosts = hosts;
    spec::dropUsedSpares(spec);
    TY_ASSIGN(spec, run::validated(std::move(spec), {}));
    TY_ASSIGN(auto row, store::removeQueued(workspace, entry.id));
    row.specJson = spec::toJson(spec);
    row.state = store::QueueState::Waiting;
    row.error = {}; // of the hosts before
    return queue::restoreQueued(workspace, row);
}

Result<StartedEntry> startQueued(const store::Workspace& workspace, const store::QueueRow& entry, store::Taking taking,
                                 const Devices& devices, const std::optional<Placement>& placement) {
    const bool sweeps = isSweep(entry);
    const auto started =
        sweeps ? startSweepOf(workspace, entry, taking) : startRunOf(workspace, entry, taking, devices, placement);
    if (!started && started.error().code == ErrorCode::NotQueued) return started.error();
    // With a row in the record it has started, even where that has failed to get a supervisor, which its row says.
    if (!started) TY_TRY(store::refuseQueued(workspace, entry.id, started.error()));
    TY_TRY(store::confirmStarted(workspace, entry.id));
    if (!started) return started.error();
    std::error_code ignored;
    if (!entry.checkpoint.empty()) fs::remove(entry.checkpoint, ignored);
    fs::remove(codeFile(workspace, entry), ignored);
    return StartedEntry{*started, sweeps};
}

// The lock tells whether there is one.
Result<void> finishStart(const store::Workspace& workspace, store::RunQuery& query, const store::QueueRow& entry) {
    if (isSweep(entry)) {
        const auto row = query.sweep(entry.run);
        if (isFresh(row, &store::SweepRow::supervisorPid)) {
            if (store::RunLock::isHeld(workspace.sweepFolder(row->id))) return {};
            const auto resumed = sweep::resumeSweep(workspace, row->id);
            if (!resumed && resumed.error().kind == ErrorKind::Environment) return resumed;
        }
    } else {
        const auto row = query.run(entry.run);
        if (isFresh(row, &store::RunRow::startedMs)) {
            if (store::RunLock::isHeld(row->folder)) return {};
            const auto resumed = run::resumeRun(workspace, row->id);
            if (!resumed && resumed.error().kind == ErrorKind::Environment) return resumed;
        }
    }
    return store::confirmStarted(workspace, entry.id);
}

} // namespace trainyard::queue
