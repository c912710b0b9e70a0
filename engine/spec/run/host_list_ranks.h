// SPDX-License-Identifier: GPL-3.0-or-later
// The list of a run file's hosts as a person sees it: each host with its ranks.
#pragma once

#include <string>
#include <vector>

namespace trainyard::spec {

// A host and its ranks; the empty host is this computer.
struct HostRanks {
    std::string host;
    int ranks = 0;
    bool operator==(const HostRanks&) const = default;
};

// Rule: how many ranks each host has, and which list of hosts deals them so.
// By hostOfRank(), in the order of the list.
std::vector<HostRanks> ranksOfHosts(const std::vector<std::string>& hosts, int ranks);
// The shortest list that deals them so: a host stands in it more than once if it has more ranks than another. Empty for
// this computer alone, which is "local" among others.
std::vector<std::string> hostsWithRanks(const std::vector<HostRanks>& wanted);

} // namespace trainyard::spec
