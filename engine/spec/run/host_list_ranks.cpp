// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/run/host_list_ranks.h"

#include "engine/spec/run/host_ranks.h"

#include <algorithm>
#include <numeric>

namespace trainyard::spec {

std::vector<HostRanks> ranksOfHosts(const std::vector<std::string>& hosts, int ranks) {
    std::vector<HostRanks> all;
    for (int rank = 0; rank < ranks; ++rank) {
        const std::string host = hostOfRank(hosts, {rank, ranks});
        const auto known = std::ranges::find(all, host, &HostRanks::host);
        if (known == all.end()) all.push_back({host, 1});
        else ++known->ranks;
    }
    return all;
}

std::vector<std::string> hostsWithRanks(const std::vector<HostRanks>& wanted) {
    int shared = 0;
    for (const auto& [host, ranks] : wanted) shared = std::gcd(shared, ranks);
    std::vector<std::string> hosts;
    for (const auto& [host, ranks] : wanted)
        for (int i = 0; i < ranks; i += shared) hosts.push_back(isThisComputer(host) ? "local" : host);
    if (wanted.size() == 1 && isThisComputer(wanted.front().host)) hosts.clear();
    return hosts;
}

} // namespace trainyard::spec
