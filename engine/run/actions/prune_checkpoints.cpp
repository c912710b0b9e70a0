// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/actions/prune_checkpoints.h"

#include "engine/base/text/printable.h"
#include "engine/run/record/run_folder.h"
#include "engine/spec/run/run_spec.h"

#include <algorithm>
#include <set>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;

// Nothing but the folder that was made for the run, and files in it: the rows of a copied workspace name the original.
bool isReachable(const store::RunRow& run) {
    std::error_code ignored;
    return fs::path(run.folder).filename() == run.id && fs::is_directory(run.folder, ignored);
}

Result<std::set<std::string>> activeSweeps(store::RunQuery& query) {
    TY_ASSIGN(const auto sweeps, query.activeSweeps());
    std::set<std::string> ids;
    for (const auto& sweep : sweeps) ids.insert(sweep.id);
    return ids;
}

// Why a checkpoint that is not in the run's own folder stays.
KeptFor keptElsewhere(const store::RunRow& run) {
    const auto spec = spec::parseRunSpec(run.specJson);
    return spec && spec->program ? KeptFor::Program : KeptFor::NoFolder;
}

PrunedRun stateOf(const store::RunRow& run, const std::set<std::string>& sweeps) {
    return {run.status, sweeps.contains(run.sweep), isReachable(run)};
}

std::string words(const store::RunRow& run, const std::string& why) {
    return "run " + printable(run.name, 60) + ": " + why;
}

// The rows that the plan and the rule give up, with the run as it is now.
Result<std::vector<store::CheckpointRow>> stillGivenUp(store::RunQuery& query, const PlannedRun& planned,
                                                       const PruneRule& rule) {
    std::vector<store::CheckpointRow> rows;
    TY_ASSIGN(const auto run, query.run(planned.run.id));
    TY_ASSIGN(const auto sweeps, activeSweeps(query));
    TY_ASSIGN(auto now, query.checkpoints(run.id));
    const auto kept = judgePrune(stateOf(run, sweeps), now, scoreOf(run), rule);
    for (std::size_t i = 0; i < now.size(); ++i) {
        const bool wanted = std::any_of(planned.checkpoints.begin(), planned.checkpoints.end(), [&](const auto& each) {
            return each.kept == KeptFor::No && each.row.id == now[i].id;
        });
        if (wanted && kept[i] == KeptFor::No && isOfRun(run.folder, now[i].path)) rows.push_back(std::move(now[i]));
    }
    return rows;
}

void add(Pruned& done, DroppedCheckpoints&& dropped) {
    done.deleted += static_cast<int>(dropped.ids.size());
    done.freedBytes += dropped.freedBytes;
    done.sharedBytes += dropped.sharedBytes;
    std::move(dropped.stays.begin(), dropped.stays.end(), std::back_inserter(done.left));
}

// With the run's lock, so that no supervisor begins meanwhile.
Result<void> pruneRun(store::Store& writer, store::RunQuery& query, const PlannedRun& planned, const PruneRule& rule,
                      Pruned& done) {
    if (!isReachable(planned.run)) {
        done.left.push_back(words(planned.run, "its folder cannot be reached"));
        return {};
    }
    const auto lock = store::RunLock::acquire(planned.run.folder);
    if (!lock) {
        done.left.push_back(words(planned.run, "it has a supervisor now"));
        return {};
    }
    TY_ASSIGN(const auto rows, stillGivenUp(query, planned, rule));
    TY_ASSIGN(auto deleted, query.halfDeleted(planned.run.id));
    deleted.insert(deleted.end(), rows.begin(), rows.end());
    TY_ASSIGN(auto dropped, deleteCheckpoints(writer, deleted, Outlives::PowerLoss));
    const auto wanted = std::count_if(planned.checkpoints.begin(), planned.checkpoints.end(),
                                      [](const auto& each) { return each.kept == KeptFor::No; });
    const auto stays = wanted - std::ssize(rows);
    if (stays > 0)
        done.left.push_back(words(planned.run, std::to_string(stays) +
                                                   (stays == 1 ? " checkpoint is" : " checkpoints are") +
                                                   " needed, pinned or gone by now"));
    add(done, std::move(dropped));
    return {};
}

} // namespace

std::vector<KeptFor> judgePrune(const PrunedRun& run, const std::vector<store::CheckpointRow>& rows, const Score& score,
                                const PruneRule& rule) {
    const auto all = [&](KeptFor why) { return std::vector<KeptFor>(rows.size(), why); };
    if (!run.folderReachable) return all(KeptFor::NoFolder);
    if (wire::isActive(run.status) || run.status == wire::RunStatus::Unknown) return all(KeptFor::Active);
    if (run.sweepActive) return all(KeptFor::Sweep);
    const bool finished = run.status == wire::RunStatus::Finished;
    if (rule.finishedOnly && !finished) return all(KeptFor::Unfinished);
    auto kept = judgeKept(rows, score, rule.keep);
    if (!finished && !rows.empty() && kept.back() == KeptFor::No && !rows.back().superseded)
        kept.back() = KeptFor::Resume;
    return kept;
}

Result<PrunePlan> planPrune(store::RunQuery& query, const std::vector<RunCheckpoints>& runs, const PruneRule& rule) {
    TY_ASSIGN(const auto sweeps, activeSweeps(query));
    PrunePlan plan{rule, {}};
    for (const RunCheckpoints& each : runs) {
        const auto kept = judgePrune(stateOf(each.run, sweeps), each.rows, each.score, rule);
        PlannedRun planned{each.run, {}};
        for (std::size_t i = 0; i < each.rows.size(); ++i) {
            PlannedCheckpoint checkpoint{each.rows[i], kept[i], {}};
            if (kept[i] == KeptFor::No && !isOfRun(each.run.folder, each.rows[i].path))
                checkpoint.kept = keptElsewhere(each.run);
            if (checkpoint.kept == KeptFor::No) {
                checkpoint.file = bytesOf(checkpoint.row.path);
                ++plan.deletes;
                (checkpoint.file.shared ? plan.sharedBytes : plan.freedBytes) += checkpoint.file.bytes;
            }
            planned.checkpoints.push_back(std::move(checkpoint));
        }
        plan.runs.push_back(std::move(planned));
    }
    return plan;
}

Result<Pruned> pruneCheckpoints(const store::Workspace& workspace, const PrunePlan& plan,
                                const std::function<bool()>& goesOn) {
    TY_ASSIGN(const auto writer, store::Store::open(workspace));
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    Pruned done;
    TY_ASSIGN(const auto half, query->runsWithHalfDeleted());
    for (const std::string& id : half) {
        TY_ASSIGN(const auto run, query->run(id));
        TY_TRY(pruneRun(*writer, *query, {run, {}}, plan.rule, done));
    }
    for (const PlannedRun& planned : plan.runs) {
        if (std::none_of(planned.checkpoints.begin(), planned.checkpoints.end(),
                         [](const auto& each) { return each.kept == KeptFor::No; }))
            continue;
        if (goesOn && !goesOn()) break;
        TY_TRY(pruneRun(*writer, *query, planned, plan.rule, done));
    }
    TY_ASSIGN(done.code, pruneCode(workspace));
    return done;
}

} // namespace trainyard::run
