// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/share/take_from_job.h"

#include "engine/base/clock.h"
#include "engine/base/files/atomic_file.h"
#include "engine/run/mirror/mirror_copy.h"
#include "engine/run/mirror/mirror_source.h"
#include "engine/run/record/run_folder.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace fs = std::filesystem;

namespace trainyard::run {

namespace {

// The job trains the run no more.
Result<void> leaveTo(const store::Workspace& to, const store::Workspace& job, const store::RunRow& row) {
    const RunFolder folder{row.folder};
    TY_ASSIGN(auto launch, readLaunchRecord(folder));
    launch.workspace = fs::absolute(to.root).string();
    TY_TRY(writeFileAtomic(job.root / kTakenFile, std::string_view("")));
    return writeLaunchRecord(folder, launch);
}

// Its supervisor, and where that listens, are on a node.
Result<void> takeRow(store::RunRow row, const CompleteRow& complete, store::RunQuery& known, store::Store& store) {
    row.supervisorPid = 0;
    row.socketPath.clear();
    complete(row);
    const auto before = known.run(row.id);
    if (before && before->id == row.id) return store.updateRun(row);
    if (!before && before.error().code != ErrorCode::RunUnknown) return before.error();
    return store.createRun(row);
}

} // namespace

void endWithJob(store::RunRow& row, const Ended& ended, const std::string& what) {
    if (!wire::isActive(row.status)) return;
    row.status = wire::RunStatus::Interrupted;
    row.finishedMs = wallClockMs();
    row.error = runError(what + " " + toText(ended), "Slurm", "resume it from its last checkpoint")
                    .withCode(ErrorCode::SupervisorLost);
}

Result<void> takeNews(const store::Workspace& job, const std::vector<MirrorNews>& news, const CompleteRow& complete,
                      store::RunQuery& known, store::Store& store) {
    for (MirrorNews piece : news) {
        auto row = std::exchange(piece.row, {});
        const auto written = store.together([&]() -> Result<void> {
            if (row) TY_TRY(takeRow(std::move(*row), complete, known, store));
            TY_TRY(writeNews(store, known, job, piece, UserEdits::OfThisComputer));
            if (piece.checkpoints) {
                TY_ASSIGN([[maybe_unused]] const auto kept, store.setCheckpoints(piece.run, *piece.checkpoints));
            }
            return {};
        });
        TY_TRY(written);
    }
    return {};
}

Result<void> takeRest(const store::Workspace& job, const std::string& run, const CompleteRow& complete,
                      const store::Workspace& to, store::RunQuery& known, store::Store& store) {
    MirrorSource source(job);
    TY_ASSIGN(auto request, requestOf(known, run));
    source.want(std::move(request));
    TY_ASSIGN(const auto news, source.poll());
    const auto last = std::ranges::find_if(news.rbegin(), news.rend(), [](const auto& each) { return bool(each.row); });
    if (last != news.rend()) TY_TRY(leaveTo(to, job, *last->row));
    return takeNews(job, news, complete, known, store);
}

Result<CopiedRecord> takeFromJob(const store::Workspace& job, store::RunQuery& from, store::RunRow& row,
                                 const store::Workspace& to, store::Store& store) {
    TY_ASSIGN(const auto checkpoints, from.checkpoints(row.id));
    TY_TRY(leaveTo(to, job, row));
    return copyRecord(from, row, checkpoints, store);
}

} // namespace trainyard::run
