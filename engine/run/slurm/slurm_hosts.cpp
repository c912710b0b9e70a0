// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/slurm/slurm_hosts.h"

#include "engine/run/slurm/allocation.h"
#include "engine/spec/run/host_ranks.h"

#include <algorithm>
#include <sstream>

namespace trainyard::run {
Result<std::vector<std::string>> withSlurmNodes(const std::vector<std::string>& hosts, const std::string& nodeList) {
    if (std::ranges::none_of(hosts, spec::isSlurmHost)) return hosts;
    if (nodeList.empty())
        return inputError("\"slurm\" means the nodes of a Slurm job, and this is not started in one", "hosts",
                          "submit it: trainyardctl slurm submit FILE; or start it in a job (salloc, sbatch)");
    TY_ASSIGN(const auto nodes, expandNodeList(nodeList));
    std::vector<std::string> all;
    bool named = false;
    for (const auto& host : hosts) {
        if (!spec::isSlurmHost(host)) all.push_back(host);
        else if (!std::exchange(named, true))
            for (const auto& node : nodes) all.push_back(spec::kSlurmHost + (":" + node));
    }
    return all;
}

std::string slurmNodeAddress(const std::string& resolved, const std::string& own) {
    std::istringstream words(own);
    std::string first;
    for (std::string word; words >> word;) {
        if (word == resolved) return word;
        if (first.empty()) first = word;
    }
    return first;
}

} // namespace trainyard::run
