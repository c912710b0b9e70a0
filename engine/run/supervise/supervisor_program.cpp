// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that are not trainyard-worker but a program on the library, which learns its place from its environment.
#include "engine/run/supervise/supervisor.h"

namespace trainyard::run {

// The words of torchrun, so that what reads them elsewhere reads them here. There is no MASTER_PORT: the ranks of this
// library meet over their supervisor.
void Supervisor::describeProgram(LaunchRequest& request, const WorkerLink::Placement& placement) const {
    const auto& program = m_setup.task.launch.program;
    if (!program) return;
    request.arguments = program->arguments;
    for (const auto& [name, value] : program->environment) request.environment[name] = value;
    int node = 0;
    for (const auto& [host, entry] : m_hosts.all()) {
        if (host == placement.host) break;
        ++node;
    }
    const auto& first = m_hosts.at(m_hosts.hostOf(0, m_size.wanted())).info;
    const auto& spec = m_setup.task.spec;
    request.environment.insert_or_assign("RANK", std::to_string(placement.rank));
    request.environment.insert_or_assign("WORLD_SIZE", std::to_string(spec.scaling.workers));
    request.environment.insert_or_assign("LOCAL_RANK", std::to_string(placement.localRank));
    request.environment.insert_or_assign("LOCAL_WORLD_SIZE", std::to_string(placement.localWorldSize));
    request.environment.insert_or_assign("GROUP_RANK", std::to_string(node));
    request.environment.insert_or_assign("GROUP_WORLD_SIZE", std::to_string(m_hosts.all().size()));
    request.environment.insert_or_assign("MASTER_ADDR", m_hosts.isOne() ? std::string("127.0.0.1") : first.address);
    request.environment.insert_or_assign("TORCHELASTIC_RESTART_COUNT", std::to_string(m_generation));
    request.environment.insert_or_assign("TORCHELASTIC_RUN_ID", m_setup.task.launch.run);
    request.environment.insert_or_assign("TRAINYARD_RUN", m_setup.task.launch.run);
}

} // namespace trainyard::run
