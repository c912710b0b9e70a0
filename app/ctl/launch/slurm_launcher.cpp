// SPDX-License-Identifier: GPL-3.0-or-later
// Workers on the nodes of the Slurm job that this program was started in.
#include "engine/run/slurm/slurm_launcher.h"

#include "app/ctl/launchers.h"
#include "engine/run/slurm/allocation.h"
#include "engine/run/slurm/slurm_hosts.h"
#include "engine/spec/run/host_ranks.h"

#include <cstdlib>

namespace trainyard::ctl {
namespace {

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

// A list that is not understood is for those to hear of who name its nodes.
Result<std::unique_ptr<run::Launcher>> makeSlurm(std::filesystem::path workerProgram) {
    run::SlurmLauncherOptions options{variable("SLURM_JOB_ID"), {}, std::move(workerProgram)};
    if (auto nodes = run::expandNodeList(variable("SLURM_JOB_NODELIST"))) options.nodes = std::move(*nodes);
    return run::makeSlurmLauncher(std::move(options));
}

} // namespace

LauncherKind slurmLauncher() {
    return {.serves = spec::isSlurmHost, .make = makeSlurm, .expand = [](const std::vector<std::string>& hosts) {
                return run::withSlurmNodes(hosts, variable("SLURM_JOB_NODELIST"));
            }};
}

} // namespace trainyard::ctl
