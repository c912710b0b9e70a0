// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/actions/repair_workspace.h"

#include "engine/base/clock.h"
#include "engine/base/text/names.h"
#include "engine/imports/event_files.h"
#include "engine/run/record/checkpoint_book.h"
#include "engine/run/record/run_folder.h"
#include "engine/run/share/copy_record.h"
#include "engine/store/database_state.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kMakingWithin{10}; // from a run's folder to its row

std::int64_t changedMs(const fs::path& path) {
    std::error_code gone;
    const auto changed = fs::last_write_time(path, gone);
    if (gone) return 0;
    const auto age = fs::file_time_type::clock::now() - changed;
    return wallClockMs() - std::chrono::duration_cast<std::chrono::milliseconds>(age).count();
}

// The folders of runs/, by their names.
std::vector<fs::path> runFolders(const store::Workspace& workspace) {
    std::error_code failure;
    std::vector<fs::path> folders;
    for (fs::directory_iterator at(workspace.root / "runs", failure), end; !failure && at != end; at.increment(failure))
        if (std::error_code gone; isPlainId(at->path().filename().string()) && at->is_directory(gone))
            folders.push_back(at->path());
    std::sort(folders.begin(), folders.end());
    return folders;
}

bool holdsRun(const fs::path& folder) {
    std::error_code gone;
    return fs::exists(RunFolder{folder}.runFile(), gone);
}

Error isSupervised(const fs::path& folder) {
    const auto lock = store::RunLock::acquire(folder);
    const std::string who = lock ? std::string() : lock.error().message;
    return environmentError("cannot be brought back while its supervisor records into the database that was deleted" +
                                (who.empty() ? "" : ": " + who),
                            folder.string(), "stop that process with kill, then repair the workspace again");
}

// The points of a run from its folder, by series and step.
class FoundPoints {
public:
    void add(const wire::Metrics& metrics) {
        for (const auto& [series, first, points] : metrics.series)
            for (const auto& point : points) m_points[series].insert_or_assign(point.step, point);
    }
    // Those of an event file are all that the run had, so they take the place of what checkpoints say.
    void add(const imports::ImportedRun& run) {
        double first = std::numeric_limits<double>::infinity();
        for (const auto& [series, points] : run.series)
            for (const auto& point : points) first = std::min(first, point.wallSeconds);
        for (const auto& [series, points] : run.series) {
            auto& own = m_points[series];
            own.clear();
            for (const auto& point : points)
                own[point.step] = {point.step, point.epoch, point.wallSeconds - first, point.value};
        }
    }
    std::vector<wire::SeriesPoints> deltas() const {
        std::vector<wire::SeriesPoints> all;
        for (const auto& [series, points] : m_points) {
            wire::SeriesPoints delta{series, 0, {}};
            for (const auto& [step, point] : points) delta.points.push_back(point);
            all.push_back(std::move(delta));
        }
        return all;
    }

private:
    std::map<std::string, std::map<std::int64_t, wire::Point>> m_points;
};

FoundPoints pointsIn(const RunFolder& folder, const std::vector<CheckpointFile>& files) {
    FoundPoints points;
    for (const auto& file : files)
        if (!file.row.superseded) points.add(file.points);
    std::error_code none;
    std::vector<fs::path> events;
    for (fs::directory_iterator at(folder.tensorBoard(), none), end; !none && at != end; at.increment(none))
        if (imports::isEventFile(at->path())) events.push_back(at->path());
    std::sort(events.begin(), events.end());
    if (events.empty()) return points;
    if (const auto run = imports::readEventFiles(events)) points.add(*run);
    return points;
}

bool isAtItsEnd(const spec::RunSpec& spec, const store::CheckpointRow& newest) {
    if (spec.steps) return newest.step >= *spec.steps;
    return newest.epoch >= static_cast<double>(spec.epochs.value_or(1));
}

// What the folder says of the run besides its checkpoints.
Result<store::RunRow> rowOf(const RunFolder& folder, const std::vector<CheckpointFile>& files) {
    TY_ASSIGN(const auto spec, spec::readRunSpec(folder.runFile()));
    store::RunRow row;
    row.id = folder.root.filename().string();
    row.name = spec.name.empty() ? row.id : spec.name;
    row.specJson = spec::toJson(spec);
    row.folder = folder.root.string();
    row.worldSize = spec.scaling.workers;
    row.createdMs = row.startedMs = changedMs(folder.launchFile());
    if (row.createdMs == 0) row.createdMs = row.startedMs = changedMs(folder.runFile());
    row.totalSteps = spec.steps.value_or(0);
    row.status = wire::RunStatus::Interrupted;
    row.finishedMs = std::max(changedMs(folder.checkpoints()), row.createdMs);
    row.error = environmentError("its record was lost with the workspace's database, and made again from its folder",
                                 {}, "resume it from its last checkpoint");
    if (files.empty() || files.back().row.superseded) return row;
    const auto& newest = files.back().row;
    row.step = newest.step;
    row.epoch = newest.epoch;
    if (!isAtItsEnd(spec, newest)) return row;
    row.status = wire::RunStatus::Finished;
    row.totalSteps = newest.step;
    row.error = {};
    return row;
}

// A supervisor is told where the workspace is; the folder may have been copied into this one.
Result<void> pointToWorkspace(const store::Workspace& workspace, const RunFolder& folder) {
    auto launch = readLaunchRecord(folder);
    if (!launch || fs::path(launch->workspace) == workspace.root) return {};
    launch->workspace = workspace.root.string();
    std::error_code gone;
    if (!launch->resumeFrom.empty() && fs::exists(folder.startCheckpoint(), gone))
        launch->resumeFrom = folder.startCheckpoint().string();
    return writeLaunchRecord(folder, *launch);
}

