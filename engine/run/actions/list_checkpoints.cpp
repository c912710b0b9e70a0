// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/actions/list_checkpoints.h"

#include "engine/run/filter/stored_runs.h"

#include <algorithm>
#include <cmath>

namespace trainyard::run {
namespace {

Score scoreOfListed(const store::RunRow& run, const std::vector<store::CheckpointRow>& rows) {
    std::vector<std::string> names;
    for (const auto& row : rows)
        for (const auto& [name, value] : row.metrics) names.push_back(name);
    return scoreOf(run, names);
}

} // namespace

Result<std::vector<RunCheckpoints>> listCheckpoints(store::RunQuery& query, bool withArchived,
                                                    std::string_view filter) {
    TY_ASSIGN(auto found, findRuns(query, withArchived, filter));
    TY_ASSIGN(auto rows, query.checkpointsByRun());
    TY_ASSIGN(auto hosts, query.hostsOfRankZero());
    std::vector<RunCheckpoints> list;
    for (store::RunRow& run : found.runs) {
        const auto own = rows.find(run.id);
        if (own == rows.end()) continue;
        const auto host = hosts.find(run.id);
        const Score score = scoreOfListed(run, own->second);
        list.push_back(
            {std::move(run), score, host == hosts.end() ? std::string() : host->second, std::move(own->second)});
    }
    return list;
}

double scoreOf(const store::CheckpointRow& row, const Score& score) {
    const auto found = row.metrics.find(score.series);
    return found == row.metrics.end() ? std::nan("") : found->second;
}

Result<std::vector<PinEdit>> pinCheckpoints(const store::Workspace& workspace, const std::vector<PinEdit>& edits) {
    TY_ASSIGN(const auto writer, store::Store::open(workspace));
    std::vector<PinEdit> back;
    const auto made = writer->together(
        [&]() -> Result<void> {
            for (const PinEdit& edit : edits) {
                TY_ASSIGN(const bool changed, writer->setPinned(edit.checkpoint, edit.pinned));
                if (changed) back.insert(back.begin(), {edit.checkpoint, !edit.pinned});
            }
            return {};
        },
        Outlives::PowerLoss);
    if (!made) return made.error();
    return back;
}

} // namespace trainyard::run
