// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/run/host_ranks.h"

#include <arpa/inet.h>
#include <net/if.h>

#include <algorithm>
#include <cstdint>
#include <map>

namespace trainyard::spec {

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

std::string hostOfRank(const std::vector<std::string>& hosts, int rank, int ranks) {
    if (hosts.empty()) return {};
    const auto used = std::min(static_cast<std::int64_t>(hosts.size()), std::int64_t{ranks});
    const auto& host = hosts[static_cast<std::size_t>(rank * used / ranks)];
    return isThisComputer(host) ? std::string() : host;
}

void dropUsedSpares(RunSpec& spec) {
    std::erase_if(spec.spareHosts, [&spec](const std::string& spare) {
        return std::find(spec.hosts.begin(), spec.hosts.end(), spare) != spec.hosts.end();
    });
    if (spec.hosts.empty()) spec.spareHosts.clear();
}

int mostRanksOfOneHost(const std::vector<std::string>& hosts, int ranks) {
    std::map<std::string, int> counts;
    int most = 0;
    for (int rank = 0; rank < ranks; ++rank) most = std::max(most, ++counts[hostOfRank(hosts, rank, ranks)]);
    return most;
}

} // namespace trainyard::spec
