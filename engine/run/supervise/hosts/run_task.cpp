// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/hosts/run_task.h"

namespace trainyard::run {

Result<RunTask> RunTask::read(const RunFolder& folder) {
    TY_ASSIGN(auto launch, readLaunchRecord(folder));
    TY_ASSIGN(auto workspace, store::Workspace::open(launch.workspace));
    TY_ASSIGN(auto spec, spec::readRunSpec(folder.runFile()));
    auto text = spec::toJson(spec);
    return RunTask{folder, std::move(launch), std::move(workspace), std::move(spec), std::move(text)};
}

} // namespace trainyard::run
