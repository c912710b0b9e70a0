// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/actions/take_from_job.h"

#include "engine/base/atomic_file.h"
#include "engine/base/clock.h"
#include "engine/run/record/run_folder.h"

#include <string_view>

namespace fs = std::filesystem;

namespace trainyard::run {

void endWithJob(store::RunRow& row, const Ended& ended, const std::string& what) {
    if (!wire::isActive(row.status)) return;
    row.status = wire::RunStatus::Interrupted;
    row.finishedMs = wallClockMs();
    row.setFailure(runError(what + " " + toText(ended), "Slurm", "resume it from its last checkpoint")
                       .withCode(ErrorCode::SupervisorLost));
}

Result<CopiedRecord> takeFromJob(const store::Workspace& job, store::RunQuery& from, store::RunRow& row,
                                 const store::Workspace& to, store::Store& store) {
    TY_ASSIGN(const auto checkpoints, from.checkpoints(row.id));
    const RunFolder folder{row.folder};
    TY_ASSIGN(auto launch, readLaunchRecord(folder));
    launch.workspace = fs::absolute(to.root).string();
    TY_TRY(writeFileAtomic(job.root / kTakenFile, std::string_view("")));
    TY_TRY(writeLaunchRecord(folder, launch));
    return copyRecord(from, row, checkpoints, store);
}

} // namespace trainyard::run
