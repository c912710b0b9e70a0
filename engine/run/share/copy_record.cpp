// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/share/copy_record.h"

#include <utility>

namespace trainyard::run {

Result<CopiedRecord> copyRecord(store::RunQuery& from, store::RunRow& row,
                                const std::vector<store::CheckpointRow>& checkpoints, store::Store& to) {
    TY_ASSIGN(const auto workers, from.workers(row.id));
    TY_ASSIGN(const auto log, from.log(row.id));
    TY_ASSIGN(const auto events, from.events(row.id));
    TY_ASSIGN(const auto names, from.seriesNames(row.id));
    row.supervisorPid = 0;
    row.socketPath.clear();
    CopiedRecord copied;
    const auto written = to.together([&]() -> Result<void> {
        TY_TRY(to.createRun(row));
        TY_TRY(to.setWorkers(row.id, workers));
        TY_TRY(to.setCheckpoints(row.id, checkpoints));
        TY_TRY(to.appendLog(row.id, log));
        TY_TRY(to.appendEvents(row.id, events));
        for (const std::string& name : names) {
            TY_ASSIGN(auto points, from.points(RunId(row.id), name));
            ++copied.series, copied.points += std::ssize(points);
            TY_TRY(to.appendPoints(row.id, {{name, 0, std::move(points)}}));
        }
        return {};
    });
    TY_TRY(written);
    return copied;
}

} // namespace trainyard::run
