// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/run/host_ranks.h"

#include <arpa/inet.h>
#include <net/if.h>

#include <algorithm>
#include <cstdint>
#include <map>

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

bool isThisComputer(const std::string& host) { return host.empty() || host == "local" || host == "localhost"; }

bool isSlurmHost(const std::string& host) { return host == kSlurmHost || host.starts_with("slurm:"); }

bool isIpv6Address(const std::string& text) {
    const auto zone = text.find('%');
    in6_addr address{};
    if (::inet_pton(AF_INET6, text.substr(0, zone).c_str(), &address) != 1) return false;
    return zone == text.npos || (zone + 1 < text.size() && text.size() - zone <= IF_NAMESIZE &&
                                 std::ranges::all_of(text.substr(zone + 1), [](char c) {
                                     return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                                            (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
                                 }));
}

std::string reservedMeaning(const std::string& host) {
    if (!host.empty() && isThisComputer(host)) return "this computer";
    return isSlurmHost(host) ? "the nodes of a Slurm job" : std::string();
}

std::string slurmNodeOf(const std::string& host) {
    return isSlurmHost(host) && host != kSlurmHost ? host.substr(host.find(':') + 1) : std::string();
}

HostName hostOfRank(const std::vector<std::string>& hosts, RankOf rank) {
    if (hosts.empty()) return {};
    const auto& host = hosts[hostPlaceOf(rank, hosts.size())];
    return isThisComputer(host) ? HostName() : HostName(host);
}

std::size_t hostPlaceOf(RankOf rank, std::size_t hosts) {
    const auto used = std::min(static_cast<std::int64_t>(hosts), std::int64_t{rank.ranks});
    return static_cast<std::size_t>(rank.rank * used / rank.ranks);
}

void dropUsedSpares(RunSpec& spec) {
    std::erase_if(spec.spareHosts, [&spec](const std::string& spare) {
        return std::find(spec.hosts.begin(), spec.hosts.end(), spare) != spec.hosts.end();
    });
    if (spec.hosts.empty()) spec.spareHosts.clear();
}

int mostRanksOfOneHost(const std::vector<std::string>& hosts, int ranks) {
    std::map<HostName, int> counts;
    int most = 0;
    for (int rank = 0; rank < ranks; ++rank) most = std::max(most, ++counts[hostOfRank(hosts, {rank, ranks})]);
    return most;
}

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