class Repair {
public:
    Repair(const store::Workspace& workspace, store::Store& store) : m_workspace(workspace), m_store(store) {}

    // Everything of the damaged database that can still be read.
    void takeOver(store::RunQuery& damaged) {
        if (const auto sweeps = damaged.sweeps())
            for (const auto& sweep : *sweeps) (void)m_store.createSweep(sweep);
        std::set<std::string> ids;
        if (const auto rows = damaged.runs(true))
            for (const auto& row : *rows) ids.insert(row.id);
        for (const auto& folder : runFolders(m_workspace)) ids.insert(folder.filename().string());
        for (const auto& id : ids) {
            auto row = damaged.run(id);
            if (!row || row->id != id) continue;
            auto checkpoints = damaged.checkpoints(id);
            const auto copied = checkpoints ? copyRecord(damaged, *row, *checkpoints, m_store) : checkpoints.error();
            if (!copied) continue; // its folder may tell what the record cannot
            m_known.insert(id);
            m_repaired.runs.push_back({std::move(*row), checkpoints->size(), copied->points, true});
        }
    }

    Result<void> makeAgain(const std::vector<std::string>& ids) {
        for (const auto& id : ids) {
            if (m_known.contains(id)) continue;
            const RunFolder folder{m_workspace.runFolder(id)};
            if (store::RunLock::isHeld(folder.root)) {
                m_repaired.leftOut.push_back(isSupervised(folder.root));
                continue;
            }
            if (auto made = oneAgain(folder); !made) {
                if (made.error().kind == ErrorKind::Environment) return made;
                m_repaired.leftOut.push_back(made.error());
            }
        }
        std::ranges::sort(m_repaired.runs, {}, [](const auto& each) { return each.row.id; });
        return {};
    }

    Repaired take() { return std::move(m_repaired); }

private:
    Result<void> oneAgain(const RunFolder& folder) {
        TY_ASSIGN(const auto spec, spec::readRunSpec(folder.runFile()));
        const auto files = checkpointFilesIn(folder.checkpoints(), spec.checkpoint);
        TY_ASSIGN(auto row, rowOf(folder, files));
        TY_TRY(pointToWorkspace(m_workspace, folder));
        std::vector<store::CheckpointRow> rows;
        for (const auto& file : files) rows.push_back(file.row);
        const auto deltas = pointsIn(folder, files).deltas();
        RepairedRun repaired{.row = {}, .checkpoints = rows.size()};
        for (const auto& delta : deltas) {
            repaired.points += std::ssize(delta.points);
            for (const auto& point : delta.points) row.trainSeconds = std::max(row.trainSeconds, point.seconds);
        }
        const auto written = m_store.together([&]() -> Result<void> {
            TY_TRY(m_store.createRun(row));
            TY_TRY(m_store.setCheckpoints(row.id, rows));
            return m_store.appendPoints(row.id, deltas);
        });
        if (!written) return written;
        repaired.row = std::move(row);
        m_repaired.runs.push_back(std::move(repaired));
        return {};
    }

    const store::Workspace& m_workspace;
    store::Store& m_store;
    std::set<std::string> m_known;
    Repaired m_repaired;
};

// The process that records into a damaged database would go on with the file that is moved away.
Result<void> mustBeIdle(const store::Workspace& workspace) {
    for (const auto& folder : runFolders(workspace))
        if (store::RunLock::isHeld(folder))
            return environmentError("a run is still recorded into the damaged database", folder.string(),
                                    "stop it, then repair the workspace again");
    return {};
}

} // namespace

std::vector<std::string> unrecordedRuns(const store::Workspace& workspace, const std::vector<store::RunRow>& known) {
    std::set<std::string> ids;
    for (const auto& row : known) ids.insert(row.id);
    std::vector<std::string> unrecorded;
    const std::int64_t since = wallClockMs() - std::chrono::milliseconds(kMakingWithin).count();
    for (const auto& folder : runFolders(workspace)) {
        auto id = folder.filename().string();
        const bool isBeingMade = store::RunLock::isHeld(folder) && changedMs(RunFolder{folder}.runFile()) > since;
        if (!ids.contains(id) && holdsRun(folder) && !isBeingMade) unrecorded.push_back(std::move(id));
    }
    return unrecorded;
}

Error unrecordedError(const store::Workspace& workspace, std::size_t count) {
    return environmentError("the database does not know " + std::to_string(count) +
                                (count == 1 ? " run that has a folder there" : " runs that have folders there"),
                            (workspace.root / "runs").string(), "bring back with: trainyardctl workspace repair");
}

Result<Repaired> repairWorkspace(const store::Workspace& workspace) {
    TY_ASSIGN(const auto state, store::databaseState(workspace));
    fs::path aside;
    if (state == store::DatabaseState::Damaged) {
        TY_TRY(mustBeIdle(workspace));
        TY_ASSIGN(aside, store::moveDatabaseAside(workspace));
    }
    TY_ASSIGN(const auto store, store::Store::open(workspace));
    Repair repair(workspace, *store);
    if (!aside.empty())
        if (const auto damaged = store::RunQuery::open(store::Workspace{aside})) repair.takeOver(**damaged);
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(const auto known, query->runs(true));
    TY_TRY(repair.makeAgain(unrecordedRuns(workspace, known)));
    Repaired repaired = repair.take();
    repaired.aside = aside;
    return repaired;
}

} // namespace trainyard::run
