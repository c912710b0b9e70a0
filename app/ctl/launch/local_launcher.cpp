// SPDX-License-Identifier: GPL-3.0-or-later
// Workers on this computer.
#include "app/ctl/launchers.h"
#include "engine/run/launch/programs.h"

namespace trainyard::ctl {
namespace {

Result<std::unique_ptr<run::Launcher>> makeLocal(std::filesystem::path workerProgram) {
    const bool own = workerProgram == run::workerProgram(); // a program on the library has no pool
    return run::makeLocalLauncher(std::move(workerProgram), own ? run::StartBy::Pool : run::StartBy::Program);
}

} // namespace

LauncherKind localLauncher() {
    return {.serves = [](const std::string& host) { return host.empty(); }, .make = makeLocal, .keepsWorkers = true};
}

} // namespace trainyard::ctl
