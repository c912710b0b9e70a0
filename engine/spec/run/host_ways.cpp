// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/run/host_ways.h"

#include "engine/spec/run/host_ranks.h"

#include <algorithm>

namespace trainyard::spec {
namespace {

constexpr std::size_t kEachWayHosts = 4; // of more, one way to each is tried

// This computer comes first; nodes of a job have no way that is known.
std::vector<std::string> hostsWithWays(const std::vector<std::string>& hosts) {
    std::vector<std::string> others;
    for (const auto& host : hosts)
        if (!isThisComputer(host) && host != kSlurmHost && std::ranges::find(others, host) == others.end())
            others.push_back(host);
    if (std::ranges::any_of(hosts, isThisComputer)) others.insert(others.begin(), std::string());
    return others;
}

} // namespace

std::vector<std::pair<std::string, std::string>> waysToTry(const std::vector<std::string>& hosts) {
    const auto all = hostsWithWays(hosts);
    std::vector<std::pair<std::string, std::string>> ways;
    for (std::size_t to = 0; to < all.size(); ++to) {
        if (all[to].empty()) continue;
        if (all.size() == 1) ways.emplace_back(all[to], all[to]);
        else if (all.size() > kEachWayHosts) ways.emplace_back(all[(to + all.size() - 1) % all.size()], all[to]);
        else
            for (const auto& from : all)
                if (from != all[to]) ways.emplace_back(from, all[to]);
    }
    return ways;
}

} // namespace trainyard::spec
